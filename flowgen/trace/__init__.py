"""The Trace: what was seen, read from and written to a file. pydantic is loaded when a model is first asked for."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ._files import load
    from ._identities import Identities, Ids, identities
    from ._joined import Joined, began, joined, one_outcome, one_title, overlapping
    from ._json import Json, TooDeep, parse_at, read_json, write_json
    from ._model import (
        Excerpt,
        Http,
        Message,
        Others,
        Outcome,
        Participant,
        Problem,
        ServerEnd,
        Sse,
        StandIn,
        StepMark,
        Trace,
        schema,
    )  # fmt: skip
    from ._reading import Reading
    from ._redact import Mask
    from ._secrets import MASK, env_secrets, mask_shapes, prefix_of, secret_name
    from ._write import Document, document_bytes, keep, line, lines, save

_HOMES = {
    "_files": ("load",),
    "_identities": ("Identities", "Ids", "identities"),
    "_joined": ("Joined", "began", "joined", "one_outcome", "one_title", "overlapping"),
    "_json": ("Json", "TooDeep", "parse_at", "read_json", "write_json"),
    "_model": ("Excerpt", "Http", "Message", "Others", "Outcome", "Participant", "Problem", "ServerEnd", "Sse",
               "StandIn", "StepMark", "Trace", "schema"),
    "_reading": ("Reading",),
    "_redact": ("Mask",),
    "_secrets": ("MASK", "env_secrets", "mask_shapes", "prefix_of", "secret_name"),
    "_write": ("Document", "document_bytes", "keep", "line", "lines", "save"),
}  # fmt: skip
_HOME = {name: home for home, names in _HOMES.items() for name in names}
__all__ = [
    "MASK", "Document", "Excerpt", "Http", "Identities", "Ids", "Joined", "Json", "Mask", "Message", "Others",
    "Outcome", "Participant", "Problem", "Reading", "ServerEnd", "Sse", "StandIn", "StepMark", "TooDeep", "Trace",
    "began", "document_bytes", "env_secrets", "identities", "joined", "keep", "line", "lines", "load", "mask_shapes",
    "one_outcome", "one_title", "overlapping", "parse_at", "prefix_of", "read_json", "save", "schema", "secret_name",
    "write_json",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    """Each part is loaded when it is first asked for (PEP 562): recording needs no models, drawing no masks."""
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
