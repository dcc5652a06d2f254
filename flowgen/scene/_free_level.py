"""Cards moved up or down to where their lines are straight, if there is room: small steps look like mistakes."""

from collections.abc import Sequence
from dataclasses import replace

from ._free_columns import Area, Floor, meet
from ._free_route import Net, ported

_APART = 9.0  # px that a card keeps from other parts
_FRAME = 6.0  # and from the edge of a frame
_FARTHEST = 56.0  # px that it moves: what comes from farther away turns on its way all the same
_SMALL = 0.5


def levelled(floor: Floor, nets: Sequence[Net], labels: Sequence[int]) -> Floor:
    """The floor with its cards level with one end of their lines, and the ports of the nets after that.

    The nets of a card stand one after the other, in the order of the labels.
    """
    ported(nets, floor.parts, frozenset(labels))
    moved = _moved(floor, nets, labels)
    ported(nets, moved.parts, frozenset(labels))
    found = _moved(moved, nets, labels)
    for at, label in enumerate(labels):
        by = found.parts[label].top - moved.parts[label].top
        for net in nets[2 * at : 2 * at + 2]:
            net.ys[1 if net.right == label else 0] += by
    return found


def _moved(floor: Floor, nets: Sequence[Net], labels: Sequence[int]) -> Floor:
    parts = list(floor.parts)
    for at, label in enumerate(labels):
        ends = [_other(net, label) for net in nets[2 * at : 2 * at + 2]]
        for y in sorted(ends, key=lambda y: abs(y - parts[label].middle)):
            moved = parts[label].moved(0, y - parts[label].middle)
            if abs(moved.top - parts[label].top) <= _FARTHEST and _is_free(moved, label, parts, floor):
                parts[label] = moved
                break
    return replace(floor, parts=tuple(parts))


def _other(net: Net, label: int) -> float:
    """The y at the end of a line that is not its card."""
    return net.ys[0] if net.right == label else net.ys[1]


def _is_free(area: Area, label: int, parts: Sequence[Area], floor: Floor) -> bool:
    """Whether a card can stand there: in the same frames as before, and with nothing near."""
    before = parts[label]
    if abs(area.top - before.top) < _SMALL:
        return True
    near = Area(area.left - 1, area.top - _APART, area.right + 1, area.bottom + _APART)
    if any(meet(near, other) for at, other in enumerate(parts) if at != label):
        return False
    if any(meet(near, title) for title in floor.titles):
        return False
    return all(_side(area, frame) == _side(before, frame) != "cut" for frame in floor.frames)


def _side(area: Area, frame: Area) -> str:
    """Whether an area is in a frame, outside of it, or too near to its edge."""
    if area.right <= frame.left or area.left >= frame.right:
        return "out"
    if frame.top + _FRAME <= area.top and area.bottom <= frame.bottom - _FRAME:
        return "in"
    return "out" if area.bottom + _FRAME <= frame.top or frame.bottom + _FRAME <= area.top else "cut"

