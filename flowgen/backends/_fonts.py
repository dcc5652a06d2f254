"""Faces that travel in a picture: the letters it uses, cut out of the machine's fonts, for browsers that lack them.

Only browsers know embedded faces; everywhere else the picture is drawn as without them. The bytes depend on the fonts
found here, so two machines may give two files. Japanese and Korean keep the reader's own fonts.
"""

import base64
import hashlib
import importlib
import io
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

from flowgen.errors import BackendMissing
from flowgen.scene import STYLES, Code, Scene, Text, cjk_family, flat, has_cjk

Kind = Literal["sans", "mono", "cjk"]
Face = tuple[Kind, bool]  # bold or not

_FAMILIES: dict[Kind, tuple[str, ...]] = {
    "sans": ("Noto Sans", "DejaVu Sans"),
    "mono": ("DejaVu Sans Mono", "Noto Sans Mono"),
    "cjk": ("Noto Sans CJK SC", "Noto Sans SC", "Source Han Sans SC", "WenQuanYi Zen Hei"),
}
_CHINESE = "Noto Sans CJK SC"  # what a text of Chinese, not of Japanese or Korean, names


@dataclass(frozen=True, slots=True)
class Faces:
    """`@font-face` rules, and the names of their families that stand before a reader's own fonts."""

    rules: tuple[str, ...] = ()
    sans: tuple[str, ...] = ()
    mono: tuple[str, ...] = ()


def embedded(scene: Scene) -> Faces:
    """The faces for every letter of a picture. Raises BackendMissing where fonts or what cuts them are missing."""
    subset = _subsetter()
    data = {face: _cut(subset, face, letters) for face, letters in sorted(_letters(scene).items())}
    mark = hashlib.sha256(b"".join(data.values())).hexdigest()[:8]  # pictures of one page do not share faces
    names = {kind: f"fg-{kind}-{mark}" for kind, _ in data}
    rules = tuple(_rule(names[kind], bold, font) for (kind, bold), font in data.items())
    sans, mono = ([names[kind] for kind in kinds if kind in names] for kinds in (("sans", "cjk"), ("mono", "cjk")))
    return Faces(rules, tuple(sans), tuple(mono))


def _letters(scene: Scene) -> dict[Face, set[str]]:
    """The letters of each face."""
    found: dict[Face, set[str]] = {}
    for text, name in _texts(scene):
        style = STYLES[name]
        if not has_cjk(text):
            found.setdefault(("mono" if style.mono else "sans", style.bold), set()).update(text)
        elif cjk_family(text) == _CHINESE:
            found.setdefault(("cjk", style.bold), set()).update(text)
    return found


def _texts(scene: Scene) -> Iterator[tuple[str, str]]:
    for shape in flat(scene.shapes):
        if isinstance(shape, Text):
            yield shape.text, shape.style
        elif isinstance(shape, Code):
            yield from ((text, f"code.{kind}") for _, kind, text in shape.tokens)


def _rule(name: str, bold: bool, font: bytes) -> str:
    data = base64.b64encode(font).decode()
    weight = 700 if bold else 400
    return f"@font-face{{font-family:{name};font-weight:{weight};src:url(data:font/woff;base64,{data}) format('woff')}}"


def _subsetter() -> Any:
    try:
        return importlib.import_module("fontTools.subset")
    except ImportError:
        raise BackendMissing(
            "--embed-fonts needs fonttools, which is not installed here",
            "pip install 'mcp-flowgen[fonts]', or leave --embed-fonts out: readers' own fonts are used then",
        ) from None


def _cut(subset: Any, face: Face, letters: set[str]) -> bytes:
    """The face with these letters and nothing else, as WOFF (which needs no library for its compression)."""
    path, number = _font(*face)
    options = subset.Options(
        flavor="woff", font_number=number, layout_features=[], name_IDs=[0], hinting=False, notdef_outline=True,
        recalc_timestamp=False, drop_tables=["DSIG", "FFTM", "GPOS", "GSUB", "GDEF", "BASE", "VORG", "vhea", "vmtx"],
    )  # fmt: skip
    cutter, out = subset.Subsetter(options), io.BytesIO()
    cutter.populate(unicodes=sorted(map(ord, letters)))
    with subset.load_font(path, options) as font:
        cutter.subset(font)
        subset.save_font(font, out, options)
    return out.getvalue()


def _font(kind: Kind, bold: bool) -> tuple[str, int]:
    """The file of the first family that this machine has, and the font's number in it."""
    for family in _FAMILIES[kind]:
        names, path, number = _matched(f"{family}:{'bold' if bold else 'regular'}")
        if family in names.split(","):
            return path, int(number or 0)
    raise BackendMissing(
        f"--embed-fonts finds none of the fonts {', '.join(_FAMILIES[kind])} here",
        "install one of them (fonts-dejavu-core, fonts-noto-cjk), or leave --embed-fonts out",
    )


def _matched(pattern: str) -> list[str]:
    """What fontconfig has for a pattern: families, file, number in it."""
    import shutil
    import subprocess

    matcher = shutil.which("fc-match")
    if matcher is None:
        raise BackendMissing(
            "--embed-fonts finds fonts through fontconfig, whose fc-match is not here",
            "install fontconfig, or leave --embed-fonts out",
        )
    call = [matcher, "-f", "%{family}\t%{file}\t%{index}", pattern]
    found = subprocess.run(call, capture_output=True, text=True, timeout=10, check=False).stdout.split("\t")
    return found if len(found) == 3 else ["", "", ""]
