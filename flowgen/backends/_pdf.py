"""Scenes as the pages of a PDF: text that can be found, links that lead somewhere, a bookmark for every step.

Pages are drawn one after the other onto one surface of cairo, so they share their fonts and no more than one of them
is held as SVG. What cairo cannot write (links, bookmarks, labels) is added to the finished file. Same pages, same
bytes: the date of creation, the only part that would differ, is left out.
"""

import io
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from flowgen.errors import FlowgenError
from flowgen.scene import MONO, STYLES, Code, Group, Rect, Scene, Text, Theme, flat, groups, span, width

from ._renderers import is_beyond_cairo, missing, module, sound, swept, warn_of_missing_fonts
from ._svg import svg

if TYPE_CHECKING:
    from pypdf import PdfWriter
    from pypdf.generic import Fit

POINT = 0.75  # points in a px
LONGEST = 14400  # pt of a page, beyond it readers show nothing
_ADVANCE = MONO * 12.5
_ABOVE = 8  # px that a reader sees above what a link or a bookmark leads to


def pdf(pages: Sequence[Scene], theme: Theme, title: str, width: float | None = None) -> bytes:
    """The pages as one file. `width` is that of the paper in points, else each page has its own size.

    Raises FlowgenError for a page that no reader shows whole, BackendMissing without cairo or pypdf.
    """
    sheets = [_Sheet(page, width / page.width if width else POINT) for page in pages]
    for sheet in sheets:
        _fits(sheet)
    warn_of_missing_fonts(pages)
    if module("cairosvg") is None or module("pypdf") is None:
        raise missing("PDF")
    _warn_of_letters(pages)
    return _finished(_drawn(sheets, theme.static()), sheets, title)


@dataclass(frozen=True, slots=True)
class _Sheet:
    """A page and how many points a px of it has on paper."""

    scene: Scene
    scale: float

    @property
    def high(self) -> float:
        return self.scene.height * self.scale

    def y(self, y: float) -> float:
        """A y of the scene, in points from the lower edge of the paper."""
        return round(self.high - (y - self.scene.top) * self.scale, 2)


def _fits(sheet: _Sheet) -> None:
    longest = max(sheet.scene.width * sheet.scale, sheet.high)
    if longest > LONGEST:
        raise FlowgenError(
            f"a page would be {longest:.0f} pt long, a pdf can have {LONGEST}",
            "--page-size a4 cuts it into pages, or --page-height into lower ones",
        )


def _warn_of_letters(pages: Sequence[Scene]) -> None:
    if is_beyond_cairo(pages):
        warnings.warn(
            "the picture has emoji, or writing that is joined or runs from right to left, and a pdf shows it letter "
            "by letter: png and svg show it as it is",
            stacklevel=3,
        )


def _drawn(sheets: Sequence[_Sheet], theme: Theme) -> bytes:
    """The pages as cairo draws them."""
    from cairosvg.parser import Tree
    from cairosvg.surface import PDFSurface

    class Page(PDFSurface):  # type: ignore[misc]
        """Draws onto a surface that is there already; CairoSVG leaves this method to its heirs."""

        def _create_surface(self, width: float, height: float) -> tuple[Any, float, float]:
            self.output.set_size(width, height)
            return self.output, width, height

    file = io.BytesIO()
    book = PDFSurface.surface_class(file, 1, 1)
    with swept() as sweep:
        for sheet in sheets:
            text = svg(sound(sheet.scene), theme, sheet.scene.width * sheet.scale / POINT)
            Page(Tree(bytestring=text.encode()), book, 96)
            book.show_page()
            sweep()
    book.finish()
    return file.getvalue()


def _finished(drawn: bytes, sheets: Sequence[_Sheet], title: str) -> bytes:
    """The same file with what readers use to find their way."""
    from pypdf import PdfWriter
    from pypdf.constants import PageLabelStyle

    writer = PdfWriter(clone_from=io.BytesIO(drawn))
    writer.metadata = {"/Title": title, "/Producer": "flowgen"}
    writer.set_page_label(0, len(sheets) - 1, style=PageLabelStyle.DECIMAL)
    places = _places(sheets)
    _add_bookmarks(writer, sheets, places, title)
    _add_links(writer, sheets, places)
    file = io.BytesIO()
    writer.write(file)
    return file.getvalue()


_Places = dict[str, tuple[int, float]]


def _places(sheets: Sequence[_Sheet]) -> _Places:
    """Anchor -> the page where it stands first, and its y there in points."""
    found: _Places = {}
    for number, sheet in enumerate(sheets):
        for group in groups(sheet.scene.shapes):
            if group.anchor and group.anchor not in found:
                found[group.anchor] = number, sheet.y(span(group)[0] - _ABOVE)
    return found


def _add_bookmarks(writer: "PdfWriter", sheets: Sequence[_Sheet], places: _Places, title: str) -> None:
    """The title, and under it a line for each step."""
    top = writer.add_outline_item(title=title, page_number=0)
    told: set[str] = set()
    for sheet in sheets:
        for group in groups(sheet.scene.shapes):
            if group.label and group.anchor and group.anchor not in told and group.anchor.startswith("step-"):
                told.add(group.anchor)
                number, y = places[group.anchor]
                writer.add_outline_item(title=group.label, page_number=number, parent=top, fit=_at(y))


def _add_links(writer: "PdfWriter", sheets: Sequence[_Sheet], places: _Places) -> None:
    from pypdf.annotations import Link

    for number, sheet in enumerate(sheets):
        for group in groups(sheet.scene.shapes):
            if group.link in places:
                target, y = places[group.link]
                writer.add_annotation(number, Link(rect=_frame(group, sheet), target_page_index=target, fit=_at(y)))


def _at(y: float) -> "Fit":
    from pypdf.generic import Fit

    return Fit.xyz(left=0, top=y)


def _frame(group: Group, sheet: _Sheet) -> tuple[float, float, float, float]:
    """What can be clicked of a link, in points from the lower left corner."""
    sides = [_sides(shape) for shape in flat(group.shapes) if isinstance(shape, Rect | Code | Text)]
    top, bottom = span(group)
    left, right = min(left for left, _ in sides), max(right for _, right in sides)
    return round(left * sheet.scale, 2), sheet.y(bottom), round(right * sheet.scale, 2), sheet.y(top)


def _sides(shape: Rect | Code | Text) -> tuple[float, float]:
    match shape:
        case Rect():
            return shape.x, shape.x + shape.width
        case Code():
            column, _, text = shape.tokens[-1]
            return shape.x + shape.tokens[0][0] * _ADVANCE, shape.x + (column + len(text)) * _ADVANCE
        case Text():
            style = STYLES[shape.style]
            wide = width(shape.text, style.size, style.weight)
            left = shape.x - {"start": 0.0, "middle": wide / 2, "end": wide}[style.anchor]
            return left, left + wide
