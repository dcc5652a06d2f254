"""Judges what was read, a recording by the rules of the protocol and a topology by what a reviewer asks: rules are data
and one short function each. And reports of what was found, for people, build servers and forges.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ._breach import Breach
    from ._change_forms import changes_json, changes_markdown, changes_text
    from ._changes import compared
    from ._families import codes, explained, known
    from ._findings import findings, judged
    from ._judge import breaches
    from ._junit import as_junit
    from ._report import LEVELS, Level, Report, as_json, as_markdown, as_text, report, shown
    from ._rules import Rule, rules
    from ._sarif import as_sarif
    from ._schemas import reads_schemas
    from ._session_changes import SessionChange, session_changes

_HOMES = {
    "_breach": ("Breach",),
    "_change_forms": ("changes_json", "changes_markdown", "changes_text"),
    "_changes": ("compared",),
    "_families": ("codes", "explained", "known"),
    "_findings": ("findings", "judged"),
    "_judge": ("breaches",),
    "_junit": ("as_junit",),
    "_report": ("LEVELS", "Level", "Report", "as_json", "as_markdown", "as_text", "report", "shown"),
    "_rules": ("Rule", "rules"),
    "_sarif": ("as_sarif",),
    "_schemas": ("reads_schemas",),
    "_session_changes": ("SessionChange", "session_changes"),
}  # fmt: skip
_HOME = {name: home for home, names in _HOMES.items() for name in names}
__all__ = [
    "LEVELS", "Breach", "Level", "Report", "Rule", "SessionChange", "as_json", "as_junit", "as_markdown",
    "as_sarif", "as_text", "breaches", "changes_json", "changes_markdown", "changes_text", "codes",
    "compared", "explained", "findings", "judged", "known", "reads_schemas", "report", "rules", "session_changes",
    "shown",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    """Each part is loaded when it is first asked for (PEP 562): a picture needs findings, and no reports of them."""
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
