"""Judges what was read, a recording by the rules of the protocol and a topology by what a reviewer asks: rules are data
and one short function each. And reports of what was found, for people, build servers and forges.
"""

from ._change_forms import changes_json, changes_markdown, changes_text
from ._changes import compared
from ._families import codes, explained, known
from ._findings import findings, judged
from ._judge import Breach, breaches
from ._junit import as_junit
from ._report import LEVELS, Level, Report, as_json, as_markdown, as_text, report, shown
from ._rules import Rule, rules
from ._sarif import as_sarif
from ._session_changes import SessionChange, session_changes

__all__ = [
    "LEVELS", "Breach", "Level", "Report", "Rule", "SessionChange", "as_json", "as_junit", "as_markdown", "as_sarif", "as_text",
    "breaches", "changes_json", "changes_markdown", "changes_text", "codes", "compared", "explained",
    "findings", "judged", "known", "report", "rules", "session_changes", "shown",
]  # fmt: skip
