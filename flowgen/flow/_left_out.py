"""Which messages of a row that folds are left out, and what those that stay stand for."""

from array import array
from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field

from flowgen.trace import Others

from ._draft import Draft
from ._exchanges import latency
from ._fold import outcome
from ._thin import Exchange

_NAMES = 4  # of those that were left out; a picture tells three


@dataclass(slots=True, eq=False)
class Unit:
    """What stays or goes as one: an exchange with the progress of it, or a message beside the exchanges.

    Each of its messages has a likeness: what it shares with one that can stand in for it.
    """

    exchange: Exchange | None
    drafts: list[Draft] = field(default_factory=list)
    likenesses: list[Hashable] = field(default_factory=list)

    def first(self, likeness: Hashable) -> Draft:
        """Its first message with a likeness."""
        return self.drafts[self.likenesses.index(likeness)]

    @property
    def weight(self) -> int:
        """How many there are of it, those counted in that it stands for already."""
        return self.drafts[0].count

    @property
    def parted(self) -> bool:
        """Whether messages of its exchange stand elsewhere."""
        if self.exchange is None:
            return False
        mine = {draft.at for draft in self.drafts}
        return any(draft.at not in mine for draft in self.exchange.drafts)


class Tally:
    """What a message stands for; it begins with what it stood for before."""

    def __init__(self, before: Others | None) -> None:
        self.count = 0
        self.latencies = array("d")
        self.names: dict[str, None] = {}
        self._take_all(before)

    def take(self, draft: Draft, seconds: float | None) -> None:
        """One message more, with those that it stands for itself."""
        self.count += 1
        if seconds is not None:
            self.latencies.append(seconds)
        self._name(draft.name)
        self._take_all(draft.others)

    @property
    def others(self) -> Others:
        """All of them."""
        return Others(self.count, self.latencies, tuple(self.names))

    def _take_all(self, others: Others | None) -> None:
        if others:
            self.count += others.count
            self.latencies.extend(others.latencies)
            for name in others.names:
                self._name(name)

    def _name(self, name: str | None) -> None:
        if name is not None and len(self.names) < _NAMES:
            self.names[name] = None


class Leaving:
    """Decides for each unit of a row whether it stays, and counts those that do not for one that does."""

    def __init__(self, made: Sequence[Draft]) -> None:
        self.made = made
        self.tallies: dict[int, Tally] = {}
        self.gone: set[int] = set()

    def row(self, units: Sequence[Unit], most: int) -> None:
        """Leaves about `most` units of each kind: the first, the last, and others as far from each other."""
        kinds = _kinds(units)
        counts, turns, spaces = Counter(kinds), _turns(kinds, most), _spaces(units, kinds, most)
        last = dict(zip(kinds, units, strict=True))
        stays: dict[int, Unit] = {}
        passed: Counter[int] = Counter()
        for unit, kind, turn in zip(units, kinds, turns, strict=True):
            needed = turn or kind not in stays or unit is last[kind]
            if needed or counts[kind] <= most or passed[kind] >= spaces[kind]:
                stays[kind] = unit
                passed[kind] = 0
            else:
                self._leave(unit, stays[kind])
            passed[kind] += unit.weight

    def _leave(self, unit: Unit, stays: Unit) -> None:
        for draft, likeness in zip(unit.drafts, unit.likenesses, strict=True):
            seconds = latency(self.made[draft.request], draft) if draft.request is not None else None
            keeper = stays.first(likeness)
            tally = self.tallies.get(keeper.at) or self.tallies.setdefault(keeper.at, Tally(keeper.others))
            tally.take(draft, seconds)
            self.gone.add(draft.at)


def units_of(row: Sequence[tuple[Draft, Exchange | None]], by_method: bool) -> Iterable[Unit]:
    """The units of a row in order. Without `by_method`, messages of any method stand in for each other."""
    found: dict[int, Unit] = {}
    for draft, exchange in row:
        opener = exchange.opener.at if exchange else draft.about
        unit = found.get(draft.at if opener is None else opener)
        if unit is None:
            unit = found[exchange.opener.at if exchange else draft.at] = Unit(exchange)
        unit.drafts.append(draft)
        unit.likenesses.append(_likeness(draft, by_method, alone=unit.exchange is None))
    return found.values()


def _likeness(draft: Draft, by_method: bool, alone: bool) -> Hashable:
    """What a message has in common with one that stands in for it."""
    message = draft.message
    return (
        (draft.kind, message.sender, message.receiver, message.transport, message.revision, draft.event, draft.state),
        draft.method if by_method else None,
        outcome(draft) if draft.failed else None,
        draft.shape if alone else None,
    )


def _kinds(units: Sequence[Unit]) -> list[int]:
    """For each unit the number of its kind: units of one kind have the same likenesses."""
    numbers: dict[Hashable, int] = {}
    return [numbers.setdefault(frozenset(unit.likenesses), len(numbers)) for unit in units]


def _turns(kinds: Sequence[int], most: int) -> list[bool]:
    """Where one kind follows another one, if that is not all the time."""
    turns = [one != before for before, one in zip([*kinds[:1], *kinds], kinds, strict=False)]
    return turns if sum(turns) <= most else [False] * len(kinds)


def _spaces(units: Sequence[Unit], kinds: Sequence[int], most: int) -> dict[int, float]:
    """How many of a kind, counted with those that are gone, come between two that stay."""
    weights: Counter[int] = Counter()
    for unit, kind in zip(units, kinds, strict=True):
        weights[kind] += unit.weight
    return {kind: weight / most for kind, weight in weights.items()}
