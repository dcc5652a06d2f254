"""The families of rules over recordings, so that their functions are known; and what there is to be known of a rule."""

from difflib import get_close_matches

from flowgen.errors import UsageError

from . import (
    _capabilities,
    _elicitation,
    _features,
    _frame,
    _handshake,
    _http,
    _http_session,
    _http_streams,
    _methods,
    _oauth,
    _oauth_tokens,
    _pages,
    _progress,
    _results,
    _stdio,
    _subscriptions,
    _tasks,
    _tools,
    _versions,
    _visible,
)
from ._book import Row, rows
from ._rules import Rule, rules

FAMILIES = (_capabilities, _elicitation, _features, _frame, _handshake, _http, _http_session, _http_streams,
            _methods, _oauth, _oauth_tokens, _pages, _progress, _results, _stdio, _subscriptions, _tasks, _tools,
            _versions, _visible)  # fmt: skip

_WORDS = {"any": "any transport", "http": "HTTP", "stdio": "stdio", "oauth": "HTTP with OAuth", "both": "both sides",
          "client": "the client", "server": "the server", "flowgen": "flowgen itself"}  # fmt: skip


def codes() -> tuple[str, ...]:
    """The names of all rules, over recordings and over configs."""
    return tuple(dict.fromkeys((*rows(), *rules())))


def known(code: str) -> str:
    """The same name. Raises UsageError for one that no rule has."""
    if code in codes():
        return code
    close = get_close_matches(code, codes(), 1)
    hint = f"did you mean {close[0]}?" if close else "flowgen check --explain all lists them"
    raise UsageError(f"no rule is called {code!r}", hint)


def explained(code: str) -> str:
    """All that is known of a rule, for people; `all`: a line of each. Raises UsageError for a name that no rule has."""
    if code == "all":
        return "".join(_listed())
    told = [_of_recordings(rows()[code])] if known(code) in rows() else []
    told += [_of_configs(rules()[code])] if code in rules() else []
    return "\n".join(told)


def _listed() -> list[str]:
    wide = max(map(len, codes()))
    told: list[tuple[str, str, str]] = [(row.slug, row.level, row.rule) for row in rows().values()]
    told += [(rule.code, rule.severity, _sentence(rule)) for rule in rules().values()]
    return [f"{name:<{wide}}  {level:<7}  {text}\n" for name, level, text in told]


def _sentence(rule: Rule) -> str:
    return rule.sentences["message"].replace("{about}", "…").replace("{count}", "…")


def _of_recordings(row: Row) -> str:
    lines = {"rule": row.rule, "example": row.example, "era": row.era, "on": _WORDS[row.on], "kept by": _WORDS[row.who],
             "needs": " and ".join(f"the recording's {each}" for each in row.needs), "source": row.source,
             "undecided": row.undecided or ""}  # fmt: skip
    return _page(f"{row.slug}: {row.level}, recordings", lines)


def _of_configs(rule: Rule) -> str:
    lines = {"finding": _sentence(rule), "advice": rule.advice, "source": rule.source}
    return _page(f"{rule.code}: {rule.severity}, configs and topologies", lines)


def _page(head: str, lines: dict[str, str]) -> str:
    return "".join([f"{head}\n", *(f"  {name:<9} {told}\n" for name, told in lines.items() if told)])
