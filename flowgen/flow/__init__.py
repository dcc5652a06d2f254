"""From a Trace to a Flow: which message answers which, the phases, the repeats, the notes."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ._abridged import abridged
    from ._alternatives import alternatives
    from ._choose import WORDS
    from ._compared import Comparison, Match, compared
    from ._data import as_data
    from ._differences import MISSING, Difference, Ignored, ignored
    from ._draft import Draft, stream_event
    from ._duration import duration
    from ._labels import label
    from ._lanes import side_of, sides
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
    from ._read import linked, read
    from ._schema import schema
    from ._titles import picture_title
    from ._together import by_time, stacked

_HOMES = {
    "_abridged": ("abridged",),
    "_alternatives": ("alternatives",),
    "_choose": ("WORDS",),
    "_compared": ("Comparison", "Match", "compared"),
    "_data": ("as_data",),
    "_differences": ("MISSING", "Difference", "Ignored", "ignored"),
    "_draft": ("Draft", "stream_event"),
    "_duration": ("duration",),
    "_labels": ("label",),
    "_lanes": ("side_of", "sides"),
    "_model": ("Branch", "Entry", "Facts", "Flow", "Group", "ListChange", "Note", "Progress", "Remark", "Row",
               "Run", "Say", "Side", "State", "Step"),
    "_progress": ("progress_series",),
    "_read": ("linked", "read"),
    "_schema": ("schema",),
    "_titles": ("picture_title",),
    "_together": ("by_time", "stacked"),
}  # fmt: skip
_HOME = {name: home for home, names in _HOMES.items() for name in names}
__all__ = [
    "MISSING", "WORDS", "Branch", "Comparison", "Difference", "Draft", "Entry", "Facts", "Flow", "Group", "Ignored",
    "ListChange", "Match", "Note", "Progress", "Remark", "Row", "Run", "Say", "Side", "State", "Step",
    "abridged", "alternatives", "as_data", "by_time", "compared", "duration", "ignored", "label", "linked",
    "picture_title", "progress_series", "read", "schema", "side_of", "sides", "stacked", "stream_event",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    """Each part is loaded when it is first asked for (PEP 562): one recording does without what tells of several."""
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
