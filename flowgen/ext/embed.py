"""Pictures in Markdown files, made anew where they stand: what a file and its pictures should be, nothing is written.

The text between two comments and the pictures beside it follow the recording that the first comment names. What
stands outside of them stays, byte for byte, and so do the ends of lines and a byte order mark.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from flowgen.errors import ConfigError, FlowgenError

from ._again import Again
from ._drawn import drawn
from ._grounds import Grounds
from ._marked import Marked, marked
from ._markers import Marker, markers
from ._wish import Wish

if TYPE_CHECKING:
    from flowgen.api import Architecture, Drawing

    Picture = Drawing | Architecture

_MARK = b"\xef\xbb\xbf"  # the byte order mark of UTF-8
_OURS = b'aria-labelledby="fg-'  # in every picture that flowgen has drawn
_SVG = ".svg"


@dataclass(frozen=True, slots=True)
class File:
    """A file as it is (None: not there) and as it should be."""

    path: Path
    before: bytes | None
    after: bytes

    @property
    def is_stale(self) -> bool:
        """Whether it should be another; the ends of lines are the business of who checks files out."""
        return self.before is None or _plain(self.before) != _plain(self.after)


class Embedder:
    """Documents one after the other; `made` are the pictures of all of them, so that none takes another's place.

    `root` is the tree that documents may name files of, else each its own. `base_url` is where readers find that tree.
    With `allow_record` markers may start programs.
    """

    def __init__(self, root: Path | None = None, base_url: str | None = None, allow_record: bool = False) -> None:
        self.root, self.base_url, self.allow_record = root, base_url, allow_record
        self.made: dict[Path, tuple[bytes, str]] = {}

    def files(self, document: Path) -> list[File]:
        """The document and what it shows. Raises FlowgenError, which names document and line."""
        Grounds(document, self.root).within(document, str(document))
        data = _read(document)
        mark, text = _decoded(data, document)
        lines = text.split("\n")
        try:
            found = markers([line.removesuffix("\r") for line in lines])
        except ConfigError as problem:
            raise ConfigError(f"{document}:{problem}", problem.hint) from None
        end = "\r" if lines[0].endswith("\r") else ""
        if found and found[-1].body == len(lines):  # its marker is all that the last line holds
            lines[-1:] = [f"{lines[-1]}{end}", ""]
        told = [self._of(marker, document) for marker in found]
        for marker, (block, _) in zip(reversed(found), reversed(told), strict=True):
            lines[marker.body : marker.end + marker.closed] = _set(block, marker, end)
        beside = [file for _, files in told for file in files]
        return [File(document, data, mark + "\n".join(lines).encode()), *_once(beside)]

    def _of(self, marker: Marker, document: Path) -> tuple[str, list[File]]:
        """What belongs between the comments, and the files that it speaks of."""
        where = f"{document}:{marker.line}"
        try:
            return self._block(marked(marker.words), marker, where, document)
        except FlowgenError as problem:
            problem.args = (f"{where}: {problem}",)
            raise

    def _block(self, said: Marked, marker: Marker, where: str, document: Path) -> tuple[str, list[File]]:
        grounds = Grounds(document, self.root)
        again = Again(said, grounds, self.allow_record)
        picture = drawn(said.wish, grounds, again.recorded())
        place = _place(said, grounds, document)
        files = [*_pictures(picture, place, grounds, marker.sign != "<!--")]
        for file in files:
            self._refuse_strange(file, where)
        text = [_shown(picture, said, marker, [grounds.address(file.path, self.base_url) for file in files])]
        if said.listed != "none":
            text += ["", _listed(picture, said, grounds, again.recorded()), ""]
        trace = again.kept(any(file.is_stale for file in files))
        return "\n".join(text), [*files, *([File(*trace)] if trace else [])]

    def _refuse_strange(self, file: File, where: str) -> None:
        """Raises ConfigError for a place of something else than this picture."""
        if file.before is None and file.path.exists():  # a folder, a pipe
            raise ConfigError(f"{file.path}: no file, so it stays", "out=NAME.svg names another")
        if file.before is not None and _OURS not in file.before:
            raise ConfigError(f"{file.path}: no picture of flowgen, so it stays", "out=NAME.svg names another")
        after, other = self.made.setdefault(file.path.resolve(), (file.after, where))
        if after != file.after:
            raise ConfigError(f"{file.path}: the place of another picture ({other})", "out=NAME.svg names another")


def _pictures(picture: "Picture", place: Path, grounds: Grounds, alone: bool) -> Iterator[File]:
    """One for light pages and one for dark ones, or one where it is the same on all, or follows the page itself.

    Raises ConfigError for a place outside of the tree.
    """
    from flowgen import api

    if alone or picture.theme.mode != "auto":
        yield _file(place, grounds, picture.svg)
        return
    yield _file(place, grounds, picture.in_mode("light"))
    yield _file(place.with_name(api.dark_beside(place.name)), grounds, picture.in_mode("dark"))


def _file(place: Path, grounds: Grounds, svg: str) -> File:
    grounds.within(place, place.name)
    return File(place, place.read_bytes() if place.is_file() else None, svg.encode())


def _place(said: Marked, grounds: Grounds, document: Path) -> Path:
    """Where the picture goes: as the marker says, else beside what it is drawn from, else beside the document."""
    if said.out is not None:
        place = grounds(said.out)
    elif said.wish.sources:
        place = grounds(said.wish.sources[0]).with_suffix(_SVG)
    else:
        place = grounds(f"{document.stem}-flow{_SVG}")
    if place.suffix.lower() != _SVG:
        raise ConfigError(f"out: {said.out} is no name of an SVG", "such as out=docs/flow.svg")
    if not place.parent.is_dir():
        raise ConfigError(f"out: there is no folder {place.parent}", "make it, or name another")
    return place


def _shown(picture: "Picture", said: Marked, marker: Marker, images: list[str]) -> str:
    from flowgen import api

    alt = " ".join((said.alt or api.said(picture)).split())
    return api.shown(images, alt, said.width) if marker.sign == "<!--" else api.shown_plainly(images[0], alt)


def _listed(picture: "Picture", said: Marked, grounds: Grounds, inside: tuple[str, bytes] | None) -> str:
    """The messages, with explanations where they are asked for."""
    from flowgen import api

    if said.listed == "messages":
        wish = said.wish
        picture = drawn(Wish(wish.sources, wish.seen, {**wish.options, "notes": "none"}, wish.asked), grounds, inside)
    return api.listed(picture)


def _set(block: str, marker: Marker, end: str) -> list[str]:
    """The lines of a block as the document has its own: indented as the marker, ending as all do."""
    text = [f"{marker.indent}{line}" if line else "" for line in block.split("\n")]
    return [f"{line}{end}" for line in (*text, marker.ending)]


def _once(files: Sequence[File]) -> list[File]:
    return [*{file.path.resolve(): file for file in files}.values()]


def _read(document: Path) -> bytes:
    try:
        return document.read_bytes()
    except OSError as problem:
        raise ConfigError(f"{document}: {problem.strerror or problem}", "give the path of a Markdown file") from None


def _decoded(data: bytes, document: Path) -> tuple[bytes, str]:
    """The byte order mark, and the text."""
    mark = _MARK if data.startswith(_MARK) else b""
    try:
        return mark, data[len(mark) :].decode()
    except UnicodeDecodeError as problem:
        raise ConfigError(f"{document}: not UTF-8 (byte {problem.start})", "Markdown is text in UTF-8") from None


def _plain(data: bytes) -> bytes:
    return data.replace(b"\r\n", b"\n")
