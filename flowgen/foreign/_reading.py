"""Another tool's recording on its way to a Trace, message by message as ours are: numbered, paired, masked.

Whatever the bytes are, they give a Trace or a TraceError. A format of lines is read as it is asked for.
"""

from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING, Any, BinaryIO

from flowgen.errors import TraceError
from flowgen.trace import Mask

from ._formats import Format
from ._lines import lines, whole
from ._making import Making
from ._pairs import Pairs
from ._parts import Row

if TYPE_CHECKING:
    from flowgen.trace import Message, Participant, Trace

_MANY = 8_192  # messages of a batch: a secret named in one of them stands masked in those before it, too


class Reading:
    """As `trace.Reading`, of a foreign format. `head` are bytes of the file that were read already."""

    def __init__(self, form: Format, file: BinaryIO, name: str, head: bytes = b"") -> None:
        self._making = Making(name, form.about)
        self._mask = Mask()
        self._pairs = Pairs()
        self._number = 0
        self._kinds: set[str] = set()
        self._form = form
        self._rows = self._read(file, head)
        self.missing = self._making.missing

    @property
    def participants(self) -> "list[Participant]":
        """Who has taken part so far."""
        from flowgen.trace import Participant

        return [Participant.model_validate(who) for who in self._making.header(self._mask)["participants"]]

    def rows(self) -> Iterator[list[Row]]:
        """The messages as they stand in a document, so many at a time; once. What only the end tells is not there."""
        while batch := list(islice(self._rows, _MANY)):
            yield self._masked([self._numbered(row) for row in batch])

    def batches(self) -> "Iterator[list[Message]]":
        """The messages in the order seen, so many at a time; once."""
        from flowgen.trace import Message

        for batch in self.rows():
            yield [Message.model_validate(row) for row in batch]

    def end(self) -> tuple[Row, Row, dict[str, list[Row]]]:
        """After all messages: the header, the outcome, and problems known late by the numbers of their messages.

        Raises TraceError where there was no message: free words alone may be those of anything.
        """
        header = self._making.header(self._mask)
        if self._kinds <= {"note", "stderr"} and ("stderr" not in self._kinds or "recorded_at" not in header):
            about = self._form.about
            raise TraceError(f"{self._making.name}: {about}: no message in it", "is MCP traffic in it? see --from")
        return header, self._making.outcome(), self._pairs.finish()

    def finished(self, messages: "list[Message]") -> "Trace":
        """The recording with these of its messages, after all were read."""
        from flowgen.trace import Problem, Trace

        header, outcome, late = self.end()
        trace = Trace.model_validate({**header, "outcome": outcome})
        told = {int(seq): [Problem.model_validate(each) for each in found] for seq, found in late.items()}
        messages = [_with(message, told.get(message.seq, [])) for message in messages]
        return trace.model_copy(update={"messages": messages})

    def document(self) -> Row:
        """The whole recording as a trace's document."""
        rows = [row for batch in self.rows() for row in batch]
        header, outcome, late = self.end()
        for row in rows:
            row["problems"] += late.get(str(row["seq"]), [])
        return {**header, "messages": rows, "outcome": outcome}

    def _read(self, file: BinaryIO, head: bytes) -> Iterator[Row]:
        read, found = self._form.read(), lines(file, head)
        if self._form.layout == "lines":
            return iter(read(found, self._making))
        return iter(list(read(whole(found, self._making.name), self._making)))

    def _numbered(self, row: Row) -> Row:
        self._number += 1
        self._kinds.add(row["kind"])
        row = {"seq": self._number, **row}
        self._pairs.take(row)
        return row

    def _masked(self, batch: list[Row]) -> list[Row]:
        masked = [self._mask.message(row) for row in batch]
        if any("redacted" in row for row in masked):
            masked = [self._mask.message(row) for row in batch]
        return masked


def _with(message: "Message", problems: list[Any]) -> "Message":
    if not problems:
        return message
    return message.model_copy(update={"problems": [*message.problems, *problems]})
