"""Where hosts keep their config files on a system: the places of `hosts.toml`, put into one person's folders.

Nothing is looked up here; whoever asks says which system it is, where the home is, and what the variables hold.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from ._hosts import hosts

System = Literal["macos", "windows", "linux"]

_VARIABLE = re.compile(r"%(\w+)%")
# where Windows has these folders if no variable tells
_USUAL = {"APPDATA": "AppData/Roaming", "LOCALAPPDATA": "AppData/Local", "USERPROFILE": ""}


@dataclass(frozen=True, slots=True)
class Place:
    """A host's title, and the path of a config file of it; `project` says that it is relative to a project's folder."""

    host: str
    path: str
    project: bool


def places(system: System, home: str, variables: Mapping[str, str]) -> Iterator[Place]:
    """The places of all hosts in the order of the table, each path of a host once. `home` is an absolute path."""
    seen = set()
    for host in hosts():
        told = dict(host.places)
        for path in (*told.get("any", ()), *told.get(system, ())):
            place = _place(host.title or "", path, home.rstrip("/\\"), variables)
            if place not in seen:
                seen.add(place)
                yield place


def _place(title: str, path: str, home: str, variables: Mapping[str, str]) -> Place:
    opened = _VARIABLE.sub(lambda found: _folder(found[1], home, variables), path)
    if opened.startswith("~/"):
        opened = f"{home}/{opened[2:]}"
    return Place(title, opened.replace("//", "/"), opened == path and not re.match(r"/|[A-Za-z]:", path))


def _folder(name: str, home: str, variables: Mapping[str, str]) -> str:
    told = variables.get(name) or f"{home}/{_USUAL.get(name, '')}"
    return told.replace("\\", "/").rstrip("/")
