"""`WWW-Authenticate`: what a 401 or 403 asks for (RFC 9110, 11.6.1; RFC 6750, 3; RFC 9728, 5.1).

Reads every challenge of every header, several in one value too. Whatever stands there, nothing is raised; what is
no challenge is passed over.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from ._oauth_documents import said, scopes_in
from ._web import Fetched, Pairs

_SIGNS = r"[!#$%&'*+.^_`|~0-9A-Za-z-]"
_GAP = re.compile(r"[ \t,]*+")
_SCHEME = re.compile(rf"({_SIGNS}++)(?=[ \t,]|$)")
# unquoted values are taken up to a comma or a space: servers write `scope=a:b` and bare addresses
_PARAM = re.compile(rf'[ \t,]*+({_SIGNS}++)[ \t]*+=[ \t]*+(?:"((?:[^"\\]|\\.)*+)"|([^ \t",=][^ \t",]*+))(?=[ \t,]|$)')
_TOKEN68 = re.compile(r"[ \t]++([A-Za-z0-9._~+/-]++=*+)(?=[ \t]*+(?:,|$))")
_REST = re.compile("[^,]*+")
_LONGEST = 16 << 10  # signs of one header that are read


class Challenge(NamedTuple):
    """One scheme and what it asks for: `params` by their names in small letters, or `abc=` of `Negotiate abc=`."""

    scheme: str
    params: dict[str, str]
    token68: str | None = None


class Wanted(NamedTuple):
    """What an answer asks of a client with OAuth. `schemes`: every scheme it names, in small letters."""

    scopes: tuple[str, ...]
    resource_metadata: str | None
    error: str | None
    text: str
    schemes: tuple[str, ...]
    seq: int | None


def challenges(value: str) -> list[Challenge]:
    """The challenges of one header's value, in their order."""
    return list(_read(value[:_LONGEST]))


def wanted(denied: Fetched) -> Wanted:
    """What a 401 or 403 wants: the first Bearer challenge, or whichever names the resource metadata."""
    every = [each for value in _values(denied.headers) for each in challenges(value)]
    bearers = [each for each in every if each.scheme.lower() == "bearer"]
    named = [each for each in every if "resource_metadata" in each.params]
    params = next((each.params for each in (*bearers, *named)), {})
    return Wanted(
        scopes_in(params.get("scope")),
        params.get("resource_metadata") or None,
        params.get("error"),
        said(params.get("error_description")),
        tuple(dict.fromkeys(each.scheme.lower() for each in every)),
        denied.seq,
    )


def wants_login(answer: Fetched) -> bool:
    """Whether an answer of the MCP server is one for `admitted`: a 401, or a 403 for want of scopes."""
    return answer.status == 401 or (answer.status == 403 and wanted(answer).error == "insufficient_scope")


def _values(headers: Pairs) -> Iterator[str]:
    return (value for name, value in headers if name.lower() == "www-authenticate")


def _read(value: str) -> Iterator[Challenge]:
    place = _end(_GAP, value, 0)
    while place < len(value):
        scheme = _SCHEME.match(value, place)
        if scheme is None:
            place = _end(_GAP, value, _end(_REST, value, place))
            continue
        params, place = _params(value, scheme.end())
        token68 = _TOKEN68.match(value, place) if not params else None
        yield Challenge(scheme[1], params, token68[1] if token68 else None)
        place = _end(_GAP, value, token68.end() if token68 else place)


def _params(value: str, place: int) -> tuple[dict[str, str], int]:
    """The parameters from here on, the first of each name, and where they end."""
    params: dict[str, str] = {}
    while param := _PARAM.match(value, place):
        text = re.sub(r"\\(.)", r"\1", param[2]) if param[2] is not None else param[3]
        params.setdefault(param[1].lower(), text)
        place = param.end()
    return params, place


def _end(pattern: re.Pattern[str], value: str, place: int) -> int:
    match = pattern.match(value, place)
    return match.end() if match else place
