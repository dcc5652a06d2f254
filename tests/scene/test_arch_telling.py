"""Topologies told without a picture: nothing is lost, whatever a document says."""

from collections.abc import Iterator

from hypothesis import given, settings

from flowgen.scene import Area, Options, Survey, survey
from flowgen.topology import Topology
from tests.scene.arch_strategies import graphs
from tests.scene.topologies import disabled, three, two_hosts


def areas(area: Area) -> Iterator[Area]:
    yield area
    for inner in area.inside:
        yield from areas(inner)


def told(topology: Topology, lang: str = "en") -> Survey:
    return survey(topology, Options(lang=lang))  # type: ignore[arg-type]


@settings(max_examples=40, deadline=None)
@given(graphs())
def test_every_zone_and_every_node_stands_in_one_place(topology: Topology) -> None:
    known = told(topology)
    found = list(areas(known.outside))
    assert sorted(id(area.zone) for area in found[1:]) == sorted(map(id, topology.zones))
    assert sorted(node for area in found for node in area.nodes) == list(range(len(known.nodes)))
    assert len(known.crossings) == len(topology.flows)


def test_zones_deep_inside_each_other_are_told() -> None:
    zones = [{"id": f"{n}", "kind": "host", "title": f"{n}", "parent": f"{n - 1}"} for n in range(3000)]
    node = {"id": "n", "kind": "server", "title": "n", "zone": "2999"}
    known = told(Topology.model_validate({"zones": zones, "nodes": [node]}))
    assert len(list(areas(known.outside))) == 3001 and known.domains[0] is known.topology.zones[0]


def test_a_line_is_crossed_between_trust_domains_and_not_at_the_edge_of_a_host() -> None:
    known = told(three())
    kinds = {each.flow.kind: known.crosses(each) for each in known.crossings}
    assert kinds["http"] and kinds["oauth"] and not kinds["stdio"] and not kinds["tool-call"]
    assert not kinds["approval"]


def test_who_approves_is_known_along_the_way() -> None:
    known = told(two_hosts())
    (person,) = [at for at, node in enumerate(known.nodes) if node.kind == "person"]
    servers = [at for at, node in enumerate(known.nodes) if node.kind == "server"]
    assert servers and all(known.approvers[at] == (person,) for at in servers)


def test_what_is_disabled_is_told_so_in_both_languages() -> None:
    for lang, word in (("en", "not started"), ("zh", "未启动")):
        known = told(disabled(), lang)
        assert [word] in [known.label(each) for each in known.crossings]
