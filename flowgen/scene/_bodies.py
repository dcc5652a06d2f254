"""What stands in the box of a message: its JSON as it was written, or its text as it came."""

import base64
import binascii
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from flowgen.flow import Entry, ListChange, stream_event
from flowgen.trace import Message, write_json

from ._change import change_lines, without_list
from ._http_head import form_lines, head_lines
from ._images import Thumbnail, thumbnails
from ._json import json_lines, text_lines
from ._json_fill import JsonLine
from ._json_values import Aside, grouped
from ._look import LINES, Look
from ._parts import ADVANCE, Box
from ._repeats import without_meta

_OF_STEP = {"same": "same.step", "json.meta": "json.meta.step", "change.since": "change.since.step"}
_FOREIGN_LINES = 3  # of stderr and of what is no message
_TEXT_LINES = 12  # of a body that is not JSON

_MARKED = (
    "/method",
    "/params/protocolVersion",
    "/params/capabilities",
    "/result/protocolVersion",
    "/result/capabilities",
    "/result/resultType",
    "/result/isError",
    "/error/code",
)


def body_box(entries: Sequence[Entry], wide: float, bar: str, bar_right: bool, look: Look) -> Box:
    """The box of a message, or of a folded run of equals: two more outlines stand behind it."""
    lines = body_lines(entries[0], columns_in(wide), look, look.box_lines)
    head = head_lines(look.heads.get(entries[0].message.seq), columns_in(wide))
    behind, images = 2 if len(entries) > 1 or entries[0].others else 0, images_of(entries[0], look)
    link = f"m-{entries[0].same_as}" if _is_again(entries[0], look) and look.differing is None else None
    return Box(lines, wide, bar, bar_right, behind=behind, head=head, images=images, link=link)


def images_of(entry: Entry, look: Look) -> tuple[Thumbnail, ...]:
    """The images that a message's box shows, where they are asked for; not once more where it is as an earlier one."""
    return thumbnails(entry.message.body) if look.options.images and not _is_again(entry, look) else ()


def _is_again(entry: Entry, look: Look) -> bool:
    """Whether a box only points at an earlier one that is equal."""
    return entry.same_as in look.drawn.step_of and not look.options.full


def foreign_box(messages: Sequence[Message], wide: float, bar: str, bar_right: bool, look: Look) -> Box:
    """The box of what is no protocol: stderr, noise."""
    return Box(foreign_lines(messages, columns_in(wide), look), wide, bar, bar_right, "box.foreign")


def columns_in(wide: float) -> int:
    """How many monospace columns a box holds."""
    return int((wide - 32) / ADVANCE)


def body_lines(
    entry: Entry, columns: int, look: Look, most: int = LINES, part: Callable[[Any], Any] | None = None
) -> tuple[JsonLine, ...]:
    """The lines of a message's box, folded unless `look.options.full`; none where the message has no body.

    At most `most` of them, of a text at most `_TEXT_LINES`. `part` takes from a JSON body what is shown of it.
    """
    if _is_again(entry, look):
        return (JsonLine(((0, "mut", _pointing("same", entry.same_as, look)),)),)
    message = entry.message
    form = form_lines(message, columns)
    if form is not None:
        return form
    if message.text is not None:
        limit = None if look.options.full else min(most, _TEXT_LINES)
        return tuple(text_lines(text_of(message), columns=columns, limit=limit, words=look.words))
    if "body" not in message.model_fields_set or stream_event(message):
        return ()
    if entry.change is not None and shows_change(entry, look):
        return tuple(_changed_lines(entry, entry.change, columns, look, most, part or _whole))
    written = message.raw is not None and message.raw_encoding is None and part is None
    value = message.raw if written else (part or _whole)(_shortened(entry, look))
    return _value_lines(value, written, entry, columns, look, most, 2 if part else 1)


def _whole(body: Any) -> Any:
    return body


def shows_change(entry: Entry, look: Look) -> bool:
    """Whether a list is shown as what became of it: the list that it is compared with has to be drawn, too."""
    known, change = look.drawn.step_of, entry.change
    told = change is not None and change.since in known and entry.same_as not in known
    return told and not look.options.full and isinstance(entry.message.body, dict)


def _value_lines(
    value: Any, written: bool, entry: Entry, columns: int, look: Look, most: int, flat: int = 1
) -> tuple[JsonLine, ...]:
    """The lines of a JSON value, or of JSON text as it was `written`."""
    lines = json_lines(
        value,
        columns=columns,
        limit=None if look.options.full else most,
        full=look.options.full,
        brief=look.options.schema == "summary",
        marked=_marked(entry.message, look),
        text=written,
        flat=flat,
        words=look.words,
    )
    return tuple(lines)


def _changed_lines(
    entry: Entry, change: ListChange, columns: int, look: Look, most: int, part: Callable[[Any], Any]
) -> Iterator[JsonLine]:
    """The answer without its list, then what became of the list; `most` lines of that."""
    value = part(without_list(_shortened(entry, look), look.words))
    yield from _value_lines(value, False, entry, columns, look, most)
    since = look.drawn.same_as.get(change.since, change.since)
    lines = list(change_lines(change, _pointing("change.since", since, look), columns, look.words))
    left = len(lines) - most
    yield from lines[: most - 1] if left > 0 else lines
    if left > 0:
        yield JsonLine(((0, "mut", look.words("json.lines", n=grouped(left + 1))),))


def foreign_lines(messages: Sequence[Message], columns: int, look: Look) -> tuple[JsonLine, ...]:
    """The lines of neighbouring messages that are no protocol: stderr, noise."""
    whole = "\n".join(text_of(message).rstrip("\r\n") for message in messages)
    limit = None if look.options.full else _FOREIGN_LINES
    lines = text_lines(whole, columns=columns, limit=limit, words=look.words)
    return tuple(map(_faint, lines) if messages[0].kind == "stderr" else lines)


def _faint(line: JsonLine) -> JsonLine:
    """What a server tells its own log stands back behind what it says to the client."""
    tokens = ((column, "faint" if kind == "plain" else kind, text) for column, kind, text in line.tokens)
    return line._replace(tokens=tuple(tokens))


def text_of(message: Message) -> str:
    """The text of a message that holds no JSON; bytes that are no text show as \\xNN."""
    return bytes_of(message).decode("utf-8", "backslashreplace")


def bytes_of(message: Message) -> bytes:
    """What came, as far as it is kept: as text, else as it was received, else as a value."""
    if message.text is not None:
        return _bytes(message.text, message.encoding)
    if message.raw is not None:
        return _bytes(message.raw, message.raw_encoding)
    return write_json(message.body) if "body" in message.model_fields_set else b""


def _bytes(text: str, encoding: str | None) -> bytes:
    try:
        return text.encode("utf-8", "surrogatepass") if encoding is None else base64.b64decode(text)
    except (binascii.Error, ValueError):
        return text.encode("utf-8", "surrogatepass")


def _marked(message: Message, look: Look) -> Sequence[str]:
    """Pointers to the key fields, `isError` being one only where a tool failed; or to what differs."""
    if look.differing is not None:
        return look.differing.get(message.seq, ())
    result = message.body.get("result") if isinstance(message.body, dict) else None
    failed = isinstance(result, dict) and result.get("isError") is True
    return _MARKED if failed else tuple(pointer for pointer in _MARKED if pointer != "/result/isError")


def _shortened(entry: Entry, look: Look) -> Any:
    """The body, with a remark for a `_meta` that stands in an earlier box already."""
    number = look.drawn.meta_as.get(entry.message.seq)
    if number is None or look.options.full:
        return entry.message.body
    return without_meta(entry.message.body, Aside(_pointing("json.meta", number, look)))


def _pointing(key: str, number: int | None, look: Look) -> str:
    """A reference to an earlier message: by its number, or by its step where only steps show their numbers."""
    step = None if look.numbered or number is None else look.drawn.step_of.get(number)
    return look.words(key, n=number) if step is None else look.words(_OF_STEP[key], step=step)
