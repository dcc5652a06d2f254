"""How one picture is to be drawn: words, columns, times, and which side each participant stands on."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from flowgen.flow import Flow, Say
from flowgen.trace import Message

from ._breaches import Breach, by_message
from ._clean import clean_line
from ._duo_columns import TIME_COLUMN, Columns, Side, columns
from ._http_head import Heads, shown_heads
from ._ledger_columns import LedgerColumns
from ._ledger_lanes import Lane, lanes_of
from ._options import Options
from ._repeats import Drawn, boxes_of, drawn
from ._text import wrap
from ._waits import NO_WAITS, Waits, waits
from ._words import Words, words

_REMARK = 600  # characters of a text over lanes
LINES = 48  # of JSON in a box: the specification's own tool list needs 44
_BESIDE_LINES = 24  # of two sessions beside each other
_SLIDE_LINES, _LEDGER_SLIDE_LINES = 13, 10  # a message on one slide, with an HTTP head and notes beside the lanes
_ODD = ("unanswered", "open", "closed", "cancelled")  # states that a picture of two lanes shows by a bar
_ALL = ("answered", *_ODD)


@dataclass(frozen=True, slots=True)
class Look:
    """What every row needs to know. `numbered` tells that messages show their numbers, not only steps theirs,
    `card` is the width of their boxes in px, `box_lines` how many of JSON stand there at most. `differing` is, in a
    picture of two sessions, `seq` of a message -> JSON pointers of what differs in it, and None in all others.
    `breaches` is `seq` of a message -> the rules that it does not keep.
    """

    options: Options
    words: Words
    sides: Mapping[str, Side]
    heads: Heads
    numbered: bool
    drawn: Drawn
    waits: Waits
    card: float
    box_lines: int
    differing: Mapping[int, Sequence[str]] | None
    breaches: Mapping[int, Sequence[Breach]]

    def say(self, said: Say) -> str:
        """The main language of a sentence."""
        return said.zh if self.words.lang == "zh" else said.en

    def also(self, said: Say) -> str | None:
        """The other language, where two are asked for and they differ."""
        return said.zh if self.words.lang == "en+zh" and said.zh != said.en else None

    def explain(self, said: Say) -> str:
        """The language of explanations: notes are drawn once, in Chinese where Chinese is asked for."""
        return said.en if self.words.lang == "en" else said.zh

    def lines(self, said: Say, wide: float) -> list[str]:
        """A text of 12 px in lines, the other language below where two are asked for."""
        texts = [self.say(said), self.also(said)]
        return [line for text in texts if text for line in wrap(clean_line(text, _REMARK), 12, wide)]

    def side(self, participant: str) -> Side:
        """The side of the picture that a participant stands on."""
        return self.sides.get(participant, "client")

    def of_process(self, message: Message) -> str:
        """Whose process an event is about: the party of the two that stands on the server's side."""
        return message.sender if self.side(message.sender) == "server" else message.receiver


@dataclass(frozen=True, slots=True)
class DuoLook(Look):
    """The look of two lanes."""

    columns: Columns


@dataclass(frozen=True, slots=True)
class LedgerLook(Look):
    """The look of three lanes and more. `roles` tells the colours of each participant, `shared` who has no own lane."""

    columns: LedgerColumns
    lanes: tuple[Lane, ...]
    roles: Mapping[str, str]
    shared: Mapping[str, str]


def duo_look(flow: Flow, options: Options) -> DuoLook:
    """For two lanes: steps show their numbers there, messages only where there are no steps."""
    numbered = all(step.number is None for step in flow.steps)
    place = columns(TIME_COLUMN if options.times == "clock" else 0, options.slides)
    waiting = waits(flow, _ODD, lambda who: flow.sides.get(who, "client"))
    known = _shared(flow, options, numbered)
    known |= {"waits": waiting, "card": place.card, "box_lines": _SLIDE_LINES if options.slides else LINES}
    return DuoLook(**known, columns=place)


def beside_look(flow: Flow, options: Options, shift: float, differing: Mapping[int, Sequence[str]]) -> DuoLook:
    """For one of two sessions beside each other: narrow lanes without notes, `shift` px to the right."""
    place = Columns(shift, 128, 440, 18, 104)
    look = duo_look(flow, replace(options, times="none", slides=False))
    return replace(look, columns=place, card=place.card, box_lines=_BESIDE_LINES, numbered=False, differing=differing)


def ledger_look(flow: Flow, options: Options) -> LedgerLook:
    """For three lanes and more: every message shows its number."""
    shift = TIME_COLUMN if options.times == "clock" else 0
    lanes, shared = lanes_of(flow, words(options.lang))
    places = LedgerColumns(tuple(lane.id for lane in lanes), frozenset(shared), shift, options.slides)
    roles = {lane.id: lane.role for lane in lanes} | dict.fromkeys(shared, "browser")
    known = _shared(flow, options, True) | {"waits": waits(flow, _ALL, places.place)}
    known |= {"card": places.card, "box_lines": _LEDGER_SLIDE_LINES if options.slides else LINES}
    return LedgerLook(**known, columns=places, lanes=lanes, roles=roles, shared=shared)


def _shared(flow: Flow, options: Options, numbered: bool) -> dict[str, Any]:
    return {
        "options": options, "words": words(options.lang), "sides": flow.sides, "numbered": numbered,
        "heads": shown_heads((entry for _, entry in boxes_of(flow)), options.headers), "drawn": drawn(flow),
        "waits": NO_WAITS, "card": 0.0, "box_lines": LINES, "differing": None,
        "breaches": by_message(options.breaches or ()),
    }  # fmt: skip


def clock(seconds: float) -> str:
    """Time since the trace began, in seconds: three decimals below 10, two above, none where nobody misses them."""
    size = abs(seconds)
    if size >= 1e5:
        return f"{seconds:.0f}" if size < 1e10 else f"{seconds:.0e}"
    return f"{seconds:.3f}" if size < 10 else f"{seconds:.2f}"
