"""The rules of topologies: rows of `topology.toml`, by code."""

import tomllib
from functools import cache
from pathlib import Path
from typing import NamedTuple, get_args

from flowgen.topology import Severity


class Rule(NamedTuple):
    """A row; the templates of its sentences by name, `message` being the usual one."""

    code: str
    severity: Severity
    advice: str
    source: str
    sentences: dict[str, str]


@cache
def rules() -> dict[str, Rule]:
    """All rules, in the order of the file."""
    rows = tomllib.loads(Path(__file__).with_name("topology.toml").read_text(encoding="utf-8"))
    return {code: _rule(code, dict(row)) for code, row in rows.items()}


def _rule(code: str, row: dict[str, str]) -> Rule:
    severity = get_args(Severity)[get_args(Severity).index(row.pop("severity"))]
    return Rule(code, severity, row.pop("advice"), row.pop("source"), row)
