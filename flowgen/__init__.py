"""flowgen records what goes over the wire between an MCP client and server, and draws it.

    bytes → Message → Trace → Flow → Scene → file

`trace` holds what was seen, `flow` what it means, `scene` where it stands on the picture, `backends` the file;
`record`, `protocol` and `wire` make the trace. Recording and drawing meet only at the Trace.
"""

import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

from flowgen.version import __version__

if TYPE_CHECKING:
    from flowgen.api import diff, drawing, load, record, record_async, render
    from flowgen.errors import FlowgenError
    from flowgen.trace import Trace

__all__ = ["FlowgenError", "Trace", "__version__", "diff", "drawing", "load", "record", "record_async", "render"]


def __getattr__(name: str) -> Any:
    """The public names are loaded when first asked for (PEP 562): the recorder does without pydantic."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from flowgen import api, errors, trace

    homes: dict[str, Any] = {"FlowgenError": errors, "Trace": trace}
    return getattr(homes.get(name, api), name)


def __dir__() -> list[str]:
    """What there is for users, loaded or not: for the completion of a Python prompt."""
    return __all__


class _Package(ModuleType):
    """Keeps `flowgen.record` a function: Python puts the folder of that name in its place once it was imported."""

    def __setattr__(self, name: str, value: Any) -> None:
        if not (name in __all__ and isinstance(value, ModuleType)):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package
