"""Whom a step is for, where a host holds several servers: the one that lists the name, or all of them.

Tools of all servers are one list, as a host shows them to its model: names that two servers have get the server's
name before them. A name that nobody lists, or that several do, is for nobody; it is said why, with the nearest name.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from ._acts import Json
from ._keys import nearest
from ._plan import Step

Lists = Mapping[str, Sequence[Json]]  # a kind of list → its items, as far as it was read

SEPARATOR = "__"
_NAMED_BY = {"tools": "name", "prompts": "name", "resources": "uri", "templates": "uriTemplate"}
_SINGULAR = {"tools": "tool", "prompts": "prompt", "resources": "resource"}
_KINDS: dict[str, tuple[str, ...]] = {
    "call": ("tools",), "get": ("prompts",), "read": ("resources", "templates"),
    "subscribe": ("resources", "templates"),
}  # fmt: skip
_VARIABLE = re.compile(r"\{[^{}]*\}")


class Offer(NamedTuple):
    """One thing of one server: what the host calls it, and what the server does."""

    name: str
    server: str
    own: str


class Routed(NamedTuple):
    """Whom a step is for, and as what they do it; without servers, `problem` says why."""

    servers: tuple[str, ...]
    step: Step
    problem: str = ""


def plain(server: str) -> str:
    """A server's name as it can stand in a tool's."""
    return re.sub(r"[^A-Za-z0-9_.-]+", "-", server).strip("-")


def merged(kind: str, listed: Mapping[str, Lists]) -> list[Offer]:
    """The items of one kind of all servers, in their order, each under the name that the host gives it."""
    own = [(server, name) for server, lists in listed.items() for name in _names(lists.get(kind, ()), kind)]
    taken = Counter(name for _, name in own)
    return [Offer(name if taken[name] == 1 else prefixed(server, name), server, name) for server, name in own]


def prefixed(server: str, name: str) -> str:
    """A name with the server's before it."""
    return f"{plain(server)}{SEPARATOR}{name}"


def by_turns(steps: Sequence[Step]) -> bool:
    """Whether steps have to follow one another through all servers: some are for one of them, or open a band."""
    return any(step.title is not None or _kinds(step) for step in steps)


def unlisted(steps: Sequence[Step]) -> tuple[str, ...]:
    """The kinds of lists that tell whom steps are for, and that no step before them reads."""
    read: set[str] = set()
    missing: dict[str, None] = {}
    for step in steps:
        read.update(step.target if step.action == "list" else ())
        missing.update(dict.fromkeys(kind for kind in _kinds(step) if kind not in read))
    return tuple(missing)


def for_one(step: Step) -> bool:
    """Whether a step is for one server only."""
    return bool(_kinds(step))


def routed(step: Step, listed: Mapping[str, Lists], before: tuple[str, ...]) -> Routed:
    """Whom a step is for. `listed`: the servers with what they list. `before`: whom the step before was for."""
    kinds, name = _kinds(step), _name(step)
    if not kinds or name is None:
        return Routed(before if step.action == "wait" else tuple(listed), step)
    offers = [offer for kind in kinds for offer in merged(kind, listed)]
    found = [offer for offer in offers if offer.name == name] or [
        offer for offer in offers if name in (offer.own, prefixed(offer.server, offer.own))
    ]
    found = found or list(_templated(name, offers))
    servers = tuple(dict.fromkeys(offer.server for offer in found))
    if len(servers) == 1:
        own = found[0].own if "{" not in found[0].own or found[0].own == name else _unprefixed(name, servers[0])
        return Routed(servers, _renamed(step, own))
    if servers:
        return Routed((), step, _ambiguous(name, kinds[0], servers))
    unread = [server for server, lists in listed.items() if not lists]
    return Routed((), step, _unknown(name, kinds[0], offers) + (f"; {', '.join(unread)} told none" if unread else ""))


def _kinds(step: Step) -> tuple[str, ...]:
    if step.action == "complete":
        return ("prompts",) if step.target["ref"]["type"] == "ref/prompt" else ("templates", "resources")
    return _KINDS.get(step.action, ())


def _name(step: Step) -> str | None:
    if step.action == "complete":
        ref = step.target["ref"]
        return str(ref.get("name", ref.get("uri")))
    return step.name


def _renamed(step: Step, own: str) -> Step:
    """The step with the name that the server itself knows."""
    if step.action != "complete":
        return step._replace(target=own)
    member = "name" if "name" in step.target["ref"] else "uri"
    return step._replace(target={**step.target, "ref": {**step.target["ref"], member: own}})


def _names(items: Sequence[Json], kind: str) -> Iterator[str]:
    member = _NAMED_BY[kind]
    yield from dict.fromkeys(item[member] for item in items if isinstance(item.get(member), str))


def _templated(name: str, offers: Sequence[Offer]) -> Iterator[Offer]:
    """Templates that an URI may have been made from."""
    for offer in offers:
        if "{" in offer.own and _fits(_unprefixed(name, offer.server), offer.own):
            yield offer


def _fits(uri: str, template: str) -> bool:
    """Whether the parts between a template's variables stand in the URI, one after another."""
    first, *rest = _VARIABLE.split(template)
    at = len(first)
    if not uri.startswith(first):
        return False
    for part in rest:
        at = uri.find(part, at)
        if at < 0:
            return False
        at += len(part)
    return not rest or uri.endswith(rest[-1])


def _unprefixed(name: str, server: str) -> str:
    return name.removeprefix(plain(server) + SEPARATOR)


def _ambiguous(name: str, kind: str, servers: Sequence[str]) -> str:
    ways = " or ".join(f"`{prefixed(server, name)}`" for server in servers)
    return f"`{name}` is a {_word(kind)} of {' and of '.join(servers)}: write {ways}"


def _unknown(name: str, kind: str, offers: Sequence[Offer]) -> str:
    near = nearest(name, [offer.name for offer in offers])
    return f"`{name}` is no {_word(kind)} of any server" + (f"; the nearest is `{near}`" if near else "")


def _word(kind: str) -> str:
    return _SINGULAR[{"templates": "resources"}.get(kind, kind)]
