"""A fence of pymdownx's superfences: a picture in every site that Python-Markdown makes, such as those of MkDocs,
Material for MkDocs and Zensical.

    ```flowgen src="traces/call.json" lang="zh"
    ```

The picture stands in the page as an SVG, whose ids no other picture has, and follows the site's switch between light
and dark. Without `src` the fence holds what is drawn. A picture that cannot be drawn is never left out quietly: strict
builds end, others show why in its place.
"""

import html
import logging
import os
import re
import sys
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

from flowgen.errors import FlowgenError, UsageError

from ._drawn import drawn
from ._site import Site, site_of
from ._wish import wished

_SOURCE, _CAPTION, _ALT, _WIDTH = "src", "caption", "alt", "width"
_OWN = (_SOURCE, _CAPTION, _ALT, _WIDTH)
_LOG = logging.getLogger("mkdocs.plugins.flowgen")  # what is said there a strict build of MkDocs counts
_BUILDERS = ("mkdocs", "zensical")
_ODD = re.compile(r"[^\w-]")
_ANCHOR = re.compile(r'<g id="([\w-]+)"')
_LENGTH = re.compile(r"\d+(\.\d+)?(%|[a-z]{1,4})")
_BOX = "border:2px solid #b91c1c;color:#b91c1c;background:#fff;padding:.5em 1em;white-space:pre-wrap"

_pictures: "WeakKeyDictionary[Any, int]" = WeakKeyDictionary()  # a page's converter → how many it has drawn so far


def validator(language: str, inputs: dict[str, str], options: dict[str, Any], attrs: dict[str, str], md: Any) -> bool:
    """Takes every word of the fence's head: what is wrong with one is told in the page, where people see it."""
    options["words"] = {name: "" if name == value else value for name, value in inputs.items()}
    return True


def fence(
    source: str, language: str, css_class: str, options: dict[str, Any], md: Any, *, docs: str | Path | None = None,
    **head: Any,
) -> str:  # fmt: skip
    """The HTML of a fence. Files are looked for below the folder of the documents: `docs`, else the one that MkDocs or
    Zensical are building, else the current one.

    Raises superfences' own exception in strict builds, which no other kind of exception would end.
    """
    site = site_of(md, docs)
    try:
        return _figure(source, options.get("words", {}), md, site, head.get("id_value", ""))
    except Exception as problem:  # whatever it is, superfences would show the fence as code and say nothing
        return _told(problem, source, site.strict)


def _figure(source: str, words: Mapping[str, str], md: Any, site: Site, anchor: str) -> str:
    own = {name: words[name] for name in _OWN if name in words}
    named = own.get(_SOURCE, "").split()
    if bool(named) == bool(source.strip()):
        raise UsageError("a fence names files or holds what is drawn, one of the two", 'such as src="traces/call.json"')
    wish = wished(named, {name: value for name, value in words.items() if name not in _OWN}, _OWN)
    picture = drawn(wish, site, None if named else ("the fence", source.encode()))
    anchor = _ODD.sub("-", anchor)
    svg = _sized(_inline(picture, f"{anchor}-" if anchor else _prefix(md)), own.get(_WIDTH))
    _tell_anchors(md, svg)
    return _framed(svg, anchor, own)


def _inline(picture: Any, prefix: str) -> str:
    """The SVG; what drawing remarks is no reason to end a build."""
    from flowgen import api

    with warnings.catch_warnings(record=True) as remarks:
        warnings.simplefilter("always", UserWarning)
        svg = api.inline(picture, prefix)
    for text in dict.fromkeys(str(remark.message) for remark in remarks):
        _LOG.info("flowgen: %s", text)
    return svg


def _framed(svg: str, anchor: str, own: Mapping[str, str]) -> str:
    """The SVG with what the page says of it."""
    caption = f"<figcaption>{html.escape(own[_CAPTION])}</figcaption>" if own.get(_CAPTION) else ""
    label = f' aria-label="{html.escape(own[_ALT])}"' if own.get(_ALT) else ""
    name = f' id="{anchor}"' if anchor else ""
    return f'<figure class="flowgen"{name}{label}>{svg}{caption}</figure>'


def _prefix(md: Any) -> str:
    """What the ids of the next picture of a page begin with."""
    _pictures[md] = number = _pictures.get(md, 0) + 1
    return f"fg{number}-"


def _tell_anchors(md: Any, svg: str) -> None:
    """MkDocs checks links into a page, and does not look into what a fence made."""
    if "mkdocs_extract_anchors" in md.treeprocessors:
        known: set[str] = getattr(md.treeprocessors["mkdocs_extract_anchors"], "present_anchor_ids", set())
        known.update(_ANCHOR.findall(svg))


def _sized(svg: str, width: str | None) -> str:
    """As wide as it was asked for, in any unit of CSS."""
    if width is None:
        return svg
    wide = f"{width}px" if width.isdecimal() else width
    if not _LENGTH.fullmatch(wide):
        raise UsageError(f"width: expected a width, found {width!r}", 'such as width="600" or width="80%"')
    return svg.replace('style="', f'style="width:{wide};', 1)


def _told(problem: Exception, source: str, strict: bool) -> str:
    """Why there is no picture, in its place; the hint, which may tell of this machine, is for who builds.

    Raises SuperFencesException in a strict build.
    """
    text = str(problem) if isinstance(problem, FlowgenError) else f"{type(problem).__name__}: {problem}"
    hint = f"\nhint: {problem.hint}" if isinstance(problem, FlowgenError) and problem.hint else ""
    if strict or _is_strict():
        from pymdownx.superfences import SuperFencesException

        raise SuperFencesException(f"flowgen: {text}{hint}") from None
    _LOG.warning("flowgen: %s%s", text, hint)
    held = f"\n\n{source}" if source.strip() else ""
    return f'<pre class="flowgen-problem" style="{_BOX}">flowgen: {html.escape(f"{text}{held}")}</pre>'


def _is_strict() -> bool:
    """Whether a picture that is missing must end the build: in CI, where asked for, or with the builder's --strict.

    Zensical's own does not hear what is logged, that of MkDocs is deaf with -q.
    """
    if any(os.environ.get(name, "").lower() not in ("", "0", "false") for name in ("FLOWGEN_STRICT", "CI")):
        return True
    builder = Path(sys.argv[0]).parent.name if Path(sys.argv[0]).stem == "__main__" else Path(sys.argv[0]).stem
    return builder in _BUILDERS and bool({"-s", "--strict"} & {*sys.argv[1:]})
