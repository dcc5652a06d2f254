"""A flow told without a picture: the words, chips and lines that its rows have there, for text that lays itself out.

Everything given out is cleaned and in the language asked for. Nothing here has a place or a size in px.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from flowgen.flow import Entry, Flow, Note, Run, Say, label
from flowgen.trace import Message

from ._arrow_words import note_pill
from ._bodies import body_lines, bytes_of, foreign_lines
from ._breaches import counted, listed, sentence
from ._clean import clean, clean_line
from ._frame import entries_of, outcome_text, pauses
from ._heading import heading_of, subtitle
from ._headline import Kind, chips_of, kind_of, pill_kind, pill_text
from ._http_head import head_lines
from ._json_fill import JsonLine
from ._ledger_lanes import Lane, all_lanes
from ._look import Look, clock, ledger_look
from ._options import Options
from ._rows import number_text, passes, process_ended, process_word
from ._spoken import description

_ARROWS = frozenset(["request", "response", "notification"])  # kinds that the arrow and the label tell already
_LABEL = 400  # characters
_TITLE = 200
_KB = 1024


@dataclass(frozen=True, slots=True)
class Telling:
    """What there is to say of a flow. `lanes` are all participants of it, `shared` those that a picture folds into
    one lane, by id, where there are too many: `narrow` are the lanes then.
    """

    flow: Flow
    look: Look
    lanes: tuple[Lane, ...]
    narrow: tuple[Lane, ...]
    shared: frozenset[str]

    @property
    def heading(self) -> str:
        """The title."""
        return clean_line(heading_of(self.flow, self.look), _TITLE)

    @property
    def subtitle(self) -> list[str]:
        """The facts under the title."""
        return subtitle(self.flow, self.look)

    @property
    def description(self) -> str:
        """One sentence for who cannot see a picture of it."""
        return description(self.flow, self.flow.lanes, self.look)

    @property
    def outcome(self) -> str | None:
        """How the session ended, if it did not run to its end."""
        return outcome_text(self.flow, self.look)

    @property
    def verdict(self) -> list[str]:
        """Which rules are not kept, a line each under a line that counts them; nothing where nobody judged."""
        found = self.look.options.breaches
        if found is None:
            return []
        shown, more = listed(found, self.look.words)
        lines = [f"!{each.number} {self.words(f'breaches.word.{each.level}')} {sentence(each)}" for each in shown]
        return [counted(found, self.look.words), *lines, *([more] if more else [])]

    def say(self, said: Say | None, most: int = _TITLE) -> str:
        """A sentence on one line, in both languages where both are asked for."""
        texts = [self.look.say(said), self.look.also(said)] if said else []
        return " · ".join(clean_line(text, most) for text in texts if text)

    def name(self, participant: str) -> str:
        """The name over its lane; with its id where others have the same."""
        lane = next((lane for lane in self.lanes if lane.id == participant), None)
        if lane is None:
            return clean_line(participant, _TITLE)
        alike = sum(other.name == lane.name for other in self.lanes) > 1
        return f"{lane.name} ({clean_line(lane.id, 40)})" if alike else lane.name

    def words(self, key: str, **values: object) -> str:
        """Words of the picture."""
        return self.look.words(key, **values)

    def title(self, row: Entry | Run) -> str:
        """The label of a message or of a folded run."""
        return clean_line(self.look.say(label(row)), _LABEL)

    def kind(self, entry: Entry) -> Kind:
        """The kind of its arrow."""
        return kind_of(entry.message)

    def word(self, entry: Entry) -> str:
        """What its pill says where arrow and label do not: `ERROR −32602`, `401`, `TOOL ERROR`, `STDERR`, `EXIT 1`."""
        message = entry.message
        if message.kind == "process":
            return process_word(message.body, self.look.words)
        if message.kind == "note" and self.passes(entry):
            return self.look.words(note_pill(message, {lane.id: lane.role for lane in self.lanes}))
        if message.kind in _ARROWS and pill_kind(entry) == kind_of(message):
            return ""
        return pill_text(entry, self.look)

    def failed(self, entry: Entry) -> bool:
        """Whether it tells of a failure: an error, a tool that failed, a process that crashed."""
        return pill_kind(entry) == "err" or "crashed" in entry.message.codes

    def chips(self, row: Entry | Run) -> list[str]:
        """The facts beside the label: problems, state, times, retry, ×n, id."""
        return [chip.text for chip in chips_of(entries_of(row), self.look)]

    def number(self, row: Entry | Run) -> str | None:
        """`7`, or `5–11` of a folded run."""
        return number_text(entries_of(row))

    def notes(self, entry: Entry) -> list[tuple[str, str]]:
        """Its explanations: heading and text."""
        return [(self._explained(note, note.term), self._explained(note, note.text)) for note in entry.notes]

    def _explained(self, note: Note, said: Say) -> str:
        return clean(self.look.explain(said)).replace("\n", " ")

    def loop(self, entry: Entry) -> str | None:
        """Where a list that is asked for again leads back to."""
        if entry.back_to is None:
            return None
        what = clean_line((entry.method or "").removesuffix("/list"), 40)
        return self.look.words("loop", n=entry.back_to, what=what)

    def lines(self, row: Entry | Run, columns: int, most: int) -> list[JsonLine]:
        """HTTP head and payload in lines of at most `columns`; notes and process events have none.

        Unless all is asked for, the payload of JSON-RPC is what arrow and label do not tell already (`params`,
        `result` or `error`), in at most `most` lines; where some are left out the last one tells the size of all.
        """
        entries = entries_of(row)
        message = entries[0].message
        if message.kind in ("note", "process"):
            return []
        if message.kind in ("noise", "stderr"):
            return list(foreign_lines([entry.message for entry in entries], columns, self.look))
        head = head_lines(self.look.heads.get(message.seq), columns)
        part = None if self.look.options.full else _part(message)
        if part is _nothing:
            return list(head)
        return [*head, *_sized(body_lines(entries[0], columns, self.look, most, part), most, message)]

    def clock(self, row: Entry | Run) -> str | None:
        """The time of its first message, in seconds since the trace began."""
        times = [entry.message.at for entry in entries_of(row) if entry.message.at is not None]
        return clock(times[0]) if times else None

    def pauses(self) -> Callable[[Entry | Run], list[float]]:
        """Asked for each row in turn: the seconds that nothing happened before it, if they are worth a word."""
        return pauses(self.look)

    def passes(self, entry: Entry) -> bool:
        """Whether it goes from one participant to another."""
        return passes(entry)

    def process(self, entry: Entry) -> str:
        """Whose process an event is about."""
        return self.look.of_process(entry.message)

    def ends(self, entry: Entry) -> bool:
        """Whether it is the end of a process."""
        return entry.message.kind == "process" and process_ended(entry)


def telling(flow: Flow, options: Options) -> Telling:
    """The flow in the words of the options."""
    look = ledger_look(flow, options if options.full else replace(options, schema="summary"))
    return Telling(flow, look, all_lanes(flow, look.words), look.lanes, frozenset(look.shared))


def _part(message: Message) -> Callable[[Any], Any] | None:
    """Takes from a JSON-RPC body what only it tells; None where that is all of it."""
    if message.kind not in ("request", "response", "error", "notification") or not isinstance(message.body, dict):
        return None
    told = next((member for member in ("params", "result", "error") if member in message.body), None)
    if told is None or (told == "error" and _is_label(message.body["error"])):
        return _nothing
    return lambda body: body.get(told)


def _is_label(error: Any) -> bool:
    """Whether label and pill tell all of an error."""
    whole = isinstance(error, dict) and error.keys() <= {"code", "message"}
    return whole and isinstance(error.get("message"), str) and len(error["message"]) < _LABEL


def _nothing(body: Any) -> Any:
    return None


def _sized(lines: tuple[JsonLine, ...], most: int, message: Message) -> tuple[JsonLine, ...]:
    """The lines, the last of which tells the size of all where it says that some are missing."""
    if len(lines) != most or most < 2 or len(lines[-1].tokens) != 1 or lines[-1].tokens[0][1] != "mut":
        return lines
    size = len(bytes_of(message))
    shown = f"{size} B" if size < _KB else f"{size / _KB:.1f} KB" if size < _KB * _KB else f"{size / _KB**2:.1f} MB"
    column, kind, text = lines[-1].tokens[0]
    return (*lines[:-1], JsonLine(((column, kind, f"{text} · {shown}"),)))
