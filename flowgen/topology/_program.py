"""The program at the end of a command line: a server, or a bridge to one, or a gateway to others."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from ._address import has_port_or_path, is_address
from ._document import Word
from ._launchers import Launcher, named
from ._shell import VARIABLE, base
from ._shown import shown_word
from ._traits import Trait, is_home, removes

_URL_PREFIX = re.compile(
    r"(?i)--?(?:base|url|path|mount|http|sse|mcp)?-?(?:prefix|base-?path|base-?url|route|endpoint|mount-?path)"
)


class Bridge(NamedTuple):
    """The address behind a bridge; `way` is the transport if a word says it."""

    address: Word
    way: str


class Program(NamedTuple):
    """`bridges` says that it is known as a bridge, whether or not an address stands in its words."""

    name: str
    bridges: bool
    bridge: Bridge | None
    gateway: bool
    traits: tuple[Trait, ...]


def program(words: Sequence[Word], *, in_container: bool) -> Program:
    """What the words of a program tell. Folders in a container are not those of the machine."""
    names = _names(words)
    known = next((name for name in names if named("bridge", name)), None)
    row = named("bridge", known) if known else None
    own = words[0].text if words[0].text.startswith("@") else base(words[0].text)
    return Program(
        known or own, row is not None, _bridge(row, words[1:]) if row else None,
        any(named("gateway", name) for name in names),
        tuple(_traits(words, row is not None, in_container)),
    )  # fmt: skip


def _traits(words: Sequence[Word], bridges: bool, in_container: bool) -> Iterator[Trait]:
    if removes([word.text for word in words]):
        yield Trait("remove", words[0].line)
    if bridges:
        yield from (Trait("allow-http", word.line) for word in words[1:] if word.text == "--allow-http")
    if not in_container:
        yield from _homes(words)


def _names(words: Sequence[Word]) -> list[str]:
    """The names by which a program may be known: its own, a module's after `-m`, the parts of a script's path."""
    names = [words[0].text, base(words[0].text)]
    for at, word in enumerate(words[1:3], 1):
        if words[at - 1].text == "-m":
            names.append(word.text.replace("_", "-"))
        elif not word.text.startswith("-") and not is_address(word.text):
            names.extend(part for part in re.split(r"[/\\]", word.text)[:-1])
    return names


def _homes(words: Sequence[Word]) -> Iterator[Trait]:
    for before, word in pairwise(words):
        option, sign, value = word.text.partition("=")
        text, name = (value, option) if sign and option.startswith("-") else (word.text, before.text)
        if is_home(text) and not _URL_PREFIX.fullmatch(name):
            yield Trait("home", word.line, shown_word(text))


def _bridge(row: Launcher, words: Sequence[Word]) -> Bridge | None:
    way = next((row.way[word.text] for word in words if word.text in row.way), "")
    for at, word in enumerate(words):
        option, sign, value = word.text.partition("=")
        if option in row.address and (sign or at + 1 < len(words)):
            return Bridge(Word(value, word.line) if sign else words[at + 1], row.address[option])
    if row.address:
        return None
    found = next((word for word in words if is_address(word.text)), None)
    found = found or next((word for word in words if _may_be_address(word.text)), None)
    return Bridge(found, way) if found else None


def _may_be_address(text: str) -> bool:
    return has_port_or_path(text) or (VARIABLE.match(text) is not None and not text.startswith("-"))
