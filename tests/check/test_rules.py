"""The rules over recordings: every one has its row, its function and a violation; what keeps the rules is silent."""

import json

import pytest

from flowgen.check import breaches
from flowgen.check._book import rows
from flowgen.check._judge import RULES
from flowgen.trace import Trace
from tests.check import breaking_features, breaking_openings
from tests.check.tape import Tape
from tests.check.violations import VIOLATIONS

BREAKING = (breaking_features, breaking_openings)
LATER = ("http", "oauth")


def codes(trace: Trace, *levels: str) -> set[str]:
    return {each.code for each in breaches(trace) if each.severity in levels}


@pytest.mark.parametrize("slug", VIOLATIONS)
def test_a_rule_fires_when_it_is_broken_and_no_other_one_does(slug):
    base, change, also = VIOLATIONS[slug]
    assert not codes(Tape(base).trace(), "error", "warning"), "before the change"
    tape = Tape(base)
    change(tape)
    found = breaches(tape.trace())
    assert slug in {each.code for each in found}
    assert {each.code for each in found if each.severity == "error"} <= {slug, *also}
    level = rows()[slug].level
    assert level in {each.severity for each in found if each.code == slug}
