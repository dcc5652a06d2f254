"""Topologies that hypothesis makes: such as readers of configs make them, and documents that mean nothing."""

from typing import Any, get_args

from hypothesis import strategies as st

from flowgen.topology import Topology
from flowgen.topology._model import DataFlowKind, NodeKind, Severity, Transport, ZoneKind
from tests.backends.test_svg import HOSTILE
from tests.scene.topologies import Config

WORDS = st.sampled_from(
    ["a", "files", "中文服务器", "x" * 90, HOSTILE, "mcp-server-for-an-enterprise-with-a-long-name"]
)
LINES = st.sampled_from(["npx -y @a/b", "uvx " + "long-" * 20, "node ./x.js", "", HOSTILE, "运行 服务器"])
BADGES = st.lists(
    st.sampled_from(["unpinned", "home dir", "pinned", "https", "secret: env", "长标记", "y" * 60]),
    max_size=6,
)
LABELS = st.lists(
    st.sampled_from(["POST /mcp", "no token in the file", "Bearer ••••", "z" * 80, HOSTILE, "中文"]),
    max_size=2,
)
FORMS = ["local", "local", "sandbox", "remote", "remote", "bridge", "gateway", "builtin", "socket", "shared"]


@st.composite
def chains(draw: st.DrawFn) -> Topology:
    """One to three hosts with servers of every form, disabled ones and findings among them."""
    made = Config()
    count = 0
    for number in range(draw(st.integers(1, 3))):
        if number:
            made.begin(f"{number}.json", f"host-{number}")
        for _ in range(draw(st.integers(0, 5))):
            count += 1
            key = f"{draw(WORDS)}{count}"
            _server(draw, made, key)
            for _ in range(draw(st.sampled_from([0, 0, 1, 2, 5]))):
                severity = draw(st.sampled_from(get_args(Severity)))
                made.found(
                    draw(st.sampled_from(["plain-http", "auto-approved", "x"])),
                    severity,
                    key,
                    draw(WORDS),
                    host=made.host,
                )
    return made.document()


def _server(draw: st.DrawFn, made: Config, key: str) -> None:
    form, off = draw(st.sampled_from(FORMS)), draw(st.sampled_from([False, False, True]))
    badges, line = draw(BADGES), draw(LINES)
    match form:
        case "local" | "gateway":
            made.local(key, line, *badges, node="gateway" if form == "gateway" else "server", disabled=off)
            _login(draw, made, key, f"client:{made.host}:{key}")
        case "socket":
            made.local(key, line, *badges, kind="socket", label="unix socket")
        case "sandbox":
            made.sandbox(key, draw(WORDS), line, *badges)
        case "builtin":
            node = made.node(
                f"s:{key}", "server", key, f"host:{made.host}", line, name=key, transport="builtin"
            )
            made.flow(f"model:{made.host}", node, "tool-call", key)
        case "bridge":
            bridge = made.local(key, line, *badges, node="bridge", title="relay")
            server = made.node(
                f"far:{key}", "server", key, _zone(draw, made), line, name=key, transport="http"
            )
            made.flow(bridge, server, "http", *draw(LABELS), tls=True)
            _login(draw, made, key, bridge)
        case "shared":
            name, zone = draw(st.sampled_from(["one", "two"])), made.vendor("shared.example")
            made.remote(name, "shared.example/mcp", zone, *badges, label=tuple(draw(LABELS)), one=True)
            _login(draw, made, name, f"client:{made.host}:{name}")
        case _:
            _remote(draw, made, key, line, badges, off)


def _remote(draw: st.DrawFn, made: Config, key: str, line: str, badges: list[str], off: bool) -> None:
    zone = _zone(draw, made)
    kind, tls = draw(st.sampled_from(["http", "sse", "ssh"])), draw(st.sampled_from([True, False, None]))
    label = tuple(draw(LABELS))
    server = made.remote(key, line, zone, *badges, label=label, disabled=off, kind=kind, tls=tls)
    _login(draw, made, key, f"client:{made.host}:{key}")
    for number in range(draw(st.sampled_from([0, 0, 1, 2]))):
        other = draw(st.sampled_from([zone, zone, _zone(draw, made)]))
        kind = draw(st.sampled_from(["api", "store"]))
        api = made.node(f"api:{key}:{number}", kind, draw(WORDS), other, *draw(st.lists(LINES, max_size=2)))
        made.flow(server, api, "own-token", *draw(LABELS))


def _zone(draw: st.DrawFn, made: Config) -> str:
    kind = draw(st.sampled_from(["vendor", "vendor", "private-network", "other-machine", "unknown"]))
    name = draw(st.sampled_from(["a.example", "b.example", "long." * 12 + "example"]))
    note = draw(st.sampled_from([None, None, "trust boundary: code and data outside your control"]))
    return made.zone(f"{kind}:{name}", kind, name, note=note)


def _login(draw: st.DrawFn, made: Config, key: str, source: str) -> None:
    form = draw(st.sampled_from(["none", "none", "inferred", "declared", "elsewhere", "near"]))
    if form == "none":
        return
    idp = made.zone("idp:idp.example", "idp", "idp.example")
    zone = {"elsewhere": idp, "near": "machine"}.get(form) or _zone(draw, made)
    made.login(
        f"{key}:{source}",
        zone,
        "Authorization server",
        "login",
        *([] if form == "inferred" else ["OAuth"]),
        source=source,
    )


@st.composite
def graphs(draw: st.DrawFn) -> Topology:
    """Zones, nodes, data flows and findings that have nothing to do with each other."""
    names = st.sampled_from("abcdefgh")
    zones = [_some(draw, {"id": names, "kind": st.sampled_from(get_args(ZoneKind)), "title": WORDS,
                          "parent": st.one_of(st.none(), names), "note": st.one_of(st.none(), WORDS)}, 6)]  # fmt: skip
    nodes = _some(draw, {
        "id": names, "kind": st.sampled_from(get_args(NodeKind)), "title": WORDS, "zone": st.one_of(st.none(), names),
        "name": st.one_of(st.none(), WORDS), "lines": st.lists(LINES, max_size=3), "badges": BADGES,
        "transport": st.one_of(st.none(), st.sampled_from(get_args(Transport))), "disabled": st.booleans(),
    }, 9)  # fmt: skip
    flows = _some(draw, {"source": names, "target": names, "kind": st.sampled_from(get_args(DataFlowKind)),
                         "label": LABELS, "tls": st.sampled_from([True, False, None])}, 12)  # fmt: skip
    findings = _some(draw, {"code": WORDS, "severity": st.sampled_from(get_args(Severity)), "message": WORDS,
                            "server": st.one_of(st.none(), WORDS)}, 4)  # fmt: skip
    return Topology.model_validate({"zones": zones[0], "nodes": nodes, "flows": flows, "findings": findings})


def _some(draw: st.DrawFn, fields: dict[str, Any], most: int) -> list[dict[str, Any]]:
    return draw(st.lists(st.fixed_dictionaries(fields), max_size=most))
