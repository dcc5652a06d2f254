"""What a command line really starts: launchers unwrapped until the server itself, and what was seen on the way.

`cmd /c`, `wsl`, `env`, `sudo`, a shell's text, `ssh`, sandboxes, containers, `npx` and its like are taken off one by
one; the tables are in `launchers.toml`. Nothing is started or looked up.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from . import _grants as grants
from . import _pins
from ._containers import Container, container
from ._document import Word
from ._launchers import Launcher, data, launched, options
from ._program import Bridge, program
from ._shell import OPERATORS, assignments, base, shell_text
from ._shell import words as split_words
from ._shown import shown_line, shown_word
from ._traits import Trait, TraitKind, downloads, is_home
from ._zones import MACHINE, Place

_DEEPEST = 12  # launchers within launchers
_ASIDE = 50  # commands of a shell's text that are looked at
_QUIET = {
    "cd", "source", ".", "export", "set", "echo", "eval", "true", "sleep", "mkdir", "test", "[", "nvm", "trap", "umask",
    "ulimit", "printf", "type", "which", "unset", "pushd", "popd", "chcp", "title", "setlocal", "call",
}  # fmt: skip
_PINS: dict[tuple[str, bool], TraitKind] = {
    ("package", True): "package-pinned", ("package", False): "package-open",
    ("image", True): "image-pinned", ("image", False): "image-open",
}  # fmt: skip
_KINDS = ("wrapper", "shell", "sandbox", "runner")


@dataclass(slots=True)
class Launch:
    """What was found. `lines` are all command lines that were read, for whoever looks for credentials in them."""

    program: str = ""
    shown: str = ""
    place: Place = MACHINE
    image: str | None = None
    remote: str | None = None
    gateway: bool = False
    bridge: Bridge | None = None
    bridge_program: bool = False
    keeps: bool = False
    distribution: str | None = None
    traits: list[Trait] = field(default_factory=list)
    env: list[tuple[str, Word]] = field(default_factory=list)
    passed: list[Word] = field(default_factory=list)
    lines: list[tuple[Word, ...]] = field(default_factory=list)
    in_container: bool = False
    grants: tuple[str, ...] = ()


def launch(words: Sequence[Word]) -> Launch:
    """Unwraps a command line. The words of a shell's text have the line of the text."""
    found = Launch(shown=shown_line(words), program=base(words[0].text) if words else "")
    found.lines.append(tuple(words))
    rest = list(words)
    for _ in range(_DEEPEST):
        rest = _without_variables(found, rest)
        deeper = _step(found, rest) if rest else None
        if deeper is None:
            break
        rest = deeper
    if rest:
        _program(found, rest)
    return found


def _step(found: Launch, words: list[Word]) -> list[Word] | None:
    """Takes one launcher off; None when the words start the server itself."""
    for kind, take in (("wrapper", _wrapper), ("shell", _shell), ("sandbox", _sandbox), ("runner", _runner)):
        called = launched(kind, words)
        if called:
            return take(found, words, *called)
    if base(words[0].text) in data()["ssh"]["names"]:
        return _ssh(found, words)
    contained = container(words)
    return None if contained is None else _container(found, contained)


def _wrapper(found: Launch, words: list[Word], row: Launcher, rest: list[Word]) -> list[Word] | None:
    if row.sudo:
        found.traits.append(Trait("sudo", words[0].line, base(words[0].text)))
    found.keeps = found.keeps or row.keeps
    taken, rest = options(rest, row.values)
    if row.place == "wsl":
        found.distribution = next((each.text for name, each in taken if name in ("-d", "--distribution") and each), "")
    if split := next((value.text for name, value in taken if name in ("-S", "--split-string") and value), None):
        rest = [*(Word(each, words[0].line) for each in split_words(split)), *rest]
    set_here, command = assignments(tuple(word.text for word in rest))
    found.env.extend(_variable(rest[at]) for at in range(len(set_here)))
    rest = rest[len(set_here) + row.skip :]
    return rest if command and rest else None


def _without_variables(found: Launch, words: list[Word]) -> list[Word]:
    """`NAME=value` before a command, as shells take it."""
    set_here, _ = assignments(tuple(word.text for word in words))
    if len(set_here) == len(words):
        return words
    found.env.extend(_variable(words[at]) for at in range(len(set_here)))
    return words[len(set_here) :]


def _variable(word: Word) -> tuple[str, Word]:
    name, _, value = word.text.partition("=")
    return name.removeprefix("$env:"), Word(value, word.line)


def _shell(found: Launch, words: list[Word], row: Launcher, rest: list[Word]) -> list[Word] | None:
    """Into the text that a shell is given; a shell with a script is the program itself."""
    skip = False
    for at, word in enumerate(rest):
        option = word.text.lower()
        if skip:
            skip = False
            continue
        skip = option in row.values
        if option in row.text or (row.names[0] == "bash" and re.fullmatch(r"-[a-z]*c", option)):
            return _text(found, rest[at + 1 :], whole=row.names[0] != "bash")
        if option in row.script or not option.startswith(("-", "/")):
            return None
    return None


def _text(found: Launch, words: list[Word], whole: bool) -> list[Word] | None:
    """`cmd /c` and PowerShell take all words that follow, other shells one."""
    if whole and len(words) > 1 and not any(word.text in OPERATORS for word in words):
        return words
    line = words[0].line if words else 0
    return _commands(found, " ".join(word.text for word in (words if whole else words[:1])), line)


def _commands(found: Launch, text: str, line: int) -> list[Word] | None:
    """The command of a shell's text that is the server: the last that is no preparation, rather one that we know."""
    told = shell_text(text)
    if told.joined:
        found.traits.append(Trait("shell", line))
    if downloads(text):
        found.traits.append(Trait("download", line))
    commands: list[list[Word]] = []
    for each in told.commands:
        set_here, rest = assignments(each)
        found.env.extend(_variable(Word(word, line)) for word in set_here)
        found.lines.append(tuple(Word(word, line) for word in each))
        if rest and base(rest[0]) not in _QUIET:
            commands.append([Word(word, line) for word in rest])
    if not commands:
        return None
    main = ([command for command in commands if _is_known(command)] or commands)[-1]
    for command in commands[:_ASIDE]:
        if command is not main:
            _aside(found, command)
    return main


def _is_known(words: list[Word]) -> bool:
    if base(words[0].text) == "exec" and len(words) > 1:
        return _is_known(words[1:])
    return any(launched(kind, words) for kind in _KINDS) or container(words) is not None


def _aside(found: Launch, words: list[Word]) -> None:
    """A command beside the server's own: only what is to be looked at is kept of it."""
    other = launch(words)
    found.traits.extend(trait for trait in other.traits if trait.kind != "home")


def _sandbox(found: Launch, words: list[Word], row: Launcher, rest: list[Word]) -> list[Word] | None:
    own, inside = grants.parted(rest, row)
    _settle(found, Place("sandbox", row.title or base(words[0].text)), grants.granted(row, own))
    for option, folder in pairwise(own):
        if option.text in row.mounts:
            _mounted(found, folder.text, folder.line)
    text = next((value for name, value in options(own, row.values)[0] if name in row.text and value), None)
    if row.whole or text:
        return _commands(found, text.text, text.line) if text else None
    return inside[1:] if inside and inside[0].text in row.under_too else inside


def _settle(found: Launch, place: Place, granted: Sequence[str] = ()) -> None:
    """The outermost boundary counts, but another machine is beyond all."""
    if found.place == MACHINE or place.kind == "other-machine":
        found.place, found.grants = place, tuple(granted)


def _mounted(found: Launch, source: str, line: int) -> None:
    if is_home(source):
        found.traits.append(Trait("home", line, shown_word(source)))


def _ssh(found: Launch, words: list[Word]) -> list[Word] | None:
    taken, rest = options(words[1:], data()["ssh"]["values"])
    for name, value in taken:
        told = value.text if value else ""
        told = told if name == "-o" else f"{name[2:]}={told}"
        if re.fullmatch(r"(?i)\s*StrictHostKeyChecking\s*[= ]\s*(?:no|off)\s*", told):
            found.traits.append(Trait("host-key", value.line if value else words[0].line))
        if name == "-i":
            found.traits.append(Trait("key-file", words[0].line))
    if not rest:
        return None
    found.remote = shown_word(rest[0].text.removeprefix("ssh://"))
    _settle(found, Place("other-machine", found.remote))
    command = [word.text for word in rest[1:]]
    if len(command) > 1 and not any(word in OPERATORS for word in command):
        return rest[1:]
    return _commands(found, " ".join(command), rest[1].line) if command else None


def _container(found: Launch, told: Container) -> list[Word] | None:
    if told.gateway:
        found.gateway = True
        return None
    _settle(found, Place("sandbox", "container"), grants.of_container(told))
    found.in_container = True
    for mount in told.mounts:
        _mounted(found, mount.source, mount.line)
        if mount.is_engine_socket:
            found.traits.append(Trait("engine-socket", mount.line))
    if told.mounts and all(mount.read_only for mount in told.mounts):
        found.traits.append(Trait("read-only", told.mounts[0].line))
    if told.image:
        found.image = shown_word(told.image.text)
        _pinned(found, "image", _pins.image(told.image.text), told.image, found.image)
    if told.privileged:
        found.traits.append(Trait("privileged", told.privileged.line))
    if told.host_network:
        found.traits.append(Trait("host-network", told.host_network.line))
    found.env.extend(told.env)
    found.passed.extend(told.passed)
    return told.rest or None


def _runner(found: Launch, words: list[Word], row: Launcher, rest: list[Word]) -> list[Word] | None:
    """Past `npx`, `uvx` and their like: the package is noted, its program goes on."""
    taken, operands = options(rest, (*row.values, *row.package, *row.text))
    text = next((value for name, value in taken if name in row.text and value), None)
    specs = [value for name, value in taken if name in row.package and value]
    if row.permits and (granted := grants.of_deno(taken)) is not None:
        _settle(found, Place("sandbox", row.title), granted)
        for name, value in taken:
            _reached(found, name, value)
    if row.marked and not (operands and operands[0].text.startswith(row.marked)):
        return None
    specs = specs or ([] if text else operands[:1])
    for spec in specs[:1]:
        pinned = _pins.pypi(spec.text) if row.kind == "pypi" else _pins.npm(spec.text)
        if any(name == "--version" and value for name, value in taken):
            pinned = True
        _pinned(found, "package", pinned, spec, _package(spec.text))
    if text:
        return _commands(found, text.text, text.line)
    if not operands:
        return None
    return [Word(_package(operands[0].text), operands[0].line), *operands[1:]]


def _reached(found: Launch, name: str, value: Word | None) -> None:
    """Folders that Deno may read or write."""
    if value and name in ("--allow-read", "--allow-write", "-R", "-W"):
        for folder in value.text.split(","):
            _mounted(found, folder, value.line)


def _package(spec: str) -> str:
    """A package's name without its version."""
    if "://" in spec or spec.startswith("git"):
        return shown_word(re.sub(r"://[^/@]*@", "://", spec.removeprefix("git+")).partition("#")[0])
    name = spec.removeprefix("npm:").removeprefix("jsr:")
    return re.split(r"(?<=.)@|[=<>~!\[]=?", name, maxsplit=1)[0] or name


def _pinned(found: Launch, what: str, pinned: bool | None, word: Word, name: str) -> None:
    if pinned is not None:
        found.traits.append(Trait(_PINS[what, pinned], word.line, name))


def _program(found: Launch, words: list[Word]) -> None:
    told = program(words, in_container=found.in_container)
    found.program, found.bridge, found.bridge_program = told.name, told.bridge, told.bridges
    found.gateway = found.gateway or told.gateway
    found.traits.extend(told.traits)
