"""Many servers of which some may ask for authorization: no row for what is only likely, and folds that do not lie."""

from typing import Any

import pytest

from flowgen.scene import Options, Scene, Text, architecture, flat
from flowgen.topology import Topology
from tests.scene.arch_invariants import everything_holds, everything_is_told
from tests.scene.topologies import Config


def asked(count: int) -> Topology:
    """Remote servers of one vendor; every second sends a token, the others may ask for authorization."""
    made = Config()
    vendor = made.vendor("vendor.example")
    for at in range(count):
        key, token = f"server-{at}", "Bearer by reference" if at % 2 else "no token in the file"
        made.remote(key, f"mcp.vendor.example/{at}", vendor, "https", label=(f"POST /{at}", token))
        if not at % 2:
            made.login(key, vendor)
    return made.document()


def drawn(count: int, **options: Any) -> Scene:
    scene = architecture(asked(count), Options(**options))
    everything_holds(scene)
    if count <= 60 or options.get("full"):
        everything_is_told(scene, asked(count))
    return scene


def texts(scene: Scene) -> list[str]:
    return [text.text for text in flat(scene.shapes) if isinstance(text, Text)]


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_an_inferred_authorization_server_costs_a_row_of_few_and_a_word_of_many(lang: str) -> None:
    few, many = texts(drawn(24, lang=lang)), texts(drawn(26, lang=lang))
    title, word = {
        "en": ("Authorization server", "no token, OAuth if asked"),
        "zh": ("授权服务器", "无令牌，按需 OAuth"),
    }[lang]
    assert few.count(title) == 12 and not few.count(word)
    assert not many.count(title) and many.count(word) == 13
    assert [text for text in many if text.startswith("13 ")]


def test_rows_fold_by_the_token_that_goes_along() -> None:
    told = texts(drawn(80))
    assert told.count("no token, OAuth if asked") == told.count("Bearer by reference") == 1
    assert told.count("40 Clients") == 2
    assert told.count("POST") == 2 and "40 authorization servers not drawn: inferred" in told


def test_all_of_many_are_lower_without_what_is_only_likely() -> None:
    assert drawn(200, full=True).height < 200 * 40 + 400


def test_a_token_that_is_told_stays_on_its_line() -> None:
    made = Config()
    vendor = made.vendor("vendor.example")
    for at in range(26):
        made.remote(f"server-{at}", "mcp.vendor.example", vendor, label=("POST", "DPoP ••••"))
        made.login(f"server-{at}", vendor)
    told = texts(architecture(made.document(), Options()))
    assert told.count("DPoP ••••") == 26 and "26 authorization servers not drawn: inferred" in told
