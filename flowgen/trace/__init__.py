"""The Trace: what was seen, read from and written to a file. pydantic is loaded when a model is first asked for."""

from typing import TYPE_CHECKING, Any

from ._json import Json, TooDeep, parse_at, read_json, write_json
from ._redact import Mask
from ._secrets import MASK, env_secrets, mask_shapes, prefix_of, secret_name
from ._write import Document, document_bytes, line, lines, save

if TYPE_CHECKING:
    from ._files import load
    from ._identities import Identities, Ids, identities
    from ._joined import Joined, began, joined, one_outcome, one_title, overlapping
    from ._model import Http, Message, Outcome, Participant, Problem, ServerEnd, Sse, StepMark, Trace, schema

__all__ = [
    "MASK", "Document", "Http", "Identities", "Ids", "Joined", "Json", "Mask", "Message", "Outcome", "Participant",
    "Problem", "ServerEnd", "Sse", "StepMark", "TooDeep", "Trace", "began", "document_bytes", "env_secrets",
    "identities", "joined", "line", "lines", "load", "mask_shapes", "one_outcome", "one_title", "overlapping",
    "parse_at", "prefix_of", "read_json", "save", "schema", "secret_name", "write_json",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    """Models and what needs them are loaded when first asked for (PEP 562)."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from . import _files, _identities, _joined, _model

    homes = (_files, _identities, _joined, _model)
    return next(getattr(home, name) for home in homes if name in vars(home))
