"""What was loaded shows itself in a notebook: a recording as its swim lane, a topology as its picture."""

from collections.abc import Callable, Collection
from functools import cache
from typing import Any

from flowgen.errors import FlowgenError

Bundle = dict[str, str]  # media type → what is shown
_WAYS = ("image/svg+xml", "text/plain")


def bundle(
    svg: Callable[[], str], text: Callable[[], str], include: Collection[str] | None, exclude: Collection[str] | None
) -> Bundle:
    """A picture and a text in its place, of which a notebook takes what it can show; the others are not made."""
    wanted = [way for way in _WAYS if (not include or way in include) and way not in (exclude or ())]
    made = dict(zip(_WAYS, (svg, text), strict=True))
    try:
        return {way: made[way]() for way in wanted}
    except FlowgenError as problem:
        return {"text/plain": str(problem)}


@cache
def shown_in_notebooks() -> None:
    """From here on recordings and topologies show themselves. They do not know how they are drawn, so they are told."""
    from flowgen.topology import Topology
    from flowgen.trace import Trace

    for kind in (Trace, Topology):
        setattr(kind, "_repr_mimebundle_", _drawn)  # noqa: B010  # no part of the model


def _drawn(source: Any, include: Collection[str] | None = None, exclude: Collection[str] | None = None) -> Bundle:
    """What a notebook shows (IPython's protocol)."""
    from ._pictures import drawing

    try:
        shown: Bundle = drawing(source)._repr_mimebundle_(include, exclude)
        return shown
    except FlowgenError as problem:
        return {"text/plain": str(problem)}
