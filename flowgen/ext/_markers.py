"""The comments of a Markdown file between which a picture stands: where each begins and ends, and what it says.

    <!-- flowgen: traces/call.json notes lang=zh -->
    <!-- /flowgen -->

MDX has no such comments, there they are `{/* flowgen: … */}` and `{/* /flowgen */}`. A marker stands alone on its lines
at most three spaces from the margin (four make code); what a code fence holds is text and no marker.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from flowgen.errors import ConfigError

_FENCE = re.compile(r"[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*(?P<sign>`{3,}(?=[^`]*$)|~{3,})")
_OPEN = re.compile(r"(?P<indent> {0,3})(?P<sign><!--|\{/\*)\s*flowgen:(?P<words>.*)")
_END = re.compile(r" {0,3}(?:<!--\s*/flowgen\s*-->|\{/\*\s*/flowgen\s*\*/\})\s*")
_CLOSING = {"<!--": "-->", "{/*": "*/}"}
_LONGEST = 50  # lines of one marker


@dataclass(frozen=True, slots=True)
class Marker:
    """A marker: its lines are `first` to `body`, what it brought is `body` to `end`, the line `end` is its end where it
    is `closed` (lines count from 0). `sign` is how its comments begin.
    """

    first: int
    body: int
    end: int
    closed: bool
    indent: str
    sign: str
    words: str

    @property
    def line(self) -> int:
        """Its place as people count."""
        return self.first + 1

    @property
    def ending(self) -> str:
        """The line that ends it."""
        return f"{self.indent}{self.sign} /flowgen {_CLOSING[self.sign]}"


def markers(lines: Sequence[str]) -> list[Marker]:
    """The markers of a file, given without the ends of its lines. Raises ConfigError for one that is not closed."""
    found: list[Marker] = []
    coded = _coded(lines)
    at = 0
    while at < len(lines):
        opened = None if coded[at] else _OPEN.fullmatch(lines[at])
        if opened:
            found.append(_marker(lines, coded, at, opened))
            at = found[-1].end
            at += found[-1].closed
            continue
        if not coded[at] and _END.fullmatch(lines[at]):
            raise ConfigError(f"{at + 1}: the end of a marker that begins nowhere", "remove it, or mend the beginning")
        at += 1
    return found


def _marker(lines: Sequence[str], coded: Sequence[bool], first: int, opened: "re.Match[str]") -> Marker:
    words, body = _words(lines, first, opened)
    end, closed = _end(lines, coded, body)
    return Marker(first, body, end, closed, opened["indent"], opened["sign"], words)


def _words(lines: Sequence[str], first: int, opened: "re.Match[str]") -> tuple[str, int]:
    """What a marker says, and the line after it."""
    closing, said = _CLOSING[opened["sign"]], opened["words"]
    for body in range(first + 1, min(first + _LONGEST, len(lines)) + 1):
        words, closes, rest = said.partition(closing)
        if closes and rest.strip():
            raise ConfigError(f"{first + 1}: a marker stands alone on its lines", f"begin a new line after {closing}")
        if closes:
            return words, body
        said += f" {lines[body]}" if body < len(lines) else ""
    raise ConfigError(f"{first + 1}: a marker that is not closed", f"{closing} is missing")


def _end(lines: Sequence[str], coded: Sequence[bool], body: int) -> tuple[int, bool]:
    """The line that ends what a marker brought; without one it has brought nothing yet."""
    for at in range(body, len(lines)):
        if not coded[at] and _END.fullmatch(lines[at]):
            return at, True
        if not coded[at] and _OPEN.fullmatch(lines[at]):
            break
    return body, False


def _coded(lines: Sequence[str]) -> list[bool]:
    """Of each line, whether it is one of a code fence."""
    return [*_fenced(lines)]


def _fenced(lines: Sequence[str]) -> Iterator[bool]:
    sign = ""
    for line in lines:
        found = _FENCE.match(line)
        if sign:
            closes = found and found["sign"].startswith(sign) and not line[found.end() :].strip()
            yield True
            sign = "" if closes else sign
        else:
            yield bool(found)
            sign = found["sign"] if found else ""
