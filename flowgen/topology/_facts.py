"""What is known of one server of a file: where it runs, how it is reached, which credentials go there.

Everything that a picture shows and a judge needs is here, and no secret: a credential is its name, kind and line.
"""

import hashlib
from collections.abc import Sequence
from typing import Literal, NamedTuple

from ._address import Address, address, is_socket
from ._credentials import Credential, Finder, Where
from ._document import Word
from ._fields import Given
from ._hosts import Host
from ._launch import Launch, launch
from ._maps import Found
from ._model import Auth, Transport
from ._prints import Print, prints_of
from ._shell import base
from ._shown import shown_line, shown_word
from ._traits import Trait, TraitKind
from ._zones import MACHINE, Place

Role = Literal["server", "bridge", "gateway"]

_ADDRESSES = {"uri", "url", "sseurl", "mcpurl", "serverurl", "mcpserverurl", "mcpremoteurl", "endpoint", "mcpendpoint"}


class Facts(NamedTuple):
    """A server, or a bridge with the server behind it (`behind`), as one entry of a file tells it.

    `transport` and `place` are those of what the client speaks to; `program` its name, `launched` its command line.
    `same` is equal for entries that reach the same address, `prints` for those that say the same in full.
    """

    name: str | None
    line: int
    role: Role
    transport: Transport
    place: Place
    auth: Auth
    credentials: tuple[Credential, ...]
    traits: tuple[Trait, ...]
    program: str = ""
    launched: str = ""
    image: str | None = None
    remote: str | None = None
    address: Address | None = None
    behind: Transport | None = None
    disabled: bool = False
    scope: str | None = None
    oauth: int | None = None
    issuer: Address | None = None
    distribution: str | None = None
    grants: tuple[str, ...] = ()
    host_ignores: bool = False
    same: str | None = None
    prints: tuple[Print, ...] = ()

    def has(self, *kinds: TraitKind) -> bool:
        """Whether one of these traits was seen."""
        return any(trait.kind in kinds for trait in self.traits)

    def carried(self, *places: Where) -> list[Credential]:
        """The credentials that stand in these places."""
        return [each for each in self.credentials if each.where in places]


def facts_of(given: Given, host: Host, found: Found) -> Facts | None:
    """Puts an entry's facts together; None for one that says neither how it is started nor where it is."""
    by_address = given.url is not None and (not given.words or given.type in ("http", "sse", "socket"))
    if not by_address and not given.words:
        return _without_program(given, found) if given.extension or given.type in ("builtin", "stdio") else None
    seen = launch(given.words) if given.words and not by_address else None
    credentials = Finder(found.defaults, found.secret_inputs).entry(given, seen)
    facts = _remote(given, host, credentials) if by_address else _local(given, seen or Launch(), credentials)
    approved = [Trait("approved", given.approved.line, given.approved.text)] if given.approved else []
    return facts._replace(traits=(*facts.traits, *approved), prints=prints_of(given))


def _base(given: Given, credentials: Sequence[Credential]) -> Facts:
    return Facts(
        given.name, given.line, "server", "stdio", MACHINE, _auth(given, credentials), tuple(credentials), (),
        disabled=given.disabled, scope=given.scope, oauth=given.oauth,
        issuer=address(given.issuer.text, given.issuer.line) if given.issuer else None,
    )  # fmt: skip


def _without_program(given: Given, found: Found) -> Facts:
    """Built into the host; or what the host starts: a script that stands in the file itself, or an extension."""
    if given.extension:
        credentials = Finder(found.defaults, found.secret_inputs).entry(given, None)
        return _base(given, credentials)._replace(launched="an extension of the host")
    if given.type == "stdio":
        return _base(given, ())._replace(launched="a script in the file")
    return _base(given, ())._replace(transport="builtin", place=Place("host"), launched="built into the host")


def _remote(given: Given, host: Host, credentials: Sequence[Credential]) -> Facts:
    url = given.url or Word("", given.line)
    to = address(url.text, url.line)
    facts = _base(given, credentials)._replace(address=to, place=to.place, same=_same(to, url.text))
    if is_socket(url.text):
        return facts._replace(transport="socket")
    told = given.type if given.type in ("http", "sse") else None
    usual = "http" if given.http_url else host.address
    transport = _http(told or usual or _by_path(to))
    return _with_path_token(facts)._replace(transport=transport, host_ignores=host.remote == "ignored")


def _local(given: Given, seen: Launch, credentials: Sequence[Credential]) -> Facts:
    facts = _base(given, credentials)._replace(
        traits=tuple(seen.traits), place=seen.place, program=shown_word(seen.program), image=seen.image,
        remote=seen.remote, launched=seen.shown, distribution=seen.distribution, grants=seen.grants,
    )  # fmt: skip
    if given.sandboxed and seen.place == MACHINE:
        facts = facts._replace(place=Place("sandbox", "declared in the file"), grants=given.grants)
    if seen.gateway:
        return facts._replace(role="gateway")
    target, way = _target(given, seen)
    return _bridged(facts, given, target, way) if target else facts


def _target(given: Given, seen: Launch) -> tuple[Word | None, str]:
    """The address behind a bridge, among its words or in its environment."""
    if seen.bridge:
        return seen.bridge.address, seen.bridge.way
    if not seen.bridge_program:
        return None, ""
    pairs = (*given.env, *seen.env)
    plain = ((name.lower().replace("_", ""), value) for name, value in pairs)
    return next((value for name, value in plain if name in _ADDRESSES and "://" in value.text), None), ""


def _bridged(facts: Facts, given: Given, target: Word, way: str) -> Facts:
    to = address(target.text, target.line)
    bridged = facts._replace(
        role="bridge", address=to, behind=_http(way or _by_path(to)), same=_same(to, target.text),
        launched=_until_program(given.words, facts.program),
    )  # fmt: skip
    return _with_path_token(bridged)


def _until_program(words: Sequence[Word], program: str) -> str:
    """A bridge's command line up to its own name: its address stands with the server behind it."""
    own = {program, program.replace("-", "_")}
    named = [own & {word.text, base(word.text), _unversioned(word.text)} for word in words]
    at = next((at for at, found in enumerate(named) if found), len(words))
    return shown_line(words[: at + 1])


def _unversioned(text: str) -> str:
    return text[0] + text[1:].partition("@")[0].partition("=")[0] if text else ""


def _http(way: str) -> Literal["http", "sse"]:
    return "sse" if way == "sse" else "http"


def _by_path(to: Address) -> Literal["http", "sse"]:
    return "sse" if to.path.rstrip("/").lower().endswith("/sse") else "http"


def _with_path_token(facts: Facts) -> Facts:
    """A part of the path that looks like a token lets in whoever knows it."""
    if not facts.address or not facts.address.token_in_path or facts.auth in ("literal", "oauth"):
        return facts
    token = Credential("token in the path", "literal", "path", facts.address.line)
    return facts._replace(auth="literal", credentials=(*facts.credentials, token))


def _auth(given: Given, credentials: Sequence[Credential]) -> Auth:
    kinds = {each.kind for each in credentials}
    if "literal" in kinds:
        return "literal"
    if given.oauth is not None:
        return "oauth"
    return "reference" if "reference" in kinds else "placeholder" if "placeholder" in kinds else "none"


def _same(to: Address, text: str) -> str:
    """A mark of where an address leads, without its query; it does not lead back to a token in its path."""
    plain = text.partition("#")[0].partition("?")[0].rstrip("/").rpartition("@")[2]
    return hashlib.sha256(f"{to.scheme} {plain.lower()}".encode("utf-8", "surrogatepass")).hexdigest()[:16]
