"""What a folded run of exchanges says on its pill: how many of what, how fast, how long, and what became of them."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from ._duration import duration, span
from ._model import Entry, Run, Say

_LONG = 60  # characters of a method beside other words
_NAME = 40  # characters of a tool's name
_NAMED = 3  # names before `…`


def pairs_label(run: Run) -> Say:
    """`… 118 more tools/call (a, b, c, …) · median 9 ms, max 1.2 s · 23.4 s · all answered`."""
    parts = [_how_many(run, run.openers), *_how_fast(run), *_how_long(run), *_what_became(run)]
    return Say(" · ".join(part.en for part in parts), " · ".join(part.zh for part in parts))


def _how_many(run: Run, openers: Sequence[Entry]) -> Say:
    count = sum(entry.count for entry in openers or run.entries)
    methods = _distinct(entry.method for entry in openers or run.entries)
    if len(methods) == 1 and openers:
        names = _listed(_distinct(name for entry in openers for name in entry.names), _NAME)
        method = _cut(methods[0], _LONG)
        return _counted(count, Say(method, f"次 {method}"), names)
    what = Say("exchanges", "次交互") if openers else Say("messages", "条消息")
    return _counted(count, what, _listed(methods, _LONG))


def _counted(count: int, what: Say, names: str) -> Say:
    en, zh = (f" ({names})", f"（{names}）") if names else ("", "")
    return Say(f"… {count:,} more {what.en}{en}", f"… 另有 {count:,} {what.zh}{zh}")


def _listed(names: list[str], longest: int) -> str:
    named = [_cut(name, longest) for name in names[:_NAMED]]
    return ", ".join(named + ["…"] * (len(names) > _NAMED))


def _how_fast(run: Run) -> Iterator[Say]:
    from statistics import median  # fractions and decimals come with it, for few pictures

    if times := run.latencies:
        middle, most = duration(median(times)), duration(max(times))
        yield Say(f"median {middle}, max {most}", f"中位 {middle}，最长 {most}")


def _how_long(run: Run) -> Iterator[Say]:
    spent = span(run.entries[0].message.at, run.entries[-1].message.at)
    if spent is not None:
        yield Say(duration(spent), duration(spent))


def _what_became(run: Run) -> Iterator[Say]:
    """Of the requests in a run: all answered, all failed, or how many were not."""
    states = Counter[str]()
    for entry in run.entries:
        if entry.state:
            states[entry.state] += entry.count
    missing, given_up = states["unanswered"], states["cancelled"]
    failures = [entry for entry in run.entries if _failed(entry)]
    odd = []
    if failures:
        odd.append(_failures(failures, states.total()))
    if missing:
        odd.append(Say(f"{missing:,} without an answer", f"{missing:,} 次无响应"))
    if given_up:
        odd.append(Say(f"{given_up:,} cancelled", f"{given_up:,} 次取消"))
    if states and not odd:
        odd.append(Say("all answered", "全部已响应"))
    if odd:
        yield Say(", ".join(part.en for part in odd), "，".join(part.zh for part in odd))


def _failures(failures: list[Entry], asked: int) -> Say:
    codes = _distinct(map(_code, failures))
    why = f" ({codes[0]})" if len(codes) == 1 and codes[0] else ""
    count = sum(entry.count for entry in failures)
    if count >= asked:
        return Say(f"all failed{why}", f"全部失败{why}")
    return Say(f"{count:,} failed{why}", f"{count:,} 次失败{why}")


def _failed(entry: Entry) -> bool:
    message = entry.message
    status = message.http.status if message.http else None
    return message.kind == "error" or (status or 0) >= 400 or _tool_failed(entry)


def _tool_failed(entry: Entry) -> bool:
    match entry.message.body:
        case {"result": {"isError": True}}:
            return entry.message.kind == "response"
    return False


def _code(entry: Entry) -> str:
    match entry.message.body:
        case {"error": {"code": int() as code}} if abs(code) < 10**9 and not isinstance(code, bool):
            return str(code).replace("-", "−")
    status = entry.message.http.status if entry.message.http else None
    return f"HTTP {status}" if (status or 0) >= 400 else ""


def _distinct(values: Iterable[str | None]) -> list[str]:
    return list(dict.fromkeys(value for value in values if value is not None))


def _cut(text: str, longest: int) -> str:
    return text if len(text) <= longest else f"{text[:longest]}…"
