"""A recording read message by message, so that a file of JSON Lines need not fit into memory.

What stands before the messages comes first, what stands behind them last: only then is there a Trace.
"""

from collections.abc import Iterator
from itertools import islice
from typing import Any, BinaryIO

from pydantic import ValidationError

from flowgen.errors import TraceError

from ._faults import DEPTH, HINT, an_object, check_format, first, parsed, second, shown, word
from ._json import parse
from ._model import Message, Outcome, Participant, Problem, Trace
from ._numbers import Numbers
from ._quick import parse_document
from ._text import Text

_MANY = 16_384  # messages of a batch,
_LARGE = 16 << 20  # and characters of their lines
_CUT = {"complete": False, "reason": "cut"}


class Reading:
    """A recording on its way from a file to a Trace. `name` is what errors call it, `head` are bytes of the file that
    were read already.

    Whatever the bytes are, they give a Trace or a TraceError. A document is read at once, JSON Lines as they are
    asked for. `missing` is what the source could not tell.
    """

    def __init__(self, file: BinaryIO, name: str, head: bytes = b"") -> None:
        self.name = name
        self._lines: Iterator[str] = iter(())
        self._end: dict[str, Any] = {"outcome": _CUT}
        self._numbers = Numbers(name)
        self._whole = False  # a document
        self._trace = self._begun(Text(file, name, head))
        self.missing = self._trace.missing

    @property
    def participants(self) -> list[Participant]:
        """Who takes part."""
        return self._trace.participants

    def batches(self) -> Iterator[list[Message]]:
        """The messages in the order seen, so many at a time; once. The last batch may have none."""
        if self._whole:
            messages = iter(self._trace.messages)
            while batch := list(islice(messages, _MANY)):
                yield batch
            return
        batch, size = [], 0
        for value, length in self._values():
            batch.append(self._message(value))
            size += length
            if len(batch) >= _MANY or size >= _LARGE:
                yield batch
                batch, size = [], 0
        yield batch

    def finished(self, messages: list[Message]) -> Trace:
        """The recording with these of its messages, after all were read.

        Problems that were known late are put back on their messages: the last line tells them by `seq`.
        """
        if self._whole:
            return self._trace.model_copy(update={"messages": messages})
        messages = self._put_back(self._end.get("problems"), messages)
        try:
            outcome = Outcome.model_validate(self._end["outcome"])
        except ValidationError as problem:
            raise first(problem, self.name, "outcome") from None
        return self._trace.model_copy(update={"messages": messages, "outcome": outcome})

    def _begun(self, text: Text) -> Trace:
        """The document; of JSON Lines what its first line says."""
        line = text.line()
        try:
            header = an_object(parse_document(line, DEPTH), self.name)
        except ValueError:  # a document over several lines, or nothing of ours
            lines = [line, *text.lines()]
            return self._document("\n".join(lines if lines[-1] else lines[:-1]))  # a fault is told on a line that is
        self._lines = text.lines()
        if header.keys() & {"messages", "outcome"}:
            rest = list(self._lines)
            if not any(map(str.strip, rest)):
                return self._valid_document(header)
            self._lines = iter(rest)
        check_format(header, self.name)
        if "messages" in header:  # a whole document: what follows is none of its messages
            raise second(self.name, 2)
        return self._valid(header | {"messages": [], "outcome": _CUT})

    def _document(self, text: str) -> Trace:
        if not text.strip():
            raise TraceError(f"{self.name}: the file is empty", HINT)
        return self._valid_document(an_object(parsed(text, self.name), self.name))

    def _valid_document(self, document: dict[str, Any]) -> Trace:
        check_format(document, self.name)
        self._whole = True
        trace = self._valid(document)
        for message in trace.messages:
            self._numbers.take(message.seq)
        return trace

    def _valid(self, document: dict[str, Any]) -> Trace:
        try:
            return Trace.model_validate(document)
        except ValidationError as problem:
            raise first(problem, self.name) from None

    def _values(self) -> Iterator[tuple[dict[str, Any], int]]:
        """The messages as JSON, with the lengths of their lines. A last line that was cut is none."""
        for number, line in enumerate(self._lines, 2):
            if not line.strip():
                continue
            try:
                value = parse(line, DEPTH)
            except ValueError:
                if next(self._lines, None) is None:  # no newline after it: the recorder was cut off in here
                    break
                value = parsed(line, self.name, f"line {number}: ")
            an_object(value, self.name, f"line {number}: ")
            if "format" in value and "kind" not in value:
                raise second(self.name, number)
            if "outcome" in value and "kind" not in value:
                self._end = value
            else:
                yield value, len(line)

    def _message(self, value: dict[str, Any]) -> Message:
        try:
            message = Message.model_validate(value)
        except ValidationError as problem:
            raise first(problem, self.name, "messages", self._numbers.count) from None
        self._numbers.take(message.seq)
        return message

    def _put_back(self, problems: Any, messages: list[Message]) -> list[Message]:
        """Those of messages that were left out while reading have no place any more."""
        if problems is None:
            return messages
        if not isinstance(problems, dict):
            raise TraceError(f"{self.name}: problems: expected an object, found {shown(problems)}", HINT)
        for seq, found in problems.items():
            if seq not in self._numbers or not isinstance(found, list):
                raise TraceError(f"{self.name}: problems.{word(seq)}: expected a list for a message's seq", HINT)
        return [self._with(message, problems.get(str(message.seq), ())) for message in messages]

    def _with(self, message: Message, found: list[Any]) -> Message:
        if not found:
            return message
        try:
            more = [Problem.model_validate(problem) for problem in found]
        except ValidationError as problem:
            raise first(problem, self.name, "problems", message.seq) from None
        return message.model_copy(update={"problems": [*message.problems, *more]})
