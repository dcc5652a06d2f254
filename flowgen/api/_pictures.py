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
from ._texts import image_of, of_txt, template_of
from ._together import story
from ._written import put

if TYPE_CHECKING:
    from flowgen.flow import Flow
    from flowgen.scene import Mode, Scene, Theme
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
        from flowgen.backends import SURFACE, pngs
        from flowgen.scene import pages

        within("scale", scale, _SCALES)
        paging = paging_of(self.options, self.scene)
        if paging is None and self.scene.height * scale > SURFACE:
            paging = fitting(self.options, self.scene, 0)
            warnings.warn("the picture is too tall for one png and is cut into pages", stacklevel=3)
        if paging is None:
            return [self.png(scale)]
        return pngs(pages(self.scene, paging, self.options.get("lang", "en")), self.theme, scale)

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

    def txt(self) -> str:
        """The flow as a swim lane of text."""
        from flowgen.backends import txt

        return txt(self.flow, of_look(self.options), **of_txt(self.options))

    def mermaid(self) -> str:
        """The flow as a Mermaid sequence diagram."""
        from flowgen.backends import mermaid

        return mermaid(self.flow, of_look(self.options))

    def plantuml(self) -> str:
        """The flow as a PlantUML sequence diagram."""
        from flowgen.backends import plantuml

        return plantuml(self.flow, of_look(self.options))

    def markdown(self, out: str | None = None) -> str:
        """A snippet with the picture, light and dark, and the messages as a list; `out` is where it will stand."""
        from flowgen.backends import markdown

        return markdown(self.flow, of_look(self.options), image_of(self.options, out))

    def template(self) -> str:
        """The text that the template makes of the flow. Raises TemplateError."""
        from flowgen.backends import filled

        name, source = template_of(self.options.get("template"))
        return filled(self.flow, source, name, self.options.get("lang", "en"))

    def in_mode(self, mode: "Mode") -> str:
        """The picture as SVG, `light` or `dark` whatever its theme's own mode."""
        return replace(self, theme=replace(self.theme, mode=mode))._svg(self.scene)

    def files(self, form: str, scale: float = 2.0, out: str | None = None) -> list[bytes]:
        """The files of a format (a row of `FORMATS`): one, one for each page, or a snippet and its pictures.

        `out` is the place of the first one.
        """
        return FORMATS[form](self, scale, out)


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
    """Draw into a file, or several for a picture of pages; the suffix tells the format, unless a template is given."""
    form = "template" if options.get("template") and file_format is None else format_of(out, file_format)
    files = drawing(trace, **options).files(form, scale, str(out))
    for name, data in zip(names(str(out), len(files), form), files, strict=True):
        put(name, data)
