"""flowgen records what goes over the wire between an MCP client and server, and draws it.

    bytes → Message → Trace → Flow → Scene → file
    config → Topology ────────────────↗

`trace` holds what was seen, `flow` what it means, `topology` who runs where behind it or behind a host's config file,
`scene` where it stands on the picture, `backends` the file; `check` judges traces and topologies. `record`, `protocol`
and `wire` make the trace. Recording and drawing meet only at the Trace.
"""

import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

from flowgen.version import __version__

if TYPE_CHECKING:
    from flowgen.api import check, convert, cut, diff, drawing, load, record, record_async, render, save, topology
    from flowgen.errors import FlowgenError
    from flowgen.topology import Finding, Topology
    from flowgen.trace import Trace

__all__ = [
    "Finding", "FlowgenError", "Topology", "Trace", "__version__", "check", "convert", "cut", "diff", "drawing", "load",
    "record", "record_async", "render", "save", "topology",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    """The public names are loaded when first asked for (PEP 562): the recorder does without pydantic."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    homes = {"FlowgenError": "errors", "Trace": "trace", "Finding": "topology", "Topology": "topology"}
    return getattr(import_module(f"{__name__}.{homes.get(name, 'api')}"), name)


def __dir__() -> list[str]:
    """What there is for users, loaded or not: for the completion of a Python prompt."""
    return __all__


class _Package(ModuleType):
    """Keeps `flowgen.record` and other functions what they are: Python puts the folders of those names in their places
    once they were imported.
    """

    def __setattr__(self, name: str, value: Any) -> None:
        if not (name in __all__ and isinstance(value, ModuleType)):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package
