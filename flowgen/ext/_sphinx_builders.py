"""What builders get that want something other than a file of SVG: LaTeX a PDF, Texinfo a PNG, and HTML the SVG in the
page itself where the page asks for that. Drawn only when such a builder runs.
"""

import html
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform

from flowgen.errors import BackendMissing, FlowgenError

from ._drawn import drawn
from ._sphinx_files import Places, kept, remarks_told, warn
from ._wish import Wish

if TYPE_CHECKING:
    from flowgen.api import Architecture, Drawing

    Picture = Drawing | Architecture

REQUEST = "flowgen"  # attribute of an image node: what it was drawn from
_SVG = "image/svg+xml"
_PAGES = ("html", "dirhtml", "singlehtml")  # builders whose pages may hold an SVG
_BEFORE_OTHERS = 90  # of Sphinx's own transforms, which convert images for builders that cannot show them


@dataclass(frozen=True, slots=True)
class Request:
    """What a picture was drawn from, for whoever draws it again: `page` is the one that files are looked for from."""

    wish: Wish
    inside: tuple[str, bytes] | None
    page: str
    inline: bool


class ForBuilders(SphinxPostTransform):
    """Gives each picture of a document what the builder at work can show."""

    default_priority = _BEFORE_OTHERS

    def run(self, **kwargs: Any) -> None:
        """Looks at every picture; other images are none of our business."""
        pictures = [image for image in self.document.findall(nodes.image) if REQUEST in image]
        for number, image in enumerate(pictures, 1):
            try:
                with remarks_told(image):
                    self._give(image, number)
            except FlowgenError as problem:  # a part is missing, or what it is drawn from has changed
                warn(problem, image)

    def _give(self, image: nodes.image, number: int) -> None:
        known = self.app.builder.supported_image_types
        if image[REQUEST].inline and self.app.builder.name in _PAGES:
            image.parent.replace(image, self._inline(image, number))  # which has its classes and its id in itself
        elif known and _SVG not in known:
            self._other(image, [kind for kind in known if kind in _MADE])

    def _picture(self, asked: Request, **options: Any) -> "Picture":
        wish = asked.wish
        wish = Wish(wish.sources, wish.seen, {**wish.options, **options}, wish.asked)
        return drawn(wish, Places(self.env, asked.page), asked.inside)

    def _inline(self, image: nodes.image, number: int) -> nodes.raw:
        """The SVG in the page; it has a name of its own for each picture, so that ids are used once."""
        from flowgen import api

        svg = api.inline(self._picture(image[REQUEST]), f"{_named(image) or f'fg{number}'}-")
        return nodes.raw("", _in_page(image, svg), format="html")

    def _other(self, image: nodes.image, kinds: Sequence[str]) -> None:
        """The first kind that can be drawn here. Raises BackendMissing where none can."""
        missing: BackendMissing | None = None
        for kind in kinds:
            suffix, made, options = _MADE[kind]
            try:
                data = made(self._picture(image[REQUEST], **options))
            except BackendMissing as problem:
                missing = missing or problem
                continue
            image["candidates"][kind] = place = kept(self.env, data, suffix, suffix).removeprefix("/")
            self.env.images.add_file(image[REQUEST].page, place)
            return
        if missing:
            raise missing


# kind -> its suffix, how it is made, with which options
_MADE: dict[str, tuple[str, Callable[["Picture"], bytes], dict[str, Any]]] = {
    "application/pdf": ("pdf", lambda picture: picture.pdf(), {"page_size": "fit"}),
    "image/png": ("png", lambda picture: picture.png(), {}),
}


def _named(image: nodes.image) -> str | None:
    """The id that the page gives a picture; those that Sphinx makes up are used again on the next page."""
    holders: list[nodes.Element] = [image, *([image.parent] if isinstance(image.parent, nodes.figure) else [])]
    return next((each["ids"][0] for each in holders if each["names"] and each["ids"]), None)


def _in_page(image: nodes.image, svg: str) -> str:
    """The SVG with what the page says of the image."""
    width, align = str(image.get("width", "")), image.get("align")
    size = f"width:{width}{'px' if width.isdecimal() else ''};" if width else ""
    classes = html.escape(" ".join([*image["classes"], *([f"align-{align}"] if align else [])]))
    name = f' id="{html.escape(image["ids"][0])}"' if image["ids"] else ""
    sized = svg.replace('style="', f'style="{size}', 1)
    return f'<div class="{classes}"{name} role="group" aria-label="{html.escape(image["alt"])}">{sized}</div>'
