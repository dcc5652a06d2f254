"""Where the list of rules that are not kept stands: below the lanes, if a recording was judged."""

from typing import TYPE_CHECKING

from ._look import Look

if TYPE_CHECKING:
    from ._arch_blocks import PlacedBlock


def below(look: Look, left: float, right: float, y: float) -> "PlacedBlock | None":
    """The list with its upper edge at y; None where nobody asked for judging."""
    if look.options.breaches is None:
        return None
    from ._breach_block import breach_block

    return breach_block(look.options.breaches, look.words, left, right, y)
