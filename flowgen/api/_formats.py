"""The formats of a picture, one row each. A new format is a new row: its name is its suffix too.

A writer is given a drawing, how large a pixel picture is to be, and where the first file will stand if anybody knows.
It gives the files: one, one for each page, or a snippet and the pictures that it refers to.
"""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from flowgen.errors import UsageError

from ._texts import beside

if TYPE_CHECKING:
    from ._pictures import Drawing

Writer = Callable[["Drawing", float, str | None], list[bytes]]
Text = Callable[["Drawing"], str]


def _svg(drawing: "Drawing", scale: float, out: str | None) -> list[bytes]:
    return [page.encode() for page in drawing.svg_pages()]


def _png(drawing: "Drawing", scale: float, out: str | None) -> list[bytes]:
    return drawing.png_pages(scale)


def _pdf(drawing: "Drawing", scale: float, out: str | None) -> list[bytes]:
    return [drawing.pdf()]


def _md(drawing: "Drawing", scale: float, out: str | None) -> list[bytes]:
    """The snippet, and its two pictures where it has a place beside which they can stand."""
    return [drawing.markdown(out).encode(), *beside(drawing, out)]


def _text(written: Text) -> Writer:
    return lambda drawing, scale, out: [written(drawing).encode()]


FORMATS: dict[str, Writer] = {
    "svg": _svg, "png": _png, "pdf": _pdf,
    "html": _text(lambda drawing: drawing.html()),
    "txt": _text(lambda drawing: drawing.txt()),
    "mermaid": _text(lambda drawing: drawing.mermaid()),
    "plantuml": _text(lambda drawing: drawing.plantuml()),
    "md": _md,
    "json": _text(lambda drawing: drawing.json()),
    "template": _text(lambda drawing: drawing.template()),
}  # fmt: skip
BINARY = frozenset(["png", "pdf"])  # not for a terminal
_GRAPHS = frozenset(["dot", "drawio", "yaml"])  # formats of the architecture picture alone
# suffixes that are not the format's name
_SUFFIXES = {"mmd": "mermaid", "gv": "dot", "puml": "plantuml", "markdown": "md", "text": "txt", "htm": "html",
             "yml": "yaml"}  # fmt: skip
_USUAL = {"mermaid": "mmd", "plantuml": "puml", "template": "txt"}  # suffixes of formats that are called otherwise


def format_of(out: str | Path | None, file_format: str | None = None) -> str:
    """The format asked for, else the one of the suffix, else svg. Raises UsageError for one we do not write."""
    suffix = Path(out).suffix.lower()[1:] if out is not None else ""
    wanted = (file_format or suffix or "svg").lower()
    wanted = _SUFFIXES.get(wanted, wanted)
    if wanted not in FORMATS and wanted not in _GRAPHS:
        known = ", ".join(name for name in (*FORMATS, *sorted(_GRAPHS)) if name != "template")
        raise UsageError(f"no format {wanted!r}", f"known: {known}; choose with -f or the suffix")
    return wanted


def suffix_of(form: str) -> str:
    """The suffix that files of a format usually have, without its dot."""
    return _USUAL.get(form, form)


def names(out: str, count: int, form: str = "svg") -> list[str]:
    """The names of the files of a picture: `flow.png`, or `flow-1.png`, `flow-2.png` … where it has pages; of a
    snippet `flow.md`, `flow.svg`, `flow-dark.svg`.
    """
    path = Path(out)
    if count == 1:
        return [out]
    if form == "md":
        return [out, *(str(path.with_name(f"{path.stem}{end}.svg")) for end in ("", "-dark"))]
    return [str(path.with_name(f"{path.stem}-{n}{path.suffix}")) for n in range(1, count + 1)]
