"""Where a recording does not keep the rules of the protocol: numbers at the messages, and what they mean in a list.

The list stands below the lanes, in the order of the recording; each line leads to its message.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from flowgen.flow import Entry

from ._clean import clean_line
from ._parts import Chip
from ._words import Words

Level = Literal["error", "warning", "info"]
LEVELS: tuple[Level, ...] = ("error", "warning", "info")

_LISTED = 40  # lines of the list
_CHIPS = 4  # numbers at one message
_LONG = 400


@dataclass(frozen=True, slots=True)
class Breach:
    """One of them: its number, the message (`seq`, and its own number if pictures number it), how grave it is, what
    it is in words, and the rule with its source.
    """

    number: int
    seq: int
    message: int | None
    level: Level
    text: str
    rule: str


def by_message(breaches: Iterable[Breach]) -> Mapping[int, Sequence[Breach]]:
    """`seq` of a message -> its breaches."""
    found: dict[int, list[Breach]] = defaultdict(list)
    for breach in breaches:
        found[breach.seq].append(breach)
    return found


def breach_chips(entries: Iterable[Entry], known: Mapping[int, Sequence[Breach]]) -> list[Chip]:
    """A number for each breach of the messages of a row; where there is no room for all a sign that there are more."""
    found = [breach for entry in entries for breach in known.get(entry.message.seq, ())]
    chips = [Chip(f"!{breach.number}", f"chip.{breach.level}") for breach in found[:_CHIPS]]
    return [*chips, Chip(f"+{len(found) - _CHIPS}", f"chip.{found[-1].level}")] if len(found) > _CHIPS else chips


def counted(breaches: Sequence[Breach], words: Words) -> str:
    """`Rules not kept: 2 errors, 1 warning`, or that all are."""
    counts = Counter(breach.level for breach in breaches)
    told = ", ".join(words(f"breaches.{level}", n=counts[level]) for level in LEVELS if counts[level])
    return words("breaches", counts=told) if told else words("breaches.none")


def listed(breaches: Sequence[Breach], words: Words) -> tuple[Sequence[Breach], str | None]:
    """Those that the list has room for, and a line about the rest."""
    left = len(breaches) - _LISTED
    return breaches[:_LISTED], words("breaches.more", n=left) if left > 0 else None


def sentence(breach: Breach) -> str:
    """What is wrong, on one line."""
    return clean_line(breach.text, _LONG)
