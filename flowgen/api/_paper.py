"""The pages that were asked for: how high, on which paper, whether at all.

A picture is as wide as a page. Paper gives its pages their shape: all are as high as the paper is for its width.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from flowgen.errors import UsageError

if TYPE_CHECKING:
    from flowgen.scene import Paging, Scene

FIT = "fit"
SLIDE = "16:9"
DEFAULT = "a4"
_SLIDES = "slides"  # the theme
_HEIGHT = 1600.0  # px of a page that is no paper
_HEIGHTS = (200.0, 1_000_000.0)
_PAPERS = {"a4": (210.0, 297.0), "a3": (297.0, 420.0), "letter": (215.9, 279.4), SLIDE: (338.67, 190.5)}  # mm
_SIZE = re.compile(r"(\d+(?:\.\d+)?)x(\d+(?:\.\d+)?)(?:mm)?")
_SIDES = (20.0, 5080.0)  # mm; beyond 5080 (14,400 pt) readers show nothing
_POINTS = 72 / 25.4  # in a mm


@dataclass(frozen=True, slots=True)
class Paper:
    """A sheet of paper in mm. On a `slide` every step begins a page."""

    width: float
    height: float
    slide: bool = False

    @property
    def points(self) -> float:
        """Its width in points."""
        return self.width * _POINTS

    def paging(self, wide: float) -> "Paging":
        """How a picture `wide` px is cut for it."""
        from flowgen.scene import Paging

        return Paging(wide * self.height / self.width, filled=True, slides=self.slide)


def check_pages(options: Mapping[str, Any]) -> None:
    """Raises UsageError for a size there is not, and for options that contradict each other."""
    size, height = options.get("page_size"), options.get("page_height")
    paper = _paper(options)
    if height is not None and not _HEIGHTS[0] <= height <= _HEIGHTS[1]:
        raise UsageError(
            f"--page-height {height:g}: expected px from {_HEIGHTS[0]:g} to {_HEIGHTS[1]:,.0f}",
            f"or leave it out: {_HEIGHT:g}",
        )
    if height is not None and paper is not None:
        raise UsageError(
            f"--page-height does not go with --page-size {size or DEFAULT}: paper has a height",
            "leave one of them out; --page-size fit takes any height",
        )
    if size == FIT and options.get("landscape"):
        raise UsageError("--landscape does not go with --page-size fit: such a page has no other side", "leave it out")


def of_slides(options: Mapping[str, Any]) -> bool:
    """Whether a picture is for slides: by the paper, or by the theme where no other paper was asked for."""
    size = options.get("page_size")
    return size == SLIDE or (size is None and str(options.get("theme")).partition(":")[0] == _SLIDES)


def paper_of(options: Mapping[str, Any]) -> Paper | None:
    """The paper of a PDF: what was asked for, A4 or a slide where nothing was; None for pages that fit the picture."""
    asked = _paper(options)
    fits = options.get("page_size") == FIT or options.get("page_height") is not None
    return asked or (None if fits else _default(options))


def _default(options: Mapping[str, Any]) -> Paper:
    slides = of_slides(options)
    return Paper(*_PAPERS[SLIDE if slides else DEFAULT], slides)


def paging_of(options: Mapping[str, Any], scene: "Scene") -> "Paging | None":
    """How pictures of pages are cut; None where no pages were asked for."""
    from flowgen.scene import Paging

    paper, height = _paper(options), options.get("page_height")
    if paper is None and height is None and options.get("pages") and of_slides(options):
        paper = _default(options)
    if paper is not None:
        return paper.paging(scene.width)
    asked = options.get("pages") or height is not None or options.get("page_size") == FIT
    return Paging(height or _HEIGHT) if asked else None


def fitting(options: Mapping[str, Any], scene: "Scene", most: float) -> "Paging":
    """Pages that fit the picture: one where it is at most `most` px high and no height was asked for."""
    from flowgen.scene import Paging

    height = options.get("page_height")
    return Paging(height or (most if scene.height <= most else _HEIGHT))


def _paper(options: Mapping[str, Any]) -> Paper | None:
    """The paper that was asked for. The option that turns it alone means the default one."""
    size, turned = options.get("page_size"), bool(options.get("landscape"))
    if size == FIT or (size is None and not turned):
        return None
    wide, high = _sides(str(size or DEFAULT).lower())
    if turned and high > wide:
        wide, high = high, wide
    return Paper(wide, high, size == SLIDE)


def _sides(size: str) -> tuple[float, float]:
    if size in _PAPERS:
        return _PAPERS[size]
    found = _SIZE.fullmatch(size)
    if found is None:
        known = f"known: {', '.join([*_PAPERS, FIT])}, or WIDTHxHEIGHT in mm, such as 200x150"
        raise UsageError(f"--page-size: there is no {size!r}", known)
    wide, high = float(found[1]), float(found[2])
    if not all(_SIDES[0] <= side <= _SIDES[1] for side in (wide, high)):
        bounds = f"a side is from {_SIDES[0]:g} to {_SIDES[1]:g} mm"
        raise UsageError(f"--page-size {size}: {bounds}", "16:9 is for slides, fit takes the size of the picture")
    return wide, high
