"""An extension of Sphinx: the directive `flowgen`, a picture of a recording, a config file or a description.

    .. flowgen:: traces/call.json
       :lang: zh
       :caption: What is said

It is an ordinary image to every builder, or a figure where it has a caption. A page is read again when what its
pictures are made of changes. What cannot be drawn is a warning of the type `flowgen`, which `-W` makes an error, and
the page shows the directive in its place: no picture vanishes.
"""

import hashlib
import os
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective
from sphinx.util.i18n import search_image_for_language

from flowgen.errors import BackendMissing, FlowgenError, UsageError
from flowgen.version import __version__

from ._drawn import drawn
from ._wish import WORDS, Wish, wished

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.environment import BuildEnvironment

    from flowgen.api import Architecture, Drawing

_LOG = logging.getLogger(__name__)
_REQUEST = "flowgen"  # attribute of an image node: what it was drawn from
_SVG = "image/svg+xml"
_BEFORE_OTHERS = 90  # of Sphinx's own transforms, which convert images for builders that cannot show them


def _align(text: str) -> str:
    return directives.choice(text, ("left", "center", "right"))


_OWN: dict[str, Callable[[str], Any]] = {
    "alt": directives.unchanged, "align": _align, "caption": directives.unchanged, "class": directives.class_option,
    "name": directives.unchanged, "width": directives.length_or_percentage_or_unitless,
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
            picture = drawn(wish, _Places(self.env, self.env.docname), inside)
            image = self._image(picture)
        except FlowgenError as problem:
            return [self._told(problem)]
        image[_REQUEST] = (wish, inside)
        return [self._figure(image)]

    def _wish(self) -> tuple[Wish, tuple[str, bytes] | None]:
        """What is asked for, by the page and by `flowgen_defaults`; and what the page itself holds."""
        named = _split(self.arguments[0]) if self.arguments else []
        if bool(named) == bool(self.content):
            raise UsageError("it names files or holds what is drawn, one of the two", "such as traces/call.json")
        own = {name: text or "" for name, text in self.options.items() if name in WORDS}
        asked = {**{str(name): str(text) for name, text in self.config.flowgen_defaults.items()}, **own}
        inside = None if named else (f"{self.env.docname}:{self.lineno}", "\n".join(self.content).encode())
        return wished(named, asked, _OWN), inside

    def _image(self, picture: "Drawing | Architecture") -> nodes.image:
        from flowgen import api

        image = nodes.image(
            self.block_text, uri=_kept(self.env, picture.svg.encode(), "svg", "*"),
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
        _warn(problem, self.get_location())
        shown = nodes.literal_block(self.block_text, self.block_text, language="rst", classes=["flowgen-problem"])
        self.set_source_info(shown)
        return shown


class _Places:
    """Where the files of a page lie; each is noted, so that the page is read again when it changes."""

    def __init__(self, env: "BuildEnvironment", page: str) -> None:
        self.env, self.page = env, page

    def __call__(self, name: str) -> Path:
        """The file, in the language of the build if there is one of it."""
        relative, place = self.env.relfn2path(search_image_for_language(name, self.env), self.page)
        self.env.note_dependency(relative, docname=self.page)
        return Path(place)


class _OtherBuilders(SphinxPostTransform):
    """Builders that show no SVG (LaTeX, Texinfo) get a PDF or PNG, drawn only when one of them asks."""

    default_priority = _BEFORE_OTHERS

    def run(self, **kwargs: Any) -> None:
        """Adds what the builder can show to the candidates of each picture."""
        known = self.app.builder.supported_image_types
        if _SVG in known or not known:
            return
        for image in self.document.findall(nodes.image):
            if _REQUEST in image:
                self._add(image, [kind for kind in known if kind in _MADE])

    def _add(self, image: nodes.image, kinds: list[str]) -> None:
        missing: FlowgenError | None = None
        wish, inside = image[_REQUEST]
        for kind in kinds:
            try:
                picture = drawn(_on_paper(wish), _Places(self.env, self.env.docname), inside)
                suffix, made = _MADE[kind]
                place = _kept(self.env, made(picture), suffix, suffix).removeprefix("/")
            except BackendMissing as problem:
                missing = missing or problem
                continue
            except FlowgenError as problem:  # what it was drawn from has changed since the page was read
                return _warn(problem, image)
            image["candidates"][kind] = place
            self.env.images.add_file(self.env.docname, place)
            return None
        return _warn(missing, image) if missing else None


_MADE: dict[str, tuple[str, Callable[["Drawing | Architecture"], bytes]]] = {
    "application/pdf": ("pdf", lambda picture: picture.pdf()),
    "image/png": ("png", lambda picture: picture.png()),
}


def _on_paper(wish: Wish) -> Wish:
    return Wish(wish.sources, wish.seen, {**wish.options, "page_size": "fit"}, wish.asked)


def _warn(problem: FlowgenError, location: Any) -> None:
    hint = f"; {problem.hint}" if problem.hint else ""
    _LOG.warning("flowgen: %s%s", problem, hint, location=location, type="flowgen", subtype="picture")


def _kept(env: "BuildEnvironment", data: bytes, suffix: str, wanted: str) -> str:
    """A picture under a name that its content gives, as an address from the source directory.

    It lies with the doctrees, so that it goes when they go.
    """
    from flowgen import api

    name = hashlib.sha256(data).hexdigest()[:16]
    folder = Path(env.doctreedir) / "flowgen"
    try:
        address = os.path.relpath(folder, env.srcdir)
    except ValueError:  # on Windows there is no way from one drive to another
        folder = Path(env.srcdir) / "_flowgen"
        address = "_flowgen"
    folder.mkdir(parents=True, exist_ok=True)
    if not (folder / f"{name}.{suffix}").exists():
        api.put(folder / f"{name}.{suffix}", data)
    return f"/{address.replace(os.sep, '/')}/{name}.{wanted}"


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
    app.add_post_transform(_OtherBuilders)
    pages_of = int("".join(f"{int(part):03}" for part in __version__.split(".")[:3] if part.isdecimal()) or 0)
    return {"version": __version__, "env_version": pages_of, "parallel_read_safe": True, "parallel_write_safe": True}
