"""How one picture is to be drawn: words, columns, times, and which side each participant stands on."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from flowgen.flow import Entry, Flow, Say
from flowgen.trace import Participant

from ._duo_columns import TIME_COLUMN, Columns, Side
from ._words import Words

Times = Literal["none", "latency", "clock"]

_SERVER_SIDE = frozenset(["server", "gateway", "auth", "api"])
PAUSE = 2.0  # seconds between neighbours from which a pause is drawn


@dataclass(frozen=True, slots=True)
class Look:
    """What every row needs to know. `numbered` is False where steps are numbered: one count is enough."""

    words: Words
    columns: Columns
    sides: dict[str, Side]
    times: Times
    full: bool
    numbered: bool
    steps: dict[int, Say] = field(default_factory=dict)  # number of a step -> its title
    step_of: dict[int, int] = field(default_factory=dict)  # number of a message -> number of its step

    def say(self, said: Say) -> str:
        """The main language of a sentence."""
        return said.zh if self.words.lang == "zh" else said.en

    def also(self, said: Say) -> str | None:
        """The other language, where two are asked for and they differ."""
        return said.zh if self.words.lang == "en+zh" and said.zh != said.en else None

    def explain(self, said: Say) -> str:
        """The language of explanations: notes are drawn once, in Chinese where Chinese is asked for."""
        return said.en if self.words.lang == "en" else said.zh

    def side(self, participant: str) -> Side:
        """The side of the picture that a participant stands on."""
        return self.sides.get(participant, "client")


def sides(participants: tuple[Participant, ...]) -> dict[str, Side]:
    """Participant id -> its side: servers and what stands behind them right, everybody else left."""
    return {who.id: "server" if who.role in _SERVER_SIDE else "client" for who in participants}


def look(flow: Flow, words: Words, times: Times = "none", full: bool = False) -> Look:
    """The look of a flow's two-lane picture."""
    steps = {step.number: step.title for step in flow.steps if step.number is not None and step.title}
    return Look(
        words=words,
        columns=Columns(TIME_COLUMN if times == "clock" else 0),
        sides=sides(flow.lanes),
        times=times,
        full=full,
        numbered=not steps,
        steps=steps,
        step_of=dict(_numbers(flow)),
    )


def _numbers(flow: Flow) -> Iterator[tuple[int, int]]:
    """Number of a message, number of its step."""
    for step in flow.steps:
        for row in step.rows:
            for entry in (row,) if isinstance(row, Entry) else row.entries:
                if entry.number is not None and step.number is not None:
                    yield entry.number, step.number


def duration(seconds: float) -> str:
    """A time as people say it: `<1 ms`, `9 ms`, `410 ms`, `1.2 s`, `14.2 s`."""
    if seconds < 0.001:
        return "<1 ms"
    if seconds < 0.9995:
        return f"{seconds * 1000:.0f} ms"
    return f"{seconds:.1f} s"


def clock(seconds: float) -> str:
    """Time since the trace began, in seconds: three decimals below 10, two above."""
    return f"{seconds:.3f}" if seconds < 10 else f"{seconds:.2f}"
