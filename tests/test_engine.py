"""Graphviz is asked with numbers alone, in time, and what goes wrong with it is told in a line."""

import importlib.util
import os
import re
import sys
from pathlib import Path

import pytest

from flowgen import engine
from flowgen.errors import BackendMissing
from flowgen.scene import Cluster, Edge, Graph, Vertex

SMALL = Graph(
    (Vertex(100, 40, 0), Vertex(60, 20, None), Vertex(120, 50, 1)),
    (Cluster(180, 20, None), Cluster(90, 35, 0)),
    (Edge(0, 1, 10), Edge(1, 2)),
)


def program_that(tmp_path: Path, does: str) -> str:
    """A program in Python in the place of Graphviz."""
    script = tmp_path / "layout"
    script.write_text(f"#!{sys.executable}\nimport os, sys, time\n{does}\n")
    script.chmod(0o755)
    return str(script)


def test_everything_has_a_place_from_left_to_right() -> None:
    found = engine.place(SMALL)
    assert len(found.vertices) == 3 and len(found.clusters) == 2
    assert found.vertices[0][0] < found.vertices[1][0] < found.vertices[2][0]
    (left, top, right, bottom), inner = found.clusters
    assert left < inner[0] < inner[2] < right and top < inner[1] < inner[3] < bottom
    assert right - left >= 180 and inner[1] - top >= 20


@pytest.mark.skipif(os.environ.get("FLOWGEN_REQUIRE_REAL") is None and not engine.program(), reason="no Graphviz")
def test_both_programs_keep_nodes_in_their_frames(monkeypatch) -> None:
    import shutil

    found = [name for name in (shutil.which("graphviz-pure"), shutil.which("dot"), engine.program()) if name]
    for name in dict.fromkeys(found):
        monkeypatch.setattr(engine, "program", lambda name=name: name)
        places = engine.place(SMALL)
        (left, top, right, bottom), (x, y) = places.clusters[0], places.vertices[0]
        assert left < x - 50 and x + 50 < right and top < y - 20 and y + 20 < bottom


def test_the_question_holds_numbers_and_words_of_our_own() -> None:
    words = set(re.findall(r"[A-Za-z_]+", "".join(engine._dot(SMALL))))
    table = {"TABLE", "BORDER", "CELLBORDER", "CELLPADDING", "CELLSPACING", "TR", "TD", "FIXEDSIZE", "TRUE", "WIDTH",
             "HEIGHT"}  # fmt: skip
    bare = set(re.findall(r"[A-Za-z_]+", "".join(engine._dot(Graph((Vertex(1, 1, None),), (), (Edge(0, 0),))))))
    assert words - bare == table | {"subgraph", "cluster_", "margin"}


def test_a_program_that_takes_too_long_is_ended(tmp_path, monkeypatch) -> None:
    slow = program_that(tmp_path, "time.sleep(60)")
    monkeypatch.setattr(engine, "program", lambda: slow)
    monkeypatch.setattr(engine, "SECONDS", 0.2)
    with pytest.raises(engine.LayoutError, match=r"no places in 0\.2 s"):
        engine.place(SMALL)


@pytest.mark.parametrize(
    ("does", "told"),
    [
        ("sys.exit(3)", "layout gave no places: it ended with 3"),
        ("print('hello')", "an answer without places"),
        ("print('{\"bb\": \"0,0,1,1\"}')", "an answer without places"),
        ("print('[]')", "an answer without places"),
    ],
)
def test_an_answer_that_is_none_is_told_in_a_line(tmp_path, monkeypatch, does, told) -> None:
    broken = program_that(tmp_path, does)
    monkeypatch.setattr(engine, "program", lambda: broken)
    with pytest.raises(engine.LayoutError, match=told):
        engine.place(SMALL)


def test_a_program_that_is_gone_is_told(monkeypatch) -> None:
    monkeypatch.setattr(engine, "program", lambda: "/nowhere/graphviz-pure")
    with pytest.raises(engine.LayoutError, match="could not be started"):
        engine.place(SMALL)


def test_the_program_sees_nothing_of_the_environment(tmp_path, monkeypatch) -> None:
    seen = tmp_path / "seen"
    spy = program_that(tmp_path, f"open({str(seen)!r}, 'w').write(repr(dict(os.environ)))")
    monkeypatch.setattr(engine, "program", lambda: spy)
    monkeypatch.setenv("API_KEY", "hG7dk29dkLs02jdk")
    with pytest.raises(engine.LayoutError):
        engine.place(SMALL)
    assert "hG7dk29dkLs02jdk" not in seen.read_text()


def test_a_graph_that_is_too_large_is_not_asked_for(monkeypatch) -> None:
    monkeypatch.setattr(engine, "program", lambda: pytest.fail("asked"))
    with pytest.raises(engine.LayoutError, match="has 401 nodes and labels, at most 400"):
        engine.place(Graph((Vertex(1, 1, None),) * 401, (), ()))
    with pytest.raises(engine.LayoutError, match="has 401 zones"):
        engine.place(Graph((), (Cluster(1, 1, None),) * 401, ()))


def test_what_is_missing_is_named_with_its_extra(monkeypatch) -> None:
    monkeypatch.setattr(engine, "program", lambda: None)
    with pytest.raises(BackendMissing) as told:
        engine.place(SMALL)
    assert told.value.exit_code == 4 and "mcp-flowgen[graphviz]" in str(told.value.hint)
    monkeypatch.undo()
    monkeypatch.setitem(sys.modules, "graphviz.backend", None)
    with pytest.raises(BackendMissing, match="not installed"):
        engine.place(SMALL)


def test_the_wheel_goes_before_the_machines_own(tmp_path, monkeypatch) -> None:
    for name in ("graphviz-pure", "dot"):
        (tmp_path / name).write_text("#!/bin/sh\n")
        (tmp_path / name).chmod(0o755)
    monkeypatch.setattr(engine.sysconfig, "get_path", lambda name: str(tmp_path / "none"))
    monkeypatch.setenv("PATH", str(tmp_path))
    assert engine.program() == str(tmp_path / "graphviz-pure")
    (tmp_path / "graphviz-pure").unlink()
    assert engine.program() == str(tmp_path / "dot")
    (tmp_path / "dot").unlink()
    assert engine.program() is None and importlib.util.find_spec("graphviz") is not None
