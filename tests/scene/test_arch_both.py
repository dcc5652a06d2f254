"""English and Chinese beside each other in an architecture, and how much it says of the protocol."""

import pytest

from flowgen import api
from flowgen.scene import Options, Text, architecture, flat, survey
from flowgen.topology import Topology
from tests.scene.arch_invariants import everything_holds
from tests.scene.topologies import empty, many, three, two_hosts


def told(topology: Topology, **options: object) -> list[str]:
    return [each.text for each in flat(architecture(topology, Options(**options)).shapes) if isinstance(each, Text)]


def whole(topology: Topology, **options: object) -> str:
    return "\n".join(told(topology, **options))


def test_titles_legend_notes_labels_and_findings_stand_in_both_languages() -> None:
    both = whole(two_hosts(), lang="en+zh")
    for english, chinese in (
        ("Developer machine", "开发者机器"), ("Vendor: tracker.example", "供应商"), ("prompt", "提示"),
        ("trust boundary: same OS user", "信任边界"), ("stdio pipe", "stdio 管道"), ("Findings:", "发现："),
        ("may read the whole home directory", "主目录"), ("Model", "模型"), ("Authorization server", "授权服务器"),
    ):  # fmt: skip
        assert english in both and chinese in both, english


def test_what_says_the_same_in_both_stands_once() -> None:
    both = told(two_hosts(), lang="en+zh")
    assert "stdin / stdout" in both and "POST /mcp" in both
    assert [text.count("inferred") for text in both if "OAuth (inferred)" in text] == [1]


def test_english_alone_holds_no_chinese() -> None:
    assert not [sign for sign in whole(two_hosts()) if "\u4e00" <= sign <= "\u9fff"]


@pytest.mark.parametrize("make", [three, two_hosts, empty, lambda: many(20)], ids=["three", "two", "empty", "many"])
def test_everything_has_room_in_both(make: object) -> None:
    topology = make()  # type: ignore[operator]
    everything_holds(architecture(topology, Options(lang="en+zh")))


def test_texts_have_both_too() -> None:
    known = survey(two_hosts(), Options(lang="en+zh"))
    assert "prompt 提示" in [line for each in known.crossings for line in known.label(each)]
    assert "供应商" in api.drawing(two_hosts(), lang="en+zh").plantuml()


def test_notes_say_less_or_more_of_the_protocol() -> None:
    counts = {notes: whole(three(), notes=notes).count("Server") for notes in ("none", "brief", "full")}
    assert counts["none"] < counts["brief"] < counts["full"]
    assert "Protocol 2026-07-28" not in whole(three(), notes="none")
