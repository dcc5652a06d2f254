"""A Scene as PNG or PDF, through cairo; where the cairo library is missing, PNG through resvg.

Limits are looked at before anything is drawn: a picture is whole or there is an error that names the option.
"""

import importlib
import shutil
import subprocess
import warnings
from typing import Any

from flowgen.errors import BackendMissing, FlowgenError
from flowgen.scene import Scene, Text, Theme, flat, has_cjk

from ._svg import svg

SCALE = 2.0  # at 1 cairo rounds the advance of monospace letters to whole px, and lines leave their boxes
_SURFACE = 32767  # px of a cairo surface, either way
_AREA = 1 << 28  # px of it in all, four bytes each
_PAGE = 14400  # pt of a PDF page, beyond it readers show nothing
_PT = 0.75  # points in a px


def png(scene: Scene, theme: Theme, scale: float = SCALE) -> bytes:
    """The picture as PNG. Raises FlowgenError where it is too large, BackendMissing without a renderer."""
    _fits(max(scene.width, scene.height) * scale, _SURFACE, "px", "png", "a smaller --scale, -f pdf, or")
    if scene.width * scene.height * scale**2 > _AREA:
        size = f"{scene.width * scale:.0f} × {scene.height * scale:.0f}"
        raise FlowgenError(f"a png of {size} px would need more than 1 GB of memory", "give a smaller --scale")
    _warn_of_missing_fonts(scene)
    text = svg(scene, theme.static())
    cairo = _cairo()
    if cairo is not None:
        return bytes(cairo.svg2png(bytestring=text.encode(), scale=scale))
    return _resvg(text, scene, scale)


def pdf(scene: Scene, theme: Theme) -> bytes:
    """The picture as a PDF of one page. Raises FlowgenError where it is too large, BackendMissing without cairo."""
    _fits(max(scene.width, scene.height) * _PT, _PAGE, "pt", "pdf", "-f svg, or")
    _warn_of_missing_fonts(scene)
    cairo = _cairo()
    if cairo is None:
        raise _missing("PDF")
    return bytes(cairo.svg2pdf(bytestring=svg(scene, theme.static()).encode()))


def _fits(size: float, most: int, unit: str, form: str, instead: str) -> None:
    if size > most:
        raise FlowgenError(
            f"the picture is {size:.0f} {unit} long, a {form} can have {most}",
            f"draw a part with --steps or --only, fold with --fold; {instead} svg has no limit",
        )


def _cairo() -> Any:
    """cairosvg, or None: without the cairo library its import fails with OSError."""
    try:
        return importlib.import_module("cairosvg")
    except (ImportError, OSError):
        return None


def _resvg(text: str, scene: Scene, scale: float) -> bytes:
    try:
        resvg = importlib.import_module("resvg_py")
    except (ImportError, OSError):
        raise _missing("PNG") from None
    families = {"sans_serif_family": "DejaVu Sans", "monospace_family": "DejaVu Sans Mono"}
    return bytes(resvg.svg_to_bytes(svg_string=text, width=round(scene.width * scale), **families))


def _missing(form: str) -> BackendMissing:
    return BackendMissing(
        f"{form} needs cairo, which is not installed here",
        "pip install 'mcp-flowgen[png]', and the library: apt install libcairo2 / brew install cairo / "
        "on Windows the GTK runtime. SVG needs nothing",
    )


def _warn_of_missing_fonts(scene: Scene) -> None:
    """cairo takes no letters from another font: Chinese would become boxes, and nobody would be told."""
    if any(isinstance(shape, Text) and has_cjk(shape.text) for shape in flat(scene.shapes)) and _no_cjk_font():
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
