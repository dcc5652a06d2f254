"""What may be asked of a picture: the options of `drawing` and `render`, checked before anything is drawn.

Some of them choose what of the recording is told (they go to `flow.read`), some how it looks (`scene.Options`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypedDict, get_args

from flowgen.errors import UsageError

from ._kinds import fitting, shown
from ._paper import check_pages, of_slides
from ._texts import check_texts

if TYPE_CHECKING:
    from flowgen.scene import Options, Theme

Notes = Literal["none", "brief", "full"]
Times = Literal["none", "latency", "clock"]
Lang = Literal["en", "zh", "en+zh"]
Headers = Literal["none", "mcp", "all"]
Form = Literal["auto", "duo", "ledger"]
Schema = Literal["full", "summary"]
Together = Literal["auto", "time", "stacked", "alt"]
Arranged = Literal["auto", "rows", "graph"]

_CHOICES: dict[str, Any] = {
    "lang": Lang, "notes": Notes, "times": Times, "headers": Headers, "form": Form, "schema": Schema,
    "together": Together, "layout": Arranged,
}  # fmt: skip
_READING = ("notes", "fold", "full", "steps", "start_step", "only", "hide", "show")
_WIDTHS = (1.0, 1_000_000.0)  # px on display
_GAPS = (0.001, 1e9)  # seconds


class DrawingOptions(TypedDict, total=False):
    """Options of a picture; all may be left out.

    title: instead of the trace's own. subtitle: instead of the facts. date: whether the day of the recording is
    told, or a day. logo: an image file, or its bytes. footer: a line of text. theme: `auto`, `light`, `dark`, a
    name or a TOML file. lang: the language. notes: how much is explained. times: chips at the answers, or a column
    too. gap: the least pause in seconds that is shown with times (2). steps: such as `1-3,5`. start_step: the
    number of the first step (1). only: glob patterns of methods. hide, show: kinds of messages. fold: how many
    neighbours of one shape stand before they fold; full draws everything. headers: which HTTP heads are shown.
    form: `duo` for two lanes with the JSON between them, `ledger` for narrow lanes and a column of messages, else
    by the number of lanes. schema: `summary` tells a tool's schema in a few words. images: images of a message are
    shown as thumbnails. check: what breaks the rules of the protocol is marked and listed. embed_fonts: the letters
    of an SVG travel in it. width: px on display. pages: several pictures, at most page_height px each (1600).
    page_size: `a4` (of a pdf), `a3`, `letter`, `16:9` (slides), `fit` or `200x150` mm, lying with landscape. Of
    several recordings in one picture, together: merged by `time`, `stacked` or as branches (`alt`), else by time
    where they went on at the same time and stacked where not; names: what each is called. Of an architecture,
    layout: in `rows`, or as a `graph` (by Graphviz), else rows where they hold all of it. Of txt, columns: of a
    line, at most; color: with ANSI colours; ascii: in ASCII alone. image: the picture that a snippet of Markdown
    refers to, which is not made then. template: a Jinja2 file, or its name and source.
    """

    title: str | None
    subtitle: str | None
    date: bool | str | None
    logo: str | Path | bytes | None
    footer: str | None
    theme: "str | Theme"
    lang: Lang
    notes: Notes
    times: Times
    gap: float
    steps: str | None
    start_step: int
    only: Sequence[str]
    hide: Sequence[str]
    show: Sequence[str]
    fold: int
    full: bool
    headers: Headers
    form: Form
    schema: Schema
    images: bool
    check: bool
    embed_fonts: bool
    width: float | None
    pages: bool
    page_height: float | None
    page_size: str | None
    landscape: bool
    together: Together
    layout: Arranged
    names: Sequence[str]
    columns: int | None
    color: bool
    ascii: bool
    image: str | None
    template: str | Path | tuple[str, str] | None


def checked(options: Mapping[str, Any]) -> None:
    """Raises UsageError for a choice that there is not, and for a width out of bounds."""
    for name, known in _CHOICES.items():
        if name in options and options[name] not in get_args(known):
            raise UsageError(f"{name}: there is no {shown(options[name])}", f"known: {', '.join(get_args(known))}")
    fitting(**{name: value for name, value in options.items() if name not in _CHOICES})
    if options.get("gap") is not None:
        within("gap", options["gap"], _GAPS)
    if options.get("width") is not None:
        within("width", options["width"], _WIDTHS)
    check_pages(options)
    check_texts(options)


def of_reading(options: Mapping[str, Any]) -> dict[str, Any]:
    """The options that choose what is told."""
    return {name: options[name] for name in _READING if name in options}


def fold_of(options: Mapping[str, Any]) -> int | None:
    """How many equals of a long recording are kept while it is read; None where every message is needed."""
    return None if options.get("full") or options.get("check") else options.get("fold", 2)


def of_look(options: Mapping[str, Any]) -> "Options":
    """The options that choose how it looks."""
    from flowgen.scene import Options

    chosen = {each.name: options[each.name] for each in fields(Options) if each.name in options}
    return Options(**chosen, slides=of_slides(options))


def within(name: str, value: float, bounds: tuple[float, float]) -> None:
    """Raises UsageError for a number out of its bounds, and for one that is none."""
    fitting(**{name: value})
    least, most = bounds
    if not least <= value <= most:  # so that NaN is refused too
        raise UsageError(
            f"--{name} {value:g}: expected a number from {least:g} to {most:,.0f}", f"or leave --{name} out"
        )
