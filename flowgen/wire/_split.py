"""JSON texts over several lines: held back line by line while they may still become one, given up at once when not.

A line that is a whole message of its own never waits: what was held before it is then noise. JSON strings hold no
newline, so every line of such a text consists of whole tokens, and each line is looked at once.
"""

import re
from dataclasses import dataclass, field

from ._read import BLANK, MAX_MESSAGE, Part, mark, noise, read_message, spoken

_DEPTH = 200  # deeper texts would not be read anyway
_CANDIDATES = 4  # places where a text may have begun, watched at the same time

_TOKEN = re.compile(
    r'[ \t\r\n]*+(?:([{}\[\]:,])|("(?:[^"\\\x00-\x1f]++|\\.)*+")'
    r"|(?:-?[0-9]++(?:\.[0-9]++)?+(?:[eE][+-]?[0-9]++)?+|true|false|null|NaN|-?Infinity)(?![\w.+-]))"
)
_BLANK = re.compile(r"[ \t\r\n]*+\Z")
_CUT = re.compile(r'[ \t\r\n]*+(?:"(?:[^"\\\x00-\x1f]++|\\.)*+\\?|-?[0-9][0-9.eE+-]*+|-|[tfnNI][a-zA-Z]{0,7})\Z')

# what is wanted → sign → what is wanted then; "" = a value ended here, s = string, v = other scalar
_GRAMMAR = {
    "value": {"{": "member", "[": "element", "s": "", "v": ""},
    "element": {"{": "member", "[": "element", "s": "", "v": "", "]": ""},
    "member": {"s": "colon", "}": ""},
    "name": {"s": "colon"},
    "colon": {":": "value"},
    "{": {",": "name", "}": ""},
    "[": {",": "value", "]": ""},
    "none": {},
}


@dataclass(slots=True)
class _Text:
    """A JSON text in the making that began with line `start`; `end` once whole: characters of its last line."""

    start: int
    stack: list[str] = field(default_factory=list)
    want: str = "value"
    end: int | None = None

    @property
    def open(self) -> bool:
        """Neither whole nor broken."""
        return self.want != "none"

    def take(self, sign: str, end: int) -> None:
        """Go on with one token; one that does not fit breaks the text."""
        then = _GRAMMAR[self.want].get(sign)
        if then is None or len(self.stack) > _DEPTH:
            self.want = "none"
            return
        if sign in "{[":
            self.stack.append(sign)
        elif sign in "}]":
            self.stack.pop()
        self.want = then or (self.stack[-1] if self.stack else "none")
        if not self.stack:
            self.end = end


class Split:
    """Takes the lines of one direction in order and gives their parts, a text over several lines as one part."""

    def __init__(self, max_message: int = MAX_MESSAGE) -> None:
        self._max = max_message
        self._lines: list[bytes] = []
        self._texts: list[_Text] = []
        self._size = 0

    @property
    def holds(self) -> bool:
        """Whether lines are held back."""
        return bool(self._lines)

    def line(self, line: bytes, cut: bool = False) -> list[Part]:
        """What this line completed. `cut` says that the stream ended in it, perhaps within a token."""
        parts = read_message(line.removesuffix(b"\r"), self._max)
        if spoken(parts) or any("size" in part for part in parts):
            return self.release() + parts
        if self._lines or (parts and _begins(line)):
            return self._hold(line, cut)
        return parts

    def release(self) -> list[Part]:
        """Whatever is held, each line by itself."""
        return self._let_go(len(self._lines))

    def end(self) -> list[Part]:
        """The stream is over: a text that is still open was cut off."""
        parts = self._let_go(self._start())
        if self._lines:
            parts.append(_joined(self._lines, [noise(b"\n".join(self._lines), "truncated")])[0])
        self._forget(len(self._lines))
        return parts

    def _hold(self, line: bytes, cut: bool) -> list[Part]:
        self._lines.append(line)
        self._size += len(line) + 1
        if self._size > self._max:
            return self.release()
        if _begins(line):
            self._texts.append(_Text(len(self._lines) - 1))
        text = line.decode("utf-8", "surrogateescape")
        _go_on(self._texts, text, cut)
        return self._settled(text)

    def _settled(self, line: str) -> list[Part]:
        """Look at the candidates after a line: one is whole, some are left, or none."""
        for text in [text for text in self._texts if text.end is not None]:
            parts = self._whole(text, line)
            if parts:
                return parts
        self._texts = [text for text in self._texts if text.open][-_CANDIDATES:]
        return self._let_go(self._start())

    def _whole(self, text: _Text, line: str) -> list[Part]:
        """The parts up to a whole text; empty where it is no message and may be a piece of an older text."""
        last, rest = line[: text.end].encode("utf-8", "surrogateescape"), line[text.end :]
        lines = [*self._lines[text.start : -1], last]
        parts = read_message(b"\n".join(lines), self._max)
        if not spoken(parts) and (rest.strip(BLANK) or text is not self._texts[0]):
            return []
        parts = self._let_go(text.start) + _joined(lines, parts)
        self._forget(len(self._lines))
        return parts + (self.line(rest.encode("utf-8", "surrogateescape")) if rest.strip(BLANK) else [])

    def _start(self) -> int:
        return self._texts[0].start if self._texts else len(self._lines)

    def _let_go(self, number: int) -> list[Part]:
        """The parts of the first so many lines, which are held no longer."""
        parts = [
            part for line in self._lines[:number] for part in read_message(line.removesuffix(b"\r"), self._max)
        ]
        self._forget(number)
        return parts

    def _forget(self, number: int) -> None:
        self._size -= sum(len(line) + 1 for line in self._lines[:number])
        del self._lines[:number]
        self._texts = [text for text in self._texts if text.start >= number]
        for text in self._texts:
            text.start -= number


def _joined(lines: list[bytes], parts: list[Part]) -> list[Part]:
    return [mark(part, "split-message") for part in parts] if len(lines) > 1 else parts


def _begins(line: bytes) -> bool:
    return line.lstrip()[:1] in (b"{", b"[")


def _go_on(texts: list[_Text], line: str, cut: bool) -> None:
    """Give the tokens of a line to the texts; none stays open if it is no run of whole tokens, but for a cut one."""
    place, going = 0, texts
    while going and (found := _TOKEN.match(line, place)):
        place = found.end()
        for text in going:
            text.take(found[1] or ("s" if found[2] else "v"), place)
        if not all(text.open for text in going):
            going = [text for text in going if text.open]
    if not (_BLANK.match(line, place) or (cut and _CUT.match(line, place))):
        for text in going:
            text.want = "none"
