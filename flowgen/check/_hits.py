"""What a rule of recordings finds: a message at which it is not kept. Rules make themselves known by their names."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

from flowgen.flow import Side

from ._book import Level
from ._message import Seen
from ._session import Session


@dataclass(frozen=True, slots=True)
class Hit:
    """A message at which a rule is not kept, and what about it; another level where the case has one.

    `by` is the side that does not keep it, where that is not who sent the message.
    """

    seen: Seen
    said: str
    level: Level | None = None
    by: Side | None = None


Rule = Callable[[Session], Iterator[Hit]]
RULES: dict[str, Rule] = {}


def rule(function: Rule) -> Rule:
    """Makes a function the rule of its name."""
    RULES[function.__name__.replace("_", "-")] = function
    return function


def once(hits: Iterable[Hit]) -> Iterator[Hit]:
    """The first hit, which says how many there are: for what a side that does it once does every time."""
    found = list(hits)
    for hit in found[:1]:
        yield replace(hit, said=f"{hit.said} ({len(found) - 1} more)") if len(found) > 1 else hit
