"""Asks Graphviz where the parts of a free-form graph stand; everything that is drawn there is ours.

What goes out are numbers and ids of our own, never a text of a document. The program is that of the wheel
graphviz-pure, which gives the same places on every machine, else the machine's `dot`.
"""

import json
import os
import shutil
import subprocess
import sysconfig
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from flowgen.errors import BackendMissing, FlowgenError

if TYPE_CHECKING:
    from flowgen.scene import Graph, Positions

SECONDS = 20  # after which a layout is given up
MOST = 400  # nodes and labels of a graph, or zones
_INCH = 72  # px: a point of Graphviz is one of ours
_HINT = "pip install 'mcp-flowgen[graphviz]'"
_KEPT = ("SYSTEMROOT", "TEMP", "TMPDIR", "LD_LIBRARY_PATH")  # what a program needs to start
_LOOK = (
    "rankdir=LR", "newrank=true", "splines=false", "nodesep=.2", "ranksep=.5", 'fontname=""',
    "labeljust=l", "labelloc=t", "outputorder=nodesfirst",
)  # fmt: skip


class LayoutError(FlowgenError):
    """A graph that Graphviz found no places for."""


def program() -> str | None:
    """The program that lays graphs out: graphviz-pure beside this Python or on PATH, else `dot`; None where none is."""
    own = shutil.which("graphviz-pure", path=sysconfig.get_path("scripts"))
    return own or shutil.which("graphviz-pure") or shutil.which("dot")


def place(graph: "Graph") -> "Positions":
    """The places of a graph's parts.

    Raises BackendMissing where the package or the program is missing, LayoutError for a graph that is too large, takes
    too long, or that the program gives no answer to.
    """
    for count, what in ((len(graph.vertices), "nodes and labels"), (len(graph.clusters), "zones")):
        if count > MOST:
            told = f"the graph has {count} {what}, at most {MOST} can be laid out"
            raise LayoutError(told, "draw it with --layout rows, or in parts")
    return _read(_asked(_command(), "".join(_dot(graph))), graph)


def _command() -> list[str]:
    found = program()
    try:
        from graphviz.backend import dot_command
    except ImportError:
        raise BackendMissing("a free-form graph is laid out by Graphviz, which is not installed", _HINT) from None
    if found is None:
        raise BackendMissing("a free-form graph is laid out by Graphviz, and there is no program of it", _HINT)
    _, *rest = dot_command.command("dot", "json")
    return [found, *map(str, rest)]


def _asked(command: list[str], question: str) -> bytes:
    """What the program answers, in an environment that holds nothing of ours."""
    from graphviz.backend import execute

    env = {name: os.environ[name] for name in _KEPT if name in os.environ} | {"LC_ALL": "C"}
    try:
        done = execute.run_check(
            command, input=question.encode(), capture_output=True, quiet=True, timeout=SECONDS, env=env
        )
    except subprocess.TimeoutExpired:
        raise LayoutError(f"Graphviz found no places in {SECONDS} s", "draw it with --layout rows") from None
    except (subprocess.CalledProcessError, execute.ExecutableNotFound, OSError) as problem:
        raise _failed(command[0], problem) from None
    answer: bytes = done.stdout
    return answer


def _failed(binary: str, problem: Exception) -> LayoutError:
    code = getattr(problem, "returncode", None)
    told = f"it ended with {code}" if code is not None else "it could not be started"
    return LayoutError(f"{Path(binary).name} gave no places: {told}", "draw it with --layout rows")


# The question


def _dot(graph: "Graph") -> Iterator[str]:
    yield f"digraph g {{ {'; '.join(_LOOK)}; node [shape=box, fixedsize=true, label=\"\"]; edge [arrowhead=none];\n"
    inside: dict[int | None, list[int]] = defaultdict(list)
    around: dict[int | None, list[int]] = defaultdict(list)
    for at, vertex in enumerate(graph.vertices):
        inside[vertex.cluster].append(at)
    for at, cluster in enumerate(graph.clusters):
        around[cluster.parent].append(at)
    yield from _level(graph, None, inside, around)
    for edge in graph.edges:
        yield f"n{edge.source} -> n{edge.target} [weight={edge.weight:d}];\n"
    yield "}\n"


def _level(
    graph: "Graph", at: int | None, inside: dict[int | None, list[int]], around: dict[int | None, list[int]]
) -> Iterator[str]:
    for number in inside[at]:
        vertex = graph.vertices[number]
        yield f"n{number} [width={vertex.wide / _INCH:.4f}, height={vertex.high / _INCH:.4f}];\n"
    for number in around[at]:
        cluster = graph.clusters[number]
        yield f"subgraph cluster_{number} {{ margin=12; label=<{_title(cluster.wide, cluster.high)}>;\n"
        yield from _level(graph, number, inside, around)
        yield "}\n"


def _title(wide: float, high: float) -> str:
    """An empty table of the size of a title."""
    cell = f'<TD FIXEDSIZE="TRUE" WIDTH="{wide:.0f}" HEIGHT="{high:.0f}"></TD>'
    return f'<TABLE BORDER="0" CELLBORDER="0" CELLPADDING="0" CELLSPACING="0"><TR>{cell}</TR></TABLE>'


# The answer


def _read(answer: bytes, graph: "Graph") -> "Positions":
    from flowgen.scene import Positions

    try:
        told = json.loads(answer)
        top = _numbers(told["bb"])[3]
        found = {each["name"]: each for each in told.get("objects", ())}
        middles = [_numbers(found[f"n{at}"]["pos"]) for at in range(len(graph.vertices))]
        frames = [_numbers(found[f"cluster_{at}"]["bb"]) for at in range(len(graph.clusters))]
        return Positions(
            tuple((x, top - y) for x, y in middles),
            tuple((left, top - upper, right, top - lower) for left, lower, right, upper in frames),
        )
    except (ValueError, KeyError, TypeError, IndexError):
        raise LayoutError("Graphviz gave an answer without places", "draw it with --layout rows") from None


def _numbers(text: Any) -> list[float]:
    return [float(number) for number in str(text).split(",")]
