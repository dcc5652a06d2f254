"""The Trace: what was seen, read from and written to a file. pydantic is loaded when a model is first asked for."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ._model import Http, Message, Outcome, Participant, Problem, Sse, StepMark, Trace

__all__ = ["Http", "Message", "Outcome", "Participant", "Problem", "Sse", "StepMark", "Trace"]


def __getattr__(name: str) -> Any:
    """Models are loaded when first asked for (PEP 562): the recorder does without pydantic."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from . import _model

    return getattr(_model, name)
