"""What a sandbox lets in and out, in a few words for its frame: `network: none; reads: ./data; writes: ./out`.

Only what the command line or the file says. A grant that leads out of the sandbox says so. Options are those of
`deno run`, bwrap(1), firejail(1), sandbox-exec(1) and `docker run`.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from ._containers import Container
from ._document import Word
from ._launchers import Launcher, options
from ._shown import shown_word

ANY, NONE, MACHINES = "any", "none", "the machine's"
_NAMED = 3  # values that a grant names
_OF_DENO = {
    "net": "network", "read": "reads", "write": "writes", "env": "variables", "sys": "system", "import": "imports",
}  # fmt: skip
_LETTERS = {"N": "net", "R": "read", "W": "write", "E": "env", "S": "sys", "I": "import"}
_OUT = {"run": "starts programs outside of it", "ffi": "loads native code outside of it"}

_READ_BINDS = ("--ro-bind", "--ro-bind-try")
_BINDS = ("--bind", "--bind-try", "--dev-bind", "--dev-bind-try")

Options = Sequence[tuple[str, Word | None]]


def parted(rest: list[Word], row: Launcher) -> tuple[list[Word], list[Word]]:
    """The options of a sandbox, and the command that it runs."""
    at = 0
    while at < len(rest) and rest[at].text.startswith("-") and rest[at].text != "--":
        at += 3 if rest[at].text in row.pairs else 2 if rest[at].text in row.values else 1
    return rest[:at], rest[at + (at < len(rest) and rest[at].text == "--") :]


def granted(row: Launcher, own: list[Word]) -> Sequence[str]:
    """What the sandbox of a row of the table lets in and out, by its options."""
    if row.note:
        return (row.note,)
    match row.names[0]:
        case "bwrap":
            return of_bwrap(own)
        case "firejail":
            return of_firejail(own)
    return of_profile(options(own, row.values)[0], row.profile)


def said(what: str, values: Sequence[str]) -> str:
    """A grant and what it is for, some of it."""
    shown = [shown_word(value) for value in dict.fromkeys(values)]
    more = [f"+{len(shown) - _NAMED}"] if len(shown) > _NAMED else []
    return f"{what}: {', '.join([*shown[:_NAMED], *more])}"


def of_deno(taken: Options) -> list[str] | None:
    """What `deno run` grants; None where it grants everything, so that there is no sandbox."""
    granted: dict[str, list[str]] = {}
    for name, value in taken:
        for kind in _kinds(name):
            granted.setdefault(kind, []).extend(value.text.split(",") if value and value.text else [ANY])
    if "all" in granted:
        return None
    told = [said(word, granted[kind]) for kind, word in _OF_DENO.items() if kind in granted]
    told += [said("permission set", granted["set"])] if "set" in granted else []
    told += [text + _only(granted[kind]) for kind, text in _OUT.items() if kind in granted]
    return told or ["nothing granted"]


def _only(values: Sequence[str]) -> str:
    return "" if ANY in values else said("", values)


def _kinds(name: str) -> Iterator[str]:
    """The permissions that an option is about: `--allow-net`, `-N`, `-RW`."""
    if name.startswith("--allow-"):
        yield name.removeprefix("--allow-")
    elif name == "--permission-set":
        yield "set"
    elif re.fullmatch("-[A-Z]+", name):
        known = _LETTERS | {"A": "all", "P": "set"}
        yield from (known[letter] for letter in name[1:] if letter in known)


def of_bwrap(words: Sequence[Word]) -> list[str]:
    """The folders that bubblewrap binds, and whether the network is the machine's."""
    texts = [word.text for word in words]
    apart = "--unshare-net" in texts or ("--unshare-all" in texts and "--share-net" not in texts)
    told = [f"network: {NONE if apart else MACHINES}"]
    for what, binds in (("reads", _READ_BINDS), ("writes", _BINDS)):
        found = [after for option, after in pairwise(texts) if option in binds]
        told += [said(what, found)] if found else []
    return told


def of_firejail(words: Sequence[Word]) -> list[str]:
    """The network, and what of the home is left; a profile may say more."""
    values: dict[str, list[str]] = {}
    for word in words:
        name, _, value = word.text.partition("=")
        values.setdefault(name, []).append(value)
    apart = NONE in values.get("--net", ())
    told = [f"network: {NONE if apart else MACHINES}"]
    if "--private" in values:
        told.append(said("home", [each or "empty" for each in values["--private"]]))
    for name, what in (("--whitelist", "home"), ("--read-only", "reads"), ("--profile", "profile")):
        told += [said(what, values[name])] if name in values else []
    return told


def of_profile(taken: Options, names: Sequence[str]) -> list[str]:
    """The profile that decides, by its file or its name; a text in its place is not shown."""
    found = [value.text for name, value in taken if name in names and value]
    return [said("profile", ["inline" if re.search(r"\s|\(", each) else each for each in found])] if found else []


def of_container(told: Container) -> list[str]:
    """The network of a container, its mounts, and whether it may do all that root may."""
    found = ["as good as root on this machine"] if told.privileged else []
    network = MACHINES if told.host_network else NONE if told.network == NONE else ""
    found += [f"network: {network}"] if network else []
    for what, read_only in (("reads", True), ("reads and writes", False)):
        mounts = [mount.source for mount in told.mounts if mount.read_only is read_only]
        found += [said(what, mounts)] if mounts else []
    return found


def declared(body: Mapping[str, Any]) -> list[str]:
    """What an entry of a host's file says of the sandbox that the host puts around its server."""
    rules = body.get("sandbox")
    network, folders = (_table(rules, name) for name in ("network", "filesystem"))
    told = []
    for what, table, key in (
        ("network", network, "allowedDomains"), ("reads", folders, "allowRead"), ("writes", folders, "allowWrite"),
        ("never", folders, "denyRead"),
    ):  # fmt: skip
        values = table.get(key)
        if isinstance(values, list):
            told.append(said(what, [each for each in values if isinstance(each, str)] or [NONE]))
    return told


def _table(rules: Any, name: str) -> Mapping[str, Any]:
    found = rules.get(name) if isinstance(rules, dict) else None
    return found if isinstance(found, dict) else {}
