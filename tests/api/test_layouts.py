"""Rows or a graph: which is drawn, what is told where there can be no graph."""

import warnings

import pytest

from flowgen import engine
from flowgen.api import architecture
from flowgen.errors import BackendMissing, UsageError
from tests.scene.free_strategies import company

SERVERS = b'{"mcpServers": {"files": {"command": "npx", "args": ["-y", "files-mcp"]}}}'
SYSTEM = company().model_dump_json(exclude_none=True).encode()
ROWS = "Not drawn in rows"


def test_what_rows_do_not_hold_is_a_graph() -> None:
    told = architecture([("system.json", SYSTEM)])
    assert ROWS not in told.svg and told.svg.count("<title>") > 0 and told.png(1.0).startswith(b"\x89PNG")
    assert told.pdf().startswith(b"%PDF")
    assert ROWS in architecture([("system.json", SYSTEM)], layout="rows").svg


def test_what_rows_hold_is_not_asked_of_graphviz(monkeypatch) -> None:
    monkeypatch.setattr(engine, "place", lambda graph: pytest.fail("asked"))
    assert "files" in architecture([("mcp.json", SERVERS)]).svg


def test_a_graph_may_be_asked_for_where_rows_would_do() -> None:
    rows = architecture([("mcp.json", SERVERS)]).svg
    graph = architecture([("mcp.json", SERVERS)], layout="graph").svg
    assert rows != graph and "files" in graph


def test_without_graphviz_rows_are_drawn_and_it_is_told(monkeypatch) -> None:
    monkeypatch.setattr(engine, "program", lambda: None)
    with pytest.warns(UserWarning, match=r"drawn in rows, which show a part of it: .*mcp-flowgen\[graphviz\]"):
        assert ROWS in architecture([("system.json", SYSTEM)]).svg
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert ROWS in architecture([("system.json", SYSTEM)], layout="rows").svg


def test_a_graph_that_was_asked_for_and_cannot_be_is_an_error(monkeypatch) -> None:
    monkeypatch.setattr(engine, "program", lambda: None)
    with pytest.raises(BackendMissing):
        _ = architecture([("system.json", SYSTEM)], layout="graph").svg


def test_a_layout_that_there_is_not_is_refused() -> None:
    with pytest.raises(UsageError, match="layout: there is no 'tree'"):
        architecture([("mcp.json", SERVERS)], layout="tree")  # type: ignore[typeddict-item]


def test_the_editable_document_has_the_places_of_the_graph() -> None:
    told = architecture([("system.json", SYSTEM)]).drawio()
    assert told.count('vertex="1"') >= 17 + 8 and "tool-gateway" in told
