"""Judges what was read: the findings of a topology, from rules that are data and one short function each; and reports
of them for people, build servers and forges.
"""

from ._findings import findings, judged
from ._junit import as_junit
from ._report import LEVELS, Report, as_json, as_markdown, as_text, report, shown
from ._rules import Rule, rules
from ._sarif import as_sarif

__all__ = [
    "LEVELS", "Report", "Rule", "as_json", "as_junit", "as_markdown", "as_sarif", "as_text", "findings", "judged",
    "report", "rules", "shown",
]  # fmt: skip
