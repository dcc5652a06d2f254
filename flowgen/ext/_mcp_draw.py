"""Pictures for an agent: what was read, drawn in the format that was asked for, small enough for a conversation."""

import base64
import threading
import warnings
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Literal

from mcp.types import ContentBlock, ImageContent, TextContent

from flowgen import api
from flowgen.errors import UsageError

from ._mcp_reach import File

Format = Literal["mermaid", "txt", "svg", "png", "plantuml", "md", "json", "dot", "drawio", "yaml"]
View = Literal["auto", "flow", "architecture"]
ThemeName = Literal["auto", "light", "dark", "high-contrast", "print", "slides"]

LIMIT = 20_000  # characters of a text, unless more is asked for
MOST = 1_000_000  # characters at all, and bytes of a PNG
COLUMNS = 100  # of txt
_FOLD = 2
_OF_FLOWS = ("steps", "only")
_ONE_AT_A_TIME = threading.Lock()  # warnings are caught for the whole process


def drawn(
    file: File, form: str, view: View, host: str | None, scale: float, options: dict[str, Any],
    seen: Sequence[File] = (),
) -> list[bytes]:  # fmt: skip
    """The files of a picture; recordings in `seen` are laid over what a file declares. Raises FlowgenError."""
    if seen:
        return api.architecture([file], seen=seen, host=host, columns=COLUMNS, **_of_both(options)).files(form, scale)
    name, data = file
    asked: Any = None if view == "auto" else view
    fold = None if options.get("full") else _FOLD
    loaded = api.load(data, name, view=asked, host=host, fold=fold)
    return api.drawing(loaded, view=asked, columns=COLUMNS, **options).files(form, scale)


def _of_both(options: dict[str, Any]) -> Any:
    """The options that an architecture has, too."""
    return {name: value for name, value in options.items() if name not in _OF_FLOWS}


def told(form: str, files: list[bytes], limit: int) -> list[ContentBlock]:
    """The files as what a message holds. Raises UsageError for what is too large."""
    return [_image(data) if form == "png" else _text(form, data, limit) for data in files]


def with_notes(blocks: Iterable[ContentBlock], notes: Iterable[str]) -> list[ContentBlock]:
    """What is told, and below it what drawing had to remark."""
    return [*blocks, *(TextContent(type="text", text=f"note: {note}") for note in dict.fromkeys(notes))]


@contextmanager
def noting() -> Iterator[list[str]]:
    """Gathers what is remarked while something is drawn; one drawing at a time. The list is full when it is over."""
    notes: list[str] = []
    with _ONE_AT_A_TIME, warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        yield notes
    notes += [str(warning.message) for warning in caught]


def _text(form: str, data: bytes, limit: int) -> TextContent:
    text = data.decode("utf-8", "replace")
    if len(text) > limit:
        raise UsageError(
            f"the {form} has {len(text):,} characters, more than the limit of {limit:,}",
            f"take a part (steps='1-2', only=['tools/*']), format 'mermaid' or 'txt', or a limit up to {MOST:,}",
        )
    return TextContent(type="text", text=text)


def _image(data: bytes) -> ImageContent:
    if len(data) > MOST:
        raise UsageError(f"the PNG has {len(data):,} bytes, more than {MOST:,}", "take a smaller scale, or fewer steps")
    return ImageContent(type="image", data=base64.b64encode(data).decode(), mime_type="image/png")
