"""The rules that config files are judged by: one short function each, named like its code.

A rule looks at the facts of one server and says where it holds. What is inferred is never judged.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from flowgen.topology import Credential, Drawn, Facts, Severity, Trait, TraitKind

_DANGERS: dict[TraitKind, str] = {
    "sudo": "runs with another user's rights", "remove": "rm -rf", "download": "a download is run at once",
}  # fmt: skip


class Hit(NamedTuple):
    """Where a rule holds: the line, what its sentence names, which sentence, and another severity if the case has one.

    `behind` says that it is about the server behind a bridge, `entry` that it is about the host's own entry.
    """

    line: int
    about: str = ""
    sentence: str = "message"
    severity: Severity | None = None
    behind: bool = False
    entry: bool = False


def unpinned_package(drawn: Drawn) -> Iterator[Hit]:
    sentence = "bridge" if drawn.behind else "message"
    return (Hit(each.line, each.about, sentence) for each in _first(drawn.facts, "package-open"))


def unpinned_image(drawn: Drawn) -> Iterator[Hit]:
    return (Hit(each.line, each.about) for each in _first(drawn.facts, "image-open"))


def secret_in_file(drawn: Drawn) -> Iterator[Hit]:
    found = [each for each in drawn.facts.carried("env", "header", "argument", "file") if each.kind == "literal"]
    return _secrets(found)


def secret_in_url(drawn: Drawn) -> Iterator[Hit]:
    found = [each for each in drawn.facts.carried("url") if each.kind == "literal"]
    if not found and (parts := drawn.facts.carried("path")):
        return iter([Hit(parts[0].line, sentence="path", severity="medium", entry=True)])
    return _secrets(found)


def plain_http(drawn: Drawn) -> Iterator[Hit]:
    to = drawn.facts.address
    if to is None or to.tls is not False or to.loopback or to.place.kind == "unknown":
        return
    token = any(each.kind != "placeholder" for each in drawn.facts.credentials)
    grave = token or to.place.kind == "vendor"
    about = to.host or to.shown
    yield Hit(to.line, about, "token" if token else "message", "high" if grave else "medium", behind=True)


def deprecated_sse(drawn: Drawn) -> Iterator[Hit]:
    facts = drawn.facts
    if "sse" in (facts.transport, facts.behind) and facts.address:
        yield Hit(facts.address.line, behind=True)


def home_directory_access(drawn: Drawn) -> Iterator[Hit]:
    return (Hit(each.line, each.about) for each in _first(drawn.facts, "home"))


def shell_wrapper(drawn: Drawn) -> Iterator[Hit]:
    return (Hit(each.line) for each in _first(drawn.facts, "shell"))


def dangerous_command(drawn: Drawn) -> Iterator[Hit]:
    found = [trait for trait in drawn.facts.traits if trait.kind in _DANGERS]
    if found:
        words = dict.fromkeys(trait.about or _DANGERS[trait.kind] for trait in found)
        yield Hit(found[0].line, ", ".join(words))


def privileged_container(drawn: Drawn) -> Iterator[Hit]:
    return (Hit(each.line) for each in _first(drawn.facts, "privileged"))


def host_network(drawn: Drawn) -> Iterator[Hit]:
    return (Hit(each.line) for each in _first(drawn.facts, "host-network"))


def docker_socket(drawn: Drawn) -> Iterator[Hit]:
    return (Hit(each.line) for each in _first(drawn.facts, "engine-socket"))


def loopback_without_token(drawn: Drawn) -> Iterator[Hit]:
    to, facts = drawn.facts.address, drawn.facts
    if to and to.loopback and facts.auth == "none" and (facts.behind or facts.transport) in ("http", "sse"):
        yield Hit(to.line, behind=True)


def host_key_checking_off(drawn: Drawn) -> Iterator[Hit]:
    return (Hit(each.line) for each in _first(drawn.facts, "host-key"))


def auto_approved(drawn: Drawn) -> Iterator[Hit]:
    return (Hit(each.line, each.about, entry=True) for each in _first(drawn.facts, "approved"))


def remote_on_stdio_host(drawn: Drawn) -> Iterator[Hit]:
    if drawn.facts.host_ignores:
        yield Hit(drawn.facts.line, entry=True)


def allow_http_bridge(drawn: Drawn) -> Iterator[Hit]:
    return (Hit(each.line) for each in _first(drawn.facts, "allow-http"))


def shared_credential(drawn: Drawn, others: Sequence[Drawn]) -> Iterator[Hit]:
    """One secret in two servers; the same server in two hosts' files is one server."""
    marks = {each.mark: each for each in drawn.facts.credentials if each.mark}
    for other in others:
        shared = next((marks[each.mark] for each in other.facts.credentials if each.mark in marks), None)
        if shared and _another(drawn, other):
            yield Hit(shared.line, other.facts.name or other.file.path, entry=True)
            return


def _another(one: Drawn, other: Drawn) -> bool:
    same = one.facts.same is not None and one.facts.same == other.facts.same
    return one is not other and not same and (one.facts.name, one.file.path) != (other.facts.name, other.file.path)


def _first(facts: Facts, kind: TraitKind) -> Iterator[Trait]:
    """One finding for a server, whatever the number of places."""
    found = [trait for trait in facts.traits if trait.kind == kind]
    names = dict.fromkeys(trait.about for trait in found)
    if found:
        yield Trait(kind, found[0].line, ", ".join(names))


def _secrets(found: list[Credential]) -> Iterator[Hit]:
    if found:
        names = list(dict.fromkeys(each.name for each in found))
        more = f" and {len(names) - 4} more" if len(names) > 4 else ""
        yield Hit(found[0].line, ", ".join(names[:4]) + more, entry=True)


RULES: dict[str, Callable[[Drawn], Iterator[Hit]]] = {
    rule.__name__.replace("_", "-"): rule
    for rule in (
        unpinned_package, unpinned_image, secret_in_file, secret_in_url, plain_http, deprecated_sse,
        home_directory_access, shell_wrapper, dangerous_command, privileged_container, host_network, docker_socket,
        loopback_without_token, host_key_checking_off, auto_approved, remote_on_stdio_host, allow_http_bridge,
    )
}  # fmt: skip
