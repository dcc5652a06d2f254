"""How one picture is to be drawn: words, columns, times, and which side each participant stands on."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from flowgen.flow import Flow, Say

from ._duo_columns import TIME_COLUMN, Columns, Side
from ._repeats import Drawn, drawn
from ._words import Words

Times = Literal["none", "latency", "clock"]

PAUSE = 2.0  # seconds between neighbours from which a pause is drawn


@dataclass(frozen=True, slots=True)
class Look:
    """What every row needs to know. `numbered` is False where steps are numbered: one count is enough."""

    words: Words
    columns: Columns
    sides: Mapping[str, Side]
    times: Times
    full: bool
    numbered: bool
    drawn: Drawn

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


def look(flow: Flow, words: Words, times: Times = "none", full: bool = False) -> Look:
    """The look of a flow's two-lane picture."""
    return Look(
        words=words,
        columns=Columns(TIME_COLUMN if times == "clock" else 0),
        sides=flow.sides,
        times=times,
        full=full,
        numbered=all(step.number is None for step in flow.steps),
        drawn=drawn(flow),
    )


def clock(seconds: float) -> str:
    """Time since the trace began, in seconds: three decimals below 10, two above."""
    return f"{seconds:.3f}" if seconds < 10 else f"{seconds:.2f}"
