"""Files are written whole or not at all."""

import os

import pytest

from flowgen.api import put
from flowgen.errors import FlowgenError

UNIX = pytest.mark.skipif(os.name == "nt", reason="rights and links are others there")


def test_a_file_is_there_at_once_and_nothing_beside_it(tmp_path):
    put(tmp_path / "a.svg", b"one")
    put(tmp_path / "a.svg", b"two")
    assert [(file.name, file.read_bytes()) for file in tmp_path.iterdir()] == [("a.svg", b"two")]


@pytest.mark.parametrize("raised", [KeyboardInterrupt, OSError])
def test_what_is_interrupted_leaves_the_old_file(tmp_path, monkeypatch, raised):
    put(tmp_path / "a.svg", b"old")
    monkeypatch.setattr(os, "replace", lambda *_: (_ for _ in ()).throw(raised))
    with pytest.raises(KeyboardInterrupt if raised is KeyboardInterrupt else FlowgenError):
        put(tmp_path / "a.svg", b"new")
    assert [(file.name, file.read_bytes()) for file in tmp_path.iterdir()] == [("a.svg", b"old")]


@UNIX
def test_rights_stay_and_a_link_stays_a_link(tmp_path):
    target, link = tmp_path / "target.svg", tmp_path / "link.svg"
    target.write_bytes(b"old")
    target.chmod(0o640)
    link.symlink_to(target)
    put(link, b"new")
    assert link.is_symlink() and target.read_bytes() == b"new" and target.stat().st_mode & 0o777 == 0o640


@UNIX
def test_a_device_is_written_to():
    put("/dev/null", b"anything")


def test_a_place_that_takes_nothing_is_told(tmp_path):
    with pytest.raises(FlowgenError, match=r"none.a\.svg: No such file"):
        put(tmp_path / "none" / "a.svg", b"")
