"""The formats of a picture, one row each. A new format is a new row: its name is its suffix too.

A writer is given a drawing and how large a pixel picture is to be, and gives the files: one, or one for each page.
"""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from flowgen.errors import UsageError

if TYPE_CHECKING:
    from ._pictures import Drawing

Writer = Callable[["Drawing", float], list[bytes]]


def _svg(drawing: "Drawing", scale: float) -> list[bytes]:
    return [page.encode() for page in drawing.svg_pages()]


def _png(drawing: "Drawing", scale: float) -> list[bytes]:
    return drawing.png_pages(scale)


def _pdf(drawing: "Drawing", scale: float) -> list[bytes]:
    return [drawing.pdf()]


def _json(drawing: "Drawing", scale: float) -> list[bytes]:
    return [drawing.json().encode()]


FORMATS: dict[str, Writer] = {"svg": _svg, "png": _png, "pdf": _pdf, "json": _json}
BINARY = frozenset(["png", "pdf"])  # not for a terminal
_SUFFIXES: dict[str, str] = {}  # suffixes that are not the format's own name


def format_of(out: str | Path | None, file_format: str | None = None) -> str:
    """The format asked for, else the one of the suffix, else svg. Raises UsageError for one we do not write."""
    suffix = Path(out).suffix.lower()[1:] if out is not None else ""
    wanted = (file_format or _SUFFIXES.get(suffix, suffix) or "svg").lower()
    if wanted not in FORMATS:
        raise UsageError(f"no format {wanted!r}", f"known: {', '.join(FORMATS)}; choose with -f or the suffix")
    return wanted


def names(out: str, count: int) -> list[str]:
    """The names of the files of a picture: `flow.png`, or `flow-1.png`, `flow-2.png` … where it has pages."""
    path = Path(out)
    return [out] if count == 1 else [str(path.with_name(f"{path.stem}-{n}{path.suffix}")) for n in range(1, count + 1)]
