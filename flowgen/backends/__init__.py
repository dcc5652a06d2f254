"""From a Scene or a Flow to a file: drawings start at the Scene, notations at the Flow. A new format is a file here
and a row in the table of `flowgen.api`.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ._arch_dot import dot
    from ._arch_drawio import drawio
    from ._arch_markdown import boundaries, crossings
    from ._arch_mermaid import flowchart
    from ._arch_plantuml import arch_plantuml
    from ._arch_txt import arch_txt
    from ._fonts import Faces, embedded
    from ._html import flow_data, flow_html
    from ._html_arch import arch_html
    from ._markdown import alone, dark_of, linked, listed, markdown, pictured
    from ._mermaid import mermaid
    from ._pdf import LONGEST, POINT, pdf
    from ._plantuml import plantuml
    from ._raster import SCALE, SURFACE, png, pngs
    from ._svg import svg
    from ._template import filled
    from ._txt import txt

_HOMES = {
    "_arch_dot": ("dot",),
    "_arch_drawio": ("drawio",),
    "_arch_markdown": ("boundaries", "crossings"),
    "_arch_mermaid": ("flowchart",),
    "_arch_plantuml": ("arch_plantuml",),
    "_arch_txt": ("arch_txt",),
    "_fonts": ("Faces", "embedded"),
    "_html": ("flow_data", "flow_html"),
    "_html_arch": ("arch_html",),
    "_markdown": ("alone", "dark_of", "linked", "listed", "markdown", "pictured"),
    "_mermaid": ("mermaid",),
    "_pdf": ("LONGEST", "POINT", "pdf"),
    "_plantuml": ("plantuml",),
    "_raster": ("SCALE", "SURFACE", "png", "pngs"),
    "_svg": ("svg",),
    "_template": ("filled",),
    "_txt": ("txt",),
}
_HOME = {name: home for home, names in _HOMES.items() for name in names}
__all__ = [
    "LONGEST", "POINT", "SCALE", "SURFACE", "Faces", "alone", "arch_html", "arch_plantuml", "arch_txt", "boundaries",
    "crossings", "dark_of", "dot", "drawio", "embedded", "filled", "flow_data", "flow_html", "flowchart", "linked",
    "listed", "markdown", "mermaid", "pdf", "pictured", "plantuml", "png", "pngs", "svg", "txt",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    """Each writer is loaded when it is first asked for (PEP 562): text does without what draws pixels."""
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
