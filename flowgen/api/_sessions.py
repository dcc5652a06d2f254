"""Two recordings compared: what the newer session does differently, and both beside each other in one picture."""

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from ._changes import Compared
from ._headings import logo_of
from ._options import of_look
from ._picture import Picture

if TYPE_CHECKING:
    from flowgen.check import SessionChange
    from flowgen.flow import Comparison
    from flowgen.scene import Scene
    from flowgen.trace import Trace

_READING = ("only", "steps", "hide", "show")


@dataclass(frozen=True)
class SessionDifference(Compared, Picture):
    """Two sessions matched by what their messages mean; `names` are what the recordings are called."""

    names: tuple[str, str]
    comparison: "Comparison"

    @cached_property
    def changes(self) -> "Sequence[SessionChange]":
        """What changed; what breaks callers first."""
        from flowgen.check import session_changes

        return session_changes(self.comparison)

    @cached_property
    def scene(self) -> "Scene":
        """Both sessions beside each other."""
        from flowgen.scene import beside, left_out

        if lacks := left_out(self.comparison):
            warnings.warn(f"the picture lacks {_lacked(lacks)}; the text tells of them", stacklevel=2)
        return beside(self.comparison, self.names, of_look(self.options))

    def plain(self) -> str:
        """What changed, a line for each."""
        return self.text()

    def drawn(self, form: str, scale: float) -> list[bytes]:
        """Both beside each other."""
        if form == "svg":
            return [page.encode() for page in self.svg_pages()]
        return self.png_pages(scale) if form == "png" else [self.pdf()]


def _lacked(count: int) -> str:
    return f"{count} {'message' if count == 1 else 'messages'} with others than the first client and server"


def sessions(
    old: "Trace", new: "Trace", names: tuple[str, str], ignore: Sequence[str] = (), **options: Any
) -> SessionDifference:
    """Two recordings compared; `ignore` as for `flow.ignored`. Raises UsageError and ThemeError."""
    from flowgen.flow import compared, ignored
    from flowgen.scene import theme

    reading = {name: options[name] for name in _READING if name in options}
    look, logo = options.get("theme", "auto"), options.get("logo")
    return SessionDifference(
        theme=theme(look) if isinstance(look, str) else look,
        options=options | {"logo": logo_of(logo) if logo is not None else None},  # type: ignore[arg-type]
        names=names,
        comparison=compared(old, new, ignored(ignore), **reading),
    )
