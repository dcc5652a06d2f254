"""What was read is called a file, a recording or a description."""

import pytest

from flowgen.scene import Options, Text, architecture, flat
from flowgen.topology import Topology
from tests.scene.topologies import Config


def texts(topology: Topology, style: str = "") -> list[str]:
    shapes = flat(architecture(topology, Options()).shapes)
    return [text.text for text in shapes if isinstance(text, Text) and text.style.startswith(style)]


@pytest.mark.parametrize(
    ("kind", "sources", "said"),
    [
        ("file", ["a"], "this file"), ("file", ["a", "b"], "these files"), ("file", ["a", "a"], "this file"),
        ("trace", ["a"], "this recording"), ("trace", ["a", "b"], "these recordings"),
        ("described", [], "this description"),
    ],
)  # fmt: skip
def test_what_was_read_is_called_what_it_is(kind: str, sources: list[str], said: str) -> None:
    made = Config()
    made.local("files", "npx files")
    for node in made.said["nodes"]:
        node["evidence"] = {"kind": kind, "where": "1"}
    told = texts(made.document(sources=[{"path": path} for path in sources]))
    assert any(f"no findings in {said}" in text for text in told)
    assert (f"No findings in {said}" in told) == (kind == "file")
