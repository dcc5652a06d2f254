import sys
from dataclasses import FrozenInstanceError
from subprocess import run

import pytest
from pydantic import ValidationError

from flowgen.topology import Node, Topology, read, schema

ODD = {"id": "a", "kind": "api", "title": "A", "cost": 3, "model_copy": 4, "_extra": 5, "reading": {"x": None}}


def test_a_config_is_read_and_told_again_without_pydantic() -> None:
    code = """
import sys
from flowgen.topology import read
read([("mcp.json", b'{"mcpServers": {"a": {"command": "x"}}}')]).model_dump_json()
print("pydantic" in sys.modules or "pydantic_core" in sys.modules)
"""
    done = run([sys.executable, "-c", code], check=True, capture_output=True, text=True, timeout=60)
    assert done.stdout.strip() == "False"


def test_fields_that_are_not_known_stay_and_shadow_nothing() -> None:
    found = Topology.model_validate({"nodes": [ODD], "_reading": 1, "owner": None})
    node = found.nodes[0].model_copy(update={"title": "B"})
    assert found.reading is None and found.model_extra == {"_reading": 1, "owner": None}
    assert ODD.items() <= (node.model_dump() | {"title": "A"}).items()
    assert node.model_dump(exclude={"id", "cost"}, exclude_none=True)["reading"] == {"x": None}


def test_what_is_told_is_a_document_that_is_the_same_when_read_again() -> None:
    found = Topology.model_validate({"nodes": [ODD], "zones": [{"id": "z", "kind": "vendor", "title": "Z"}]})
    told = found.model_dump(exclude_none=True)
    again = Topology.model_validate(told)
    told["nodes"][0]["lines"].append("later")
    assert again == found and found.nodes[0].lines == []
    assert found != found.model_copy(update={"title": "other"}) and found != Topology()


def test_a_part_is_frozen_and_told_apart_by_what_it_holds() -> None:
    node = Node(id="a", kind="api", title="A")
    with pytest.raises(FrozenInstanceError):
        node.title = "B"  # type: ignore[misc]
    assert node == Node(id="a", kind="api", title="A") != Node.model_validate(ODD)


def test_a_fault_names_its_field_however_deep() -> None:
    with pytest.raises(ValidationError) as caught:
        Topology.model_validate({"nodes": [{"id": "a", "kind": "api", "title": "A", "evidence": {"kind": "guess"}}]})
    assert [fault["loc"] for fault in caught.value.errors()] == [("nodes", 0, "evidence", "kind")]


def test_the_schema_lets_more_fields_in_and_says_what_a_part_must_have() -> None:
    node = schema()["$defs"]["Node"]
    assert node["additionalProperties"] is True and node["required"] == ["id", "kind", "title"]
    assert not {"model_extra", "reading", "_extra"} & (node["properties"].keys() | schema()["properties"].keys())


def test_what_a_config_said_is_not_of_the_document() -> None:
    found = read([("mcp.json", b'{"mcpServers": {"a": {"command": "x"}}}')])
    assert found.reading and "_reading" not in found.model_dump() | found.model_extra
