"""A Scene as PNG or PDF, through cairo; PNG through resvg where cairo is missing or would draw it wrong.

Limits are looked at before anything is drawn: a picture is whole or there is an error that names the option.
"""

import importlib
import re
import shutil
import subprocess
import warnings
from collections.abc import Iterator
from typing import Any

from flowgen.errors import BackendMissing, FlowgenError
from flowgen.scene import Code, Scene, Text, Theme, flat, has_cjk

from ._svg import svg

SCALE = 2.0  # at 1 cairo rounds the advance of monospace letters to whole px, and lines leave their boxes
_SURFACE = 32767  # px of a cairo surface, either way
_AREA = 1 << 28  # px of it in all, four bytes each
_PAGE = 14400  # pt of a PDF page, beyond it readers show nothing
# Hebrew and Arabic, the scripts of India and South-East Asia, emoji
_BEYOND = re.compile("[\u0590-\u109f\u1780-\u18af\u1a00-\u1aff\ufb1d-\ufdff\ufe0f\ufe70-\ufefc\U0001f1e6-\U0001faff]")
_PT = 0.75  # points in a px


def png(scene: Scene, theme: Theme, scale: float = SCALE) -> bytes:
    """The picture as PNG. Raises FlowgenError where it is too large, BackendMissing without a renderer."""
    _fits(max(scene.width, scene.height) * scale, _SURFACE, "px", "png", "a smaller --scale, -f pdf, or")
    if scene.width * scene.height * scale**2 > _AREA:
        size = f"{scene.width * scale:.0f} × {scene.height * scale:.0f}"
        raise FlowgenError(f"a png of {size} px would need more than 1 GB of memory", "give a smaller --scale")
    _warn_of_missing_fonts(scene)
    text = svg(scene, theme.static())
    cairo, resvg = _module("cairosvg"), _module("resvg_py")
    if resvg is not None and (cairo is None or scale < SCALE or _is_beyond_cairo(scene)):
        families = {"sans_serif_family": "DejaVu Sans", "monospace_family": "DejaVu Sans Mono"}
        return bytes(resvg.svg_to_bytes(svg_string=text, width=round(scene.width * scale), **families))
    if cairo is None:
        raise _missing("PNG")
    return bytes(cairo.svg2png(bytestring=text.encode(), scale=scale))


def pdf(scene: Scene, theme: Theme) -> bytes:
    """The picture as a PDF of one page. Raises FlowgenError where it is too large, BackendMissing without cairo."""
    _fits(max(scene.width, scene.height) * _PT, _PAGE, "pt", "pdf", "-f svg, or")
    _warn_of_missing_fonts(scene)
    cairo = _module("cairosvg")
    if cairo is None:
        raise _missing("PDF")
    if _is_beyond_cairo(scene):
        warnings.warn(
            "the picture has emoji, or writing that is joined or runs from right to left, and a pdf shows it letter "
            "by letter: png and svg show it as it is",
            stacklevel=2,
        )
    return bytes(cairo.svg2pdf(bytestring=svg(scene, theme.static()).encode()))


def _fits(size: float, most: int, unit: str, form: str, instead: str) -> None:
    if size > most:
        raise FlowgenError(
            f"the picture is {size:.0f} {unit} long, a {form} can have {most}",
            f"draw a part with --steps or --only, fold with --fold; {instead} svg has no limit",
        )


def _module(name: str) -> Any:
    """A renderer, or None: without the cairo library the import of cairosvg fails with OSError."""
    try:
        return importlib.import_module(name)
    except (ImportError, OSError):
        return None


def _is_beyond_cairo(scene: Scene) -> bool:
    """Whether there is writing whose letters are joined, reordered or taken from a font of their own."""
    return any(_BEYOND.search(text) for text in _texts(scene))


def _texts(scene: Scene) -> Iterator[str]:
    for shape in flat(scene.shapes):
        if isinstance(shape, Text):
            yield shape.text
        elif isinstance(shape, Code):
            yield from (token[2] for token in shape.tokens)


def _missing(form: str) -> BackendMissing:
    return BackendMissing(
        f"{form} needs cairo, which is not installed here",
        "pip install 'mcp-flowgen[png]', and the library: apt install libcairo2 / brew install cairo / "
        "on Windows the GTK runtime. SVG needs nothing",
    )


def _warn_of_missing_fonts(scene: Scene) -> None:
    """cairo takes no letters from another font: Chinese would become boxes, and nobody would be told."""
    if any(map(has_cjk, _texts(scene))) and _no_cjk_font():
        warnings.warn(
            "the picture has Chinese text and no font here has its letters: install one (fonts-noto-cjk)",
            stacklevel=3,
        )


def _no_cjk_font() -> bool:
    lister = shutil.which("fc-list")
    if lister is None:
        return False
    try:
        found = subprocess.run([lister, ":lang=zh", "family"], capture_output=True, timeout=10, check=False)
    except (OSError, subprocess.SubprocessError):
        return False
    return found.returncode == 0 and not found.stdout.strip()
