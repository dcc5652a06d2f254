"""What the messages of a trace mean: steps, exchanges, repeats, notes. Positions and colours are unknown here.

A Flow is made once from a Trace and never changed. Whatever it says is worked out from the messages;
the messages themselves ride along untouched in `Entry.message`.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from flowgen.trace import Message, Others, Outcome, Participant

State = Literal["answered", "unanswered", "open", "closed", "cancelled"]
Side = Literal["client", "server"]


@dataclass(frozen=True, slots=True)
class Say:
    """One sentence in both languages of the picture."""

    en: str
    zh: str


@dataclass(frozen=True, slots=True)
class Note:
    """An explanation hung on a message. `code` tells a heading of protocol names from one of words.

    `path` is the one place it hangs on: a JSON Pointer into the body without `*`, `header:NAME` as that header
    was sent, `query:NAME`, `form:NAME`, `status`, or empty for the message as a whole.
    """

    id: str
    side: Side
    term: Say
    code: bool
    text: Say
    path: str


@dataclass(frozen=True, slots=True)
class ListChange:
    """What a list says that the same list, answered as message number `since`, did not: names, in their order.

    `changed` names members that are in both and differ; `same` counts those that do not.
    """

    since: int
    added: tuple[str, ...]
    removed: tuple[str, ...]
    changed: tuple[str, ...]
    same: int

    @property
    def differs(self) -> bool:
        """Whether anything came, went or became different."""
        return bool(self.added or self.removed or self.changed)


@dataclass(frozen=True, slots=True)
class Progress:
    """One notification of progress: how far, of how much if it was said, and the words that came with it."""

    progress: float
    total: float | None
    message: str | None


@dataclass(frozen=True, slots=True)
class Entry:
    """One message and what it means among the others. All links are `seq` numbers of messages.

    `number` counts 1…n over the kinds that a picture numbers, hidden and folded ones too; None for the rest.
    `method` is the message's own, for an answer that of its request. `name` is the tool, prompt or URI.
    `request` stands on answers, `answer` on what was answered (the first answer; a duplicate has only `request`).
    `state` stands on requests; a subscription that the server confirmed is `open` until somebody ends it, then
    `closed`. `ended_by` is what ended the wait for an answer that did not come: the cancellation, the end of the
    stream or of the process. `stream_end` is what closed the stream of events that answers a request. The messages
    of both may be hidden in this flow.
    `latency` is in seconds, on answers. `same_as` is the *number* of the earlier message with an equal result.
    `back_to` is the number of the step that a re-list returns to. `retry_of` is the request sent before.
    `change` stands on the answer of a list asked again: what came, went and became different since the last one.
    `overlaps` stands on requests whose wait for an answer overlaps that of another one from the same sender to the
    same receiver.
    `about` is the request that a message belongs to without answering it: of progress and of a cancellation, of
    what comes on a subscription, of a task's messages the call that made the task, of what comes on the stream of
    an answer the request of that stream.
    `others` are messages like it that were left out of a recording too large to be held.
    """

    message: Message
    number: int | None
    method: str | None = None
    name: str | None = None
    request: int | None = None
    answer: int | None = None
    state: State | None = None
    ended_by: int | None = None
    stream_end: int | None = None
    latency: float | None = None
    same_as: int | None = None
    back_to: int | None = None
    retry_of: int | None = None
    change: ListChange | None = None
    overlaps: bool = False
    about: int | None = None
    notes: tuple[Note, ...] = ()
    others: Others | None = None

    @property
    def count(self) -> int:
        """How many messages it stands for, itself too."""
        return 1 + self.others.count if self.others else 1

    @property
    def latencies(self) -> Sequence[float]:
        """Its latency, if it has one, and those of the others."""
        own = () if self.latency is None else (self.latency,)
        return (*own, *self.others.latencies) if self.others else own

    @property
    def names(self) -> tuple[str, ...]:
        """Its name, if it has one, and those of the others."""
        own = () if self.name is None else (self.name,)
        return (*own, *self.others.names) if self.others else own


@dataclass(frozen=True, slots=True)
class Run:
    """Neighbours of one shape, folded: `repeat` = messages of one kind, `pairs` = whole exchanges."""

    kind: Literal["repeat", "pairs"]
    entries: tuple[Entry, ...]

    @property
    def count(self) -> int:
        """How many were folded: messages of a `repeat`, outermost requests of `pairs`."""
        counted = self.entries if self.kind == "repeat" else self.openers or self.entries
        return sum(entry.count for entry in counted)

    @property
    def openers(self) -> tuple[Entry, ...]:
        """The requests in it that were sent inside of no other one; a question back while they wait is none."""
        inside = {entry.message.seq for entry in self.entries}
        asker, waiting, found = None, set[int](), []
        for entry in self.entries:
            waiting.discard(entry.message.seq)
            if entry.state and (asker in (None, entry.message.sender) or not waiting):
                asker = asker or entry.message.sender
                found.append(entry)
                waiting |= {entry.answer} & inside if entry.answer is not None else set()
        return tuple(found)

    @property
    def latencies(self) -> tuple[float, ...]:
        """Seconds that each answer of the folded exchanges took, in order."""
        return tuple(seconds for entry in self.entries for seconds in entry.latencies)


@dataclass(frozen=True, slots=True)
class Remark:
    """A fact about several participants at once: `over` are the ids of the first and the last lane it spans."""

    over: tuple[str, str]
    text: Say


@dataclass(frozen=True, slots=True)
class Branch:
    """The rows of a group under one condition (`None` where the group says all there is to say)."""

    condition: Say | None
    rows: tuple["Row", ...]


@dataclass(frozen=True, slots=True)
class Group:
    """A frame around rows that belong together: a `loop` seen in the trace (pages of a list, polling), one branch;
    or `alt`, recordings that differ from here on, a branch each.
    """

    operator: Literal["loop", "alt", "opt", "par"]
    branches: tuple[Branch, ...]


Row = Entry | Run | Group | Remark


@dataclass(frozen=True, slots=True)
class Step:
    """A numbered phase of the session. Number and title None: messages under no band."""

    number: int | None
    title: Say | None
    rows: tuple[Row, ...]

    @property
    def open_rows(self) -> Iterator[Entry | Run]:
        """Its messages and runs in order, those inside of groups too."""
        return _open(self.rows)


def _open(rows: Iterable[Row]) -> Iterator[Entry | Run]:
    for row in rows:
        match row:
            case Group(branches=branches):
                for branch in branches:
                    yield from _open(branch.rows)
            case Remark():
                pass
            case _:
                yield row


@dataclass(frozen=True, slots=True)
class Facts:
    """What a subtitle tells: counts over the whole trace, transports and revisions in the order seen.

    `steps` are the numbered ones, shown or not.

    Transports are `stdio` and `http` (single bodies and events alike). A probe that fell back and is not shown
    gives no revision and counts as no unanswered request.
    """

    transports: tuple[str, ...]
    revisions: tuple[str, ...]
    messages: int
    unanswered: int
    cancelled: int
    steps: int = 0


@dataclass(frozen=True, slots=True)
class Flow:
    """The story of a trace. `lanes` are the participants that get one, left to right: two at least.

    `sides` tells of every id that sends or receives, with a lane or without, on which side it stands.
    """

    title: str | None
    lanes: tuple[Participant, ...]
    steps: tuple[Step, ...]
    facts: Facts
    outcome: Outcome
    sides: Mapping[str, Side] = field(default_factory=dict)
