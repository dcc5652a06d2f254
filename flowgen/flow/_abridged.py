"""A recording too large to be held, abridged while it is read.

Whenever many messages have come, what is there is worked out as ever, and of the exchanges that fold in any picture
only some stay. They stand in for the others, so that numbers, counts, times and what failed are told as if all were
there. Whatever stands out stays, unless there are thousands of it.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from flowgen.trace import Message, Others, StandIn

from ._about import find_requests
from ._changes import find_changes
from ._draft import Draft, drafts
from ._exchanges import pair
from ._fold import find_shapes
from ._left_out import Leaving, Unit, units_of
from ._links import link_requests
from ._thin import LEVELS, Exchange, Level, decide, exchanges_of

_KEPT = 50  # exchanges of a kind that stay before any stands in for others; no less than a picture leaves standing
_STANDING = 2_500  # messages that may stand out; of more, those that are alike fold as well
_RECENT = 1_000  # messages that nothing is left out of: retries and duplicates may still come
_WAITING = 30_000  # messages after which an answer may still come
_ROW, _ROWS, _LEAST = 40, 2_000, 2  # units of a kind that stay of one row, of all rows, of a row in any case

_Piece = tuple[Draft, Exchange | None]


def abridged(batches: Iterable[list[Message]], fold: int, any_direction: bool = False) -> list[Message]:
    """The messages of a recording, which come so many at a time: of one batch all, of several what a picture needs.

    `fold` is how many equals it shows, `any_direction` as for `pair`.
    """
    held: list[Message] = []
    left = 0
    for batch in batches:
        if batch and len(held) > 2 * left:  # what cannot be left out is not looked through again and again
            held = list(_abridged(held, max(fold, _KEPT), any_direction))
            left = len(held)
        held += batch
    return held


def _abridged(held: list[Message], keep: int, any_direction: bool) -> Iterator[Message]:
    made = drafts(held)
    pair(made, any_direction)
    link_requests(made)
    find_requests(made)
    find_changes(made)
    find_shapes(made)
    pieces, level = _settled(made, keep)
    rows = [list(part) for folds, part in groupby(pieces, key=_folds) if folds]
    most = min(_ROW, max(_LEAST, _ROWS // max(len(rows), 1)))
    leaving, stays = Leaving(made), _Stays(made)
    for row in rows:
        units = units_of(row, by_method=level is LEVELS[0])
        leaving.row([unit for unit in units if not stays(unit)], most)
    yield from _messages(made, leaving)


def _settled(made: Sequence[Draft], keep: int) -> tuple[list[_Piece], Level]:
    """The messages with their exchanges, told which of them fold by the first level that leaves few enough."""
    pieces = list(exchanges_of(made))
    for level in LEVELS:
        decide((exchange for _, exchange in pieces if exchange), keep, level)
        if sum(not _folds(piece) for piece in pieces) <= _STANDING:
            break
    return pieces, level


def _folds(piece: _Piece) -> bool:
    exchange = piece[1]
    return exchange is None or bool(exchange.fate)


class _Stays:
    """Tells of a unit whether nothing may stand in for it: because it may still be answered or repeated, has a part
    elsewhere, is a page of a list, or opens a step.
    """

    def __init__(self, made: Sequence[Draft]) -> None:
        self.recent = len(made) - _RECENT
        self.waiting = sum(draft.skipped + (draft.number is not None) for draft in made) - _WAITING

    def __call__(self, unit: Unit) -> bool:
        return unit.parted or any(map(self._stays, unit.drafts))

    def _stays(self, draft: Draft) -> bool:
        return (
            draft.at >= self.recent
            or (draft.state == "unanswered" and (draft.number or 0) > self.waiting)
            or draft.message.step is not None
            or "cursor" in draft.params
            or (draft.result or {}).get("nextCursor") is not None
        )


def _messages(made: Sequence[Draft], leaving: Leaving) -> Iterator[Message]:
    """What is left, saying what is not there any more."""
    skipped = 0
    for draft in made:
        skipped += draft.skipped
        if draft.at in leaving.gone:
            skipped += draft.number is not None
        else:
            others = leaving.tallies[draft.at].others if draft.at in leaving.tallies else draft.others
            yield _standing(draft.message, others, skipped)
            skipped = 0


def _standing(message: Message, others: Others | None, skipped: int) -> Message:
    if others is None and not skipped:
        return message
    told = {**vars(message), **(message.model_extra or {}), "others": others, "skipped": skipped}
    return StandIn.model_construct(message.model_fields_set, **told)
