"""The rows of one recording as they stand among those of others: numbers, links and ids of the whole picture."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from flowgen.trace import Message

from ._model import Branch, Entry, Group, Remark, Row, Run

# What the fields of an Entry hold that point at something
SEQS = ("request", "answer", "ended_by", "stream_end", "retry_of", "about")
NUMBERS = ("number", "same_as")
STEPS = ("back_to",)


@dataclass(frozen=True, slots=True)
class Places:
    """What becomes of each `seq`, number and step; by how much numbers of HTTP exchanges grow; whose id is whose."""

    ids: Mapping[str, str]
    seq: Callable[[int], int]
    number: Callable[[int], int]
    step: Callable[[int], int | None]
    exchange: int = 0

    def row(self, row: Row) -> Row:
        """The row in its place."""
        match row:
            case Entry():
                return self.entry(row)
            case Run():
                return replace(row, entries=tuple(map(self.entry, row.entries)))
            case Remark(over=(first, last)):
                return replace(row, over=(self.id(first), self.id(last)))
            case Group():
                return replace(row, branches=tuple(map(self._branch, row.branches)))

    def entry(self, entry: Entry) -> Entry:
        """The message in its place."""
        change: dict[str, Any] = {"message": self._message(entry.message)}
        for names, place in ((SEQS, self.seq), (NUMBERS, self.number), (STEPS, self.step)):
            change |= {name: place(old) for name in names if (old := getattr(entry, name)) is not None}
        if entry.change is not None:
            change["change"] = replace(entry.change, since=self.number(entry.change.since))
        return replace(entry, **change)

    def id(self, id_: str) -> str:
        """The participant's id in the whole picture."""
        return self.ids.get(id_, id_)

    def _branch(self, branch: Branch) -> Branch:
        return replace(branch, rows=tuple(map(self.row, branch.rows)))

    def _message(self, message: Message) -> Message:
        change: dict[str, Any] = {
            "seq": self.seq(message.seq), "sender": self.id(message.sender), "receiver": self.id(message.receiver)
        }  # fmt: skip
        if message.exchange is not None:
            change["exchange"] = message.exchange + self.exchange
        return message.model_copy(update=change)
