"""Topologies of the pictures that the design shows, and of sizes that it speaks of. All names are made up."""

from typing import Any

from flowgen.topology import Topology

_PERSON = {"id": "person", "kind": "person", "title": "Developer", "lines": ["approves calls"]}
_NOTE = "trust boundary: same OS user, same home directory; stdio is not a sandbox"


class Config:
    """A host's file in the making: zones, nodes and data flows as its reader gives them."""

    def __init__(self, path: str = ".my-ide/mcp.json", host: str = "my-ide", **document: Any) -> None:
        self.path, self.host, self.line = path, host, 1
        self.said: dict[str, Any] = {
            "sources": [],
            "zones": [],
            "nodes": [_PERSON],
            "flows": [],
            "findings": [],
        }
        self.said |= document
        machine = {"id": "machine", "kind": "machine", "title": "Developer machine (OS user)", "note": _NOTE}
        self.said["zones"].append(machine)
        self.begin(path, host)

    def begin(self, path: str, host: str) -> "Config":
        """Another file: a host with a model of its own."""
        self.path, self.host, self.line = path, host, 1
        self.said["sources"].append({"path": path, "host": host})
        self.zone(f"host:{host}", "host", host, parent="machine")
        self.node(f"model:{host}", "model", "Model", f"host:{host}")
        self.flow("person", f"model:{host}", "approval", "prompt", "approval")
        return self

    def zone(self, name: str, kind: str, title: str, **more: Any) -> str:
        if name not in [zone["id"] for zone in self.said["zones"]]:
            self.said["zones"].append({"id": name, "kind": kind, "title": title, **more})
        return name

    def node(self, node: str, kind: str, title: str, zone: str | None, *lines: str, **more: Any) -> str:
        known = {"evidence": {"kind": "file", "where": f"{self.path}:{self.line}"}}
        if node not in [each["id"] for each in self.said["nodes"]]:
            told = {
                "id": node,
                "kind": kind,
                "title": title,
                "zone": zone,
                "lines": [*lines],
                **known,
                **more,
            }
            self.said["nodes"].append(told)
        return node

    def flow(self, source: str, target: str, kind: str, *label: str, **more: Any) -> None:
        self.said["flows"].append(
            {"source": source, "target": target, "kind": kind, "label": [*label], **more}
        )

    def client(self, key: str, call: str | None = None) -> str:
        self.line += 3
        name = self.node(f"client:{self.host}:{key}", "client", "Client", f"host:{self.host}", name=key)
        self.flow(f"model:{self.host}", name, "tool-call", call or key)
        return name

    def local(self, key: str, line: str, *badges: str, kind: str = "stdio", label: str = "stdin / stdout",
              zone: str = "machine", call: str | None = None, **more: Any) -> str:  # fmt: skip
        client = self.client(key, call)
        known = {"name": key, "transport": kind, "badges": [*badges], **more}
        kind_of_node, title = known.pop("node", "server"), known.pop("title", key)
        server = self.node(f"server:{self.host}:{key}", kind_of_node, title, zone, line, **known)
        self.flow(client, server, kind, label, tls=False if kind == "http" else None)
        return server

    def sandbox(self, key: str, title: str, line: str, *badges: str) -> str:
        zone = self.zone(f"sandbox:{self.host}:{key}", "sandbox", title, parent="machine")
        return self.local(key, line, *badges, zone=zone)

    def remote(self, key: str, address: str, zone: str, *badges: str, label: tuple[str, ...] = (), kind: str = "http",
               call: str | None = None, tls: bool | None = True, one: bool = False, **more: Any) -> str:  # fmt: skip
        client = self.client(key, call)
        name = f"server:{key}" if one else f"server:{self.host}:{key}"
        transport = {"ssh": "stdio"}.get(kind, kind)
        self.node(name, "server", key, zone, address, name=key, transport=transport, badges=[*badges], **more)
        self.flow(client, name, kind, *label, tls=tls)
        return name

    def vendor(self, domain: str, note: str | None = None) -> str:
        return self.zone(f"vendor:{domain}", "vendor", domain, note=note)

    def login(
        self, key: str, zone: str, title: str = "Authorization server", line: str = "found at run time", *label: str,
        source: str | None = None,
    ) -> None:  # fmt: skip
        inferred = {"evidence": {"kind": "inferred"}} if not label else {}
        auth = self.node(f"auth:{self.host}:{key}", "auth", title, zone, line, **inferred)
        self.flow(
            source or f"client:{self.host}:{key}", auth, "oauth", *(label or ["OAuth (inferred)"]), **inferred
        )

    def found(self, code: str, severity: str, server: str | None, message: str, **more: Any) -> None:
        self.said["findings"].append(
            {"code": code, "severity": severity, "server": server, "message": message, **more}
        )

    def document(self, **more: Any) -> Topology:
        return Topology.model_validate(self.said | more)


def three() -> Topology:
    """One host with two local servers and a remote one, as a trace tells it."""
    made = Config("trace.json", "my-ide")
    made.said["zones"][0] |= {
        "title": "Developer machine",
        "note": "trust boundary: everything here runs as the developer's OS user (stdio is not a sandbox)",
    }
    made.local("files", "uvx files-example@1.2.0", "pinned", "1 root", call="read_file")
    made.local("history", "uvx history-example@0.9.1", "pinned", call="history_diff")
    vendor = made.vendor("tracker.example", "trust boundary: code and data outside your control")
    tracker = made.remote("tracker", "mcp.tracker.example/mcp", vendor, "https", "audience-bound",
                          label=("POST /mcp", "Authorization: Bearer"), call="create_issue")  # fmt: skip
    made.login(
        "tracker",
        vendor,
        "Authorization server",
        "auth.tracker.example",
        "OAuth 2.1 + PKCE",
        "only without a valid token",
    )
    api = made.node("api", "api", "Tracker API", vendor, "upstream")
    made.flow(tracker, api, "own-token", "server's own token", "no passthrough")
    for node in made.said["nodes"]:
        node["evidence"] = {"kind": "trace", "where": "7"}
    return made.document(title="MCP architecture with trust boundaries", revision="2026-07-28", sources=[])


def nine() -> Topology:
    """One file with nine servers in eight zones and seven findings."""
    made = Config()
    made.local("files", "npx -y @quarry-example/files-mcp ~", "unpinned", "home dir")
    made.local("history", "uvx history-mcp-example@2.4.1", "pinned")
    made.sandbox("forge", "container", "registry.example/forge-mcp", "no tag", "secret: env")
    made.sandbox("db", "declared in the file", "node ./db.js", "denyRead ~/.ssh")
    made.local("browser", "127.0.0.1:8931/mcp", "no auth", kind="http", label="http, loopback")
    bridge = made.local(
        "boards", "npx -y @relay-example/mcp-relay", "bridge", "unpinned", node="bridge", title="mcp-relay"
    )
    boards = made.node("server:boards", "server", "boards", made.vendor("boards.example"), "mcp.boards.example/sse",
                       name="boards", transport="sse", badges=["HTTP+SSE"])  # fmt: skip
    made.flow(bridge, boards, "sse", "HTTPS, HTTP+SSE", "no token in the file", tls=True)
    crash = made.vendor("crashlog.example")
    made.remote(
        "crashlog", "mcp.crashlog.example/mcp", crash, "https", label=("POST /mcp", "no token in the file")
    )
    made.login("crashlog", crash)
    private = made.zone("private:10.0.0.5", "private-network", "10.0.0.5")
    made.remote("archive", "http://10.0.0.5:9000/mcp", private, "plain http", "token in clear",
                label=("HTTP, not encrypted", "Bearer by reference"), tls=False)  # fmt: skip
    other = made.zone("other:build.example", "other-machine", "build.example")
    made.remote(
        "build", "ssh ci@build.example", other, "key file", label=("stdio over ssh",), kind="ssh", tls=None
    )
    made.found(
        "unpinned-package",
        "medium",
        "files",
        "files: package not pinned to a version",
        where=".my-ide/mcp.json:4",
    )
    made.found(
        "home-directory-access", "high", "files", "may read the whole home directory", advice="Name a folder."
    )
    made.found("unpinned-image", "medium", "forge", "image without a tag or digest")
    said = "loopback HTTP server without a token; any local process or a rebinding web page may call it"
    made.found("loopback-without-token", "low", "browser", said)
    made.found("unpinned-package", "medium", "boards", "the bridge's package is not pinned to a version")
    made.found("deprecated-sse", "low", "boards", "HTTP+SSE transport, deprecated since 2025-03-26")
    made.found("plain-http", "high", "archive", "Bearer token sent over plain http to 10.0.0.5")
    return made.document()


def two_hosts() -> Topology:
    """Two files, seven entries, one server that both hosts speak to."""
    made = Config()
    made.local("files", "npx -y @quarry-example/files-mcp", "unpinned", "1 folder")
    made.sandbox("db", "container", "registry.example/db-mcp:1.4", "read-only mount")
    vendor = made.vendor("tracker.example")
    made.remote(
        "tracker",
        "mcp.tracker.example/mcp",
        vendor,
        "https",
        label=("POST /mcp", "Bearer by reference"),
        one=True,
    )
    made.begin("desk-assistant.json", "desk-assistant")
    made.local("files", "npx -y @quarry-example/files-mcp ~", "unpinned", "home dir")
    made.local("notes", "python3 notes.py")
    made.remote(
        "tracker",
        "mcp.tracker.example/mcp",
        vendor,
        label=("POST /mcp", "Bearer ••••, in the file"),
        one=True,
    )
    wiki = made.vendor("wiki.example")
    made.remote("wiki", "mcp.wiki.example/mcp", wiki, "https", label=("POST /mcp", "no token in the file"))
    made.login("wiki", wiki)
    made.found("secret-in-file", "high", "tracker", "token written in the file", host="desk-assistant")
    made.found(
        "home-directory-access", "high", "files", "may read the whole home directory", host="desk-assistant"
    )
    made.found("unpinned-package", "medium", "files", "package not pinned to a version", host="my-ide")
    made.found(
        "unpinned-package", "medium", "files", "package not pinned to a version", host="desk-assistant"
    )
    return made.document()


def gateway() -> Topology:
    """A gateway, a unix socket, a built-in server, an identity provider, an upstream API and a store."""
    made = Config()
    made.local("toolbox", "toolbox gateway run", node="gateway")
    made.local("indexer", "~/.indexer/mcp.sock", kind="socket", label="unix socket")
    notes = made.node(
        "server:notes",
        "server",
        "notes",
        "host:my-ide",
        "built into the host",
        name="notes",
        transport="builtin",
    )
    made.flow("model:my-ide", notes, "tool-call", "notes")
    vendor = made.vendor("shop.example", "trust boundary: code and data outside your control")
    reports = made.remote(
        "reports", "mcp.shop.example/reports", vendor, "https", label=("POST /reports", "Bearer by reference")
    )
    orders = made.remote(
        "orders", "mcp.shop.example/orders", vendor, "https", label=("POST /orders", "Bearer, OAuth declared")
    )
    idp = made.zone("idp:idp.example", "idp", "idp.example")
    made.login("orders", idp, "Authorization server", "login.idp.example", "OAuth 2.1 + PKCE")
    made.flow(
        reports,
        made.node("store", "store", "Report store", vendor, "described"),
        "own-token",
        "server's own token",
    )
    made.flow(
        orders,
        made.node("api", "api", "Orders API", vendor, "described"),
        "own-token",
        "server's own token",
        "no passthrough",
    )
    return made.document(title="A gateway, a unix socket, an identity provider, upstream APIs")


def disabled() -> Topology:
    """Two of four servers are not started, the address of one is a variable."""
    made = Config()
    made.local("files", "npx -y @quarry-example/files-mcp", "unpinned")
    made.local("linter", "uvx lint-mcp-example", "unpinned", disabled=True)
    unknown = made.zone("unknown", "unknown", "? address is a variable")
    made.remote(
        "team", "${TEAM_MCP_URL}", unknown, label=("POST, TLS not known", "Bearer by reference"), tls=None
    )
    made.remote(
        "wiki", "mcp.wiki.example/mcp", made.vendor("wiki.example"), label=("POST /mcp",), disabled=True
    )
    made.found("unpinned-package", "medium", "files", "package not pinned to a version")
    made.found("unpinned-package", "medium", "linter", "package not pinned to a version")
    return made.document(title="Disabled servers, an address that is a variable")


def empty() -> Topology:
    """A file without servers."""
    made = Config(".my-ide/settings.json")
    made.said["zones"][0]["note"] = "trust boundary: same OS user"
    made.said["sources"][0] |= {"keys": ["theme", "fontSize", "telemetry"], "reads": "mcpServers"}
    return made.document(title="A file without servers")


def many(count: int) -> Topology:
    """So many servers: local ones by three launchers, remote ones of several vendors, now and then a finding."""
    made = Config()
    for at in range(count):
        key = f"server-{at}"
        if at % 5 == 4:
            domain = f"vendor{at % 7 if at % 2 else at}.example"
            made.remote(
                key,
                f"mcp.{domain}/mcp",
                made.vendor(domain),
                "https",
                label=("POST /mcp", "no token in the file"),
            )
        elif at % 5 == 3:
            made.sandbox(key, "container", f"registry.example/{key}", "no tag")
        else:
            made.local(key, f"{'npx -y' if at % 2 else 'uvx'} {key}-example", "unpinned")
            made.found("unpinned-package", "medium", key, "package not pinned to a version")
    if count > 7:
        made.found("home-directory-access", "high", "server-5", "may read the whole home directory")
    return made.document()


TARGETS = {
    "three": three,
    "nine": nine,
    "two-hosts": two_hosts,
    "gateway": gateway,
    "disabled": disabled,
    "empty": empty,
}
