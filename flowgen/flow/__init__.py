"""From a Trace to a Flow: which message answers which, the phases, the repeats, the notes."""

from ._choose import WORDS
from ._data import as_data
from ._draft import stream_event
from ._labels import duration, label
from ._model import Branch, Entry, Facts, Flow, Group, ListChange, Note, Remark, Row, Run, Say, Side, State, Step
from ._read import read

__all__ = [
    "WORDS", "Branch", "Entry", "Facts", "Flow", "Group", "ListChange", "Note", "Remark", "Row", "Run", "Say",
    "Side", "State", "Step",
    "as_data", "duration", "label", "read", "stream_event",
]  # fmt: skip
