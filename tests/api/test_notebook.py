"""Notebooks: what was loaded and what was drawn shows itself, with a text where there are no pictures."""

import importlib.util
import os

import pytest

import flowgen
from flowgen.errors import UsageError
from tests.traces import SAMPLES

WAYS = ["image/svg+xml", "text/plain"]
CELLS = {
    "import flowgen\nflowgen.load('seed.json')": "tools/call",
    "flowgen.load('architecture/mcp.json')": "Developer",
    "flowgen.drawing(flowgen.load('seed.json'), theme='dark')": "tools/call",
    "flowgen.diff('architecture/mcp.json', 'architecture/mcp.next.json')": "launch",
}


def test_a_notebook_shows_pictures_and_has_texts():
    for part in ("nbclient", "ipykernel"):
        if importlib.util.find_spec(part) is None:
            message = f"{part} is not installed"
            pytest.fail(message) if os.environ.get("FLOWGEN_REQUIRE_REAL") else pytest.skip(message)
    import nbformat
    from nbclient import NotebookClient

    book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in CELLS])
    resources = {"metadata": {"path": str(SAMPLES)}}
    NotebookClient(book, timeout=60, kernel_name="python3", resources=resources).execute()
    for cell, said in zip(book.cells, CELLS.values(), strict=True):
        (shown,) = (each.data for each in cell.outputs)
        assert sorted(shown) == WAYS and shown["image/svg+xml"].startswith("<svg") and said in shown["text/plain"]


def test_only_what_is_asked_for_is_made(seed, monkeypatch):
    picture = flowgen.drawing(seed)
    monkeypatch.setattr(type(picture), "scene", property(lambda self: pytest.fail("laid out")))
    assert [*picture._repr_mimebundle_(include=["text/plain"])] == ["text/plain"]
    assert [*picture._repr_mimebundle_(exclude={"image/svg+xml"})] == ["text/plain"]


def test_what_cannot_be_drawn_is_told(seed, monkeypatch):
    def refuse(*_):
        raise UsageError("too many lanes")

    picture = flowgen.drawing(seed)
    monkeypatch.setattr(type(picture), "scene", property(refuse))
    assert picture._repr_mimebundle_() == {"text/plain": "too many lanes"}
