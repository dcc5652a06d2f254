"""From a trace to a picture, in every format that flowgen writes."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args

from flowgen.errors import FlowgenError, TraceError, UsageError

if TYPE_CHECKING:
    from flowgen.flow import Flow
    from flowgen.scene import Scene, Theme
    from flowgen.trace import Trace

Format = Literal["svg", "png", "pdf", "json"]
Notes = Literal["none", "brief", "full"]
Times = Literal["none", "latency", "clock"]
Lang = Literal["en", "zh", "en+zh"]
Headers = Literal["none", "mcp", "all"]
Form = Literal["auto", "duo", "ledger"]

_FORMATS: dict[str, Format] = {".svg": "svg", ".png": "png", ".pdf": "pdf", ".json": "json"}
_WIDTHS = (1.0, 1_000_000.0)  # px on display
_SCALES = (0.1, 20.0)


def load(source: str | Path | bytes, name: str | None = None) -> "Trace":
    """Read a recording from a file's path or its bytes: ours in either layout, or a wire capture.

    `name` is what errors call it. Raises TraceError when it is none.
    """
    if isinstance(source, bytes):
        return _read(source, name or "trace")
    try:
        data = Path(source).read_bytes()
    except OSError as problem:
        raise TraceError(f"{source}: {problem.strerror or problem}", "give the path of a trace file") from None
    return _read(data, name or str(source))


def _read(data: bytes, name: str) -> "Trace":
    from flowgen import foreign
    from flowgen.trace import document_bytes
    from flowgen.trace import load as read

    imported = foreign.document(data)
    return read(data if imported is None else document_bytes(imported), name)


@dataclass(frozen=True, slots=True)
class Drawing:
    """A picture that is laid out and can be had in every format."""

    scene: "Scene"
    theme: "Theme"
    flow: "Flow"
    width: float | None = None

    @property
    def svg(self) -> str:
        """The picture as SVG."""
        from flowgen.backends import svg

        return svg(self.scene, self.theme, self.width)

    def png(self, scale: float = 2.0) -> bytes:
        """The picture as PNG, `scale` px for each of its own."""
        from flowgen.backends import png

        _check("scale", scale, _SCALES)
        return png(self.scene, self.theme, scale)

    def pdf(self) -> bytes:
        """The picture as PDF."""
        from flowgen.backends import pdf

        return pdf(self.scene, self.theme)

    def json(self) -> str:
        """The flow behind the picture, as data."""
        import json

        from flowgen.flow import as_data

        return json.dumps(as_data(self.flow), indent=1) + "\n"

    def file(self, form: Format, scale: float = 2.0) -> bytes:
        """The bytes of a file in a format."""
        match form:
            case "svg":
                return self.svg.encode()
            case "png":
                return self.png(scale)
            case "pdf":
                return self.pdf()
            case "json":
                return self.json().encode()


def drawing(
    trace: "Trace",
    *,
    title: str | None = None,
    theme: str = "auto",
    lang: Lang = "en",
    notes: Notes = "brief",
    times: Times = "none",
    steps: str | None = None,
    only: Sequence[str] = (),
    hide: Sequence[str] = (),
    show: Sequence[str] = (),
    fold: int = 2,
    full: bool = False,
    headers: Headers = "mcp",
    form: Form = "auto",
    width: float | None = None,
) -> Drawing:
    """Lay a recording out as a swim lane.

    theme: `auto`, `light`, `dark`, a name or a TOML file. lang: `en`, `zh`, `en+zh`. steps: such as `1-3,5`.
    only: glob patterns of methods. hide, show: kinds of messages. fold: how many neighbours of one shape stand
    before they fold; full draws everything. headers: which HTTP heads are shown. form: `duo` for two lanes with
    the JSON between them, `ledger` for narrow lanes and a column of messages, else by the number of lanes.
    width: px on display. Raises UsageError and ThemeError.
    """
    from flowgen import flow, scene

    if width is not None:
        _check("width", width, _WIDTHS)
    choices = (("lang", lang, Lang), ("notes", notes, Notes), ("times", times, Times), ("headers", headers, Headers),
               ("form", form, Form))  # fmt: skip
    for name, value, known in choices:
        _choose(name, value, known)
    story = flow.read(trace, notes=notes, fold=fold, full=full, steps=steps, only=only, hide=hide, show=show)
    picture = scene.swimlane(story, lang, times, title, full, headers, form)
    return Drawing(picture, scene.theme(theme), replace(story, title=title or story.title), width)


def format_of(out: str | Path | None, file_format: str | None = None) -> Format:
    """The format asked for, else the one of the suffix, else svg. Raises UsageError for one we do not write."""
    suffix = Path(out).suffix.lower() if out is not None else ""
    wanted = (file_format or suffix[1:] or "svg").lower()
    for known in _FORMATS.values():
        if wanted == known:
            return known
    raise UsageError(f"no format {wanted!r}", f"known: {', '.join(_FORMATS.values())}; choose with -f or the suffix")


def render(
    trace: "Trace", out: str | Path, *, file_format: str | None = None, scale: float = 2.0, **options: object
) -> None:
    """Draw a recording into a file; the suffix tells the format. `options` are those of `drawing`."""
    data = drawing(trace, **options).file(format_of(out, file_format), scale)  # type: ignore[arg-type]
    try:
        Path(out).write_bytes(data)
    except OSError as problem:
        raise FlowgenError(f"{out}: {problem.strerror or problem}", "give a place that can be written to") from None


def _choose(name: str, value: str, known: Any) -> None:
    if value not in get_args(known):
        raise UsageError(f"{name}: there is no {value!r}", f"known: {', '.join(get_args(known))}")


def _check(name: str, value: float, bounds: tuple[float, float]) -> None:
    least, most = bounds
    if not least <= value <= most:  # so that NaN is refused too
        raise UsageError(
            f"--{name} {value:g}: expected a number from {least:g} to {most:,.0f}", f"or leave --{name} out"
        )
