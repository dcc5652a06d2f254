"""The pictures in samples/ are what their traces give today, and the traces what a recording gives today."""

import importlib.util
import json
import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from flowgen import api
from tests.cli.conftest import typed
from tests.traces import SAMPLES


def made() -> ModuleType:
    spec = importlib.util.spec_from_file_location("samples_make", SAMPLES / "make.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


MAKE = made()
RPC = ("request", "response", "error", "notification")


@pytest.mark.parametrize("name", sorted(MAKE.PICTURES))
def test_a_sample_is_fresh(name: str) -> None:
    assert (SAMPLES / name).read_bytes() == MAKE.drawn(name), "run: python samples/make.py"


def test_the_gallery_is_fresh() -> None:
    assert (SAMPLES / MAKE.GALLERY).read_bytes() == MAKE.gallery(), "run: python samples/make.py"


GALLERY = dict(re.findall(r'<a href="([^"]+)">.*<code>flowgen (.*)</code>', MAKE.gallery().decode()))
TYPED = ["seed-zh.svg", "oauth/flow.svg", *(f"architecture/{name}.svg" for name in ("company", "seen", "changes"))]


def test_the_gallery_shows_every_picture() -> None:
    assert GALLERY.keys() == {name for name in MAKE.PICTURES if name.endswith(".svg")}


@pytest.mark.parametrize("name", TYPED)
def test_the_commands_of_the_gallery_draw_its_pictures(name: str, tmp_path: Path) -> None:
    place = SAMPLES / name
    shutil.copytree(place.parent, tmp_path / "here", ignore=shutil.ignore_patterns("*.svg", "book"))
    typed(*GALLERY[name].split(), cwd=tmp_path / "here")
    assert (tmp_path / "here" / place.name).read_bytes() == place.read_bytes()


def test_no_picture_lies_in_samples_that_nobody_makes() -> None:
    drawn = (".svg", ".png", ".pdf")
    pictures = {path.relative_to(SAMPLES).as_posix() for path in files() if path.suffix in drawn}
    assert pictures == {name for name in MAKE.ALL_PICTURES if name.endswith(drawn)}


def files() -> list[Path]:
    return [path for path in SAMPLES.rglob("*") if path.is_file() and path.suffix != ".pyc"]


def test_no_sample_tells_where_it_was_made() -> None:
    own = (str(SAMPLES.parent), str(Path.home()) + "/", "/tmp/")
    assert not [path.name for path in files() for place in own if place in path.read_text("utf-8")]


@pytest.mark.parametrize("name", sorted(MAKE.RECORDINGS))
def test_a_recording_made_anew_says_the_same(name: str) -> None:
    how = MAKE.RECORDINGS[name]
    if how.server[:1] == ["node"] and not (how.place / how.server[1]).exists():
        missing = "server-everything is not in the folder that FLOWGEN_NODE_SERVERS names"
        pytest.fail(missing) if os.environ.get("FLOWGEN_REQUIRE_REAL") else pytest.skip(missing)
    anew = api.load(MAKE.recorded(name).encode())
    kept = api.load(SAMPLES / name)
    assert list(spoken(anew, name)) == list(spoken(kept, name))
    assert anew.outcome == kept.outcome


def spoken(trace: Any, name: str) -> Iterator[tuple[str, str, Any]]:
    """What was said, without what a server says when it likes: server-everything announces its lists at any time,
    and asks for roots after its input was closed. Of HTTP without JSON-RPC it is the address or the status:
    codes, challenges and ports are drawn anew each time.
    """
    free = ("notifications/tools/list_changed", "roots/list") if name == "everything.json" else ()
    for message in trace.messages:
        body = message.body
        if message.kind == "http" and message.http:
            path = re.sub(r"^https?://[^/]*|\?.*", "", message.http.url or "")
            yield message.sender, message.http.method or "", path or message.http.status
        elif message.kind in RPC and not (isinstance(body, dict) and body.get("method") in free):
            version = str(trace.recorder).rsplit(" ", 1)[1]
            text = json.dumps(body).replace(json.dumps(version), '"VERSION"')
            yield message.sender, message.kind, json.loads(re.sub(r"127\.0\.0\.1:\d+", "127.0.0.1", text))
