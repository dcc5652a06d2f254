"""What a data flow looks like: the style of its line, the words of its label, its heads. No place yet."""

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from ._arch_both import both, both_of
from ._arch_said import said
from ._arch_words import label_of
from ._text import width
from ._words import Words

if TYPE_CHECKING:
    from flowgen.topology import DataFlow, Zone

_KINDS = {
    "approval": "approval", "tool-call": "call", "stdio": "stdio", "socket": "socket", "http": "http", "sse": "http",
    "oauth": "oauth", "own-token": "own", "ssh": "ssh",
}  # fmt: skip
_BOTH = frozenset(["stdio", "socket", "ssh"])  # both ends speak whenever they like
_USUAL = {
    "approval": ("prompt", "approval"), "call": ("call",), "stdio": ("stdin-stdout",), "socket": ("unix-socket",),
    "http": ("post",), "plain": ("http-not-encrypted",), "unknown": ("post-tls-not-known",), "oauth": ("oauth",),
    "own": ("server-s-own-token",), "ssh": ("stdio-over-ssh",), "off": ("call",),
}  # fmt: skip
_LINE, _PADDING = 14, 14  # px of a label: from line to line, and beside its widest one


class Way(NamedTuple):
    """A data flow measured. `kind` names the style of its line; `tls` and `near` (it stays on its machine) are for the
    legend.
    """

    kind: str
    label: tuple[str, ...]
    inferred: bool = False
    tls: bool | None = None
    near: bool = False
    change: str | None = None

    @property
    def both(self) -> bool:
        """Whether it has a head at its beginning, too."""
        return self.kind in _BOTH

    @property
    def width(self) -> float:
        """Of its label."""
        return max((width(line, 11) for line in self.label), default=0.0) + _PADDING if self.label else 0.0

    @property
    def height(self) -> float:
        """Of its label."""
        return _LINE * len(self.label) + 6


def way_of(
    flow: "DataFlow", how: Words, zone: "Zone | None" = None, *, local: bool = False, off: bool = False,
    usual: Sequence[str] | None = None,
) -> Way:  # fmt: skip
    """How a data flow is drawn that ends in a zone, or on the `local` machine. `usual` are words where it has none."""
    kind = "off" if off else _kind(flow, zone, local)
    inferred = flow.evidence is not None and flow.evidence.kind == "inferred"
    if off and flow.kind not in ("approval", "tool-call"):
        seen = flow.evidence is not None and flow.evidence.kind == "trace"
        word = "disabled-but-seen" if seen else "not-started" if local else "not-connected"
        told = both_of(f"arch.text.{word}", how)
        return Way(kind, (told,), inferred, flow.tls, local, flow.change)
    own = flow.label if flow.kind == "tool-call" else [both(partial(said, line), how) for line in flow.label]
    label = (
        label_of(own, how) or label_of(usual or (), how) or _words(flow, kind, how)
    )
    shown = _inferred(label, how) if inferred and flow.kind != "tool-call" else label
    return Way(kind, shown, inferred, flow.tls, local, flow.change)


def _kind(flow: "DataFlow", zone: "Zone | None", local: bool) -> str:
    kind = _KINDS[flow.kind]
    if kind != "http" or local:
        return kind
    if zone is not None and zone.kind == "unknown" and flow.tls is not True:
        return "unknown"
    return "plain" if flow.tls is False else "http"


def _usual(flow: "DataFlow", kind: str) -> Sequence[str]:
    return ("http-sse",) if flow.kind == "sse" and kind == "http" else _USUAL[kind]


def _words(flow: "DataFlow", kind: str, how: Words) -> tuple[str, ...]:
    return tuple(both_of(f"arch.text.{key}", how) for key in _usual(flow, kind))


def _inferred(label: tuple[str, ...], how: Words) -> tuple[str, ...]:
    """The label with the word for it, unless it says so itself."""
    if any(how("arch.inferred") in line for line in label):
        return label
    word = both_of("arch.inferred", how)
    return (f"{label[0]} ({word})", *label[1:]) if label else (word,)
