"""Themes: readable in both modes, found where they lie, and clear about what is wrong with one of yours."""

from pathlib import Path

import pytest

from flowgen.errors import ThemeError
from flowgen.scene import theme, theme_names

LETTERS = ["title", "text", "mut", "req", "res", "ntf", "err", "loc", "warn"]
PAGES = ["bg", "card", "band", "box"]
JSON = ["json.key", "json.hot", "json.string", "json.number", "json.word", "json.punct", "mut"]
ROLES = ["client", "server", "gateway", "auth", "api", "host", "person", "browser", "model"]


def luminance(colour: str) -> float:
    """WCAG 2.2, relative luminance."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


PAIRS = (
    [(letters, page) for letters in LETTERS for page in PAGES[:3]]
    + [(letters, "box") for letters in JSON]
    + [(letters, "hl") for letters in JSON if letters != "mut"]
    + [(kind, f"{kind}t") for kind in ("req", "res", "ntf", "err", "loc", "warn")]
    + [("hd", f"lane.{role}.header") for role in ROLES]
    + [("text", f"lane.{role}.tint") for role in ROLES]
    + [("digit", "disc")]
)


@pytest.mark.parametrize("mode", ["light", "dark"])
@pytest.mark.parametrize("name", theme_names())
def test_every_text_can_be_read(name: str, mode: str) -> None:
    found = theme(f"{name}:{mode}")
    colours = found.light if mode == "light" else found.dark
    weak = [(a, b, contrast(colours[a], colours[b])) for a, b in PAIRS if contrast(colours[a], colours[b]) < 4.5]
    assert not weak


@pytest.mark.parametrize("mode", ["light", "dark"])
@pytest.mark.parametrize("name", theme_names())
def test_every_line_can_be_seen(name: str, mode: str) -> None:
    found = theme(f"{name}:{mode}")
    colours = found.light if mode == "light" else found.dark
    assert all(contrast(colours[kind], colours["bg"]) >= 3 for kind in ("req", "res", "ntf", "err", "loc", "warn"))


def test_the_modes_are_names_of_the_default_theme() -> None:
    assert [theme(mode).mode for mode in ("auto", "light", "dark")] == ["auto", "light", "dark"]
    assert theme("contrast:dark").mode == "dark"


def test_a_theme_of_your_own_changes_what_it_names(tmp_path: Path) -> None:
    own = tmp_path / "own.toml"
    own.write_text('[colours]\nreq = ["#000080", "#8080ff"]\n[lane.client]\nheader = ["#000080", "#000040"]\n')
    found = theme(str(own))
    assert (found.light["req"], found.dark["req"]) == ("#000080", "#8080ff")
    assert found.light["lane.client.header"] == "#000080"
    assert found.light["res"] == theme().light["res"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('[colours]\nreqq = ["#000000", "#ffffff"]', "no colour role 'reqq'"),
        ('[colours]\nreq = "#000000"', "expected [light, dark] as #rrggbb"),
        ('[colours]\nreq = ["red", "#ffffff"]', "expected [light, dark] as #rrggbb"),
        ("[colours\n", "not a theme"),
        ("a=" + "[" * 5000 + "]" * 5000, "not a theme"),
        ("[" + ".".join(["a"] * 5000) + "]\nx = 1", "no colour role 'a.a.a"),
    ],
    ids=range(6),
)
def test_a_wrong_theme_says_what_and_where(tmp_path: Path, text: str, said: str) -> None:
    own = tmp_path / "own.toml"
    own.write_text(text)
    with pytest.raises(ThemeError) as error:
        theme(str(own))
    assert said in str(error.value) and "own.toml" in str(error.value)
    assert error.value.hint and "\n" not in str(error.value)


def test_a_misspelt_role_gets_the_nearest_one(tmp_path: Path) -> None:
    own = tmp_path / "own.toml"
    own.write_text('[colours]\ntitel = ["#000000", "#ffffff"]')
    with pytest.raises(ThemeError) as error:
        theme(str(own))
    assert "title" in str(error.value.hint)


@pytest.mark.parametrize("name", ["nope", "missing.toml"])
def test_an_unknown_theme_is_an_error_of_one_line(name: str) -> None:
    with pytest.raises(ThemeError) as error:
        theme(name)
    assert "\n" not in str(error.value) and error.value.hint
