"""The words that a picture says of a server: second lines, badges, and what stands on the data flows.

They repeat facts of the file in a few words and never a value. English; a scene that speaks another language
translates the fixed ones.
"""

from ._address import HIDDEN, Address
from ._facts import Facts
from ._model import Transport

TRANSPORTS: dict[Transport, str] = {
    "stdio": "stdio", "http": "Streamable HTTP", "sse": "HTTP+SSE", "socket": "unix socket", "builtin": "built in",
}  # fmt: skip
DECLARED = "Bearer, OAuth declared"


def lines(facts: Facts) -> list[str]:
    """Below the title of what the client speaks to: how it is started, or where it is."""
    if facts.role == "gateway":
        start = facts.launched or (full(facts.address) if facts.address else "")
        return [*filter(None, [start]), "its servers: not in this file"]
    if facts.role == "server" and facts.address:
        return [full(facts.address)]
    if facts.remote:
        return [f"ssh {facts.remote}"]
    return [facts.image or facts.launched] if facts.image or facts.launched else []


def full(to: Address) -> str:
    """An address as it is shown: the scheme only where it says that nothing is encrypted."""
    return f"{to.scheme}://{to.shown}" if to.tls is False and not to.loopback else to.shown


def badges(facts: Facts) -> list[str]:
    """Of the server, bridge or gateway that the client speaks to, the worst first."""
    remote = facts.role == "server" and facts.address is not None and facts.transport in ("http", "sse")
    return [*_bad(facts, remote), *_warning(facts), *_good(facts, remote), *_told(facts)]


def behind_badges(facts: Facts) -> list[str]:
    """Of the server behind a bridge."""
    to = facts.address
    plain = ["plain http"] if to and to.tls is False and not to.loopback else []
    clear = ["token in clear"] if plain and sends_token(facts) else []
    return plain + clear + (["HTTP+SSE"] if facts.behind == "sse" else ["https"] if to and to.tls else [])


def _bad(facts: Facts, remote: bool) -> list[str]:
    literals = {each.where for each in facts.credentials if each.kind == "literal"}
    found = ["secret in file"] if literals - {"url", "path"} else []
    found += ["secret in URL"] if literals & {"url", "path"} else []
    if remote and facts.address and facts.address.tls is False and not facts.address.loopback:
        found += ["plain http"] + (["token in clear"] if sends_token(facts) else [])
    return found + _of_traits(facts, _BAD)


def _warning(facts: Facts) -> list[str]:
    found = _of_traits(facts, _WARNING)
    own = facts.role == "server" and facts.address is not None and facts.address.loopback
    if own and facts.auth == "none" and facts.transport != "socket":
        found.append("no auth")
    return found + (["HTTP+SSE"] if facts.role == "server" and facts.transport == "sse" else [])


def _good(facts: Facts, remote: bool) -> list[str]:
    found = _of_traits(facts, _GOOD)
    pinned = facts.has("package-pinned", "image-pinned") and not facts.has("package-open", "image-open")
    encrypted = remote and facts.address is not None and facts.address.tls
    return found + (["pinned"] if pinned else []) + (["https"] if encrypted else [])


def _told(facts: Facts) -> list[str]:
    found: list[str] = [facts.role] if facts.role != "server" else []
    if facts.auth == "reference":
        of_env = any(each.kind == "reference" for each in facts.carried("env"))
        ways = "key file" if facts.has("key-file") else "secret by reference"
        found.append("secret: env" if of_env else ways)
    found += ["placeholder"] if facts.auth == "placeholder" else ["OAuth"] if facts.auth == "oauth" else []
    return found + (["disabled"] if facts.disabled else [])


_BAD = {
    "home": "home dir", "privileged": "privileged", "engine-socket": "docker socket", "sudo": "sudo",
    "remove": "rm -rf", "download": "runs a download", "host-key": "host key unchecked",
}  # fmt: skip
_WARNING = {
    "package-open": "unpinned", "image-open": "no tag", "shell": "shell", "host-network": "host network",
    "allow-http": "allows http", "approved": "auto-approved",
}  # fmt: skip
_GOOD = {"read-only": "read-only mount"}


def _of_traits(facts: Facts, words: dict[str, str]) -> list[str]:
    return list(dict.fromkeys(words[trait.kind] for trait in facts.traits if trait.kind in words))


def sends_token(facts: Facts) -> bool:
    """Whether a credential goes with every request: one in a header, the address or a bridge's words."""
    return any(each.kind != "placeholder" for each in facts.credentials) or facts.oauth is not None


def flow_label(facts: Facts) -> list[str]:
    """On the data flow from the client: transport first, token second."""
    if facts.disabled:
        return ["not started" if facts.transport in ("stdio", "builtin") else "not connected"]
    if facts.place.kind == "other-machine" and facts.transport == "stdio":
        return ["stdio over ssh"]
    if facts.transport == "socket":
        return ["named pipe" if facts.address and facts.address.scheme == "pipe" else "unix socket"]
    if facts.transport == "stdio" or not facts.address:
        return ["stdin / stdout"]
    return remote_label(facts, facts.address, facts.transport)


def remote_label(facts: Facts, to: Address, transport: Transport) -> list[str]:
    """On a data flow to an address; also the one behind a bridge."""
    if facts.disabled:
        return ["not connected"]
    if to.loopback:
        return [("https" if to.tls else "http") + (", HTTP+SSE, loopback" if transport == "sse" else ", loopback")]
    return [_way(to, transport), token(facts)]


def _way(to: Address, transport: Transport) -> str:
    way = "HTTP+SSE" if transport == "sse" else f"POST {to.path or '/'}"
    if to.tls is None:
        return f"{'HTTP+SSE' if transport == 'sse' else 'POST'}, TLS not known"
    if to.tls is False:
        return "HTTP, not encrypted"
    return f"HTTPS, {way}" if transport == "sse" else way


def token(facts: Facts) -> str:
    """Which credential goes along, as the file shows it."""
    kinds = ("literal", "reference", "placeholder")
    chosen = next((each for kind in kinds for each in facts.credentials if each.kind == kind), None)
    if facts.auth == "oauth":
        return DECLARED
    if chosen is None:
        return "no token in the file"
    bearer = chosen.name.lower() == "authorization" or chosen.where == "env"
    name = chosen.scheme or ("Bearer" if bearer else chosen.name)
    if chosen.where == "path":
        return f"{chosen.name} {HIDDEN}"
    name = f"{name} in the URL" if chosen.where == "url" else name
    ways = {"literal": f"{name} {HIDDEN}", "reference": f"{name} by reference", "placeholder": f"{name}: placeholder"}
    return ways[chosen.kind]
