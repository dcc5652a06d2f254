"""A Scene as PNG, through cairo; through resvg where cairo is missing or would draw it wrong.

Limits are looked at before anything is drawn: a picture is whole or there is an error that names the option.
"""

from collections.abc import Iterable

from flowgen.errors import FlowgenError
from flowgen.scene import Scene, Theme

from ._renderers import is_beyond_cairo, missing, module, sound, swept, warn_of_missing_fonts
from ._svg import svg

SCALE = 2.0  # at 1 cairo rounds the advance of monospace letters to whole px, and lines leave their boxes
SURFACE = 32767  # px of a cairo surface, either way
_AREA = 1 << 28  # px of it in all, four bytes each


def png(scene: Scene, theme: Theme, scale: float = SCALE) -> bytes:
    """The picture as PNG. Raises FlowgenError where it is too large, BackendMissing without a renderer."""
    _fits(scene, scale)
    warn_of_missing_fonts([scene])
    cairo, resvg = module("cairosvg"), module("resvg_py")
    if resvg is not None and (cairo is None or scale < SCALE or is_beyond_cairo([scene])):
        families = {"sans_serif_family": "DejaVu Sans", "monospace_family": "DejaVu Sans Mono"}
        text = svg(scene, theme.static())
        return bytes(resvg.svg_to_bytes(svg_string=text, width=round(scene.width * scale), **families))
    if cairo is None:
        raise missing("PNG")
    return bytes(cairo.svg2png(bytestring=svg(sound(scene), theme.static()).encode(), scale=scale))


def pngs(pages: Iterable[Scene], theme: Theme, scale: float = SCALE) -> list[bytes]:
    """Each page as PNG; the same errors."""
    drawn = []
    with swept() as sweep:
        for page in pages:
            drawn.append(png(page, theme, scale))
            sweep()
    return drawn


def _fits(scene: Scene, scale: float) -> None:
    longest = max(scene.width, scene.height) * scale
    if longest > SURFACE:
        raise FlowgenError(
            f"the picture is {longest:.0f} px long, a png can have {SURFACE}",
            "cut it into pages (--pages), give a smaller --scale, or take -f pdf; svg has no limit",
        )
    if scene.width * scene.height * scale**2 > _AREA:
        size = f"{scene.width * scale:.0f} × {scene.height * scale:.0f}"
        raise FlowgenError(
            f"a png of {size} px would need more than 1 GB of memory", "give a smaller --scale, or --pages"
        )
