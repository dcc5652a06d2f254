"""Loops seen in a trace: the pages of a list, and a task that is asked after again and again.

A list asked again with the cursor of its last answer goes on (MCP Pagination); `tasks/get` or `tasks/result` of
one task goes on until its status changes. A frame stands around rounds between which only notifications, notes
and logs came; a single round makes none.
"""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from ._draft import Draft
from ._json import key_of
from ._tasks import status_of

POLLS = frozenset({"tasks/get", "tasks/result"})
LEAST = 2  # rounds of a frame
_PASSING = frozenset({"notification", "note", "stderr", "noise"})
_ACCEPTED = 202  # what a notification is answered with over HTTP


@dataclass(frozen=True, slots=True)
class Round:
    """A request and what answered it."""

    request: Draft
    answer: Draft | None

    @property
    def status(self) -> str | None:
        """Of the task that was asked after."""
        return status_of(self.answer.result) if self.answer else None

    @property
    def cursor(self) -> Hashable:
        """What the next page is asked with; None after the last one."""
        cursor = (self.answer.result or {}).get("nextCursor") if self.answer else None
        return None if cursor is None else key_of(cursor)


@dataclass(eq=False, slots=True)
class Loop:
    """Rounds of one method that follow from each other, by the positions of their requests."""

    rounds: dict[int, Round] = field(default_factory=dict)

    @property
    def first(self) -> Round:
        """How it began."""
        return next(iter(self.rounds.values()))

    @property
    def last(self) -> Round:
        """Its newest round."""
        return next(reversed(self.rounds.values()))


@dataclass(frozen=True, slots=True)
class Frame:
    """Neighbouring rounds of a loop; `parts` are the shown messages of each, with what came before the next one."""

    rounds: tuple[Round, ...]
    parts: tuple[list[Draft], ...]

    @property
    def method(self) -> str:
        """What is asked in it."""
        return self.rounds[0].request.method or ""

    @property
    def drafts(self) -> list[Draft]:
        """All its messages in order."""
        return [draft for part in self.parts for draft in part]


def loops(made: Sequence[Draft]) -> dict[int, Loop]:
    """The loops of a trace, by the positions of their requests and answers; most of them have one round only."""
    running: dict[Hashable, Loop] = {}
    found: dict[int, Loop] = {}
    for draft in made:
        if (key := _key(draft)) is None:
            continue
        now = running.get(key)
        if now is None or not _goes_on(now, draft):
            now = running[key] = Loop()
        now.rounds[draft.at] = Round(draft, made[draft.answer] if draft.answer is not None else None)
        found[draft.at] = now
        if draft.answer is not None:
            found[draft.answer] = now
    return found


def framed(made: Sequence[Draft], inside: Mapping[int, Loop]) -> Iterator[Draft | Frame]:
    """The shown messages of a step in order, those of frames together."""
    shown = {draft.at for draft in made} if inside else set()
    held: list[Draft] = []
    loop: Loop | None = None
    for draft in made:
        mine = inside.get(draft.at)
        if loop and mine is not loop and not _passes(draft):
            yield from _released(held, loop, shown)
            held, loop = [], None
        if loop is None and mine and draft.at in mine.rounds:
            loop = mine
        if loop:
            held.append(draft)
        else:
            yield draft
    if loop:
        yield from _released(held, loop, shown)


def _released(held: list[Draft], loop: Loop, shown: set[int]) -> Iterator[Draft | Frame]:
    """A frame up to the end of the last round that is whole, and what came after it."""
    whole = held[: _end(held, loop, shown)]
    starts = [place for place, draft in enumerate(whole) if draft.at in loop.rounds]
    if len(starts) < LEAST:
        yield from held
        return
    parts = tuple(whole[start:end] for start, end in zip(starts, [*starts[1:], len(whole)], strict=True))
    yield Frame(tuple(loop.rounds[part[0].at] for part in parts), parts)
    yield from held[len(whole) :]


def _end(held: Sequence[Draft], loop: Loop, shown: set[int]) -> int:
    """How many of the messages there are up to the last answer after which no round is open."""
    waiting: set[int | None] = set()  # for an answer that is shown
    end = 0
    for place, draft in enumerate(held, 1):
        if draft.at in loop.rounds:
            waiting |= {draft.answer} & shown
        elif draft.request in loop.rounds:
            waiting.discard(draft.at)
        else:
            continue
        end = end if waiting else place
    return end


def _key(draft: Draft) -> Hashable:
    """What the rounds of one loop have in common; None for a request that makes none, or stands in for
    others, which may have been of other loops.
    """
    message = draft.message
    if draft.kind != "request" or draft.method is None or draft.others:
        return None
    if draft.method in POLLS:
        task = draft.text("taskId")
        return (message.sender, message.receiver, draft.method, task) if task is not None else None
    return (message.sender, message.receiver, draft.method) if draft.method.endswith("/list") else None


def _goes_on(loop: Loop, request: Draft) -> bool:
    """Whether a request is one round more."""
    last = loop.last
    if request.method == "tasks/result":
        return last.answer is not None and last.answer.failed
    if request.method in POLLS:
        return last.status == loop.first.status
    cursor = request.params.get("cursor")
    return cursor is not None and last.cursor == key_of(cursor)


def _passes(draft: Draft) -> bool:
    """What comes between rounds without parting them."""
    if draft.kind == "http":
        return draft.event is not None or draft.status == _ACCEPTED
    return draft.kind in _PASSING
