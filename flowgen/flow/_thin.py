"""What is still too long to read when neighbours that are alike are folded, folded harder.

Of each kind of exchange the first few stand wherever they are, all others fold into runs: so calls of many tools in
turn, pages between them and requests that wait at the same time end in few rows. A level says what is of one kind.
What stands out (an error, a question back, a retry, what was cancelled or got no answer, a list that changed) is
left standing by the first two levels, but for a row of equal errors. The last two take it in as well: thousands of
them tell less than their number does.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from ._draft import Draft
from ._fold import Folded, chatters, one_run, outcome, repeats, stands_out
from ._loops import Frame

_LONG = 60  # rows of a step that can still be read
_TOO_LONG = 200  # rows that nobody reads, whatever stands in them
_INSIDE = 20  # messages that a frame may hold where room is short
_FEW = 4  # rows that no run takes the place of

_CANCELLED = "notifications/cancelled"

Kind = Hashable  # None: left standing
_Piece = Draft | Frame


@dataclass(eq=False, slots=True)
class Exchange:
    """A message with its answers, or a frame of them. `row` counts the equal failures directly before it."""

    drafts: list[Draft]
    frame: bool = False
    row: int = 0
    fate: str = ""  # of what folds: `fine` or `failed`; empty: it stands

    @property
    def opener(self) -> Draft:
        """The request; the message itself where it stands alone."""
        return self.drafts[0]

    @property
    def failure(self) -> Hashable:
        """How it failed; None if it did not."""
        return next((outcome(draft) for draft in self.drafts if draft.failed), None)

    @property
    def stands_out(self) -> bool:
        """Whether a picture has to show it as long as it can."""
        return self.opener.state == "unanswered" or any(map(stands_out, self.drafts))

    @property
    def stands_in(self) -> bool:
        """Whether it stands for others that are not there."""
        return any(draft.others for draft in self.drafts)

    @property
    def codes(self) -> tuple[str, ...]:
        """What the recorder noticed about its messages."""
        return tuple(dict.fromkeys(code for draft in self.drafts for code in draft.message.codes))


@dataclass(frozen=True, slots=True)
class Level:
    """A way to fold what has more than `most` rows. `kind` tells which exchanges are of one kind; `apart`: those that
    failed make runs of their own.
    """

    most: int
    kind: Callable[[Exchange], Kind]
    apart: bool


def thinned(whole: Sequence[_Piece], fold: int, level: Level) -> Iterator[_Piece | Folded]:
    """The rows of a step of which `fold` exchanges of each kind stand; shapes are known."""
    pieces = list(_pieces(whole))
    decide((exchange for _, exchange in pieces if exchange), fold, level)
    for folds, part in groupby(_with_fates(pieces), key=lambda one: one[0]):
        mine = [(piece, exchange) for _, piece, exchange in part]
        yield from _folded(mine, fold) if folds else _standing([piece for piece, _ in mine], fold)


def exchanges_of(made: Iterable[Draft]) -> Iterator[tuple[Draft, Exchange | None]]:
    """The messages with the exchange of each; what goes on beside them has none."""
    found: dict[int, Exchange] = {}
    for draft in made:
        yield draft, None if chatters(draft) else _exchange(draft, found)


def _pieces(whole: Sequence[_Piece]) -> Iterator[tuple[_Piece, Exchange | None]]:
    """The messages and frames of a step with the exchange of each; what goes on beside them has none."""
    found: dict[int, Exchange] = {}
    for one in whole:
        if isinstance(one, Frame) and len(one.drafts) <= _INSIDE:
            yield one, Exchange(one.drafts, frame=True)
            continue
        for draft in one.drafts if isinstance(one, Frame) else (one,):
            yield draft, None if chatters(draft) else _exchange(draft, found)


def _exchange(draft: Draft, found: dict[int, Exchange]) -> Exchange:
    mine = found.get(_request(draft))
    if mine is None or (draft.request is not None and mine.opener.answer != draft.at):  # a second answer is one more
        mine = found[draft.at] = Exchange([draft])
    else:
        mine.drafts.append(draft)
    return mine


def _request(draft: Draft) -> int:
    request = draft.about if draft.method == _CANCELLED else draft.request
    return draft.at if request is None else request


def decide(exchanges: Iterable[Exchange], fold: int, level: Level) -> None:
    """Tells each exchange whether it stands: the first of its kind do, but none that stands in for others."""
    counts: Counter[Kind] = Counter()
    last: Exchange | None = None
    for exchange in {id(mine): mine for mine in exchanges}.values():
        failure = exchange.failure
        if failure and last and (last.failure, last.opener.method) == (failure, exchange.opener.method):
            exchange.row = last.row + 1
        kind, last = level.kind(exchange), exchange
        counts[kind] += 1
        over = exchange.stands_in or (exchange.row >= fold if kind is None else counts[kind] > fold)
        exchange.fate = "" if not over else "failed" if failure and level.apart else "fine"


def _with_fates(
    pieces: Sequence[tuple[_Piece, Exchange | None]],
) -> Iterator[tuple[str, _Piece, Exchange | None]]:
    """Chatter goes with the folded exchange before it."""
    last = ""
    for piece, exchange in pieces:
        last = exchange.fate if exchange else last or "fine"
        yield last, piece, exchange


def _standing(pieces: Sequence[_Piece], fold: int) -> Iterator[_Piece | Folded]:
    singles: list[Draft] = []
    for piece in pieces:
        if isinstance(piece, Draft):
            singles.append(piece)
        else:
            yield from repeats(singles, fold)
            yield piece
            singles = []
    yield from repeats(singles, fold)


def _folded(part: Sequence[tuple[_Piece, Exchange | None]], fold: int) -> Iterator[Draft | Folded]:
    """One run; a single exchange is not worth one."""
    drafts = list(_drafts(piece for piece, _ in part))
    owners = {id(exchange) for _, exchange in part if exchange}
    few = list(repeats(drafts, fold)) if len(owners) < 2 else []
    if 0 < len(few) <= _FEW:
        yield from few
    else:
        yield one_run(drafts)


def _drafts(pieces: Iterable[_Piece]) -> Iterator[Draft]:
    for piece in pieces:
        yield from piece.drafts if isinstance(piece, Frame) else (piece,)


def _by_method(exchange: Exchange) -> Kind:
    """Answered exchanges of one method between the same two, whatever the tool; notices of one code."""
    opener = exchange.opener
    if exchange.frame:
        return "loop", opener.method
    if exchange.stands_out or exchange.failure:
        return None
    message = opener.message
    return message.sender, message.receiver, opener.kind, opener.method, opener.event, exchange.codes


def _answered(exchange: Exchange) -> Kind:
    """Any answered exchanges; any notices of one kind."""
    if exchange.frame:
        return "loop"
    if exchange.stands_out or exchange.failure:
        return None
    return "exchange" if exchange.opener.state else exchange.opener.kind, exchange.codes


def _by_fate(exchange: Exchange) -> Kind:
    """What stands out by what became of it, all else together."""
    if exchange.frame or not (exchange.stands_out or exchange.failure):
        return "frame" if exchange.frame else "exchange" if exchange.opener.state else exchange.opener.kind
    opener = exchange.opener
    return opener.kind, opener.state, opener.retry_of is not None, exchange.failure


def _everything(exchange: Exchange) -> Kind:
    return "all"


LEVELS = (
    Level(_LONG, _by_method, apart=True),
    Level(_LONG, _answered, apart=True),
    Level(_TOO_LONG, _by_fate, apart=False),
    Level(_TOO_LONG, _everything, apart=False),
)
