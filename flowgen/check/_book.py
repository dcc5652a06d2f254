"""The rules of the protocol: rows of `rules.toml`, by slug. What they are, for whom and since when; not how to tell."""

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Literal, get_args

from flowgen.protocol import HANDSHAKE, REVISIONS, STATELESS

Level = Literal["error", "warning", "info"]
Era = Literal["handshake", "stateless"]

_ERAS = {"all": REVISIONS, "both eras": REVISIONS, "handshake": HANDSHAKE, "stateless": STATELESS}
_SPAN = re.compile(r"(?P<but>all but )?(?P<first>\S{10})(?: (?:(?P<on>on)|to (?P<last>\S{10})))?")


@dataclass(frozen=True, slots=True)
class Row:
    """A rule. `revisions` are those it holds in; `undecided` says why no recording can show whether it is kept.

    `era`, `who` (client, server, both, flowgen) and `on` (any, http, stdio, oauth) are words for people, too.
    """

    slug: str
    family: str
    level: Level
    era: str
    on: str
    who: str
    rule: str
    example: str
    source: str
    needs: tuple[str, ...] = ()
    undecided: str | None = None

    @property
    def revisions(self) -> tuple[str, ...]:
        """The revisions that the rule holds in."""
        return revisions(self.era)


@cache
def rows() -> dict[str, Row]:
    """All rules, in the order of the file."""
    families = tomllib.loads((files(__package__) / "rules.toml").read_text(encoding="utf-8"))
    return {slug: _row(slug, family, row) for family, table in families.items() for slug, row in table.items()}


def _row(slug: str, family: str, row: dict[str, Any]) -> Row:
    level = get_args(Level)[get_args(Level).index(row["level"])]
    return Row(**{**row, "slug": slug, "family": family, "level": level, "needs": tuple(row.get("needs", ()))})


@cache
def revisions(era: str) -> tuple[str, ...]:
    """Out of the words of a row: an era, `2025-11-25 on`, `2025-03-26 to 2025-11-25`, `all but …`, or a list."""
    if era in _ERAS:
        return _ERAS[era]
    return tuple(name for name in REVISIONS if any(_within(name, part) for part in era.split(", ")))


def _within(revision: str, span: str) -> bool:
    found = _SPAN.fullmatch(span)
    if found is None:
        raise ValueError(f"rules.toml: era: {span!r}")
    last = REVISIONS[-1] if found["on"] else found["last"] or found["first"]
    return (found["first"] <= revision <= last) is not bool(found["but"])
