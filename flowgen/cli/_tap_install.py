"""`flowgen tap install` and `uninstall`: a tap in a host's config, shown before it is written, and taken out again."""

import codecs
import difflib
import os
import re
import shutil
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from flowgen.errors import ConfigError, UsageError

from ._options import adding
from ._output import say
from ._words import FILE

if TYPE_CHECKING:
    from ._tap_edit import Entry

_BOMS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
_BACKUP = ".before-tap"
_WHERE = "~/flowgen/{name}-{{time}}-{{pid}}.jsonl"

_options = adding((
    click.option("--host", metavar="NAME", help="Whose config: claude-desktop, cursor, …; see flowgen hosts."),
    click.option("--config", metavar="FILE", type=FILE, help="This file, whosever it is."),
    click.option("--name", metavar="NAME", help="Which of the servers in it; needless where there is only one."),
    click.option("--yes", is_flag=True, help="Write without asking."),
))  # fmt: skip


@click.command()
@_options
@click.option("-o", "--output", metavar="FILE", type=FILE,
              help="Where recordings go; {time} and {pid} are filled in.  [default: ~/flowgen/NAME-{time}-{pid}.jsonl]")
def install(host: str | None, config: str | None, name: str | None, yes: bool, output: str | None) -> int:
    """Put a tap before a server in a host's config.

    \b
    flowgen tap install --host claude-desktop --name github
    flowgen tap install --config .vscode/mcp.json --name github --yes

    The change is shown before it is written, a copy of the file is kept beside it, and nothing but the server's
    command line changes. The host must be started again.
    """
    from ._tap_edit import proven, tapped

    file, entry = _found(host, config, name)
    if entry.tapped:
        say(f"{entry.name} has a tap already")
        return 0
    if entry.command is None:
        port = f"flowgen tap -o {entry.name}.jsonl --listen 127.0.0.1:8900 --upstream {_shown(entry.url or '')}"
        raise ConfigError(f"{file.path}: {entry.name} is reached by an address, so no host can start its tap", port)
    where = os.path.expanduser(output or _WHERE.format(name=_plain(entry.name)))
    _refuse_line(file, entry)
    tap = [*_ourselves(), "tap", "-o", os.path.abspath(where), "--"]
    new = proven(file.name, file.text, tapped(file.name, file.text, entry, tap), file.keys, entry, [*tap, *entry.words])
    if not file.changed(new, yes, backup=_backup(file, entry)):
        return 1
    say(f"recordings of {entry.name} go to {where}; start the host again, then: flowgen render FILE -o flow.svg")
    return 0


@click.command()
@_options
def uninstall(host: str | None, config: str | None, name: str | None, yes: bool) -> int:
    """Take a tap out of a host's config again.

    The server's entry is what it was before.

    \b
    flowgen tap uninstall --host claude-desktop --name github
    """
    from ._tap_edit import proven, untapped

    file, entry = _found(host, config, name, only=lambda each: each.tapped)
    if not entry.tapped:
        say(f"{entry.name} has no tap")
        return 0
    new = untapped(file.text, entry, _had_args(file, entry))
    new = proven(file.name, file.text, new, file.keys, entry, entry.behind_tap)
    return 0 if file.changed(new, yes, backup=None) else 1


class _File:
    """A config file as text, in whatever encoding it is, and the keys under which its host looks for servers."""

    def __init__(self, path: Path, keys: Sequence[str], name: str | None = None) -> None:
        self.path, self.keys, self.name = path, keys, name or path.name
        try:
            data = path.read_bytes()
            self._bom, self._encoding = next(((b, code) for b, code in _BOMS if data.startswith(b)), (b"", "utf-8"))
            self.text = data[len(self._bom) :].decode(self._encoding)
        except OSError as problem:
            raise ConfigError(f"{path}: {problem.strerror or problem}", "flowgen hosts tells where files are") from None
        except UnicodeDecodeError:
            raise ConfigError(f"{path}: not {self._encoding.upper()}", "save it as UTF-8") from None

    @property
    def entries(self) -> "list[Entry]":
        """The servers in it."""
        from ._tap_edit import entries

        return entries(self.name, self.text, self.keys)

    def changed(self, new: str, yes: bool, backup: Path | None) -> bool:
        """Shows what would change, asks, and writes; whether it was written."""
        click.echo("\n".join(_difference(self.text, new, str(self.path))), err=True)
        if not yes and not sys.stdin.isatty():
            raise UsageError("there is no terminal to ask at", "--yes writes without asking")
        if not yes and not click.confirm("Write this?", err=True):
            return False
        place = self.path.resolve()
        try:
            if backup is not None:
                shutil.copy2(place, backup)
                say(f"the file as it was: {backup}")
            beside = place.with_name(f".{place.name}.{os.urandom(4).hex()}")
            shutil.copy2(place, beside)  # its rights, too
            beside.write_bytes(self._bom + new.encode(self._encoding))
            os.replace(beside, place)
        except OSError as problem:
            raise ConfigError(f"{self.path}: cannot be written: {problem.strerror or problem}", None) from None
        return True


def _found(
    host: str | None, config: str | None, name: str | None, only: "Callable[[Entry], bool]" = lambda each: True
) -> "tuple[_File, Entry]":
    """The file that is meant and the server in it. Raises UsageError and ConfigError."""
    files = list(_files(host, config))
    found = [(file, entry) for file in files for entry in file.entries if name in (None, entry.name)]
    found = [each for each in found if only(each[1])] or found
    if len(found) == 1:
        return found[0]
    where = " and ".join(str(file.path) for file in files)
    if name is not None and not found:
        there = ", ".join(_shown(entry.name) for file in files for entry in file.entries)
        raise ConfigError(f"{where}: there is no server {name}", f"there are: {there}" if there else None)
    if not found:
        raise ConfigError(f"{where}: there is no server in it", None)
    if len({entry.name for _, entry in found}) > 1:
        raise UsageError("which server?", f"--name {'|'.join(_shown(entry.name) for _, entry in found)}")
    raise UsageError(f"{found[0][1].name} stands {len(found)} times in {where}", "name the file with --config")


def _files(host: str | None, config: str | None) -> Iterator[_File]:
    """The files of a host that are here, or the one that was named."""
    from flowgen import api
    from flowgen.topology import hosts

    every = tuple(dict.fromkeys(key for known in hosts() for key in known.keys if key))
    if config is not None:
        yield _File(Path(config), every)
        return
    if host is None:
        raise UsageError("whose config?", "--host claude-desktop, or --config FILE; flowgen hosts lists them")
    places = [file for file in api.host_files(show_paths=True) if _plain(host) in _plain(file.host)]
    if not places:
        raise UsageError(f"--host {host}: flowgen does not know this host", "flowgen hosts lists them")
    here = [file for file in places if file.here]
    if not here:
        raise ConfigError(f"{places[0].host} has no config here: {places[0].shown}", "--config FILE names another")
    for file in here:
        yield _File(file.path, tuple(key for known in hosts() if known.title == file.host for key in known.keys if key))


def _refuse_line(file: _File, entry: "Entry") -> None:
    command = entry.command.value if entry.command is not None else None
    if command and " " in command.strip() and entry.args is None and not os.path.exists(os.path.expanduser(command)):
        raise ConfigError(
            f"{file.path}: {entry.name}: its command is a whole line, which only a shell could take apart",
            "put the program into command and its words into args",
        )


def _ourselves() -> list[str]:
    """How a host starts us, whatever its PATH is."""
    typed = sys.argv[0] if os.path.basename(sys.argv[0]) in ("flowgen", "mcp-flowgen") else ""
    beside = os.path.join(os.path.dirname(sys.executable), "flowgen")
    found = next(filter(None, map(shutil.which, (typed, beside, "flowgen"))), None)
    return [os.path.abspath(found)] if found else [sys.executable, "-m", "flowgen"]


def _backup(file: _File, entry: "Entry") -> Path:
    return file.path.with_name(f"{file.path.name}.{_plain(entry.name) or 'server'}{_BACKUP}")


def _had_args(file: _File, entry: "Entry") -> bool:
    """Whether the entry had a list of arguments before the tap came, as far as its copy tells."""
    try:
        copy = _File(_backup(file, entry), file.keys, file.name)
        before = [each for each in copy.entries if each.name == entry.name]
    except ConfigError:
        return True
    return not before or before[0].args is not None


def _difference(old: str, new: str, path: str) -> Iterator[str]:
    """The lines that change, with one around them; secrets that stand there are masked."""
    from flowgen.trace import Mask

    mask = Mask()
    lines = difflib.unified_diff(old.splitlines(), new.splitlines(), path, f"{path} (then)", n=1, lineterm="")
    for line in lines:
        yield _shown(mask.text(line), 400)


def _shown(text: str, width: int = 200) -> str:
    from flowgen.record import printable

    return printable(text, width)


def _plain(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", name.casefold()).strip("-")
