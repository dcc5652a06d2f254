"""The few shapes a picture is made of, at their places. A shape knows the name of its style, never a colour.

All numbers are px of the picture's own coordinate system, y downwards; a text's y is its baseline.
No shape knows anything of MCP. `Group` carries what a reader of the file may aim at: an anchor, a label.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, NamedTuple


class Rect(NamedTuple):
    """A rectangle with rounded corners."""

    x: float
    y: float
    width: float
    height: float
    style: str
    radius: float = 0


class Line(NamedTuple):
    """A straight line."""

    x1: float
    y1: float
    x2: float
    y2: float
    style: str


class Circle(NamedTuple):
    """A disc or ring around (x, y)."""

    x: float
    y: float
    radius: float
    style: str


class Path(NamedTuple):
    """An outline: drawn from its own origin, which stands at (x, y). `d` uses the commands M L A C Z only."""

    x: float
    y: float
    d: str
    style: str


class Text(NamedTuple):
    """One line in one style. `cut` holds the whole text where only a part of it is shown."""

    x: float
    y: float
    text: str
    style: str
    cut: str | None = None


class Code(NamedTuple):
    """One monospace line: tokens are (column, kind, text), kinds name styles `code.KIND`."""

    x: float
    y: float
    tokens: tuple[tuple[int, str, str], ...]


class Image(NamedTuple):
    """A pixel image scaled to a rectangle: its media type, its bytes as base64, what is said of it unseen."""

    x: float
    y: float
    width: float
    height: float
    kind: str
    data: str
    said: str


class Group(NamedTuple):
    """Shapes that belong together. `anchor` is an id to link to, `label` what a screen reader says of it.

    `role` is what a labelled group is to it: a `list` has nothing but `listitem`s with labels. `tip` is shown to who
    points at it.
    """

    shapes: tuple["Shape", ...]
    anchor: str | None = None
    label: str | None = None
    link: str | None = None
    role: Literal["group", "list", "listitem"] | None = None
    tip: str | None = None


Shape = Rect | Line | Circle | Path | Text | Code | Image | Group


class Part(NamedTuple):
    """A step's rows, for who cuts a picture into pages. `seams` are the y's where a page may begin, the first row's
    own among them unless something from above hangs over it.

    `band` opens the step, `again` is the same as it stands on a page that goes on with the step, both drawn at y 0;
    they take `high` px. `name` is what the step is called, `anchor` where it can be found.
    """

    top: float
    seams: tuple[float, ...]
    band: tuple[Shape, ...] = ()
    again: tuple[Shape, ...] = ()
    high: float = 0
    name: str = ""
    anchor: str | None = None


class Cuts(NamedTuple):
    """Where a picture may be cut into pages. All numbers are y.

    Every page repeats what stands between `header` and `neck`. Rows stand from `first` on; rows and lanes end at
    `bottom`, what stands below belongs on the last page. On a slide the band of its step stands `beside` px below
    the upper end of the headers.
    """

    header: float
    neck: float
    first: float
    bottom: float
    beside: float
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class Scene:
    """A whole picture, or a page of it: what stands from `top` on, `height` px.

    `title` and `desc` are what is said of it where it cannot be seen.
    """

    width: float
    height: float
    title: str
    desc: str
    shapes: tuple[Shape, ...]
    top: float = 0
    cuts: Cuts | None = None


def px(value: float) -> str:
    """A number of an outline: two decimals at most, all digits of large ones."""
    return f"{value:.2f}".rstrip("0").rstrip(".")


def flat(shapes: tuple[Shape, ...]) -> Iterator[Shape]:
    """Every shape in drawing order, groups opened."""
    for shape in shapes:
        if isinstance(shape, Group):
            yield from flat(shape.shapes)
        else:
            yield shape


def groups(shapes: tuple[Shape, ...]) -> Iterator[Group]:
    """Every group, outer ones first."""
    for shape in shapes:
        if isinstance(shape, Group):
            yield shape
            yield from groups(shape.shapes)
