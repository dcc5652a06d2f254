"""Every config file that the readers are tested with has a picture for which all holds, in both languages."""

import re
import tomllib
from functools import cache
from pathlib import Path

import pytest

from flowgen.check import judged
from flowgen.scene import Options, Scene, Text, architecture, flat
from flowgen.topology import Topology, read
from tests.scene.arch_invariants import everything_holds, everything_is_told
from tests.topology.test_cases import CASES, data

_LANGUAGES = Path(__file__).parents[2] / "themes" / "lang"
_DRAWN = [number for number, case in CASES.items() if "error" not in case]
_WIDEST = 1760
_WORD = re.compile("[a-z]{3,}")
_CODE = frozenset(["post", "http", "https", "sse", "mcp", "bearer", "oauth", "stdio", "client"])


@cache
def topology(number: str) -> Topology:
    return judged(read([(CASES[number]["file"], data(number))]))


def texts(scene: Scene) -> set[str]:
    return {text.text for text in flat(scene.shapes) if isinstance(text, Text)}


def said(lang: str) -> dict[str, str]:
    """The texts of the architecture in a language."""
    told = tomllib.loads((_LANGUAGES / f"{lang}.toml").read_text("utf-8"))
    return {key: text for key, text in told.items() if key.startswith("arch.")}


def english() -> tuple[set[str], set[str]]:
    """The words of our English texts, and the texts that are the same in Chinese."""
    here, there = said("en"), said("zh")
    words = {word for text in here.values() for word in _WORD.findall(text.lower())}
    return words, {text for key, text in here.items() if there[key] == text}


@pytest.mark.parametrize("number", _DRAWN)
def test_all_that_holds_for_pictures_holds_for_every_case(number: str) -> None:
    told = topology(number)
    scene = architecture(told, Options())
    everything_holds(scene)
    assert scene.width <= _WIDEST
    everything_is_told(scene, told)


@pytest.mark.parametrize("number", _DRAWN)
def test_nothing_english_is_left_in_a_chinese_picture_but_names_and_code_words(number: str) -> None:
    scene = architecture(topology(number), Options(lang="zh"))
    everything_holds(scene)
    words, same = english()
    text = data(number).replace(b"\x00", b"").decode("utf-8", "replace")
    file = set(_WORD.findall(f"{text} {CASES[number]['file']} {CASES[number]['host']}".lower()))
    left = {text for text in texts(scene) if text.isascii() and text not in same}
    assert not {text: ours for text in left if (ours := set(_WORD.findall(text.lower())) & words - file - _CODE)}
