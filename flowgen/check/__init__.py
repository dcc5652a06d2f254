"""Judges what was read: the findings of a topology, from rules that are data and one short function each."""

from ._findings import findings, judged
from ._rules import Rule, rules

__all__ = ["Rule", "findings", "judged", "rules"]
