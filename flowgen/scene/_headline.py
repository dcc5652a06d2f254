"""The line over an arrow: what kind of message this is, its title, and chips with the facts about it."""

from collections.abc import Iterable, Sequence
from typing import Literal

from flowgen.flow import Entry, Run, duration, label, stream_event
from flowgen.trace import Message, write_json

from ._bodies import bytes_of
from ._breaches import breach_chips
from ._clean import clean_line
from ._http_head import is_form
from ._look import Look
from ._parts import Chip, chip_row, chips_width, loop_pill, pill, pill_width
from ._shapes import Group, Shape, Text
from ._text import shorten, shorten_columns

_PROBLEM_CHIPS = 2
_CODE, _ID = 24, 18  # columns of a problem's code, of an id
_CHIPS = 400  # px that chips may take from the title
_SPARE = 0.96  # of a title's room: pictures in pixels are drawn with DejaVu, which is that much wider than measured

Kind = Literal["req", "res", "ntf", "err", "loc", "warn"]


def kind_of(message: Message) -> Kind:
    """The colour role of a message."""
    match message.kind:
        case "request":
            return "req"
        case "response":
            return "res"
        case "error":
            return "err"
        case "notification":
            return "ntf"
        case "noise":
            return "warn"
        case "http" if stream_event(message) is None:
            status = message.http.status if message.http else None
            asks = status is None and message.transport != "sse"  # an event without a message is part of an answer
            return "req" if asks else "err" if (status or 0) >= 400 else "res"
        case _:
            return "loc"


def title_of(row: Entry | Run, look: Look, first_of: int | None = None) -> str:
    """The title of a row; the first message of a step carries the step's number, a long run what its messages break."""
    text = look.say(label(row))
    if isinstance(row, Run) and row.kind == "pairs":
        text = " · ".join([text, *(chip.text for chip in breach_chips(row.entries, look.breaches))])
    return clean_line(f"{first_of}. {text}" if first_of is not None else text, 800 if isinstance(row, Run) else 400)


def headline(
    left: float, right: float, y: float, word: str, kind: Kind, title: str, chips: Sequence[Chip]
) -> Iterable[Shape]:
    """The line of a message's card or label: kind pill at the left, title, chips ending at the right."""
    start = left + pill_width(word) + 10
    room = (right - chips_width(chips) - 12 - start) * _SPARE
    shown = shorten(title, 14.5, room, 700)
    yield from pill(left, y, word, kind)
    yield Text(start, y + 15, shown, "label", None if shown == title else title)
    yield from chip_row(right, y, chips)


def pill_kind(entry: Entry) -> Kind:
    """The colour of the kind pill: red for a tool that failed, whatever its answer's arrow says."""
    return "err" if _tool_failed(entry) else kind_of(entry.message)


def pill_text(entry: Entry, look: Look) -> str:
    """The word on the kind pill."""
    message = entry.message
    if _tool_failed(entry):
        return look.words("pill.tool-error")
    if message.kind == "error":
        return f"{look.words('pill.error')} {_code(message)}".rstrip()
    if message.kind == "http":
        return clean_line(_http_word(message), 8)
    if message.kind == "noise" and "not-json-rpc" in message.codes:
        return look.words("pill.noise.json")
    return look.words(f"pill.{message.kind}")


def _http_word(message: Message) -> str:
    http = message.http
    if http is None or stream_event(message):
        return "HTTP"
    return str(http.status) if http.status is not None else http.method or "HTTP"


def _code(message: Message) -> str:
    """The error's code with a real minus sign; nothing where it is no number."""
    body = message.body if isinstance(message.body, dict) else {}
    error = body.get("error")
    code = error.get("code") if isinstance(error, dict) else None
    known = isinstance(code, int) and not isinstance(code, bool) and abs(code) < 10**9
    return str(code).replace("-", "−") if known else ""


def _tool_failed(entry: Entry) -> bool:
    body = entry.message.body
    result = body.get("result") if isinstance(body, dict) and entry.message.kind == "response" else None
    return isinstance(result, dict) and result.get("isError") is True


def chips_of(entries: tuple[Entry, ...], look: Look) -> list[Chip]:
    """From left to right: problems, state, times, retry, ×n, id. Problems are counted where there is no room."""
    others = _other_chips(entries, look)
    others = breach_chips(entries, look.breaches) + others
    told = (problem_chips(entries, most) + others for most in range(_PROBLEM_CHIPS, 0, -1))
    room = min(_CHIPS, look.card * 2 / 3)
    return next((chips for chips in told if chips_width(chips) <= room), problem_chips(entries, 0) + others)


def _other_chips(entries: tuple[Entry, ...], look: Look) -> list[Chip]:
    entry = entries[0]
    chips = _state_chips(entry, look)
    if entry.retry_of is not None:
        number = look.drawn.numbers.get(entry.retry_of) if look.numbered else None
        chips.append(Chip(look.words("chip.retry", n=number)))
    if look.options.times != "none" and entry.latency is not None:
        chips.append(Chip(duration(entry.latency)))
    if (count := sum(entry.count for entry in entries)) > 1:
        chips.append(Chip(f"×{count:,}"))
    if entry.message.kind in ("request", "response", "error", "notification"):
        chips.append(_id_chip(entry.message, look))
    if _is_foreign(entry.message) or entry.message.size is not None:
        chips.append(Chip(_bytes(entry.message)))
    return chips


def _is_foreign(message: Message) -> bool:
    """Whether it holds neither JSON nor fields."""
    return message.kind == "noise" or (message.kind == "http" and bool(message.text) and not is_form(message))


def _bytes(message: Message) -> str:
    """How many bytes came that are no message, or more than were kept."""
    count = message.size if message.size is not None else len(bytes_of(message))
    if count < 1 << 20:
        return f"{count} B" if count < 1024 else f"{count / 1024:.0f} KB"
    return f"{count >> 20:,} MB" if count < 1 << 60 else "…"


def problem_chips(entries: Sequence[Entry], most: int = _PROBLEM_CHIPS) -> list[Chip]:
    """The problem codes of neighbours that share a row: `most`, then how many more."""
    codes = list(dict.fromkeys(code for entry in entries for code in entry.message.codes if code != "unanswered"))
    chips = [Chip(_short(code, _CODE), "chip.problem") for code in codes[:most]]
    more = len(codes) - most
    return [*chips, Chip(f"+{more}", "chip.problem")] if more > 0 else chips


def _state_chips(entry: Entry, look: Look) -> list[Chip]:
    if entry.state == "unanswered":
        return [Chip(look.words("chip.no-answer"), "chip.problem")]
    if entry.state == "cancelled":
        return [Chip(look.words("chip.cancelled"), "chip.problem")]
    return [Chip(look.words(f"chip.{entry.state}"))] if entry.state in ("open", "closed") else []


def _id_chip(message: Message, look: Look) -> Chip:
    body = message.body if isinstance(message.body, dict) else message.head or {}
    if "id" not in body:
        return Chip(look.words("chip.no-id"), "chip.none")
    value = body["id"]
    shown = f'"{value}"' if isinstance(value, str) else write_json(value).decode()
    return Chip(f"id {_short(shown, _ID)}")


def _short(text: str, wide: int) -> str:
    """On one line, so many columns at most."""
    return shorten_columns(clean_line(text, 4 * wide), wide)


def loop_back(entry: Entry, x: float, y: float, look: Look) -> Group:
    """The pill under a list that is asked for again; it links to the first time where the picture shows it."""
    what = clean_line((entry.method or "").removesuffix("/list"), 40)
    link = f"step-{entry.back_to}" if entry.back_to in look.drawn.steps else None
    return loop_pill(x, y, look.words("loop", n=entry.back_to, what=what), link)
