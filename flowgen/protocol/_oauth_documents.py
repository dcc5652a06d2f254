"""Reads what OAuth servers answer: JSON objects, one by one member. Everything in them is the word of a stranger.

Nothing is raised: what cannot be used is told in a few words, or left out.
"""

from typing import Any, NamedTuple

from flowgen.wire import read_json

from ._acts import Json
from ._oauth_model import SCOPE, AuthServer, Registration, Resource, Token
from ._web import Failure, Fetched

MAX_DOCUMENT = 256 << 10  # bytes; no metadata in the wild comes near it
_BOM = b"\xef\xbb\xbf"
_TOKEN_SIGNS = range(0x21, 0x7F)  # what may stand in a header after `Bearer `


class Unusable(NamedTuple):
    """Why an answer is of no use, in words that fit after the address it came from."""

    reason: str


class Denied(NamedTuple):
    """An error of the authorization server (RFC 6749, 5.2): its code, and what it says about it."""

    code: str
    text: str

    def __str__(self) -> str:
        return ", ".join(filter(None, self)) or "no reason given"


def found(answer: Fetched | Failure) -> Json | Unusable:
    """The document of a metadata request: only a 200 with a JSON object is one."""
    if isinstance(answer, Failure):
        return Unusable(f"gave no answer ({said(answer.reason)})")
    if answer.status != 200:
        return Unusable(f"answered {answer.status}")
    return document(answer)


def document(answer: Fetched) -> Json | Unusable:
    """The JSON object of a body, whatever its status and content type."""
    if len(answer.body) > MAX_DOCUMENT:
        return Unusable(f"answered with more than {MAX_DOCUMENT >> 10} kB")
    try:
        value = read_json(answer.body.removeprefix(_BOM)).value
    except ValueError:
        return Unusable("answered with " + ("HTML" if answer.body.lstrip()[:1] == b"<" else "what is no JSON"))
    return value if isinstance(value, dict) else Unusable("answered with JSON that is no object")


def said(value: Any, width: int = 200) -> str:
    """A stranger's text on one line, without signs that a terminal or a reader could trip over."""
    text = value if isinstance(value, str) else ""
    shown = " ".join("".join(sign if sign.isprintable() else " " for sign in text[: width * 4]).split())
    return shown if len(shown) <= width else f"{shown[: width - 1]}…"


# members


def text(document: Json, name: str) -> str | None:
    """A string that is not empty and holds no invisible sign."""
    value = document.get(name)
    return value if isinstance(value, str) and value and value.isprintable() else None


def texts(document: Json, name: str) -> tuple[str, ...] | None:
    """A list of strings, others left out; None where there is no list."""
    value = document.get(name)
    if not isinstance(value, list):
        return None
    return tuple(dict.fromkeys(item for item in value if isinstance(item, str) and item and item.isprintable()))


def scopes_in(value: Any) -> tuple[str, ...]:
    """The scopes of a string or a list, each once, in their order; what is none is left out."""
    words = value.split(" ") if isinstance(value, str) else value if isinstance(value, list | tuple) else ()
    return tuple(dict.fromkeys(word for word in words if isinstance(word, str) and SCOPE.fullmatch(word)))


# documents


def resource_in(document: Json) -> Resource | Unusable:
    """Protected resource metadata (RFC 9728, 2)."""
    resource = text(document, "resource")
    if resource is None:
        return Unusable('names no "resource"')
    issuers = texts(document, "authorization_servers") or ()
    return Resource(resource, issuers, scopes_in(document.get("scopes_supported")))


def auth_server_in(document: Json, place: str) -> AuthServer | Unusable:
    """Authorization server metadata (RFC 8414, 2; RFC 9207, 3; Client ID Metadata Document draft, 5)."""
    issuer, token_endpoint = text(document, "issuer"), text(document, "token_endpoint")
    if issuer is None or token_endpoint is None:
        return Unusable('names no "issuer"' if issuer is None else 'names no "token_endpoint"')
    return AuthServer(
        issuer=issuer,
        authorization_endpoint=text(document, "authorization_endpoint"),
        token_endpoint=token_endpoint,
        registration_endpoint=text(document, "registration_endpoint"),
        methods=texts(document, "token_endpoint_auth_methods_supported"),
        challenges=texts(document, "code_challenge_methods_supported"),
        grants=texts(document, "grant_types_supported"),
        scopes=texts(document, "scopes_supported"),
        says_iss=document.get("authorization_response_iss_parameter_supported") is True,
        reads_documents=document.get("client_id_metadata_document_supported") is True,
        place=place,
    )


def registration_in(document: Json, redirect_uri: str) -> Registration | Unusable:
    """A client information response (RFC 7591, 3.2.1)."""
    client_id = text(document, "client_id")
    if client_id is None:
        return Unusable('names no "client_id"')
    secret, method = text(document, "client_secret"), text(document, "token_endpoint_auth_method")
    return Registration(client_id, "dynamic", secret, method, redirect_uri)


def token_in(document: Json, issuer: str, resource: str | None, asked: tuple[str, ...]) -> Token | Unusable:
    """A token response (RFC 6749, 5.1). A token that could not stand in a header is none."""
    access, kind = document.get("access_token"), text(document, "token_type")
    if not isinstance(access, str) or not access or any(ord(sign) not in _TOKEN_SIGNS for sign in access):
        return Unusable('has no "access_token" that fits into a header')
    if kind is None or kind.lower() != "bearer":
        return Unusable(f"has a token of the type {said(kind) or 'nothing'}, not Bearer")
    granted = scopes_in(document.get("scope")) if isinstance(document.get("scope"), str) else asked
    expires = document.get("expires_in")
    lasts = expires if isinstance(expires, int) and not isinstance(expires, bool) and expires >= 0 else None
    return Token(access, issuer, resource, text(document, "refresh_token"), asked, granted, lasts)


def denied_in(answer: Fetched) -> Denied | None:
    """The error that a body carries, with its text; None where there is none."""
    body = document(answer)
    if isinstance(body, Unusable) or not isinstance(body.get("error"), str):
        return None
    return Denied(said(body["error"], 60), said(body.get("error_description")))
