"""An entry of `servers`: a command line, an address, or a table of what a host's own file would say and more.

What more there is a host's file cannot tell: which tools are called, where tokens come from, what is behind the server,
other words for the picture.
"""

from dataclasses import dataclass
from typing import Any, cast

from flowgen.errors import ConfigError

from ._address import has_port_or_path, is_address, is_socket
from ._credentials import Credential
from ._document import Table, Word
from ._facts import Facts, facts_of
from ._fields import Given, given
from ._hosts import Host, fields, table
from ._maps import Entry, Found
from ._model import Auth
from ._shell import split_command
from ._short_words import CHOICES, Page, line_of
from ._values import ValueKind

_PLAIN = ("title", "lines", "badges", "label", "tools", "auth")
_WIDE = ("oauth", "api", "store")
_OWN = ("run", "url", *_PLAIN, *_WIDE)
_NATIVE = tuple(table()["fields"])


@dataclass(frozen=True, slots=True)
class Server:
    """An entry: its facts, and by its words what a config file could not have told; `wide` has lines, too."""

    facts: Facts
    plain: dict[str, Any]
    wide: dict[str, tuple[Any, int]]


def server_of(name: str, value: Any, line: int, page: Page) -> Server:
    """Reads an entry. Raises ConfigError."""
    body = _body(name, value, line, page)
    kept = Table()
    for key, child in body.items():
        if key not in _OWN or _is_of_config(key, child):
            kept.put(key, child, line_of(body, key, line))
    _refuse_unknown(kept, line, page)
    facts = facts_of(_given(name, body, kept, line, page), Host(None, ()), Found())
    if facts is None:
        raise _unclear(name, line, page)
    plain = {key: page.value(key, body[key], line_of(body, key, line))
             for key in _PLAIN if key in body and key not in kept}  # fmt: skip
    wide = {key: (body[key], line_of(body, key, line)) for key in _WIDE if key in body}
    if not body.get("oauth") or "oauth" in kept:
        return Server(_with_auth(facts, plain.pop("auth", None)), plain, wide)
    if facts.address is None:
        raise page.fault(line_of(body, "oauth", line), "oauth: goes with a server that has an address", "give its url")
    other = {"auth": facts.auth} if facts.auth != "oauth" else {}  # what is said beside it is the node's word
    return Server(facts._replace(auth="oauth"), other | plain, wide)


def is_remote(text: str) -> bool:
    """Whether a text says where something is rather than how it is started."""
    return is_address(text) or is_socket(text) or has_port_or_path(text.strip())


def with_scheme(text: str) -> str:
    """An address as people shorten it, whole: TLS is what is meant, but on one's own machine."""
    if "://" in text or is_socket(text):
        return text
    return f"http://{text}" if text.startswith("localhost") else f"https://{text}"


def _body(name: str, value: Any, line: int, page: Page) -> Table:
    if isinstance(value, Table):
        return value
    if not isinstance(value, str) or not value.strip():
        raise _unclear(name, line, page)
    body = Table()
    body.put("url" if is_remote(value) else "run", value, line)
    return body


def _unclear(name: str, line: int, page: Page) -> ConfigError:
    what = f"server {name[:60]}: not said how it is started or where it is"
    return page.fault(line, what, f"such as {name[:20]}: uvx files@1.2.0, or an address, or a table with run or url")


def _refuse_unknown(kept: Table, line: int, page: Page) -> None:
    known = dict.fromkeys([*_OWN, *(word for name in _NATIVE for word in fields(name))])
    for key in kept:
        if key not in known and key not in ("cwd", "timeout", "description", "name"):
            raise page.unknown(line_of(kept, key, line), key, list(known))


def _is_of_config(key: str, value: Any) -> bool:
    """`auth: {…}` and `oauth: {clientId: …}` are what hosts' files say; our own words are ours."""
    if key == "oauth":
        return isinstance(value, dict) and not {"url", "label", "lines", "title"} & {*value}
    return key == "auth" and value not in CHOICES["auth"]


def _given(name: str, body: Table, kept: Table, line: int, page: Page) -> Given:
    found = given(Entry(name, kept, line))
    for key in ("run", "url"):
        if key in body:
            at = line_of(body, key, line)
            text = page.raw(key, body[key], at).strip()
            if key == "run":
                found.words = [Word(word, at) for word in split_command(text)] + found.words
            else:
                found.url = Word(with_scheme(text), at)
    if "oauth" in body and "oauth" not in kept:
        _declare(found, body["oauth"], line_of(body, "oauth", line), page)
    return found


def _declare(found: Given, value: Any, line: int, page: Page) -> None:
    """`oauth: true`, the authorization server, or a table with its `url`; false says that there is none."""
    url = value.get("url") if isinstance(value, dict) else value
    found.oauth = line if value else None
    if url and url is not True:
        found.issuer = Word(with_scheme(page.raw("oauth", url, line)), line)


def _with_auth(facts: Facts, auth: str | None) -> Facts:
    """With a credential of the kind that is told; where it stands is what is usual."""
    if auth is None or auth == facts.auth:
        return facts
    if auth in ("none", "oauth"):
        return facts._replace(auth=cast(Auth, auth), oauth=facts.line if auth == "oauth" else None)
    kind = cast(ValueKind, auth)
    remote = facts.address is not None and facts.role == "server"
    if remote:
        one = Credential("Authorization", kind, "header", facts.line, scheme="Bearer")
    else:
        one = Credential("TOKEN", kind, "env", facts.line)
    return facts._replace(auth=kind, credentials=(*facts.credentials, one))
