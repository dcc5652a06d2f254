"""From a trace or a topology to a picture, in every format that flowgen writes."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Literal, Unpack, overload

from flowgen.errors import UsageError

from ._architecture import Architecture, picture_of
from ._formats import FORMATS, format_of, names
from ._headings import headed
from ._kinds import fitting, is_path, listed, recorded, refuse
from ._options import DrawingOptions, checked, fold_of, of_look
from ._picture import Picture
from ._texts import image_of, of_txt, template_of
from ._together import names_of, story
from ._views import View
from ._written import put

if TYPE_CHECKING:
    from flowgen.flow import Flow
    from flowgen.scene import Breach, Options, Scene
    from flowgen.topology import Topology
    from flowgen.trace import Trace


@dataclass(frozen=True)
class Drawing(Picture):
    """What a recording means and how it is to look: to be had in every format, laid out only for those that need it."""

    flow: "Flow"
    breaches: "tuple[Breach, ...] | None" = None

    @property
    def look(self) -> "Options":
        """How it is to look, with what was found."""
        return replace(of_look(self.options), breaches=self.breaches)

    @cached_property
    def scene(self) -> "Scene":
        """The picture laid out. Raises UsageError for a form that does not fit its lanes."""
        from flowgen.scene import swimlane

        return swimlane(self.flow, self.look)

    def json(self) -> str:
        """The flow behind the picture, as data."""
        import json

        from flowgen.flow import as_data

        found = {} if self.breaches is None else {"breaches": [asdict(each) for each in self.breaches]}
        return json.dumps(as_data(self.flow) | found, indent=1) + "\n"

    def html(self, watch: str | None = None) -> str:
        """The page on which the flow is explored in a browser: one file that needs nothing else.

        With `watch`, the name of the state that it shows, it asks `flowgen view --watch` for newer ones.
        """
        from flowgen.backends import flow_html

        return flow_html(self.flow, self.look, self.theme, self.svg, watch)

    def page_data(self, watch: str) -> str:
        """What the page of this state shows, as JSON, for one that shows an older state."""
        from flowgen.backends import flow_data

        return flow_data(self.flow, self.look, watch)

    def txt(self) -> str:
        """The flow as a swim lane of text."""
        from flowgen.backends import txt

        return txt(self.flow, self.look, **of_txt(self.options))

    def plain(self) -> str:
        """The flow as text, for where no pictures are shown."""
        return self.txt()

    def mermaid(self) -> str:
        """The flow as a Mermaid sequence diagram."""
        from flowgen.backends import mermaid

        return mermaid(self.flow, self.look)

    def plantuml(self) -> str:
        """The flow as a PlantUML sequence diagram."""
        from flowgen.backends import plantuml

        return plantuml(self.flow, self.look)

    def markdown(self, out: str | None = None) -> str:
        """A snippet with the picture, light and dark, and the messages as a list; `out` is where it will stand."""
        from flowgen.backends import markdown

        return markdown(self.flow, self.look, image_of(self.options, out))

    def template(self) -> str:
        """The text that the template makes of the flow. Raises TemplateError."""
        from flowgen.backends import filled

        name, source = template_of(self.options.get("template"))
        return filled(self.flow, source, name, self.options.get("lang", "en"))

    def files(self, form: str, scale: float = 2.0, out: str | None = None) -> list[bytes]:
        """The files of a format (a row of `FORMATS`): one, one for each page, or a snippet and its pictures.

        `out` is the place of the first one. Raises UsageError for a format of the architecture picture alone.
        """
        if form not in FORMATS:
            raise UsageError(f"a swim lane is not written as {form}", "that is a format of the architecture picture")
        return FORMATS[form](self, scale, out)


@overload
def drawing(source: "Topology", *, view: View | None = None, **options: Unpack[DrawingOptions]) -> Architecture: ...


@overload
def drawing(
    source: "Trace | Sequence[Trace]", *, view: Literal["architecture"], **options: Unpack[DrawingOptions]
) -> Architecture: ...


@overload
def drawing(
    source: "Trace | Sequence[Trace]", *, view: Literal["flow"] | None = None, **options: Unpack[DrawingOptions]
) -> Drawing: ...


@overload
def drawing(
    source: "Trace | Sequence[Trace] | Topology", *, view: View | None = None, **options: Unpack[DrawingOptions]
) -> Drawing | Architecture: ...


def drawing(
    source: "Trace | Sequence[Trace] | Topology", *, view: View | None = None, **options: Unpack[DrawingOptions]
) -> Drawing | Architecture:
    """A recording as a swim lane, or several of them in one; a topology as an architecture.

    With the view `architecture` recordings are drawn as who was seen in them. What may be asked is in
    `DrawingOptions`. Raises UsageError and ThemeError.

    >>> picture = flowgen.drawing(flowgen.load("trace.json"), theme="dark", lang="zh", steps="1-2")
    >>> picture.svg.startswith("<svg"), picture.png(scale=1)[:4]
    (True, b'\\x89PNG')
    >>> print(*picture.txt().split()[:2])
    MCP Architecture
    """
    from flowgen.topology import Topology

    checked(options)
    if isinstance(source, Topology):
        return picture_of(_shown(source, view), **options)
    if view == "architecture":
        return picture_of(_seen(traces_of(source), options), **options)
    return _swimlane(traces_of(source), options)


def traces_of(source: "Trace | Sequence[Trace]") -> "list[Trace]":
    """One recording or several, as a list."""
    from flowgen.trace import Trace

    traces = listed("source", source, Trace, "a Trace, several, or a Topology")
    for trace in traces:
        recorded(trace)
    return traces


def _shown(topology: "Topology", view: View | None) -> "Topology":
    if view == "flow":
        raise UsageError("a topology has no flow", "draw it without a view, or draw a recording")
    return topology


def _seen(traces: "Sequence[Trace]", options: DrawingOptions) -> "Topology":
    """Who was seen in recordings, judged."""
    from flowgen.check import judged
    from flowgen.topology import from_traces

    names = names_of(traces, options)
    called = names if options.get("names") or len(names) > 1 else ["recording"]
    return judged(from_traces([*zip(called, traces, strict=True)]))


def _swimlane(traces: "Sequence[Trace]", options: DrawingOptions) -> Drawing:
    from flowgen.scene import theme

    found = _judged(traces, options)
    told = story(traces, options, [each.seq for each in found or ()])
    options = headed(options, traces[0])
    look = options.get("theme", "auto")
    return Drawing(
        flow=replace(told, title=options.get("title") or told.title),
        theme=theme(look) if isinstance(look, str) else look,
        options=options,
        breaches=found,
    )


def _judged(traces: "Sequence[Trace]", options: DrawingOptions) -> "tuple[Breach, ...] | None":
    """What breaks the rules in a recording; None where nobody asked. Raises UsageError for several of them."""
    if not options.get("check"):
        return None
    if len(traces) != 1:
        raise UsageError("--check marks one recording at a time", "draw each by itself: -o FOLDER/")
    from flowgen.check import breaches
    from flowgen.scene import Breach

    return tuple(
        Breach(number, each.seq, each.number, each.severity, f"{each.code}: {each.message}",
               f"{each.advice}\n{each.source}")
        for number, each in enumerate(breaches(traces[0]), 1)
    )  # fmt: skip


def render(
    source: "str | Path | Trace | Sequence[Trace] | Topology",
    out: str | Path,
    *,
    view: View | None = None,
    file_format: str | None = None,
    scale: float = 2.0,
    **options: Unpack[DrawingOptions],
) -> None:
    """Draw a recording, several of them, a topology, or a file of any of these, into a file: the suffix tells the
    format, unless a template is given. A picture of pages is several files, a Markdown text has its pictures beside it.

    `view` is `flow` or `architecture` where both can be drawn; `scale` is how many pixels of a PNG a px has, 0.1 to 20.
    What else may be asked is in `DrawingOptions`. Raises FlowgenError.

    >>> flowgen.render("trace.json", "flow.svg", notes="full")
    >>> flowgen.render(flowgen.load("mcp.json"), "who.drawio")
    >>> flowgen.render("trace.json", "flow.exe")
    Traceback (most recent call last):
      ...
    flowgen.errors.UsageError: no format 'exe'
    """
    if not is_path(out):
        raise refuse("out", "a path", out)
    fitting(file_format=file_format, scale=scale)
    form = "template" if options.get("template") and file_format is None else format_of(out, file_format)
    told = _opened(source, view, options) if isinstance(source, str | Path) else source
    files = drawing(told, view=view, **options).files(form, scale, str(out))
    for name, data in zip(names(str(out), len(files), form), files, strict=True):
        put(name, data)


def _opened(path: str | Path, view: View | None, options: DrawingOptions) -> "Trace | Topology":
    from ._load import load

    return load(path, view=view, fold=fold_of(options))
