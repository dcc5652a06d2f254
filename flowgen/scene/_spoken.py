"""What is said of a picture to who cannot see it: a sentence about the whole, and one for every message."""

from collections import Counter
from collections.abc import Mapping, Sequence

from flowgen.flow import Entry, Flow, Run, Step, label
from flowgen.trace import Message, Participant

from ._clean import clean_line
from ._frame import entries_of
from ._heading import shown_of
from ._headline import chips_of, pill_kind, pill_text
from ._ledger_lanes import all_lanes
from ._look import Look
from ._rows import number_text
from ._words import Words

_STEPS = 2000  # characters for the titles of the steps
_LONGEST = 4000  # characters of all that is said of a picture
_LABEL, _SENTENCE = 120, 300


def description(flow: Flow, who: Sequence[Participant], how: Look) -> str:
    """How much the picture shows and between whom, then its steps."""
    steps = sum(1 for step in flow.steps if step.number is not None)
    names = [how.words(f"lane.{each.role}") for each in who]
    left = how.words("spoken.and").join(names[:-1])
    count, shown = flow.facts.messages, shown_of(flow)
    text = how.words("desc", steps=steps, messages=count, shown=shown, left=left, right=names[-1])
    titles = [f"{step.number}. {how.say(step.title)}" for step in flow.steps if step.number and step.title]
    listed = how.words("spoken.parts").join(titles)
    return clean_line(f"{text}{how.words('spoken.gap')}{listed}".strip(), _STEPS)


def story(flow: Flow, who: Sequence[Participant], how: Look) -> str:
    """The description and a sentence for every message, as far as there is room for them."""
    say = Speaker(flow, how)
    end = how.words("spoken.end")
    text = f"{description(flow, who, how).rstrip('.。')}{end}{how.words('spoken.messages')}"
    for row in (row for step in flow.steps for row in step.open_rows):
        sentence = say(row)
        if len(text) + len(sentence) > _LONGEST:
            return f"{text}…"
        text += f"{sentence}{end}"
    return text.rstrip()


class Speaker:
    """Says a message or a run in a sentence: `3. MCP Client to MCP Server: tools/call request (id 3)`."""

    def __init__(self, flow: Flow, how: Look) -> None:
        self.how = how
        self.names = _names(flow, how.words)
        self.ways: dict[tuple[str, str], str] = {}

    def __call__(self, row: Entry | Run) -> str:
        entries = entries_of(row)
        told = clean_line(self.how.say(label(row)), _LABEL)
        number, way, facts = number_text(entries), self._way(entries[0].message), self._facts(row, entries)
        bad = pill_kind(entries[0]) == "err"
        what = f"{pill_text(entries[0], self.how)}{self.how.words('spoken.colon')}{told}" if bad else told
        return clean_line(f"{f'{number}. ' if number else ''}{way}{what}{facts}", _SENTENCE)

    def _way(self, message: Message) -> str:
        """From whom to whom."""
        alone = message.kind in ("stderr", "process") or message.sender == message.receiver
        way = (message.sender, message.sender if alone else message.receiver)
        if way not in self.ways:
            sender, receiver = (self.names.get(each) or clean_line(each, 48) for each in way)
            key = "spoken.alone" if alone else "spoken.to"
            self.ways[way] = self.how.words(key, sender=sender, receiver=receiver)
        return self.ways[way]

    def _facts(self, row: Entry | Run, entries: tuple[Entry, ...]) -> str:
        """Ids, times, problems; of a long run its label tells all."""
        if isinstance(row, Run) and row.kind == "pairs":
            return ""
        facts = self.how.words("spoken.and").join([chip.text for chip in chips_of(entries, self.how)])
        return self.how.words("spoken.facts", facts=facts) if facts else ""


def step_label(step: Step, how: Look) -> str:
    """What a list of messages is called: the step's number and title."""
    if step.number is None:
        return how.words("ledger.messages")
    title = how.say(step.title) if step.title else ""
    return clean_line(how.words("step", n=step.number, title=title), 200)


def _names(flow: Flow, words: Words) -> Mapping[str, str]:
    """Participant -> its name; where several have the same role, also what each of them is."""
    lanes = all_lanes(flow, words)
    alike = Counter(lane.name for lane in lanes)
    return {
        lane.id: lane.name if alike[lane.name] == 1 else clean_line(f"{lane.name} {lane.second}", 80)
        for lane in lanes
    }
