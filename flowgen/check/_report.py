"""A report: the findings with what was looked at, as lines for people, a table or data. Other tools' forms stand apart.

What stands in a file is hostile: signs that a terminal would act on are written as their code points, and what looks
like a secret is masked, whoever wrote the finding.
"""

import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple

from flowgen.topology import Finding
from flowgen.trace import mask_shapes

from ._breach import Breach

Told = Finding | Breach
Level = Literal["error", "high", "warning", "medium", "low", "info"]

LEVELS: dict[Level, int] = {"error": 0, "high": 0, "warning": 1, "medium": 1, "low": 2, "info": 3}  # the gravest first
_OF_SERVERS: tuple[Level, ...] = ("high", "medium", "low", "info")
_OF_RECORDINGS: tuple[Level, ...] = ("error", "warning", "info")
_FIELDS = ("code", "severity", "message", "server", "host", "where", "number", "seq", "advice", "source")
_ANCHOR = re.compile(r"(?P<path>.*)#(?:m|seq)-\d+")
MARKDOWN = str.maketrans({sign: f"\\{sign}" for sign in "\\`*_[]|~"} | {"<": "&lt;", ">": "&gt;", "&": "&amp;"})


class Place(NamedTuple):
    """Where a finding stands: the file, and its line if that is known."""

    path: str
    line: int | None


@dataclass(frozen=True, slots=True)
class Report:
    """What was found in `paths`: in configs of `servers` servers and in `recordings`. All of it can be shown."""

    paths: tuple[str, ...]
    servers: int
    findings: tuple[Told, ...]
    recordings: int = 0

    def __iter__(self) -> Iterator[Told]:
        """The findings, the gravest first."""
        return iter(self.findings)

    @property
    def levels(self) -> tuple[Level, ...]:
        """The levels that its findings may have, the gravest first."""
        configs = self.servers or not self.recordings
        known = {*(_OF_SERVERS if configs else ()), *(_OF_RECORDINGS if self.recordings else ())}
        return tuple(level for level in LEVELS if level in known)

    def at_least(self, level: Level) -> tuple[Told, ...]:
        """The findings of a level or above."""
        return tuple(each for each in self.findings if reaches(each, level))


def report(paths: tuple[str, ...], servers: int, findings: tuple[Told, ...], recordings: int = 0) -> Report:
    """A report with the gravest findings first; its texts are made fit to be shown."""
    ordered = sorted(findings, key=lambda each: LEVELS[each.severity])
    return Report(tuple(map(shown, paths)), servers, tuple(map(_shown_finding, ordered)), recordings)


def reaches(finding: Told, level: Level) -> bool:
    """Whether a finding is as grave as a level."""
    return LEVELS[finding.severity] <= LEVELS[level]


def place_of(finding: Told) -> Place | None:
    """The file of `path#m-7`, the file and line of `path:line`; None where a finding tells none, or a message alone."""
    if message := _ANCHOR.fullmatch(finding.where or ""):
        return Place(message["path"], None) if message["path"] else None
    path, colon, line = (finding.where or "").rpartition(":")
    if colon and path and line.isascii() and line.isdecimal():
        return Place(path, int(line) or None)
    return Place(finding.where, None) if finding.where else None


def about(finding: Told) -> str:
    """The server that a finding is about, with its host where there are several."""
    return " in ".join(filter(None, (finding.server, finding.host)))


def shown(text: str) -> str:
    """A text without signs that steer a terminal, turn its direction or break a line, and without secrets' shapes."""
    return "".join(sign if sign.isprintable() else f"<U+{ord(sign):04X}>" for sign in mask_shapes(text))


def as_text(told: Report) -> str:
    """Three lines for a finding: where and what, how to mend it, where the rule comes from. Then how many there are."""
    return "".join(f"{line}\n" for each in told.findings for line in _lines(each)) + f"{summary(told)}\n"


def as_json(told: Report) -> str:
    """A document: what was looked at, how many findings there are of each severity, and they."""
    found = [{name: value for name in _FIELDS if (value := getattr(each, name, None))} for each in told.findings]
    recordings = {"recordings": told.recordings} if told.recordings else {}
    document = {"format": "flowgen.findings/1", "inputs": told.paths, "servers": told.servers, **recordings,
                "counts": _counts(told), "findings": found}  # fmt: skip
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"


def as_markdown(told: Report) -> str:
    """A table, a row for each finding."""
    head = ["| severity | where | server | finding | advice | source |", "|---|---|---|---|---|---|"]
    rows = [_row(each) for each in told.findings]
    return "\n".join([*((*head, *rows, "") if rows else ()), f"{summary(told).translate(MARKDOWN)}", ""])


def summary(told: Report) -> str:
    """`3 findings (1 high, 2 medium) in 4 servers of mcp.json`, `1 finding (1 error) in trace.json`."""
    counts = ", ".join(f"{count} {level}" for level, count in _counts(told).items() if count)
    files = told.paths[0] if len(told.paths) == 1 else f"{len(told.paths)} files"
    servers = f"{_number(told.servers, 'server')} of " if told.servers or not told.recordings else ""
    return f"{_number(len(told.findings), 'finding')}{f' ({counts})' if counts else ''} in {servers}{files}"


def _lines(finding: Told) -> list[str]:
    who = f" [{about(finding)}]" if about(finding) else ""
    first = f"{finding.where or '-'}: {finding.severity} {finding.code}{who}: {finding.message}"
    more = {"rule" if isinstance(finding, Breach) else "advice": finding.advice, "source": finding.source}
    return [first, *(f"  {name}: {text}" for name, text in more.items() if text)]


def _row(finding: Told) -> str:
    what = f"{finding.code}: {finding.message}"
    cells = (finding.severity, finding.where, about(finding), what, finding.advice, finding.source)
    return f"| {' | '.join((cell or '').translate(MARKDOWN) for cell in cells)} |"


def _counts(told: Report) -> dict[str, int]:
    counts = Counter(each.severity for each in told.findings)
    return {level: counts[level] for level in told.levels}


def _number(count: int, noun: str) -> str:
    return f"{count or 'no'} {noun}{'' if count == 1 else 's'}"


def _shown_finding(finding: Told) -> Told:
    texts = {name: value for name in _FIELDS if isinstance(value := getattr(finding, name, None), str)}
    fit: dict[str, Any] = {name: shown(text) for name, text in texts.items()}
    return replace(finding, **fit) if isinstance(finding, Breach) else finding.model_copy(update=fit)
