"""The table of programs that start other programs (`launchers.toml`), by name."""

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from ._document import Word
from ._shell import base


@dataclass(frozen=True, slots=True)
class Launcher:
    """A row of the table, of whatever list it is in; `launchers.toml` says what each field means."""

    names: tuple[str, ...]
    under: tuple[str, ...] = ()
    values: tuple[str, ...] = ()
    package: tuple[str, ...] = ()
    text: tuple[str, ...] = ()
    script: tuple[str, ...] = ()
    pairs: tuple[str, ...] = ()
    mounts: tuple[str, ...] = ()
    marked: tuple[str, ...] = ()
    profile: tuple[str, ...] = ()
    under_too: tuple[str, ...] = ()
    kind: str = ""
    place: str = ""
    skip: int = 0
    permits: bool = False
    title: str = ""
    note: str = ""
    sudo: bool = False
    keeps: bool = False
    whole: bool = False
    address: dict[str, str] = field(default_factory=dict)
    way: dict[str, str] = field(default_factory=dict)


@cache
def data() -> dict[str, Any]:
    """The data of `launchers.toml`."""
    return tomllib.loads(Path(__file__).with_name("launchers.toml").read_text(encoding="utf-8"))


@cache
def _rows(kind: str) -> dict[str, list[Launcher]]:
    found: dict[str, list[Launcher]] = {}
    for row in data()[kind]:
        values: dict[str, Any] = {name: tuple(each) if isinstance(each, list) else each for name, each in row.items()}
        for name in row["names"]:
            found.setdefault(name, []).append(Launcher(**values))
    return found


def named(kind: str, name: str) -> Launcher | None:
    """The first row of a list (`wrapper`, `shell`, …) with this name."""
    return next(iter(_rows(kind).get(name, ())), None)


def launched(kind: str, line: Sequence[Word]) -> tuple[Launcher, list[Word]] | None:
    """The row of a list that a command line calls, and the words after the program and the words that choose it."""
    for row in _rows(kind).get(base(line[0].text), ()) if line else ():
        rest = _after(list(line[1:]), row)
        if rest is not None:
            return row, rest
    return None


def options(words: Sequence[Word], values: Sequence[str]) -> tuple[list[tuple[str, Word | None]], list[Word]]:
    """The options before the first operand, with their values, and what follows; `--` ends them."""
    found: list[tuple[str, Word | None]] = []
    at = 0
    while at < len(words) and words[at].text.startswith("-") and words[at].text not in ("-", "--"):
        name, sign, value = words[at].text.partition("=")
        if sign:
            found.append((name, Word(value, words[at].line)))
        elif name in values and at + 1 < len(words):
            at += 1
            found.append((name, words[at]))
        else:
            found.append((name, None))
        at += 1
    rest = list(words[at:])
    return found, rest[1:] if rest and rest[0].text == "--" else rest


def _after(words: list[Word], row: Launcher) -> list[Word] | None:
    """Past the words that make it a launcher; options may stand before them."""
    if not row.under:
        return words
    _, rest = options(words, row.values)
    chosen = _chosen(row)
    count = len(chosen[0])
    return rest[count:] if tuple(word.text for word in rest[:count]) in chosen else None


def _chosen(row: Launcher) -> tuple[tuple[str, ...], ...]:
    """`uv tool run` needs both words; `mise exec` or `mise x` one of them."""
    both = row.under == ("tool", "run")
    return (row.under,) if both else tuple((word,) for word in row.under)
