"""How an architecture is laid out: in rows where they hold all of it, else as a graph, where Graphviz is at hand."""

import warnings
from typing import TYPE_CHECKING, TypeVar

from flowgen.errors import BackendMissing

from ._options import DrawingOptions, of_look

if TYPE_CHECKING:
    from collections.abc import Callable

    from flowgen.scene import Layout, Options, Scene
    from flowgen.topology import Topology

_Made = TypeVar("_Made")


def scene_of(topology: "Topology", options: DrawingOptions) -> "Scene":
    """The picture. Raises BackendMissing and LayoutError where a graph was asked for and there can be none."""
    from flowgen.scene import architecture

    look = of_look(options)
    return _chosen(topology, options, lambda: architecture(topology, look), lambda: _graph(topology, look))


def layout_of(topology: "Topology", options: DrawingOptions) -> "Layout":
    """The places of its nodes and frames; raises the same."""
    from flowgen.scene import layout

    look = of_look(options)
    return _chosen(topology, options, lambda: layout(topology, look), lambda: _graph_layout(topology, look))


def _graph(topology: "Topology", look: "Options") -> "Scene":
    from flowgen import engine
    from flowgen.scene import free

    return free(topology, look, engine.place)


def _graph_layout(topology: "Topology", look: "Options") -> "Layout":
    from flowgen import engine
    from flowgen.scene import free_layout

    return free_layout(topology, look, engine.place)


def _chosen(
    topology: "Topology", options: DrawingOptions, rows: "Callable[[], _Made]", graph: "Callable[[], _Made]"
) -> _Made:
    """In rows or as a graph; in rows with a warning, if a graph would show more and there can be none."""
    from flowgen.scene import is_chain

    wanted = options.get("layout", "auto")
    if wanted == "graph":
        return graph()
    if wanted == "rows" or is_chain(topology):
        return rows()
    from flowgen.engine import LayoutError

    try:
        return graph()
    except (BackendMissing, LayoutError) as problem:
        hint = f" ({problem.hint})" if isinstance(problem, BackendMissing) else ""
        warnings.warn(f"drawn in rows, which show a part of it: {problem}{hint}", stacklevel=4)
        return rows()
