"""A tap in a host's config: put before a server's command, and taken out again. Only the characters that must change
do; comments, order and indentation stay.
"""

import json
import os
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from flowgen.errors import ConfigError

from ._tap_spots import NotRead, Spot, spots

_PLAIN = re.compile(r"[\w./@+-]+")
_SPACES = re.compile(r"[ \t\r\n]*")
_DEPTH = 12  # levels of a file in which servers are looked for

_PATH = ("path", "command", "cmd")
COMMAND, ARGS = ("command", "cmd"), ("args", "arguments", "argv")
URL = ("url", "serverUrl", "server_url", "serverURL", "uri", "httpUrl", "http_url")


class Entry(NamedTuple):
    """A server in a file: its parts and where they stand. `words` is the whole command line."""

    name: str
    spot: Spot
    command: Spot | None
    args: Spot | None
    url: str | None

    @property
    def words(self) -> list[str]:
        """The command line, as far as it is texts."""
        parts = [self.command] if self.command is not None and self.command.items is None else []
        lists = [each.items for each in (self.command, self.args) if each is not None and each.items is not None]
        return [part.value or "" for part in [*parts, *(item for each in lists for item in each)] if part is not None]

    @property
    def behind_tap(self) -> list[str]:
        """The command line without the tap before it."""
        words = self.words
        return words[words.index("--", _past_interpreter(words)) + 1 :]

    @property
    def tapped(self) -> bool:
        """Whether a tap stands before it already."""
        words = self.words
        start = _past_interpreter(words)
        return len(words) > start and words[start] == "tap" and "--" in words[start:]


def entries(name: str, text: str, keys: Sequence[str]) -> list[Entry]:
    """The servers under these keys (`a.b` leads into an object, `*` is any). Raises ConfigError."""
    try:
        root = spots(name, text)
    except NotRead as problem:
        raise ConfigError(f"{name}: {problem}", "flowgen hosts --discover tells which files can be read") from None
    found: list[Entry] = []
    for key in keys:
        for holder in _under(root, key):
            found += [each for each in _servers(holder) if all(each.spot is not other.spot for other in found)]
    return found


def tapped(name: str, text: str, entry: Entry, tap: Sequence[str]) -> str:
    """The file with a tap (an argv, up to its `--`) before the server. Raises ConfigError for what has no command."""
    if entry.command is None or (entry.command.items is None and entry.command.value is None):
        raise ConfigError(f"{name}: {entry.name} has no command that could be tapped", None)
    if entry.command.items is not None:
        return _with(text, [_insertion(text, entry.command, [json.dumps(word) for word in tap])])
    original = _literal(text, entry.command)
    new = [*(json.dumps(word) for word in tap[1:]), original]
    edits = [(entry.command.start, entry.command.end, json.dumps(tap[0]))]
    if entry.args is not None and entry.args.items is not None:
        edits.append(_insertion(text, entry.args, new))
    else:
        edits.append(_member(name, text, entry, new))
    return _with(text, edits)


def untapped(text: str, entry: Entry, had_args: bool) -> str:
    """The file with the tap taken out of this server. `had_args`: the list of its arguments was there before."""
    command, words = entry.command, entry.words
    assert command is not None
    behind = len(words) - len(entry.behind_tap)
    if command.items is not None:
        return _with(text, [_removal(command, behind)])
    assert entry.args is not None and entry.args.items is not None
    original = entry.args.items[behind - 1]  # the first word of all is not in this list
    edits = [(command.start, command.end, text[original.start : original.end])]
    between = text[_behind(text, entry) : entry.args.key_start]
    if behind == len(entry.args.items) and not had_args and _SPACES.fullmatch(between.replace(",", "", 1)):
        edits.append((_behind(text, entry), entry.args.end, ""))
    else:
        edits.append(_removal(entry.args, behind))
    return _with(text, edits)


def proven(name: str, old: str, new: str, keys: Sequence[str], entry: Entry, words: Sequence[str]) -> str:
    """The new text, where reading it again gives these words for the server and the old ones for all others.

    Raises ConfigError otherwise: what a host would make of such a file is anybody's guess.
    """
    before = entries(name, old, keys)
    place = next((number for number, each in enumerate(before) if each.spot.start == entry.spot.start
                  and each.name == entry.name), -1)  # fmt: skip
    wanted = [list(words) if number == place else each.words for number, each in enumerate(before)]
    try:
        got = [each.words for each in entries(name, new, keys)]
    except ConfigError:
        got = []
    if got != wanted:
        raise ConfigError(
            f"{name}: {entry.name}: its command or its arguments are written in a way that cannot be edited safely",
            "write the command as one text and the arguments as a list of texts, each server its own",
        )
    return new


# where servers stand


def _under(spot: Spot, key: str, depth: int = 0) -> Iterator[Spot]:
    """What stands under a key; dots lead into objects, or are part of names."""
    if depth > _DEPTH:
        return
    if not key:
        yield spot
        return
    members = spot.members or {}
    if key in members:
        yield members[key]
    head, dot, rest = key.partition(".")
    if dot and head == "*":
        for child in [*members.values(), *(spot.items or ())]:
            yield from _under(child, rest, depth + 1)
    elif dot and head in members:
        yield from _under(members[head], rest, depth + 1)


def _servers(holder: Spot) -> Iterator[Entry]:
    for name, spot in (holder.members or {}).items():
        yield from _server(name, spot)
    for spot in holder.items or ():
        named = (spot.members or {}).get("name")
        if named is not None and named.value:
            yield from _server(named.value, spot)


def _server(name: str, spot: Spot, depth: int = 0) -> Iterator[Entry]:
    """A server, if it is one; some hosts write its command, or how it is reached, as an object of its own."""
    members = spot.members or {}
    command, args, url = (_first(members, names) for names in (COMMAND, ARGS, URL))
    if command is not None and (inner := command.members) is not None:
        spot, command, args = command, _first(inner, _PATH), _first(inner, ARGS)
    if command is not None or url is not None:
        yield Entry(name, spot, command, args, url.value if url is not None else None)
    elif "transport" in members and depth == 0:
        yield from _server(name, members["transport"], 1)


def _first(members: dict[str, Spot], names: Sequence[str]) -> Spot | None:
    return next((members[name] for name in names if name in members), None)


def _past_interpreter(words: Sequence[str]) -> int:
    """Where our own arguments begin: behind `flowgen`, or `python -m flowgen`; behind all where it is not us."""
    if words and os.path.basename(words[0]).removesuffix(".exe") in ("flowgen", "mcp-flowgen"):
        return 1
    return 3 if list(words[1:3]) == ["-m", "flowgen"] else len(words)


# edits


def _with(text: str, edits: Sequence[tuple[int, int, str]]) -> str:
    for start, end, new in sorted(edits, reverse=True):
        text = text[:start] + new + text[end:]
    return text


def _literal(text: str, spot: Spot) -> str:
    """A text as it is written, where it may stand so in a list, too."""
    written = text[spot.start : spot.end]
    quoted = written[:1] in ("\"", "'") and not written.startswith(('"""', "'''"))
    return written if quoted or _PLAIN.fullmatch(written) else json.dumps(spot.value, ensure_ascii=False)


def _insertion(text: str, spot: Spot, new: Sequence[str]) -> tuple[int, int, str]:
    """Puts words at the beginning of a list, in the way in which it is written."""
    items = spot.items or []
    if not items:
        place = spot.start + 1
        return (place, place, ", ".join(new))
    place = items[0].start
    return (place, place, "".join(word + _between(text, spot, items) for word in new))


def _between(text: str, spot: Spot, items: Sequence[Spot]) -> str:
    """What stands between two items."""
    first = items[0].start
    if spot.block:
        line = max(text.rfind("\n", 0, first), text.rfind("\r", 0, first)) + 1
        return _newline(text) + text[line:first]
    if len(items) > 1 and _SPACES.fullmatch(text[items[0].end : items[1].start].replace(",", "", 1)):
        return text[items[0].end : items[1].start]
    before = text[spot.start + 1 : first]
    return f",{before}" if before and _SPACES.fullmatch(before) else ", "


def _removal(spot: Spot, count: int) -> tuple[int, int, str]:
    """Takes so many words from the beginning of a list."""
    items = spot.items or []
    end = items[count].start if count < len(items) else items[-1].end
    return (items[0].start, end, "")


def _member(name: str, text: str, entry: Entry, words: Sequence[str]) -> tuple[int, int, str]:
    """A list of arguments for a server that has none, behind its command."""
    command, toml = entry.command, name.lower().endswith(".toml")
    assert command is not None
    joined = f"[{', '.join(words)}]"
    place = _behind(text, entry)
    if entry.spot.block:
        line = max(text.rfind("\n", 0, command.key_start), text.rfind("\r", 0, command.key_start)) + 1
        indent = " " * (command.key_start - line)
        return (place, place, f"{_newline(text)}{indent}args{' = ' if toml else ': '}{joined}")
    before = text[: command.key_start]
    space = before[len(before.rstrip(" \t\r\n")) :] or " "
    json_file = not toml and not name.lower().endswith((".yaml", ".yml"))
    key = '"args": ' if json_file else "args = " if toml else "args: "
    return (place, place, f",{space}{key}{joined}")


def _behind(text: str, entry: Entry) -> int:
    """Where a member may follow the command: behind it, or behind its line and what is said there."""
    assert entry.command is not None
    if not entry.spot.block:
        return entry.command.end
    found = re.compile(r"[\r\n]").search(text, entry.command.end)
    return found.start() if found else len(text)


def _newline(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"
