"""What is said of a picture to who cannot see it: a sentence about the whole, and one for every message."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from flowgen.flow import Entry, Flow, Run, Step, label
from flowgen.trace import Participant

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

Names = Mapping[str, str]


def description(flow: Flow, who: Sequence[Participant], how: Look) -> str:
    """How much the picture shows and between whom, then its steps."""
    steps = sum(1 for step in flow.steps if step.number is not None)
    names = [how.words(f"lane.{each.role}") for each in who]
    left = ", ".join(names[:-1])
    count, shown = flow.facts.messages, shown_of(flow)
    text = how.words("desc", steps=steps, messages=count, shown=shown, left=left, right=names[-1])
    titles = [f"{step.number}. {how.say(step.title)}" for step in flow.steps if step.number and step.title]
    return clean_line(f"{text} {'; '.join(titles)}".strip(), _STEPS)


def story(flow: Flow, who: Sequence[Participant], how: Look) -> str:
    """The description and a sentence for every message, as far as there is room for them."""
    names = names_of(flow, how.words)
    text = f"{description(flow, who, how)}. {how.words('spoken.messages')}"
    for sentence in _sentences(flow, names, how):
        if len(text) + len(sentence) > _LONGEST:
            return text + " …"
        text += " " + sentence
    return text


def _sentences(flow: Flow, names: Names, how: Look) -> Iterator[str]:
    for step in flow.steps:
        for row in step.open_rows:
            yield f"{sentence(row, names, how)}."


def sentence(row: Entry | Run, names: Names, how: Look) -> str:
    """`3. MCP Client to MCP Server: tools/call request (id 3)`."""
    entries = entries_of(row)
    message = entries[0].message
    told = clean_line(how.say(label(row)), _LABEL)
    what = f"{pill_text(entries[0], how)}: {told}" if pill_kind(entries[0]) == "err" else told
    pairs = isinstance(row, Run) and row.kind == "pairs"
    facts = "" if pairs else ", ".join(chip.text for chip in chips_of(entries, how))
    ends = [names.get(each) or clean_line(each, 48) for each in (message.sender, message.receiver)]
    text = how.words(
        "spoken" if ends[0] != ends[1] and message.kind not in ("stderr", "process") else "spoken.alone",
        n=number_text(entries), sender=ends[0], receiver=ends[1], what=what, facts=facts,
    )  # fmt: skip
    return clean_line(text, _SENTENCE)


def step_label(step: Step, how: Look) -> str:
    """What a list of messages is called: the step's number and title."""
    if step.number is None:
        return how.words("ledger.messages")
    title = how.say(step.title) if step.title else ""
    return clean_line(how.words("step", n=step.number, title=title), 200)


def names_of(flow: Flow, words: Words) -> Names:
    """Participant -> its name; where several have the same role, also what each of them is."""
    lanes = all_lanes(flow, words)
    alike = Counter(lane.name for lane in lanes)
    return {
        lane.id: lane.name if alike[lane.name] == 1 else clean_line(f"{lane.name} {lane.second}", 80)
        for lane in lanes
    }
