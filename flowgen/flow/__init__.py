"""From a Trace to a Flow: which message answers which, the phases, the repeats, the notes."""

from ._abridged import abridged
from ._alternatives import alternatives
from ._choose import WORDS
from ._data import as_data
from ._draft import stream_event
from ._duration import duration
from ._labels import label
from ._model import (
    Branch,
    Entry,
    Facts,
    Flow,
    Group,
    ListChange,
    Note,
    Progress,
    Remark,
    Row,
    Run,
    Say,
    Side,
    State,
    Step,
)  # fmt: skip
from ._progress import progress_series
from ._read import read
from ._schema import schema
from ._titles import picture_title
from ._together import by_time, stacked

__all__ = [
    "WORDS", "Branch", "Entry", "Facts", "Flow", "Group", "ListChange", "Note", "Progress", "Remark", "Row",
    "Run", "Say", "Side", "State", "Step",
    "abridged", "alternatives", "as_data", "by_time", "duration", "label", "picture_title", "progress_series", "read",
    "schema", "stacked", "stream_event",
]  # fmt: skip
