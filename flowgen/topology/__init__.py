"""From a host's config file, a trace or a description to a Topology."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ._address import Address
    from ._build import Drawn, File, Reading
    from ._credentials import Credential
    from ._emit import emitted
    from ._facts import Facts
    from ._from_trace import from_traces
    from ._hosts import Host, hosts
    from ._maps import Ignored
    from ._model import (
        Change,
        ChangeKind,
        DataFlow,
        Evidence,
        Finding,
        Node,
        Severity,
        Source,
        Topology,
        Zone,
        schema,
    )
    from ._overlay import overlaid
    from ._places import Place, System, places
    from ._read import is_config, is_document, read
    from ._shown import shown_path
    from ._traits import Trait, TraitKind

_HOMES = {
    "_address": ("Address",),
    "_build": ("Drawn", "File", "Reading"),
    "_credentials": ("Credential",),
    "_emit": ("emitted",),
    "_facts": ("Facts",),
    "_from_trace": ("from_traces",),
    "_hosts": ("Host", "hosts"),
    "_maps": ("Ignored",),
    "_model": ("Change", "ChangeKind", "DataFlow", "Evidence", "Finding", "Node", "Severity", "Source",
               "Topology", "Zone", "schema"),
    "_overlay": ("overlaid",),
    "_places": ("Place", "System", "places"),
    "_read": ("is_config", "is_document", "read"),
    "_shown": ("shown_path",),
    "_traits": ("Trait", "TraitKind"),
}  # fmt: skip
_HOME = {name: home for home, names in _HOMES.items() for name in names}
__all__ = [
    "Address", "Change", "ChangeKind", "Credential", "DataFlow", "Drawn", "Evidence", "Facts", "File",
    "Finding", "Host", "Ignored", "Node", "Place", "Reading", "Severity", "Source", "System", "Topology",
    "Trait", "TraitKind", "Zone", "emitted", "from_traces", "hosts", "is_config", "is_document", "overlaid",
    "places", "read", "schema", "shown_path",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    """Each part is loaded when it is first asked for (PEP 562): what reads a config does without recordings."""
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
