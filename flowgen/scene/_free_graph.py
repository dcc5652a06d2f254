"""A graph as numbers: sizes of nodes, frames around them, what is joined; and the places that a layout gives them.

No name and no text of a document stands in it, so nothing of a document reaches the program that lays it out.
All numbers are px, y downwards.
"""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Vertex:
    """A node by its size; `cluster` is the index of the innermost frame around it."""

    wide: float
    high: float
    cluster: int | None


@dataclass(frozen=True, slots=True)
class Cluster:
    """A frame by the size of its title; `parent` is the index of the frame around it."""

    wide: float
    high: float
    parent: int | None


@dataclass(frozen=True, slots=True)
class Edge:
    """Two nodes by their indices. The heavier it is, the shorter and straighter it should be."""

    source: int
    target: int
    weight: int = 1


@dataclass(frozen=True, slots=True)
class Graph:
    """What is to be laid out, from left to right."""

    vertices: tuple[Vertex, ...]
    clusters: tuple[Cluster, ...]
    edges: tuple[Edge, ...]


@dataclass(frozen=True, slots=True)
class Positions:
    """The middles of nodes, and the edges of frames as (left, top, right, bottom); in the order of the graph."""

    vertices: tuple[tuple[float, float], ...]
    clusters: tuple[tuple[float, float, float, float], ...]


Placing = Callable[[Graph], Positions]
