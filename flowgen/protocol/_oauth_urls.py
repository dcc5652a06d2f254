"""Where OAuth's documents are, and which addresses that a server names may be asked at all.

What a server says is not trusted: a name from a document may lead no further into a private network than the MCP
server itself stands (2026-07-28 tutorials/security, server-side request forgery), and http only to loopback.
"""

import ipaddress
import re
from urllib.parse import SplitResult, parse_qsl, quote, urlencode, urlsplit

from flowgen.trace import MASK

_PUBLIC, _PRIVATE, _LOOPBACK = range(3)  # how far inside a host stands
_DEFAULT_PORT = {"http": 80, "https": 443}
_NUMBER = re.compile(r"0x[0-9a-f]*|[0-9]+")
_INNER = (".local", ".internal", ".intranet", ".lan", ".home.arpa")
# parameters that a note may repeat; whatever else stands in a query may be a secret
_SHOWN = {
    "response_type", "client_id", "redirect_uri", "code_challenge_method", "resource", "scope", "iss", "error",
}  # fmt: skip


# places


def resource_places(url: str) -> list[str]:
    """Where a server's protected resource metadata may be: beside its path, then at the root (RFC 9728, 3.1)."""
    base, path = origin(url), urlsplit(url).path
    root = f"{base}/.well-known/oauth-protected-resource"
    return [root] if path in ("", "/") else [root + path, root]


def metadata_places(issuer: str) -> list[str]:
    """Where an issuer's metadata may be, in the order of 2026-07-28 basic/authorization (RFC 8414, then OpenID)."""
    base, path = origin(issuer), urlsplit(issuer).path.rstrip("/")
    places = [f"{base}/.well-known/{name}{path}" for name in ("oauth-authorization-server", "openid-configuration")]
    return [*places, f"{base}{path}/.well-known/openid-configuration"] if path else places


def origin(url: str) -> str:
    """Scheme, host and port, in small letters, without a port that goes without saying."""
    parts = urlsplit(url)
    host = parts.hostname or ""
    host = f"[{host}]" if ":" in host else host
    port = "" if parts.port in (None, _DEFAULT_PORT.get(parts.scheme)) else f":{parts.port}"
    return f"{parts.scheme}://{host}{port}"


def resource_of(url: str) -> str:
    """What a server is called in `resource` when it does not say so itself: no query, no fragment (RFC 8707, 2)."""
    path = urlsplit(url).path
    return origin(url) + ("" if path == "/" else path)


def covers(resource: str, url: str) -> bool:
    """Whether a resource is the server at `url`, or one of its parents: same origin, path by whole segments."""
    if fault_of(resource, url, plain_http=True) or origin(resource) != origin(url):
        return False
    ours, theirs = urlsplit(url), urlsplit(resource)
    if theirs.query and theirs.query != ours.query:
        return False
    return f"{ours.path.rstrip('/')}/".startswith(f"{theirs.path.rstrip('/')}/")


# what may be asked


def fault_of(url: str, near: str, plain_http: bool = False) -> str | None:
    """Why an address that a server named must not be asked; None when it may. `near` is the MCP server's own."""
    parts = split(url)
    if parts is None or not parts.hostname or any(sign <= " " or sign > "~" for sign in url):
        return "is no address"
    if parts.scheme not in ("http", "https"):
        return f"is {parts.scheme or 'relative'}, not https"
    if "@" in parts.netloc or parts.fragment:
        return "has a user name or a fragment"
    inside = _inside(parts.hostname)
    if inside is None:
        return "has a number for a host"
    if inside > (_inside(urlsplit(near).hostname or "") or _PUBLIC):
        return "leads into a private network, where the server itself is not"
    if parts.scheme == "http" and inside != _LOOPBACK and not plain_http:
        return "is http, not https"
    return None


def is_loopback(url: str) -> bool:
    """Whether an address leads to the machine itself."""
    parts = split(url)
    return parts is not None and bool(parts.hostname) and _inside(parts.hostname or "") == _LOOPBACK


def split(url: str) -> SplitResult | None:
    """The parts of an address; None for what is none."""
    try:
        parts = urlsplit(url)
        return parts if parts.port != 0 else None  # reading the port raises for one that is none
    except ValueError:
        return None


def _inside(host: str) -> int | None:
    """How far inside a host stands, as far as its name tells; None for a number that is no plain address."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return _inside_by_name(host.rstrip("."))
    address = getattr(address, "ipv4_mapped", None) or address
    if address.is_loopback or address.is_unspecified:
        return _LOOPBACK
    return _PUBLIC if address.is_global else _PRIVATE


def _inside_by_name(host: str) -> int | None:
    if _NUMBER.fullmatch(host.rsplit(".", 1)[-1]):
        return None
    if host == "localhost" or host.endswith(".localhost"):
        return _LOOPBACK
    return _PRIVATE if "." not in host or host.endswith(_INNER) else _PUBLIC


# queries


def with_query(url: str, params: list[tuple[str, str]]) -> str:
    """An endpoint with more parameters; a query of its own is kept (RFC 6749, 3.1)."""
    return f"{url}{'&' if '?' in url else '?'}{urlencode(params, quote_via=quote)}"


def shown(url: str) -> str:
    """An address for a note: code, state and whatever is not known to be harmless masked."""
    base, sign, query = url.partition("#")[0].partition("?")
    return base + sign + "&".join(map(_masked, query.split("&") if query else ()))


def secrets_of(url: str) -> list[str]:
    """The values of a redirect that may be secret; not who sends it, nor why it failed."""
    pairs = (pair for part in urlsplit(url)[3:] for pair in parse_qsl(part))
    return [value for name, value in pairs if name not in _SHOWN and name not in ("error_description", "error_uri")]


def _masked(parameter: str) -> str:
    name, equals, _ = parameter.partition("=")
    if equals and name in _SHOWN:
        return parameter
    return f"{name}={MASK}" if equals else MASK


def query_of(url: str) -> dict[str, list[str]] | None:
    """The parameters of a redirect, each with all its values; None for a query that is too long or no query."""
    try:
        pairs = parse_qsl(urlsplit(url).query, keep_blank_values=True, max_num_fields=64)
    except ValueError:
        return None
    values: dict[str, list[str]] = {}
    for name, value in pairs:
        values.setdefault(name, []).append(value)
    return values
