"""Themes: readable in both modes, found where they lie, and clear about what is wrong with one of yours."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from flowgen import api
from flowgen.errors import ThemeError
from flowgen.scene import STYLES, theme, theme_names, theme_text
from flowgen.trace import Trace

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


KINDS = ("req", "res", "ntf", "err", "loc", "warn")
PAIRS = (
    [(letters, page) for letters in LETTERS for page in PAGES[:3]]
    + [(letters, "box") for letters in JSON]
    + [(kind, "box") for kind in ("res", "err", "ntf")]  # what became of a list
    + [(letters, "hl") for letters in [*JSON, "text"] if letters != "mut"]
    + [(kind, f"{kind}t") for kind in KINDS]
    + [("bg", kind) for kind in KINDS]
    + [("hd", f"lane.{role}.header") for role in ROLES]
    + [("text", f"lane.{role}.tint") for role in ROLES]
    + [("digit", "disc")]
)


def colours_of(name: str, mode: str) -> Mapping[str, str]:
    found = theme(f"{name}:{mode}")
    return found.light if mode == "light" else found.dark


@pytest.mark.parametrize("mode", ["light", "dark"])
@pytest.mark.parametrize("name", theme_names())
def test_every_text_can_be_read(name: str, mode: str) -> None:
    colours, least = colours_of(name, mode), 7 if name == "high-contrast" else 4.5
    weak = [(a, b, contrast(colours[a], colours[b])) for a, b in PAIRS if contrast(colours[a], colours[b]) < least]
    assert not weak


@pytest.mark.parametrize("mode", ["light", "dark"])
@pytest.mark.parametrize("name", theme_names())
def test_every_line_can_be_seen(name: str, mode: str) -> None:
    """Lines of messages on the canvas and over the lanes, and bars of waiting requests in their lanes."""
    colours, least = colours_of(name, mode), 4.5 if name == "high-contrast" else 3
    pages = ["bg", *(f"lane.{role}.tint" for role in ROLES)]
    lines = [(kind, page) for kind in KINDS for page in pages]
    lines += [(f"lane.{role}.wait", f"lane.{role}.tint") for role in ROLES]
    lines += [("boxb", "bg")] if name in ("high-contrast", "slides") else []
    assert not [(a, b) for a, b in lines if contrast(colours[a], colours[b]) < least]


@pytest.mark.parametrize("name", theme_names())
def test_a_kind_is_told_by_dash_head_and_pill_whatever_the_colours(name: str) -> None:
    """The shapes are the same in every theme; where kinds look alike in grey, one of them differs in its line."""
    assert (STYLES["line.req"].dash, STYLES["line.res"].dash) == (None, None)
    assert len({STYLES[f"line.{line}"].dash for line in ("req", "ntf.dashed", "warn.dotted", "user")}) == 4
    assert STYLES["tip.req"].fill == "req" and STYLES["tip.res.hollow"].fill == STYLES["tip.err.hollow"].fill == "bg"
    if name == "print":
        grey = [luminance(colours_of(name, "light")[kind]) ** (1 / 3) * 116 - 16 for kind in ("req", "err", "res")]
        assert grey[1] - grey[0] > 10 and grey[2] - grey[1] > 10


def test_print_takes_little_ink() -> None:
    colours = colours_of("print", "dark")
    surfaces = ["bg", "band", "box", "card", "hl", *(f"lane.{role}.header" for role in ROLES)]
    assert all(luminance(colours[surface]) > 0.75 for surface in surfaces)
    assert {colours[f"lane.{role}.tint"] for role in ROLES} == {"#ffffff"}


def test_the_modes_are_names_of_the_default_theme() -> None:
    assert [theme(mode).mode for mode in ("auto", "light", "dark")] == ["auto", "light", "dark"]
    assert theme("print:dark").mode == "dark"


def test_names_of_earlier_versions_still_work() -> None:
    assert theme("flowgen").light == theme().light
    assert theme("contrast:dark") == theme("high-contrast:dark")


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
        ("[lines]\nweight = 0", "lines.weight: expected a number from 0.5 to 3, found 0"),
        ("[lines]\nweight = true", "found True"),
        ("[lines]\ndash = 1", "no colour role 'lines.dash'"),
    ],
    ids=range(9),
)
def test_a_wrong_theme_says_what_and_where(tmp_path: Path, text: str, said: str) -> None:
    own = tmp_path / "own.toml"
    own.write_text(text)
    with pytest.raises(ThemeError) as error:
        theme(str(own))
    assert said in str(error.value) and "own.toml" in str(error.value)
    assert error.value.hint and "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("table", "name", "meant"),
    [
        ("colours", "titel", "'title'"), ("json", "strng", "'json.string'"),
        ("lane.client", "tnt", "'lane.client.tint'"),
        ("colors", "req", "the table [colours]"), ("lane.cleint", "tint", "the table [lane.client]"),
        ("line", "weight", "the table [lines]"), ("lines", "wieght", "'weight'"), ("json", "reqt", "themes show"),
    ],
)  # fmt: skip
def test_a_misspelt_name_gets_the_nearest_one_of_its_table(tmp_path: Path, table: str, name: str, meant: str) -> None:
    own = tmp_path / "own.toml"
    own.write_text(f'[{table}]\n{name} = ["#000000", "#ffffff"]')
    with pytest.raises(ThemeError) as error:
        theme(str(own))
    assert meant in str(error.value.hint)


def test_a_lifeline_has_the_colour_of_its_header_unless_it_is_named(tmp_path: Path) -> None:
    own = tmp_path / "own.toml"
    own.write_text('[lane.client]\nheader = ["#000080", "#000040"]\n[lane.server]\nheader = ["#000080", "#000040"]\n'
                   'life = ["#111111", "#222222"]\n')  # fmt: skip
    found = theme(str(own))
    assert (found.light["lane.client.life"], found.light["lane.server.life"]) == ("#000080", "#111111")


def test_lines_are_as_thick_as_the_theme_says(seed: Trace) -> None:
    assert 'stroke-width="3.5"' in api.drawing(seed, theme="slides").svg  # 2.5 × 1.4
    assert 'stroke-width="3.5"' not in api.drawing(seed).svg


def test_every_theme_begins_with_what_it_is_for() -> None:
    assert all(theme_text(name).startswith("# ") and "\n" in theme_text(name) for name in theme_names())
    assert theme_names() == ["default", "high-contrast", "print", "slides"]


@pytest.mark.parametrize("name", ["nope", "missing.toml"])
def test_an_unknown_theme_is_an_error_of_one_line(name: str) -> None:
    with pytest.raises(ThemeError) as error:
        theme(name)
    assert "\n" not in str(error.value) and error.value.hint
