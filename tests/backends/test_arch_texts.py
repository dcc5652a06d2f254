"""The notations of an architecture: what they say, and that texts of strangers stay texts in them."""

import json
import re
import shutil
import subprocess
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings

from flowgen import api
from flowgen.backends import arch_plantuml, arch_txt, boundaries, dot, flowchart
from flowgen.scene import Options, clean_line
from flowgen.scene import columns as columns_of
from flowgen.topology import Topology
from tests import hostile
from tests.backends.test_markdown import page
from tests.scene.arch_strategies import graphs
from tests.scene.topologies import empty, gateway, many, three, two_hosts

pytestmark = pytest.mark.filterwarnings("ignore:the diagram has")
TAGS = {"h1", "h2", "p", "table", "thead", "tbody", "tr", "th", "td", "ul", "li", "strong"}
WRITERS = (boundaries, flowchart, dot, arch_txt, arch_plantuml)


def letters(text: str) -> str:
    return re.sub(r"\s", "", text)


def told() -> list[str]:
    """The beginnings of the hostile strings, as they are to be read."""
    return [letters(clean_line(text, 200))[:40] for text in hostile.strings()]


def wild() -> Topology:
    return Topology.model_validate(hostile.topology())


def test_the_table_tells_what_crosses_with_which_token_and_who_approves() -> None:
    text = boundaries(three(), Options())
    assert "| Boundary | What | From | To | Token | Approved by | Evidence | Findings |" in text
    row = next(line for line in text.splitlines() if "POST" in line)
    assert "→ Vendor:" in row and "| Authorization: Bearer | Developer |" in row
    asked, staying = text.index("To ask at each boundary"), text.index("What stays inside")
    assert "| Spoofing |" in text[asked:staying] and "stdin / stdout" in text[staying:]


def test_the_table_tells_line_and_findings_of_a_file() -> None:
    server = {"url": "http://api.acme.test/mcp", "headers": {"Authorization": "Bearer a1b2c3d4e5"}}
    config = json.dumps({"mcpServers": {"old": server}}, indent=0).encode()
    text = api.architecture([(".cursor/mcp.json", config)]).markdown()
    row = next(line for line in text.splitlines() if "Vendor: acme.test" in line)
    assert "| Bearer •••• | Developer | .cursor/mcp.json:" in row and "| secret-in-file, plain-http |" in row
    assert "a1b2c3d4e5" not in text


def test_the_same_is_asked_once_for_all_boundaries_of_a_kind() -> None:
    assert boundaries(many(60), Options()).count("| Repudiation |") <= 2


def test_calls_that_nobody_approves_are_told() -> None:
    base = three()
    server = next(node for node in base.nodes if node.kind == "server")
    found = {"code": "auto-approved", "severity": "low", "message": "m", "server": server.name}
    text = boundaries(Topology.model_validate({**base.model_dump(), "findings": [found]}), Options())
    assert "Developer; some calls without approval" in text


def test_a_table_of_nothing_says_so() -> None:
    assert "Nothing crosses a trust boundary here." in boundaries(empty(), Options())


def test_all_speak_chinese() -> None:
    for write in WRITERS:
        assert "供应商：" in write(two_hosts(), Options(lang="zh"))
    assert "假冒" in boundaries(two_hosts(), Options(lang="zh"))


def test_hostile_texts_are_letters_of_a_table() -> None:
    read = page(boundaries(wild(), Options()))
    assert read.tags <= TAGS
    assert not [text for text in told() if text not in letters(read.letters)]


def test_zones_are_subgraphs() -> None:
    text = flowchart(gateway(), Options())
    lines = text.splitlines()
    assert sum(line.startswith("subgraph ") for line in lines) == lines.count("end") == len(gateway().zones)
    assert 'subgraph z1["' in text and "-->" in text


def test_a_flowchart_that_mermaid_would_refuse_is_told() -> None:
    with pytest.warns(UserWarning, match="the diagram has"):
        flowchart(many(300), Options())


def test_texts_of_a_flowchart_end_no_quotes_and_begin_no_line() -> None:
    inside = [part for line in flowchart(wild(), Options()).splitlines()[6:] for part in line.split('"')[1::2]]
    assert inside and not [part for part in inside if re.search(r'["`;%$\[\]]', re.sub(r"#\d+;", "", part))]


def test_c4_text_has_a_boundary_for_each_zone_a_note_of_findings_and_a_legend_of_what_occurs() -> None:
    lines = arch_plantuml(two_hosts(), Options()).splitlines()
    assert sum(line.startswith("Boundary(") for line in lines) == lines.count("}") == len(two_hosts().zones)
    assert [line for line in lines if line.startswith("note ") and "HIGH" in line]
    legend = "\n".join(lines[lines.index("legend right") :])
    assert "stdio pipe" in legend and "sandbox" in legend and "ssh" not in legend


def test_nothing_is_fetched_for_c4_text() -> None:
    included = [line for line in arch_plantuml(wild(), Options()).splitlines() if line.startswith("!")]
    assert included == ["!include <C4/C4_Container>"]


_OWN = re.compile(
    "@startuml|@enduml|' Made|!include <C4|[A-Z_]+[(]|title |skinparam |Update|Add|legend|endlegend|[|]<|}|"
    "(?P<told>note|Person|Container|System_Ext|Boundary|Rel|BiRel)"
)


@settings(max_examples=25, deadline=None)
@given(graphs())
def test_texts_of_c4_end_no_quotes_and_begin_no_line(topology: Topology) -> None:
    for line in arch_plantuml(topology, Options()).splitlines():
        found = _OWN.match(line)
        assert found, line
        if found["told"]:
            inside = re.sub(r"<U\+[0-9A-F]+>|</?plain>", "", "".join(line.split('"')[1::2]))
            assert line.count('"') % 2 == 0 and not re.search(r"[%$!'<>]", inside)


def drawn(text: str, form: str = "svg") -> str:
    if shutil.which("dot") is None:
        pytest.skip("Graphviz is missing")
    command = ["dot", f"-T{form}"]
    done = subprocess.run(command, input=text, capture_output=True, text=True, timeout=60, check=True, encoding="utf-8")
    assert "rror" not in done.stderr, done.stderr
    return done.stdout


def test_graphviz_draws_hostile_texts_as_letters() -> None:
    root = ElementTree.fromstring(drawn(dot(wild(), Options())))
    assert not [name for each in root.iter() for name in each.attrib if re.search(r"href$|^on", name)]
    found = letters("".join("".join(each.itertext()) for each in root.iter() if each.tag.endswith("}text")))
    assert not [text for text in told() if text not in found]


def test_graphviz_has_a_cluster_for_each_zone_also_an_empty_one() -> None:
    lone = Topology.model_validate({"zones": [{"id": "z", "kind": "vendor", "title": "alone"}]})
    assert "Vendor: alone" in drawn(dot(lone, Options()))
    objects = json.loads(drawn(dot(three(), Options()), "json"))["objects"]
    assert sum(each["name"].startswith("cluster_") for each in objects) == len(three().zones)


def test_text_is_a_tree_of_zones_with_what_goes_out() -> None:
    text = arch_txt(three(), Options())
    assert "┌ Developer machine" in text and re.search(r"│ +⇢ .*POST", text) and "\x1b" not in text
    assert "\x1b[1m" in arch_txt(three(), Options(), colour=True)
    assert arch_txt(three(), Options(), ascii_only=True).isascii()


@pytest.mark.parametrize("wide", [60, 100])
def test_no_line_of_text_is_wider_than_asked_for(wide: int) -> None:
    for topology in (wild(), two_hosts()):
        assert max(map(columns_of, arch_txt(topology, Options(), wide=wide).splitlines())) <= wide


def test_hostile_texts_do_not_reach_a_terminal() -> None:
    text = arch_txt(wild(), Options(), wide=1000)
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]", text)
    assert not [each for each in told() if each not in letters(text)]


@settings(max_examples=25, deadline=None)
@given(graphs())
def test_any_topology_is_written_and_the_same_again(topology: Topology) -> None:
    for write in WRITERS:
        text = write(topology, Options())
        assert text == write(topology, Options()) and text.endswith("\n")
        assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f]", text)


def test_the_table_calls_a_client_by_its_server_for_the_picture_counts_otherwise():
    from flowgen import api

    config = b'{"mcpServers": {"far": {"url": "https://v.example/mcp"}, "near": {"command": "x"}}}'
    table = api.architecture([("mcp.json", config)]).markdown()
    assert "| Client: far | far |" in table and "Client 1" not in table
