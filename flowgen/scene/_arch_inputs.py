"""What a topology was read from, in a word: a file, a recording, a description. Texts that speak of it name it so."""

from typing import TYPE_CHECKING, Literal

from ._words import Words

if TYPE_CHECKING:
    from flowgen.topology import Topology

Input = Literal["file", "recording", "description"]


def input_of(topology: "Topology") -> Input:
    """What was read. A file counts most, for it was judged; of a recording without servers people are inferred."""
    kinds = {node.evidence.kind for node in topology.nodes if node.evidence}
    if "file" in kinds:
        return "file"
    if "described" in kinds or not (kinds or topology.sources):
        return "description"
    return "recording" if kinds else "file"


def paths_of(topology: "Topology") -> list[str]:
    """The files that were read, each once, for several hosts may read the same; not what was laid over them."""
    return list(dict.fromkeys(source.path for source in topology.sources if source.kind is None))


def this(topology: "Topology", how: Words) -> str:
    """`this file`, `these recordings` …"""
    several = "s" if len(paths_of(topology)) > 1 else ""
    return how(f"arch.this.{input_of(topology)}{several}")
