"""An extension of Sphinx: the directive `flowgen`, a picture of a recording, a config file or a description.

    .. flowgen:: traces/call.json
       :lang: zh
       :caption: What is said

It is an ordinary image to every builder, or a figure where it has a caption. A page is read again when what its
pictures are made of changes. What cannot be drawn is a warning of the type `flowgen`, which `-W` makes an error, and
the page shows the directive in its place: no picture vanishes. With `:inline:` pages of HTML hold the picture itself,
which then follows the theme's switch between light and dark and has anchors.
"""

import shlex
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.util.docutils import SphinxDirective

from flowgen.errors import FlowgenError, UsageError
from flowgen.version import __version__

from ._drawn import drawn
from ._sphinx_builders import REQUEST, ForBuilders, Request
from ._sphinx_files import Places, kept, remarks_told, warn
from ._wish import WORDS, Wish, wished

if TYPE_CHECKING:
    from sphinx.application import Sphinx

    from flowgen.api import Architecture, Drawing


def _align(text: str) -> str:
    return directives.choice(text, ("left", "center", "right"))


_OWN: dict[str, Callable[[str], Any]] = {
    "alt": directives.unchanged, "align": _align, "caption": directives.unchanged, "class": directives.class_option,
    "inline": directives.flag, "name": directives.unchanged, "width": directives.length_or_percentage_or_unitless,
}  # fmt: skip


class FlowgenDirective(SphinxDirective):
    """Names files, relative to the page (or with a `/` to the source directory), or holds what is drawn."""

    optional_arguments = 1
    final_argument_whitespace = True
    has_content = True
    option_spec: ClassVar = {**dict.fromkeys(WORDS, directives.unchanged), **_OWN}

    def run(self) -> list[nodes.Node]:
        """An image, a figure, or what stands in their place."""
        try:
            wish, inside = self._wish()
            with remarks_told(self.get_location()):
                image = self._image(drawn(wish, Places(self.env, self.env.docname), inside))
        except FlowgenError as problem:
            return [self._told(problem)]
        image[REQUEST] = Request(wish, inside, self.env.docname, "inline" in self.options)
        return [self._figure(image)]

    def _wish(self) -> tuple[Wish, tuple[str, bytes] | None]:
        """What is asked for, by the page and by `flowgen_defaults`; and what the page itself holds."""
        named = _split(self.arguments[0]) if self.arguments else []
        if bool(named) == bool(self.content):
            raise UsageError("it names files or holds what is drawn, one of the two", "such as traces/call.json")
        own = {name: text or "" for name, text in self.options.items() if name in WORDS}
        usual = self.config.flowgen_defaults
        if not isinstance(usual, dict):
            raise UsageError("flowgen_defaults: expected a dict", 'such as flowgen_defaults = {"lang": "zh"}')
        asked = {**{str(name): str(text) for name, text in usual.items()}, **own}
        inside = None if named else (f"{self.env.docname}:{self.lineno}", "\n".join(self.content).encode())
        return wished(named, asked, _OWN), inside

    def _image(self, picture: "Drawing | Architecture") -> nodes.image:
        from flowgen import api

        image = nodes.image(
            self.block_text, uri=kept(self.env, picture.svg.encode(), "svg", "*"),
            alt=self.options.get("alt") or api.said(picture), classes=["flowgen", *self.options.get("class", [])],
        )  # fmt: skip
        if "width" in self.options:
            image["width"] = self.options["width"]
        self.set_source_info(image)
        return image

    def _figure(self, image: nodes.image) -> nodes.Element:
        """The image with what the page says about it."""
        told: nodes.Element = image
        if caption := self.options.get("caption"):
            inline, messages = self.parse_inline(caption, lineno=self.lineno)
            text = nodes.caption(caption, "", *inline)
            told = nodes.figure("", image, text, *messages)
            self.set_source_info(text)
            self.set_source_info(told)
        if "align" in self.options:
            told["align"] = self.options["align"]
        self.add_name(told)
        return told

    def _told(self, problem: FlowgenError) -> nodes.Node:
        """A warning, and in the place of the picture what asked for it."""
        warn(problem, self.get_location())
        shown = nodes.literal_block(self.block_text, self.block_text, language="rst", classes=["flowgen-problem"])
        self.set_source_info(shown)
        return shown


def _split(argument: str) -> list[str]:
    """Files with spaces between them; one with a space in its name stands in quotes."""
    try:
        return shlex.split(argument)
    except ValueError as problem:
        raise UsageError(f"{argument}: {problem}", "close the quotes") from None


def setup(app: "Sphinx") -> dict[str, Any]:
    """Called by Sphinx for `extensions = ["flowgen.ext.sphinx"]`."""
    app.add_directive("flowgen", FlowgenDirective)
    app.add_config_value("flowgen_defaults", {}, "env", types=frozenset({dict}))
    app.add_post_transform(ForBuilders)
    pages_of = int("".join(f"{int(part):03}" for part in __version__.split(".")[:3] if part.isdecimal()) or 0)
    return {"version": __version__, "env_version": pages_of, "parallel_read_safe": True, "parallel_write_safe": True}
