"""What a container engine is told: which image, what of the machine the container sees, what runs in it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import NamedTuple

from ._document import Word
from ._launchers import data, options
from ._shell import VARIABLE, base

_SOCKETS = re.compile(r"(?:docker|podman|containerd|crio)\.sock")
_WITH_VALUE = "evpulwhamcn"  # short options whose value may follow at once: -eNAME=value
_PARTS = re.compile(r"(?:^|(?<=:))((?:^[A-Za-z]:(?=[/\\]))?[^:]*)")
_HIDE = "\ue000"


class Mount(NamedTuple):
    """A folder or a file of the machine in a container."""

    source: str
    read_only: bool
    line: int

    @property
    def is_engine_socket(self) -> bool:
        """Whether it is the socket through which the container may command the engine."""
        return _SOCKETS.search(self.source) is not None


@dataclass(slots=True)
class Container:
    """A container as the command line describes it; `rest` is what runs in it, `gateway` a gateway on the machine."""

    image: Word | None = None
    mounts: list[Mount] = field(default_factory=list)
    env: list[tuple[str, Word]] = field(default_factory=list)
    passed: list[Word] = field(default_factory=list)
    privileged: Word | None = None
    host_network: Word | None = None
    network: str = ""
    rest: list[Word] = field(default_factory=list)
    gateway: bool = False


def container(words: Sequence[Word]) -> Container | None:
    """What `docker …` and its like start; None for what is no server (`docker ps`) or another program."""
    if not words or base(words[0].text) not in _engines():
        return None
    engine, known = base(words[0].text), data()["containers"]
    _, rest = options(words[1:], known["global_values"])
    if engine in known["compose"]:
        return _compose(rest) if engine == base(words[0].text) else None
    verbs = [word.text for word in rest[:3]]
    if verbs == ["mcp", "gateway", "run"]:
        return Container(gateway=True)
    if verbs[:1] == ["container"]:
        rest = rest[1:]
    return _verb(rest)


@cache
def _engines() -> frozenset[str]:
    return frozenset(data()["containers"]["names"] + data()["containers"]["compose"])


def _verb(words: list[Word]) -> Container | None:
    verb = words[0].text if words else ""
    if verb == "compose":
        return _compose(words[1:])
    if verb in ("run", "create"):
        return _run(words[1:], with_image=True)
    if verb == "exec":
        return _run(words[1:], with_image=False)
    if verb in ("start", "attach", "sandbox"):
        return Container()
    return None


def _compose(words: list[Word]) -> Container | None:
    """A service of a compose file: its image stands elsewhere."""
    _, rest = options(words, data()["containers"]["compose_values"])
    verb = rest[0].text if rest else ""
    return _run(rest[1:], with_image=False) if verb in ("run", "exec", "up", "start", "attach") else None


def _run(words: list[Word], with_image: bool) -> Container:
    found = Container()
    at = 0
    while at < len(words) and words[at].text.startswith("-") and words[at].text != "--":
        at += _option(found, words, at)
    at += at < len(words) and words[at].text == "--"
    if at < len(words):
        found.image = words[at] if with_image else None
        found.rest = words[at + 1 :]
    return found


def _option(found: Container, words: list[Word], at: int) -> int:
    """Takes one option and its value; returns how many words these were."""
    text, line = words[at].text, words[at].line
    name, sign, value = text.partition("=")
    if not text.startswith("--") and len(text) > 2 and text[1] in _WITH_VALUE and text[:3] != "-ti":
        _note(found, text[:2], text[2:].removeprefix("="), line)
        return 1
    if sign:
        _note(found, name, value, line)
        return 1
    if _is_switch(text):
        if text == "--privileged":
            found.privileged = words[at]
        return 1
    if at + 1 < len(words):
        name = f"-{name[-1]}" if re.fullmatch(r"-[a-zA-Z]{2,}", name) and _is_switch(name[:-1]) else name
        _note(found, name, words[at + 1].text, words[at + 1].line)
    return 2


def _is_switch(text: str) -> bool:
    switches = data()["containers"]["switches"]
    cluster = re.fullmatch(r"-[a-zA-Z]{2,}", text) and all(f"-{letter}" in switches for letter in text[1:])
    return text in switches or bool(cluster)


def _note(found: Container, name: str, value: str, line: int) -> None:
    if name in ("-e", "--env"):
        key, sign, rest = value.partition("=")
        if sign:
            found.env.append((key, Word(rest, line)))
        else:
            found.passed.append(Word(key, line))
    elif name in ("-v", "--volume"):
        found.mounts.append(_volume(value, line))
    elif name == "--mount":
        found.mounts.extend(_mount(value, line))
    elif name in ("--network", "--net"):
        found.network = value
        found.host_network = Word(value, line) if value == "host" else found.host_network
    elif name == "--privileged" and value != "false":
        found.privileged = Word(value, line)


def _volume(value: str, line: int) -> Mount:
    """`SOURCE:TARGET:ro`; a drive's letter and a variable may hold a colon of their own."""
    names = iter(VARIABLE.findall(value))
    source, *rest = _PARTS.findall(VARIABLE.sub(_HIDE, value))
    source = re.sub(_HIDE, lambda _: next(names), source)
    return Mount(source, bool(rest) and "ro" in rest[-1].split(","), line)


def _mount(value: str, line: int) -> list[Mount]:
    pairs = dict(part.partition("=")[::2] for part in value.split(","))
    source = pairs.get("source") or pairs.get("src")
    read_only = pairs.get("readonly", pairs.get("ro")) in ("", "true", "1")
    return [Mount(source, read_only, line)] if source else []
