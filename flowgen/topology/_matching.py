"""Which declared server one of a recording is: a table of rules, each asked only where those before it found none.

An address or a launch line decides; a name counts only where nothing contradicts it. Where several entries fit alike
all of them are given: nobody guesses.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ._address import HIDDEN, address
from ._document import Word
from ._launch import launch
from ._model import Node, Topology
from ._shell import VARIABLE

_SERVERS = ("server", "bridge", "gateway")
_REMOTE = ("http", "sse")
_PORTS = {"https": ":443", "http": ":80", "": ":443"}
_PARTS = re.compile(r"(?:([A-Za-z]+)://)?([^/?]*)([^?]*)")
_NO_NAMES = {"mcp", "server", "servers", ""}  # words that say nothing of which server it is
_TAP = re.compile(r"^(?:\S+ )*?flowgen tap (?:\S+ )*?-- ")  # it stands before a server and is none
_VERSION = re.compile(r"[\d.]+$")  # python3.12 is python
_WORD = re.compile(r"[^\W_]+")
_UNKNOWN = re.compile(rf"{VARIABLE.pattern}|\$\{{…\}}|{HIDDEN}")


@dataclass(frozen=True, slots=True)
class Entry:
    """A server as a file or a recording has it: `behind` stands behind a bridge, `clients` are those that reach it,
    `hosts` the titles of their hosts. `addresses` are scheme, host, port and path, `launch` is the line that starts
    it (of a bridge the address behind it tells more), `called` the words of its name that tell it from others.
    """

    front: Node
    behind: Node | None
    clients: tuple[str, ...]
    hosts: tuple[str, ...]
    addresses: frozenset[str]
    launch: str | None
    called: frozenset[str]


def entry_of(
    front: Node, behind: Node | None = None, clients: tuple[str, ...] = (), hosts: tuple[str, ...] = ()
) -> Entry:
    """A server with what it is known by."""
    remote = (node for node in (front, behind) if node and node.transport in _REMOTE)
    addresses = frozenset(plain_address(line) for node in remote for line in node.lines[:1])
    local = front.transport == "stdio" and front.kind != "bridge"
    launch = _TAP.sub("", front.lines[0]) if local and front.lines else None
    return Entry(front, behind, clients, hosts, addresses, launch, words_of(front.name or front.title))


def entries(topology: Topology) -> list[Entry]:
    """The servers of a topology, each with what stands for it; those that another server speaks to are none."""
    nodes = {node.id: node for node in topology.nodes}
    zones = {zone.id: zone.title for zone in topology.zones}
    behind, reached = {}, defaultdict(list)
    inner = set()
    for flow in topology.flows:
        source, target = nodes.get(flow.source), nodes.get(flow.target)
        if source is None or target is None or target.kind not in _SERVERS:
            continue
        if source.kind == "bridge":
            behind[source.id] = target
        inner |= {target.id} if source.kind in _SERVERS else set()
        if source.kind in ("client", "model"):
            reached[target.id].append(source)
    fronts = [node for node in topology.nodes if node.kind in _SERVERS and node.id not in inner]
    return [_entry(node, behind.get(node.id), reached[node.id], zones) for node in fronts]


def _entry(node: Node, behind: Node | None, reached: Sequence[Node], zones: dict[str, str]) -> Entry:
    clients = tuple(dict.fromkeys(one.id for one in reached if one.kind == "client"))
    hosts = tuple(dict.fromkeys(zones.get(one.zone or "", "") for one in reached))
    return entry_of(node, behind, clients, hosts)


def matches(seen: Entry, declared: Sequence[Entry], client: str | None = None) -> list[Entry]:
    """The declared entries that a server of a recording may be: none, one, or several that fit alike.

    `client` is what the client of the recording calls itself.
    """
    for rule in RULES:
        found = [each for each in declared if rule(seen, each)]
        if found:
            return _fewer(found, seen, client)
    return []


def _fewer(found: list[Entry], seen: Entry, client: str | None) -> list[Entry]:
    """Among those that fit alike the one with the same name, else the one of the same host."""
    if len(found) > 1:
        found = [each for each in found if each.called == seen.called] or found
    if len(found) > 1 and client:
        found = [each for each in found if any(is_host(client, host) for host in each.hosts)] or found
    return found


def _same_address(seen: Entry, declared: Entry) -> bool:
    return bool(seen.addresses & declared.addresses)


def _same_launch(seen: Entry, declared: Entry) -> bool:
    return seen.launch is not None and seen.launch == declared.launch


def _fitting_address(seen: Entry, declared: Entry) -> bool:
    """Part by part, for a variable holds no slash."""
    pairs = ((mine.split("/"), theirs.split("/")) for mine in seen.addresses for theirs in declared.addresses)
    return any(
        len(mine) == len(theirs) and all(_fits(one, other) for one, other in zip(mine, theirs, strict=True))
        for mine, theirs in pairs
    )


def _fitting_launch(seen: Entry, declared: Entry) -> bool:
    return bool(seen.launch and declared.launch) and _fits(seen.launch or "", declared.launch or "")


def _same_name(seen: Entry, declared: Entry) -> bool:
    """Another address, or a program in place of an address, is another server, whatever it is called."""
    if not seen.called or seen.called != declared.called:
        return False
    ways = [bool(each.addresses) for each in (seen, declared)]
    told = [bool(each.addresses or each.launch) for each in (seen, declared)]
    return not all(told) or ways == [False, False]


RULES: tuple[Callable[[Entry, Entry], bool], ...] = (
    _same_address, _same_launch, _fitting_address, _fitting_launch, _same_name,
)  # fmt: skip


def starts_otherwise(seen: Entry, declared: Entry) -> bool:
    """Whether both say which program is started, or in what, and it is not the same."""
    ours, theirs = seen.launch, declared.launch
    if not ours or not theirs or _fits(ours, theirs):
        return False
    started, meant = (launch([Word(word, 0) for word in line.split()]) for line in (ours, theirs))
    if _UNKNOWN.search(started.program) or _UNKNOWN.search(meant.program):
        return False
    return _VERSION.sub("", started.program) != _VERSION.sub("", meant.program)


def plain_address(line: str) -> str:
    """An address as it is shown, so that equal ones are equal texts: small letters, no usual port, no last slash."""
    found = _PARTS.match(line)
    scheme, authority, path = ((found[1] or "").lower(), found[2].lower(), found[3]) if found else ("", "", line)
    to = address(line if scheme else f"https://{line}", 0)
    port = authority[authority.rfind(":") :] if re.search(r":\d+$", authority) else ""
    if to.loopback:
        return f"this machine{port}{path.rstrip('/')}"
    name = authority.removesuffix(port) if port == _PORTS.get(scheme) else authority
    return f"{scheme if scheme == 'http' else 'https'}://{name}{path.rstrip('/')}"


def words_of(name: str) -> frozenset[str]:
    """`GitHub MCP server` and `github-mcp-server` are called the same."""
    return frozenset(word for word in _WORD.findall(name.casefold()) if word not in _NO_NAMES)


def is_host(client: str, host: str) -> bool:
    """Whether what a client calls itself is the name of a host: `cursor-vscode` is Cursor."""
    ours = words_of(host)
    return bool(ours) and ours <= words_of(client)


def _fits(text: str, template: str) -> bool:
    """Whether a text is the template with something in place of each variable and of each hidden word."""
    first, *rest = _UNKNOWN.split(template)
    if not rest:
        return text == first
    *between, last = rest
    if not text.startswith(first) or len(text) < len(first) + len(last) or not text.endswith(last):
        return False
    at, end = len(first), len(text) - len(last)
    for part in between:
        found = text.find(part, at, end)
        if found < 0:
            return False
        at = found + len(part)
    return True
