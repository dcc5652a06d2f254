"""How each rule is broken: one change of a session that keeps them all, under the name of the rule.

What a change does is the shortest exchange that `rules.toml` tells as the example. `breaks` names the recording.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

from tests.check.tape import Tape

Change = Callable[[Tape], Any]


class Violation(NamedTuple):
    """A recording, what to do to it, and which rules the other side cannot but break then, too."""

    base: str
    change: Change
    also: tuple[str, ...] = ()


VIOLATIONS: dict[str, Violation] = {}


def breaks(base: str, *also: str) -> Callable[[Change], Change]:
    """Makes a function the violation of the rule that it is named after."""

    def add(change: Change) -> Change:
        VIOLATIONS[change.__name__.replace("_", "-")] = Violation(base, change, also)
        return change

    return add
