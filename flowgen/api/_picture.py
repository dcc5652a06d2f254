"""A picture that is laid out: its pages as SVG, PNG and PDF. What it shows is the business of those that are one."""

import warnings
from collections.abc import Collection
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Self

from ._notebook import Bundle, bundle
from ._options import DrawingOptions, within
from ._paper import fitting, paging_of, paper_of

if TYPE_CHECKING:
    from flowgen.backends import Faces
    from flowgen.scene import Mode, Scene, Theme

_SCALES = (0.1, 20.0)


@dataclass(frozen=True)
class Picture:
    """How a picture is to look, and what can be made of it once it is laid out."""

    theme: "Theme"
    options: DrawingOptions

    @cached_property
    def scene(self) -> "Scene":
        """The picture laid out."""
        raise NotImplementedError

    @property
    def svg(self) -> str:
        """The picture as SVG, in one piece. Raises BackendMissing where fonts are to travel in it and cannot."""
        return self._svg(self.scene)

    def _repr_mimebundle_(
        self, include: Collection[str] | None = None, exclude: Collection[str] | None = None
    ) -> Bundle:
        """What a notebook shows (IPython's protocol): the picture, or a text where it has no pictures."""
        return bundle(lambda: self.svg, self.plain, include, exclude)

    def _repr_svg_(self) -> str:
        """The same for notebooks of another make."""
        return self.svg

    def plain(self) -> str:
        """The picture as text, for where no pictures are shown."""
        raise NotImplementedError

    def svg_pages(self) -> list[str]:
        """The pages that were asked for as SVG; the picture in one piece where none were."""
        paging = paging_of(self.options, self.scene)
        if paging is None:
            return [self.svg]
        from flowgen.scene import alone, pages

        found = pages(self.scene, paging, self.options.get("lang", "en"))
        return [self._svg(alone(page)) for page in found]

    def _svg(self, scene: "Scene") -> str:
        from flowgen.backends import svg

        return svg(scene, self.theme, self.options.get("width"), faces=self._faces(scene))

    def _faces(self, scene: "Scene") -> "Faces | None":
        """The fonts that travel in the file, where they are asked for."""
        if not self.options.get("embed_fonts"):
            return None
        from flowgen.backends import embedded

        return embedded(scene)

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

    def themed(self, mode: "Mode") -> Self:
        """The same picture, `light` or `dark` whatever its theme's own mode."""
        return replace(self, theme=replace(self.theme, mode=mode))

    def in_mode(self, mode: "Mode") -> str:
        """The picture as SVG, `light` or `dark` whatever its theme's own mode."""
        return self.themed(mode)._svg(self.scene)
