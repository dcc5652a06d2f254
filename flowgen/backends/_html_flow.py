"""What the page of a recording holds, as data: rows in the order of the flow, each with its words in both languages.

A text is a string where English and Chinese say the same, else a pair. Payloads are JSON as text, as they were
written, for a browser would round large numbers. Secrets are looked for once more, for pages are passed on. Nothing
here has a place or a colour.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any

from flowgen.flow import Entry, Flow, Group, Remark, Row, Run
from flowgen.scene import Lang, Options, Telling, telling
from flowgen.trace import Mask, Message, write_json

Json = dict[str, Any]
Both = str | list[str]

LANGUAGES: tuple[Lang, Lang] = ("en", "zh")
_WORDS = ("view.", "pill.", "chip.", "legend.")
_APART = {"others", "skipped"}
_LINKS = ("answer", "request", "about", "retry_of", "same_as", "back_to", "ended_by", "stream_end",
          "state", "latency", "name", "method")  # fmt: skip


def flow_page(flow: Flow, options: Options) -> Json:
    """The data of the page, all of it JSON: `rows` is the flat list of what stands below each other.

    A row is `{"row": "step" | "open" | "else" | "close" | "remark" | "message" | "run"}` with what belongs to it; a run
    holds its messages.
    """
    told = tuple(telling(flow, replace(options, lang=lang, times="none")) for lang in LANGUAGES)
    page = _Page(told, options)
    return {
        "kind": "flow",
        "lang": "zh" if options.lang == "zh" else "en",
        "words": words_of(told),
        "heading": page.both(lambda one: one.heading),
        "subtitle": page.both(lambda one: " · ".join(one.subtitle)),
        "description": page.both(lambda one: one.description),
        "outcome": page.both(lambda one: one.outcome or ""),
        "lanes": page.lanes(),
        "lane_of": page.lane_of,
        "names": {who.id: page.both(lambda one, id_=who.id: one.name(id_)) for who in flow.lanes},
        "rows": [row for step in flow.steps for row in page.step(step.number, step.title, step.rows)],
        "breaches": None if options.breaches is None else [asdict(each) for each in options.breaches],
        "verdict": page.both(lambda one: (one.verdict or [""])[0]),
        "trace": _trace(flow),
    }


def words_of(told: Sequence[Any]) -> Json:
    """The words that the page's script needs, in each language."""
    mains = [one.look.words.main if isinstance(one, Telling) else one.how.main for one in told]
    return {
        lang: {key: text for key, text in main.items() if key.startswith(_WORDS)}
        for lang, main in zip(LANGUAGES, mains, strict=True)
    }


def said(texts: Sequence[str]) -> Both:
    """A text of the page."""
    return texts[0] if len({*texts}) == 1 else [*texts]


def masked(message: Message, mask: Mask) -> Json:
    """The message as a trace holds it. No fingerprints are added: they differ from one run to the next."""
    told = mask.message(message.model_dump(exclude=_APART, exclude_unset=True, exclude_none=True))
    told.pop("fingerprints", None)
    return told | ({"fingerprints": message.fingerprints} if message.fingerprints else {})


def _trace(flow: Flow) -> Json:
    """What stands around the messages in a trace, so that the page can give one out again."""
    people = [who.model_dump(exclude_none=True) for who in flow.lanes]
    title = {"title": flow.title} if flow.title else {}
    outcome = flow.outcome.model_dump(exclude_none=True)
    return {"format": "flowgen.trace/1", **title, "participants": people, "outcome": outcome}


class _Page:
    """Makes rows of a flow that is told in two languages."""

    def __init__(self, told: Sequence[Telling], options: Options) -> None:
        self.told = told
        self.mask = Mask()
        self.heads = options.headers != "none"
        lanes = told[0].narrow
        at = {lane.id: number for number, lane in enumerate(lanes)}
        self.lane_of: Mapping[str, int] = at | dict.fromkeys(told[0].shared, len(lanes) - 1)

    def both(self, tell: Any) -> Both:
        return said([tell(one) for one in self.told])

    def lanes(self) -> list[Json]:
        pairs = zip(*(one.narrow for one in self.told), strict=True)
        return [
            {"role": lanes[0].role, "name": said([lane.name for lane in lanes]),
             "short": said([lane.short or lane.name for lane in lanes]),
             "second": said([lane.second for lane in lanes])}
            for lanes in pairs
        ]  # fmt: skip

    def step(self, number: int | None, title: Any, rows: Sequence[Row]) -> Iterator[Json]:
        if number is not None:
            yield {"row": "step", "step": number, "title": self.both(lambda one: one.say(title))}
        for row in rows:
            yield from self.row(row)

    def row(self, row: Row) -> Iterator[Json]:
        match row:
            case Group():
                yield from self.group(row)
            case Remark(over=over, text=text):
                lanes = [self.lane_of.get(id_, 0) for id_ in over]
                yield {"row": "remark", "over": lanes, "text": self.both(lambda one: one.say(text, 600))}
            case Run():
                yield self.run(row)
            case Entry():
                yield self.message(row)

    def group(self, group: Group) -> Iterator[Json]:
        for number, branch in enumerate(group.branches):
            name = group.operator if not number else "and" if group.operator == "par" else "else"
            yield {
                "row": "else" if number else "open",
                "word": self.both(lambda one, name=name: one.words(f"group.{name}")),
                "text": self.both(lambda one, branch=branch: one.say(branch.condition)),
            }
            for row in branch.rows:
                yield from self.row(row)
        yield {"row": "close"}

    def run(self, run: Run) -> Json:
        title = self.both(lambda one: one.title(run))
        return {"row": "run", "title": title, "rows": [self.message(entry) for entry in run.entries]}

    def message(self, entry: Entry) -> Json:
        message, one = masked(entry.message, self.mask), self.told[0]
        body = message.pop("body", None)
        if not self.heads:
            message.pop("http", None)
        known: Json = {
            "row": "message",
            "seq": entry.message.seq,
            "kind": one.kind(entry),
            "title": self.both(lambda one: one.title(entry)),
            "message": message,
        }
        known |= {name: value for name in _LINKS if (value := getattr(entry, name)) is not None}
        known |= {"n": entry.number} if entry.number is not None else {}
        known |= {"word": word} if (word := self.both(lambda one: one.word(entry))) else {}
        known |= {"body": write_json(body).decode()} if "body" in entry.message.model_fields_set else {}
        known |= {"failed": True} if one.failed(entry) else {}
        known |= {"count": entry.count} if entry.count > 1 else {}
        return known | (self.notes(entry) if entry.notes else {})

    def notes(self, entry: Entry) -> Json:
        pairs = zip(*(one.notes(entry) for one in self.told), strict=True)
        return {"notes": [[said([each[0] for each in pair]), said([each[1] for each in pair])] for pair in pairs]}
