"""From a trace to a picture, in every format that flowgen writes."""

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

from ._formats import FORMATS, format_of, names
from ._headings import headed
from ._options import DrawingOptions, checked, of_look, within
from ._paper import fitting, paging_of, paper_of
from ._together import story
from ._written import put

if TYPE_CHECKING:
    from flowgen.flow import Flow
    from flowgen.scene import Scene, Theme
    from flowgen.trace import Trace

_SCALES = (0.1, 20.0)


@dataclass(frozen=True)
class Drawing:
    """What a recording means and how it is to look: to be had in every format, laid out only for those that need it."""

    flow: "Flow"
    theme: "Theme"
    options: DrawingOptions

    @cached_property
    def scene(self) -> "Scene":
        """The picture laid out. Raises UsageError for a form that does not fit its lanes."""
        from flowgen.scene import swimlane

        return swimlane(self.flow, of_look(self.options))

    @property
    def svg(self) -> str:
        """The picture as SVG, in one piece. Raises BackendMissing where fonts are to travel in it and cannot."""
        return self._svg(self.scene)

    def svg_pages(self) -> list[str]:
        """The pages that were asked for as SVG; the picture in one piece where none were."""
        from flowgen.backends import svg
        from flowgen.scene import alone, pages

        paging = paging_of(self.options, self.scene)
        if paging is None:
            return [self.svg]
        found = pages(self.scene, paging, self.options.get("lang", "en"))
        return [self._svg(alone(page)) for page in found]

    def _svg(self, scene: "Scene") -> str:
        from flowgen.backends import embedded, svg

        faces = embedded(scene) if self.options.get("embed_fonts") else None
        return svg(scene, self.theme, self.options.get("width"), faces=faces)

    def png(self, scale: float = 2.0) -> bytes:
        """The picture as PNG, in one piece, `scale` px for each of its own."""
        from flowgen.backends import png

        within("scale", scale, _SCALES)
        return png(self.scene, self.theme, scale)

    def png_pages(self, scale: float = 2.0) -> list[bytes]:
        """The pages that were asked for as PNG, or that are needed because the picture is too tall for one piece."""
        from flowgen.backends import SURFACE, png
        from flowgen.scene import pages

        within("scale", scale, _SCALES)
        paging = paging_of(self.options, self.scene)
        if paging is None and self.scene.height * scale > SURFACE:
            paging = fitting(self.options, self.scene, 0)
            warnings.warn("the picture is too tall for one png and is cut into pages", stacklevel=3)
        if paging is None:
            return [self.png(scale)]
        return [png(page, self.theme, scale) for page in pages(self.scene, paging, self.options.get("lang", "en"))]

    def pdf(self) -> bytes:
        """The picture as PDF: pages of A4, or of the size that was asked for."""
        from flowgen.backends import LONGEST, POINT, pdf
        from flowgen.scene import pages

        paper, whole = paper_of(self.options), self.scene
        paging = paper.paging(whole.width) if paper else fitting(self.options, whole, LONGEST / POINT)
        found = pages(whole, paging, self.options.get("lang", "en"))
        return pdf(found, self.theme, whole.title, paper.points if paper else None)

    def json(self) -> str:
        """The flow behind the picture, as data."""
        import json

        from flowgen.flow import as_data

        return json.dumps(as_data(self.flow), indent=1) + "\n"

    def files(self, form: str, scale: float = 2.0) -> list[bytes]:
        """The files of a format (a row of `FORMATS`): one, or one for each page."""
        return FORMATS[form](self, scale)


def drawing(trace: "Trace | Sequence[Trace]", **options: Unpack[DrawingOptions]) -> Drawing:
    """A recording as a swim lane, or several of them in one; what may be asked is in `DrawingOptions`.

    Raises UsageError and ThemeError.
    """
    from flowgen.scene import theme
    from flowgen.trace import Trace

    checked(options)
    traces = [trace] if isinstance(trace, Trace) else list(trace)
    told = story(traces, options)
    options = headed(options, traces[0])
    look = options.get("theme", "auto")
    return Drawing(
        replace(told, title=options.get("title") or told.title),
        theme(look) if isinstance(look, str) else look,
        options,
    )


def render(
    trace: "Trace | Sequence[Trace]",
    out: str | Path,
    *,
    file_format: str | None = None,
    scale: float = 2.0,
    **options: Unpack[DrawingOptions],
) -> None:
    """Draw into a file, or several for a picture of pages; the suffix tells the format."""
    files = drawing(trace, **options).files(format_of(out, file_format), scale)
    for name, data in zip(names(str(out), len(files)), files, strict=True):
        put(name, data)
