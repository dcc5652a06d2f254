"""A flow walked for notations that lay themselves out: messages, notes, bands and frames, one after the other.

What a notation writes for each is its grammar; texts reach it cleaned and in lines, and it escapes them.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from flowgen.flow import Entry, Flow, Group, Remark, Row, Run, Step, duration
from flowgen.scene import Lane, Options, Telling, telling, wrap_columns

About = Literal["fact", "payload", "explanation"]  # what a note holds

_LABEL = 60  # columns of a label's line
_PAYLOAD = 64  # columns of a payload's line
_FEWER = (8, 4, 2, 0)  # lines of a payload: as many as let the text stay within what engines read
_ALL = 1_000_000


class Grammar(Protocol):
    """How a notation writes. `first` and `last` are ids of participants; a notation makes one line or several."""

    longest: int

    def opening(self, told: Telling, names: Sequence[tuple[str, Lane]]) -> Iterator[str]:
        """What stands before the first message: how it was made, title, participants."""

    def closing(self) -> Iterator[str]:
        """What stands after the last one."""

    def message(self, sender: str, receiver: str, kind: str, text: Sequence[str]) -> str:
        """An arrow."""

    def note(self, first: str, last: str, text: Sequence[str], about: About = "fact") -> str:
        """A note over one participant, or over those from one to another."""

    def band(self, first: str, last: str, text: str) -> Iterator[str]:
        """What opens a step."""

    def end_band(self) -> Iterator[str]:
        """What closes a step."""

    def frame(self, operator: str, condition: str) -> str:
        """What opens a frame."""

    def branch(self, operator: str, condition: str) -> str:
        """What opens a further branch of a frame."""

    def end_frame(self) -> str:
        """What closes a frame."""


def written(flow: Flow, options: Options, grammar: Grammar) -> str:
    """The flow in a notation; payloads are cut so that the text is no longer than engines read, unless all is asked."""
    told = telling(flow, options)
    for most in (_ALL,) if options.full else _FEWER:
        text = "\n".join(_Writer(told, grammar, most).lines()) + "\n"
        if len(text) <= grammar.longest:
            break
    return text


@dataclass(frozen=True, slots=True)
class _Writer:
    """Walks a flow; `most` are the lines of a payload."""

    told: Telling
    grammar: Grammar
    most: int

    def lines(self) -> Iterator[str]:
        yield from self.grammar.opening(self.told, [(f"p{n}", lane) for n, lane in enumerate(self.told.lanes, 1)])
        for step in self.told.flow.steps:
            yield from self._step(step)
        if outcome := self.told.outcome:
            yield self.grammar.note(*self._all, [outcome])
        if verdict := self.told.verdict:
            yield self.grammar.note(*self._all, verdict)
        yield from self.grammar.closing()

    def _step(self, step: Step) -> Iterator[str]:
        waits = self.told.pauses()
        if step.number is not None:
            yield from self.grammar.band(*self._all, f"{step.number} · {self.told.say(step.title)}".rstrip(" ·"))
        for row in step.rows:
            if isinstance(row, Entry | Run):
                for seconds in waits(row):
                    yield self.grammar.note(*self._all, [self.told.words("pause", time=duration(seconds))])
            yield from self._row(row)
        if step.number is not None:
            yield from self.grammar.end_band()

    def _row(self, row: Row) -> Iterator[str]:
        match row:
            case Group():
                yield from self._group(row)
            case Remark(over=(first, last), text=text):
                yield self.grammar.note(*self._between(first, last), wrap_columns(self.told.say(text, 600), _LABEL))
            case Run(kind="pairs"):
                yield self.grammar.note(*self._over(row.entries[0]), wrap_columns(self.told.title(row), _LABEL))
            case Run():
                yield from self._message(row, row.entries[0])
            case Entry():
                yield from self._message(row, row)

    def _message(self, row: Entry | Run, entry: Entry) -> Iterator[str]:
        message, label = entry.message, wrap_columns(self._label(row, entry), _LABEL)
        payload = self._payload(row)
        if self.told.passes(entry):
            kind = "loc" if message.kind == "note" else self.told.kind(entry)
            yield self.grammar.message(self._id(message.sender), self._id(message.receiver), kind, label)
            if payload:
                yield self.grammar.note(*self._over(entry), payload, "payload")
        else:
            who = self._id(self.told.process(entry) if message.kind == "process" else message.sender)
            yield self.grammar.note(who, who, [*label, *payload])
        if notes := [line for note in self.told.notes(entry) for line in wrap_columns(": ".join(note), _LABEL)]:
            yield self.grammar.note(*self._over(entry), notes, "explanation")

    def _payload(self, row: Entry | Run) -> list[str]:
        if not self.most:
            return []
        lines = [line.tokens for line in self.told.lines(row, _PAYLOAD, self.most) if line.tokens]
        return [" " * tokens[0][0] + "".join(text for _, _, text in tokens).rstrip(" ") for tokens in lines]

    def _label(self, row: Entry | Run, entry: Entry) -> str:
        """`3. tools/call request (id 2)`: the number is the anchor of the message in every format."""
        number, chips = self.told.number(row), "\xa0·\xa0".join(self.told.chips(row)).replace(" ", "\xa0")
        parts = [f"{number}." if number else "", self.told.word(entry), self.told.title(row), chips and f"({chips})"]
        return " ".join(part for part in parts if part)

    def _group(self, group: Group) -> Iterator[str]:
        for number, branch in enumerate(group.branches):
            open_ = self.grammar.branch if number else self.grammar.frame
            yield open_(group.operator, self.told.say(branch.condition))
            for row in branch.rows:
                yield from self._row(row)
        yield self.grammar.end_frame()

    def _over(self, entry: Entry) -> tuple[str, str]:
        return self._between(entry.message.sender, entry.message.receiver)

    def _between(self, one: str, other: str) -> tuple[str, str]:
        first, last = sorted((self._id(one), self._id(other)), key=lambda name: int(name[1:]))
        return first, last

    @property
    def _all(self) -> tuple[str, str]:
        return "p1", f"p{len(self.told.lanes)}"

    def _id(self, participant: str) -> str:
        place = next((n for n, lane in enumerate(self.told.lanes, 1) if lane.id == participant), 1)
        return f"p{place}"
