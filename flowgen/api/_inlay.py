"""A picture inside of somebody's page: as an inline SVG that follows the page's switch between light and dark, and what
a page of Markdown says of it.
"""

from typing import TYPE_CHECKING

from ._pictures import Drawing

if TYPE_CHECKING:
    from ._architecture import Architecture

_FITTING = '<svg style="max-width:100%;height:auto" '


def inline(picture: "Drawing | Architecture", prefix: str) -> str:
    """The picture as an SVG for a page that holds others, too: `prefix` begins every id and is told by nobody else.

    It is no wider than where it stands, and follows `data-theme`, `data-md-color-scheme` and `data-bs-theme` beside the
    system.
    """
    from flowgen.backends import svg

    text = svg(picture.scene, picture.theme, picture.options.get("width"), inline=prefix)
    return text.replace("<svg ", _FITTING, 1)


def said(picture: "Drawing | Architecture") -> str:
    """What is said of a picture to who cannot see it, in one line."""
    if isinstance(picture, Drawing):
        from flowgen.scene import telling

        return telling(picture.flow, picture.look).description
    return f"{picture.scene.title}: {picture.scene.desc}"


def listed(picture: "Drawing | Architecture") -> str:
    """In Markdown: of a flow its steps and messages as a numbered list, of an architecture what crosses a boundary."""
    if isinstance(picture, Drawing):
        from flowgen.backends import listed as steps

        return steps(picture.flow, picture.look)
    from flowgen.backends import crossings

    from ._options import of_look

    return crossings(picture.topology, of_look(picture.options))


def shown(images: list[str], alt: str, width: str | None = None) -> str:
    """The HTML that shows a picture: one file, or one for light pages and its `dark_beside` for dark ones."""
    from flowgen.backends import alone, pictured

    if len(images) == 1:
        return alone(images[0], alt, width)
    return "\n".join(pictured(images[0], alt, width))


def shown_plainly(image: str, alt: str) -> str:
    """The same in Markdown without HTML."""
    from flowgen.backends import linked

    return linked(image, alt)


def dark_beside(image: str) -> str:
    """What the picture for dark pages is called: `docs/flow.svg` → `docs/flow-dark.svg`."""
    from flowgen.backends import dark_of

    return dark_of(image)
