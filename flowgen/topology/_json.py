"""JSON as hosts read it, with lines: comments, trailing commas, a fragment without its outer braces.

A reader of our own: those of the registry that take comments keep no lines, or recurse until they fall over.
It never recurses, so whatever the text nests it ends in a value or a Fault, and a Fault quotes nothing.
"""

import re
from bisect import bisect_right
from json import JSONDecodeError
from json.decoder import scanstring  # type: ignore[attr-defined]
from typing import Any

from ._document import Row, Table

_SPACE = re.compile(r"(?:[\s\ufeff]+|//[^\r\n]*|/\*[\s\S]*?\*/)*+")
_NUMBER = re.compile(r"-?[0-9]+(?P<rest>\.[0-9]+)?(?P<power>[eE][+-]?[0-9]+)?(?![\w.])")
_CONSTANT = re.compile(r"(true|false|null)(?!\w)")
_CONSTANTS = {"true": True, "false": False, "null": None}
_DIGITS = 4000  # Python refuses an int of more than 4,300


class Fault(ValueError):
    """What is wrong with a text, and where (from 1). Never holds a word of the text."""

    def __init__(self, message: str, line: int, column: int = 1) -> None:
        super().__init__(message)
        self.line, self.column = line, column


class Places:
    """Line and column of an offset in a text."""

    def __init__(self, text: str) -> None:
        self._starts = [0, *(found.end() for found in re.finditer(r"\r\n|\n|\r", text))]

    def line(self, at: int) -> int:
        """The line, from 1."""
        return bisect_right(self._starts, at)

    def fault(self, message: str, at: int) -> Fault:
        """A fault at an offset."""
        line = self.line(at)
        return Fault(message, line, at - self._starts[line - 1] + 1)


def read_json(text: str) -> Any:
    """The value of a text: Table, Row, str, int, float, bool or None. Raises Fault."""
    reader = _Reader(text)
    if reader.begins_with_member():
        return reader.members_to_the_end()
    return reader.one_value()


class _Reader:
    """Goes once over the text; `open` are the objects and lists that are not closed yet."""

    def __init__(self, text: str) -> None:
        self.text, self.places, self.at = text, Places(text), 0
        self.open: list[tuple[Table | Row, int]] = []

    def begins_with_member(self) -> bool:
        """Whether the text is a fragment: `"key": …` without braces around it."""
        start = self._skip()
        if not self.text.startswith('"', start):
            return False
        try:
            _, end = scanstring(self.text, start + 1, False)
        except JSONDecodeError:
            return False
        self.at = end
        colon = self.text.startswith(":", self._skip())
        self.at = 0
        return colon

    def one_value(self) -> Any:
        value = self._whole(self._begin())
        if self._skip() < len(self.text):
            raise self._fault("something follows the value")
        return value

    def members_to_the_end(self) -> Table:
        table = Table()
        while self._skip() < len(self.text):
            key, line = self._key()
            table.put(key, self._whole(self._begin()), line)
            if self._skip() < len(self.text):
                self._take(",", "expected a comma")
        return table

    def _whole(self, value: Any) -> Any:
        """Reads on until the value that was begun is closed."""
        while self.open:
            container = self.open[-1][0]
            line = self.places.line(self._skip())
            if self.text.startswith("}" if isinstance(container, Table) else "]", self.at):
                self._close()
            elif isinstance(container, Table):
                key, line = self._key()
                child = self._begin()
                container.put(key, child, line)
                self._comma_unless_begun(child)
            else:
                child = self._begin()
                container.put(child, line)
                self._comma_unless_begun(child)
        return value

    def _begin(self) -> Any:
        """A scalar, or an object or list whose content is read later."""
        sign = self.text[self._skip() : self.at + 1]
        if sign not in ("{", "["):
            return self._scalar(sign)
        container: Table | Row = Table() if sign == "{" else Row()
        self.open.append((container, self.at))
        self.at += 1
        return container

    def _close(self) -> None:
        self.at += 1
        self.open.pop()
        if self.open:
            self._comma()

    def _comma_unless_begun(self, child: Any) -> None:
        if child is not self.open[-1][0]:
            self._comma()

    def _comma(self) -> None:
        """A comma, or the end of the object or list."""
        self._skip()
        closing = "}" if isinstance(self.open[-1][0], Table) else "]"
        if not self.text.startswith(closing, self.at):
            self._take(",", f"expected a comma or {closing}")

    def _key(self) -> tuple[str, int]:
        line = self.places.line(self._skip())
        if not self.text.startswith('"', self.at):
            raise self._fault("expected a key in double quotes")
        name = self._string()
        self._skip()
        self._take(":", "expected a colon after the key")
        return name, line

    def _scalar(self, sign: str) -> Any:
        if sign == '"':
            return self._string()
        if found := _CONSTANT.match(self.text, self.at):
            self.at = found.end()
            return _CONSTANTS[found[1]]
        if found := _NUMBER.match(self.text, self.at):
            self.at = found.end()
            return _number(found)
        raise self._fault("expected a value")

    def _string(self) -> str:
        try:
            text, self.at = scanstring(self.text, self.at + 1, False)
        except JSONDecodeError as problem:
            words = "a text without its closing quotes" if "Unterminated" in problem.msg else "a wrong escape in a text"
            raise self.places.fault(words, problem.pos) from None
        return text if text.isascii() else _whole(text)

    def _skip(self) -> int:
        found = _SPACE.match(self.text, self.at)
        self.at = found.end() if found else self.at
        if self.text.startswith("/*", self.at):
            raise self.places.fault("a comment that is not closed", self.at)
        return self.at

    def _take(self, sign: str, else_say: str) -> None:
        if not self.text.startswith(sign, self.at):
            raise self._fault(else_say)
        self.at += 1

    def _fault(self, message: str) -> Fault:
        if self.at < len(self.text):
            return self.places.fault(message, self.at)
        if not self.open:
            return self.places.fault("the file ends before its value", self.at)
        kind = "an object" if isinstance(self.open[-1][0], Table) else "a list"
        begun = self.places.line(self.open[-1][1])
        return self.places.fault(f"the file ends inside {kind} that begins on line {begun}", self.at)


def _whole(text: str) -> str:
    """Without halves of characters (`\\ud800` alone), which no document can hold."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _number(found: re.Match[str]) -> int | float:
    if found["rest"] or found["power"] or len(found[0]) > _DIGITS:
        return float(found[0])
    return int(found[0])
