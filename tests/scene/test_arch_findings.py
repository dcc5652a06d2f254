"""Which node a finding stands on, in which order, and how many have a number."""

from flowgen.scene import Circle, Group, Options, Rect, Scene, Text, architecture, flat
from flowgen.topology import Topology
from tests.scene.topologies import Config, many, nine, two_hosts


def marked(topology: Topology) -> dict[str, str]:
    """The number of each finding -> the style and title of the node that it stands on."""
    found: dict[str, str] = {}
    for group in architecture(topology, Options()).shapes:
        if isinstance(group, Group) and group.label:
            node = next((shape for shape in group.shapes if isinstance(shape, Rect)), None)
            title = next((shape.text for shape in group.shapes if isinstance(shape, Text)), "")
            for part in group.shapes:
                if isinstance(part, Group) and part.anchor and node:
                    found[part.anchor.removeprefix("finding-")] = f"{node.style} {title}"
    return found


def listed(scene: Scene) -> list[str]:
    return [
        text.text
        for text in flat(scene.shapes)
        if isinstance(text, Text) and text.style.startswith("arch.block")
    ]


def test_each_finding_of_a_bridge_sits_on_the_node_that_it_is_about() -> None:
    assert marked(nine()) == {
        "1": "arch.server files", "2": "arch.remote archive", "3": "arch.server files", "4": "arch.server forge",
        "5": "arch.bridge mcp-relay", "6": "arch.server browser", "7": "arch.remote boards",
    }  # fmt: skip


def test_what_is_said_of_one_hosts_entry_sits_on_its_client() -> None:
    assert marked(two_hosts())["1"] == "arch.client Client 1"
    assert list(marked(two_hosts()).values()).count("arch.server files") == 3


def test_the_node_that_a_finding_names_has_it() -> None:
    made = Config()
    made.local("one", "uvx one")
    made.found("x", "low", "one", "about the Client", node="client:my-ide:one")
    assert marked(made.document()) == {"1": "arch.client Client 1"}


def test_the_gravest_come_first_then_those_of_the_file() -> None:
    assert listed(architecture(nine(), Options()))[:5] == [
        "Findings: 2 high, 3 medium, 2 low", "files: may read the whole home directory",
        "archive: Bearer token sent over plain http to 10.0.0.5", "files: package not pinned to a version",
        "forge: image without a tag or digest",
    ]  # fmt: skip


def test_hosts_are_named_where_there_are_several() -> None:
    assert "files (my-ide): package not pinned to a version" in listed(architecture(two_hosts(), Options()))


def test_twelve_are_listed_and_the_rest_are_dots() -> None:
    scene = architecture(many(24), Options())
    dots = [disc for disc in flat(scene.shapes) if isinstance(disc, Circle) and disc.radius == 5]
    assert len(marked(many(24))) == 12 and len(dots) == 4  # 15 medium ones and a high one
    assert "… 4 more, marked with a dot: flowgen check .my-ide/mcp.json" in " ".join(listed(scene))


def test_a_finding_about_the_file_sits_in_the_hosts_frame() -> None:
    made = Config()
    made.local("one", "uvx one")
    made.found("ignored-key", "info", None, "2 servers under a key that is not read")
    scene = architecture(made.document(), Options())
    disc = next(
        disc for disc in flat(scene.shapes) if isinstance(disc, Circle) and disc.style == "arch.mark.info"
    )
    host = next(
        rect for rect in flat(scene.shapes) if isinstance(rect, Rect) and rect.style == "arch.zone.host"
    )
    assert host.x < disc.x < host.x + host.width and host.y < disc.y < host.y + 30


def test_a_file_without_findings_says_what_was_looked_at() -> None:
    made = Config()
    made.local("one", "uvx one@1")
    told = listed(architecture(made.document(), Options()))
    assert told[0] == "No findings in this file" and told[1].startswith("Looked at: versions of packages")
