"""Who controls a host: the machine itself, a network of one's own, a vendor by its registrable domain.

Nothing is resolved or contacted. The public suffix list comes with the package `publicsuffixlist`.
"""

import ipaddress
import re
import tomllib
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from ._model import ZoneKind

_PRIVATE_SECTION = "===BEGIN PRIVATE DOMAINS==="


class Place(NamedTuple):
    """A zone in which a server lies: its kind, and the name that tells it from others of the kind."""

    kind: ZoneKind
    name: str = ""


MACHINE = Place("machine")
UNKNOWN = Place("unknown")


def place_of(host: str | None) -> Place:
    """Where a host of an address lies; None is an address that only a variable tells."""
    name = _plain(host) if host else ""
    if not name:
        return UNKNOWN
    address = _ip(name)
    if address is not None:
        return _by_network(address)
    if name in _data()["machine"] or name.endswith(".localhost"):
        return MACHINE
    if "." not in name or _ends(name, _data()["private"]):
        return Place("private-network", name)
    return Place("vendor", registrable(name))


def registrable(name: str) -> str:
    """The domain that somebody registered; the whole name of a host where everybody may have one."""
    shared, registries = _lists()
    if _ends(name, _data()["shared"]) or _suffix(name, shared):
        return name
    parts = name.split(".")
    own = len(parts) - (_suffix(name, registries) or 1)  # a suffix that no list knows is the last part
    return ".".join(parts[own - 1 :]) if own else name


def _suffix(name: str, rules: frozenset[str]) -> int:
    """How many parts at the end of a name belong to nobody (https://publicsuffix.org/list/#list-format); 0 if no rule
    is about it.
    """
    parts = _written(name).split(".")
    for at in range(len(parts)):
        rest, further = ".".join(parts[at:]), ".".join(parts[at + 1 :])
        if f"!{rest}" in rules:
            return len(parts) - at - 1
        if rest in rules or (further and f"*.{further}" in rules):
            return len(parts) - at
    return 0


def _written(name: str) -> str:
    """As the list writes it: other scripts as they are."""
    try:
        return name.encode("ascii").decode("idna") if "xn--" in name else name
    except UnicodeError:
        return name


def _by_network(address: Any) -> Place:
    nets = _data()
    if any(address in net for net in nets["machine_networks"]):
        return MACHINE
    private = any(address in net for net in nets["private_networks"])
    return Place("private-network" if private else "vendor", str(address))


def _plain(host: str) -> str:
    """Small letters, no dot at the end, and ASCII for other scripts, so that look-alikes show themselves."""
    name = host.strip().strip("[]").rstrip(".").lower()
    if name.isascii():
        return name
    try:
        return name.encode("idna").decode("ascii")
    except UnicodeError:
        return name


def _ip(name: str) -> Any:
    """An address in any of the spellings that browsers take (`127.1`, `0x7f000001`); None for a name."""
    try:
        address: Any = ipaddress.ip_address(name.partition("%")[0])
    except ValueError:
        number = _number_of(name)
        return None if number is None else ipaddress.IPv4Address(number)
    return getattr(address, "ipv4_mapped", None) or address


def _number_of(name: str) -> int | None:
    """The number that an IPv4 address of one to four parts stands for (the WHATWG's URL parser)."""
    parts = [_part(part) for part in name.split(".")]
    if not 1 <= len(parts) <= 4 or any(part is None for part in parts):
        return None
    *front, last = [part or 0 for part in parts]
    if any(part > 255 for part in front) or last >= 256 ** (4 - len(front)):
        return None
    return sum(part << (24 - 8 * at) for at, part in enumerate(front)) + last


def _part(text: str) -> int | None:
    if not re.fullmatch(r"0[xX][0-9a-fA-F]{0,8}|[0-9]{1,11}", text):
        return None
    if text[:2] in ("0x", "0X"):
        return int(text[2:] or "0", 16)
    return int(text, 8) if re.fullmatch("0[0-7]+", text) else int(text)


def _ends(name: str, domains: tuple[str, ...]) -> bool:
    return name.endswith(tuple(f".{domain}" for domain in domains)) or name in domains


@cache
def _data() -> dict[str, Any]:
    found = tomllib.loads(Path(__file__).with_name("zones.toml").read_text(encoding="utf-8"))
    names = {key: tuple(found[key]) for key in ("shared", "private", "machine")}
    nets = {key: [ipaddress.ip_network(net) for net in found[key]] for key in ("machine_networks", "private_networks")}
    return names | nets


@cache
def _lists() -> tuple[frozenset[str], frozenset[str]]:
    """The suffixes under which others may have hosts (the list's private part), and those of registries: its lines,
    for the package's own reader takes longer than a picture of a hundred servers.
    """
    from publicsuffixlist import PSLFILE

    text = Path(PSLFILE).read_text(encoding="utf-8")
    registries, _, private = text.partition(_PRIVATE_SECTION)
    return frozenset(private.split("\n")), frozenset(registries.split("\n"))
