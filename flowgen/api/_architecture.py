"""From hosts' config files to the topology behind them, judged, and to its picture."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

from flowgen.errors import ConfigError, UsageError

from ._headings import logo_of
from ._kinds import is_path, refuse
from ._layouts import layout_of, scene_of
from ._options import DrawingOptions, checked, of_look
from ._picture import Picture
from ._texts import beside, image_of, of_txt

if TYPE_CHECKING:
    from flowgen.scene import Scene
    from flowgen.topology import Topology

_RECORDING = b'"flowgen.trace/'
_HEAD = 400  # bytes in which a recording names its format


@dataclass(frozen=True)
class Architecture(Picture):
    """Who runs where and what crosses which trust boundary, with what a reviewer should look at."""

    topology: "Topology"

    @cached_property
    def scene(self) -> "Scene":
        """The picture laid out."""
        return scene_of(self.topology, self.options)

    def json(self) -> str:
        """The topology as a document (`flowgen.topology/1`)."""
        told = self.topology.model_dump(exclude_none=True)
        for zone in told["zones"]:
            zone.setdefault("parent", None)
        return json.dumps(told, indent=1, ensure_ascii=False) + "\n"

    def yaml(self) -> str:
        """The topology as a short description, to start editing."""
        from flowgen.topology import emitted

        return emitted(self.topology, " + ".join(source.path for source in self.topology.sources) or "a document")

    def markdown(self, out: str | None = None) -> str:
        """The boundary table: what crosses which line, with which token, approved by whom, and what to ask there.

        `out` is where it will stand: then it shows the picture beside it.
        """
        from flowgen.backends import boundaries

        image = image_of(self.options, out) if out or self.options.get("image") else None
        return boundaries(self.topology, of_look(self.options), image)

    def plain(self) -> str:
        """The topology as text, for where no pictures are shown."""
        return self.txt()

    def mermaid(self) -> str:
        """The topology as a Mermaid flowchart."""
        from flowgen.backends import flowchart

        return flowchart(self.topology, of_look(self.options))

    def plantuml(self) -> str:
        """The topology as C4 text for PlantUML."""
        from flowgen.backends import arch_plantuml

        return arch_plantuml(self.topology, of_look(self.options))

    def dot(self) -> str:
        """The topology for Graphviz."""
        from flowgen.backends import dot

        return dot(self.topology, of_look(self.options))

    def drawio(self) -> str:
        """The picture as a document of draw.io that can be edited."""
        from flowgen.backends import drawio

        places = layout_of(self.topology, self.options)
        return drawio(self.topology, of_look(self.options), self.theme, places)

    def html(self, watch: str | None = None) -> str:
        """The page on which the topology is explored in a browser: one file that needs nothing else.

        `watch` is as for the page of a recording.
        """
        from flowgen.backends import arch_html
        from flowgen.scene import LANGUAGES

        sides = {lang: DrawingOptions(**{**self.options, "lang": lang}) for lang in LANGUAGES[:2]}
        laid = {lang: (scene_of(self.topology, side), layout_of(self.topology, side)) for lang, side in sides.items()}
        return arch_html(self.topology, of_look(self.options), self.theme, laid, self.json(), watch)

    def txt(self) -> str:
        """The topology as text."""
        from flowgen.backends import arch_txt

        return arch_txt(self.topology, of_look(self.options), **of_txt(self.options))

    def files(self, form: str, scale: float = 2.0, out: str | None = None) -> list[bytes]:
        """The files of a format. Raises UsageError for one that there is not of this picture."""
        if form not in FORMATS:
            known = f"known: {', '.join(FORMATS)}; choose with -f or the suffix"
            raise UsageError(f"the architecture picture is not written as {form}", known)
        return FORMATS[form](self, scale, out)


FORMATS: dict[str, Callable[[Architecture, float, str | None], list[bytes]]] = {
    "svg": lambda picture, scale, out: [page.encode() for page in picture.svg_pages()],
    "png": lambda picture, scale, out: picture.png_pages(scale),
    "pdf": lambda picture, scale, out: [picture.pdf()],
    "html": lambda picture, scale, out: [picture.html().encode()],
    "md": lambda picture, scale, out: [picture.markdown(out).encode(), *beside(picture, out)],
    "mermaid": lambda picture, scale, out: [picture.mermaid().encode()],
    "plantuml": lambda picture, scale, out: [picture.plantuml().encode()],
    "dot": lambda picture, scale, out: [picture.dot().encode()],
    "drawio": lambda picture, scale, out: [picture.drawio().encode()],
    "txt": lambda picture, scale, out: [picture.txt().encode()],
    "json": lambda picture, scale, out: [picture.json().encode()],
    "yaml": lambda picture, scale, out: [picture.yaml().encode()],
}


def architecture(
    sources: "Sequence[str | Path | tuple[str, bytes]]",
    *,
    seen: "Sequence[str | Path | tuple[str, bytes]]" = (),
    host: str | None = None,
    show_paths: bool = False,
    **options: Unpack[DrawingOptions],
) -> Architecture:
    """Read config files, by their paths or as (name, bytes), into one topology and judge it; or recordings.

    Recordings in `seen`, or among config files, are laid over what the files declare.
    `host` names the host of files whose path does not tell it; user names in paths become `~` unless `show_paths`.
    Nothing that a file names is started, resolved or contacted; what else may be asked is in `DrawingOptions`.
    Raises ConfigError, UsageError and ThemeError.
    """
    checked(options)
    return picture_of(topology_of(opened(sources), opened(seen), host, show_paths), **options)


def topology_of(
    files: Sequence[tuple[str, bytes]], seen: Sequence[tuple[str, bytes]], host: str | None, show_paths: bool
) -> "Topology":
    """The topology of files with recordings laid over it, judged."""
    from flowgen.check import judged
    from flowgen.topology import read

    configs = [file for file in files if not is_recording(file[1])]
    recordings = [file for file in files if file not in configs]
    if configs:
        declared = read(configs, host=host, show_paths=show_paths)
        return judged(laid_over(declared, [*recordings, *seen], show_paths))
    if seen:
        raise UsageError("--with: there is nothing to lay it over", "name a host's config file, or a description")
    from flowgen.topology import from_traces

    from ._traces import load

    return judged(from_traces([(name, load(data, name)) for name, data in recordings], show_paths=show_paths))


def laid_over(declared: "Topology", seen: Sequence[tuple[str, bytes]], show_paths: bool) -> "Topology":
    """A topology with recordings, as (name, bytes), laid over it. Raises UsageError for what is no recording."""
    if not seen:
        return declared
    from flowgen.topology import overlaid

    from ._traces import load

    for name, data in seen:
        if not is_recording(data):
            raise UsageError(f"--with {name}: not a recording", "flowgen record and flowgen tap write one")
    return overlaid(declared, [(name, load(data, name)) for name, data in seen], show_paths=show_paths)


def opened(sources: "Sequence[str | Path | tuple[str, bytes]]") -> list[tuple[str, bytes]]:
    """Files as (name, bytes)."""
    return [_file(source) for source in sources]


def _file(source: "str | Path | tuple[str, bytes]") -> tuple[str, bytes]:
    if is_path(source):
        return str(source), _bytes(source)
    if isinstance(source, tuple) and [*map(type, source)] == [str, bytes]:
        return source
    raise refuse("source", "a path, or a name with its bytes", source)


def is_recording(data: bytes) -> bool:
    """Whether a file's bytes are a recording, ours or a foreign one."""
    from flowgen import foreign

    return _RECORDING in data[:_HEAD].replace(b"\x00", b"") or foreign.fits(data[: foreign.HEAD])


def picture_of(topology: "Topology", **options: Unpack[DrawingOptions]) -> Architecture:
    """The picture of a topology that is at hand; its title is the one asked for. Raises UsageError and ThemeError."""
    from flowgen.scene import theme

    title, logo, look = options.get("title"), options.get("logo"), options.get("theme", "auto")
    shown = options | {"logo": logo_of(logo) if logo is not None else None, "date": _day(options)}
    return Architecture(
        topology=topology if title is None else topology.model_copy(update={"title": title}),
        theme=theme(look) if isinstance(look, str) else look,
        options=shown,
    )


def _day(options: DrawingOptions) -> str | None:
    """A day that was given; a file tells none."""
    date = options.get("date")
    return date[:10] or None if isinstance(date, str) else None


def is_config(source: str | Path | tuple[str, bytes]) -> bool:
    """Whether a file, by its path or as (name, bytes), is a host's config rather than a recording; False for one that
    cannot be opened.
    """
    from flowgen import foreign

    if isinstance(source, tuple):
        return not is_recording(source[1]) and _holds_servers(*source)
    try:
        with Path(source).open("rb") as file:
            data = file.read(foreign.HEAD)
            if str(source).endswith(".jsonl") or is_recording(data):
                return False
            data += file.read()
    except OSError:
        return False
    return _holds_servers(str(source), data)


def _holds_servers(name: str, data: bytes) -> bool:
    from flowgen.topology import is_config as told

    return told(data, name)


def _bytes(source: str | Path) -> bytes:
    try:
        return Path(source).read_bytes()
    except OSError as problem:
        raise ConfigError(
            f"{source}: {problem.strerror or problem}", "give the path of a config file"
        ) from None
