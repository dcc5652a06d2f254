"""An address of a server: where it points, by which scheme, which credentials it carries, and how it may be shown.

The host part is found as browsers find it: `https://localhost@tracker.example` and `https:\\\\tracker.example` point
to tracker.example. What is shown holds no user, no password, no query, and no part of a path that may be a token.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple
from urllib.parse import unquote_plus

from ._shell import VARIABLE
from ._values import is_shape, looks_random, strength
from ._zones import MACHINE, Place, place_of

HIDDEN = "••••"

_PARTS = re.compile(r"\s*(?:([A-Za-z][A-Za-z0-9+.-]*):)?[/\\]*([^/\\?#]*)([^?#]*)(\?[^#]*)?(#.*)?", re.DOTALL)
_SOCKET = re.compile(r"(?i)(?:(?:http\+)?unix|pipe|npipe):|\\\\[.?]\\pipe\\")
_PLACEHOLDER = re.compile(r"(?i)<[^>]*>|(?:^|[^a-z])your[-_]|^YOUR|^\[[^:\]]*\]$|^\.\.\.$|^x{3,}")
_MATRIX = re.compile(r"(;[^=;/]+=)[^;/]+")
_NOWHERE = ("file", "data", "javascript", "about", "blob", "mailto")  # no machine is named behind these
_LONGEST = 4096  # characters of an address that are looked at; no server has a longer one
_HIDE = "\ue000"  # stands for a variable while an address is taken apart


class Address(NamedTuple):
    """`host` is None where only a variable tells; `path` and `shown` hold nothing secret; `line` is that of the file.

    `token_in_path` says that a part of the path looks like a token.
    """

    scheme: str
    host: str | None
    path: str
    shown: str
    place: Place
    line: int
    token_in_path: bool = False

    @property
    def tls(self) -> bool | None:
        """Whether it is encrypted; None where the scheme is a variable."""
        return {"https": True, "wss": True, "http": False, "ws": False}.get(self.scheme)

    @property
    def loopback(self) -> bool:
        """Whether it points to the machine itself."""
        return self.place == MACHINE


class Carried(NamedTuple):
    """A credential that an address carries: the name of the user or of the parameter, and its value."""

    name: str
    value: str


def is_address(text: str) -> bool:
    """Whether a text is an address of a server over the network, in whole."""
    return re.match(r"(?i)\s*(?:https?|wss?):[/\\]{2}\S+\s*$", text) is not None


def is_socket(text: str) -> bool:
    """Whether an address is a unix socket or a named pipe."""
    return _SOCKET.match(text) is not None


def address(text: str, line: int) -> Address:
    """Takes an address apart; nothing raises, what cannot be read has no host."""
    text = text[:_LONGEST]
    if is_socket(text):
        return Address("unix" if "unix" in text.lower()[:9] else "pipe", None, "", _socket(text), MACHINE, line)
    scheme, authority, path, query = _split(text)
    host = _host(authority)
    shown_path, token = _shown_path(path)
    name = _back(_without_user(authority), text)
    shown = f"{name}{shown_path.rstrip('/') if shown_path == '/' else shown_path}{'?…' if query else ''}"
    host = None if scheme in _NOWHERE else host
    known = host if host and _HIDE not in host else None
    return Address(scheme, known, shown_path, shown, _place(host), line, token)


def carried(text: str) -> Iterator[Carried]:
    """The password before the `@` and every parameter of the query, with what stands there."""
    text = text[:_LONGEST]
    found = _PARTS.fullmatch(_hidden(text))
    if not found:
        return
    user, _, host = found[2].rpartition("@")
    name, sign, password = user.partition(":")
    if host and sign:
        yield Carried("password", _back(unquote_plus(password) if "%" in password else password, text, name))
    elif host and (is_shape(user) or looks_random(user)):
        yield Carried("password", user)
    for pair in _parameters(text):
        parameter, sign, value = pair.partition("=")
        if sign:
            yield Carried(parameter, unquote_plus(value) if re.search("%[0-9A-Fa-f]{2}", value) else value)


def _parameters(text: str) -> list[str]:
    """The `name=value` of the query, of the fragment, and those that stand in a path after `;` (RFC 3986, 3.3)."""
    before, _, fragment = text.partition("#")
    path, _, query = before.partition("?")
    of_path = [each for part in path.split("/") for each in part.split(";")[1:]]
    return [*re.split("[&;]", query), *re.split("[&;?]", fragment), *of_path]


def has_port_or_path(text: str) -> bool:
    """Whether a text without a scheme may still be an address: `host.example:8080/mcp`."""
    return re.fullmatch(r"[\w.-]+\.[a-z]{2,}(?::\d+)?(?:/\S*)?|localhost:\d+\S*", text) is not None


def _split(text: str) -> tuple[str, str, str, str]:
    found = _PARTS.fullmatch(_hidden(re.sub(r"[\t\r\n]", "", text)))
    if not found:
        return "", "", "", ""
    scheme, rest = (found[1] or "").lower(), found[2]
    if scheme and "://" not in text.replace("\\", "/") and re.match(r"\d", rest):
        return "", f"{scheme}:{rest}", found[3], found[4] or ""  # localhost:8080
    return scheme, rest, found[3].replace("\\", "/"), found[4] or ""


def _hidden(text: str) -> str:
    return VARIABLE.sub(lambda found: _HIDE, text)


def _without_user(authority: str) -> str:
    return authority.rpartition("@")[2]


def _host(authority: str) -> str | None:
    name = _without_user(authority)
    bracketed = re.match(r"\[[^\]]*\]", name)
    host = bracketed[0] if bracketed else name.partition(":")[0]
    return None if not host or _PLACEHOLDER.search(host) else host


def _place(host: str | None) -> Place:
    """A variable before the registrable domain leaves that one known: `https://${TENANT}.vendor.example`."""
    if not host or _HIDE not in host:
        return place_of(host)
    known = host.rpartition(_HIDE)[2]
    if not known.startswith(".") or "." not in known[1:]:
        return place_of(None)
    return place_of(f"x{known}")


def _back(shown: str, text: str, before: str = "") -> str:
    """With the variables again as they are written; a default within them is not shown."""
    names = [re.sub(r":?[-=?].*(?=\}$)", "", each) if each[:2] == "${" else each for each in VARIABLE.findall(text)]
    skipped = before.count(_HIDE)
    for name in names[skipped:]:
        shown = shown.replace(_HIDE, name, 1)
    return shown


def _shown_path(path: str) -> tuple[str, bool]:
    parts = _MATRIX.sub(lambda found: f"{found[1]}{HIDDEN}" if strength(found[1]) else found[0], path).split("/")
    hidden = [bool(part) and (looks_random(part) or is_shape(part)) for part in parts]
    shown = "/".join(HIDDEN if hide else part for part, hide in zip(parts, hidden, strict=True))
    return shown.replace(_HIDE, "${…}"), any(hidden)


def _socket(text: str) -> str:
    path = re.sub(r"(?i)^(?:http\+)?(?:unix|n?pipe):/*(?=/)|^(?:http\+)?(?:unix|n?pipe):", "", text)
    return path.partition("#")[0].partition("?")[0]
