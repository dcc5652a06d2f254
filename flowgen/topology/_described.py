"""A topology that is at hand as a document (`flowgen.topology/1`): checked, so that everything in it has its place."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

from flowgen.errors import ConfigError

from ._masked import masked_all
from ._model import Topology

FORMAT = "flowgen.topology/1"
_HINT = "the document is what `flowgen render FILE --view architecture -f json` writes"


def is_described(value: Any) -> bool:
    """Whether a file's value is such a document, of whatever version."""
    return isinstance(value, dict) and str(value.get("format", "")).startswith("flowgen.topology/")


def described(value: Any, name: str) -> Topology:
    """The topology of a document; `name` is what errors call it. Raises ConfigError that names the field."""
    from pydantic import ValidationError

    try:
        found = Topology.model_validate(masked_all(value))
    except ValidationError as problem:
        error = problem.errors(include_url=False, include_input=False)[0]
        field = ".".join(str(part) for part in error["loc"])
        raise ConfigError(f"{name}: {field}: {error['msg'].lower()}", _HINT) from None
    check(found, name)
    return found


def check(found: Topology, name: str) -> None:
    """Raises ConfigError for what stands twice, or leads nowhere."""
    wrong = next(_unknown(found), None)
    if wrong:
        raise ConfigError(f"{name}: {wrong}", _HINT)


def _unknown(found: Topology) -> Iterator[str]:
    """What stands twice, or leads nowhere."""
    zones, nodes = Counter(zone.id for zone in found.zones), Counter(node.id for node in found.nodes)
    for what, ids in (("zones", zones), ("nodes", nodes)):
        yield from (f"{what}: two with the id {each!r}" for each, count in ids.items() if count > 1)
    parents = {zone.id: zone.parent for zone in found.zones}
    lost = (zone.id for zone in found.zones if zone.parent is not None and zone.parent not in parents)
    yield from (f"zones: {each!r} lies in an unknown zone" for each in lost)
    yield from (f"zones: {each!r} lies in itself" for each in _circular(parents))
    adrift = (node.id for node in found.nodes if node.zone is not None and node.zone not in parents)
    yield from (f"nodes: {each!r} lies in an unknown zone" for each in adrift)
    for at, flow in enumerate(found.flows):
        ends = (end for end in (flow.source, flow.target) if end not in nodes and end not in zones)
        yield from (f"flows.{at}: {end!r} is no node and no zone" for end in ends)


def _circular(parents: dict[str, str | None]) -> Iterator[str]:
    """Zones from which the way outwards never ends; a zone that was found to have an end is not walked twice."""
    ending: set[str] = set()
    for start in parents:
        way: dict[str, None] = {}
        place: str | None = start
        while place is not None and place not in ending:
            if place in way:
                yield place
                return
            way[place] = None
            place = parents.get(place)
        ending |= way.keys()
