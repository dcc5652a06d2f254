"""From a Trace to a Flow: which message answers which, the phases, the repeats, the notes."""

from ._model import Entry, Facts, Flow, Note, Run, Say, State, Step

__all__ = ["Entry", "Facts", "Flow", "Note", "Run", "Say", "State", "Step"]
