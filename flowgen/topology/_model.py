"""Who runs where, and what crosses which trust boundary (`flowgen.topology/1`). Positions and colours are unknown here.

The document of the contract, read and written with these names; unknown fields are kept. `evidence` says how each
thing is known; what is only likely is `inferred`, and never told as a fact.
"""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from ._part import Part

if TYPE_CHECKING:
    from ._build import Reading

ZoneKind = Literal["machine", "host", "sandbox", "vendor", "idp", "private-network", "other-machine", "unknown"]
NodeKind = Literal["person", "model", "client", "server", "bridge", "gateway", "auth", "api", "store"]
Transport = Literal["stdio", "http", "sse", "socket", "builtin"]
Auth = Literal["none", "literal", "reference", "placeholder", "oauth"]
DataFlowKind = Literal["approval", "tool-call", "stdio", "http", "sse", "socket", "oauth", "own-token", "ssh"]
EvidenceKind = Literal["file", "trace", "described", "inferred"]
Severity = Literal["high", "medium", "low", "info"]
SeenKind = Literal["seen", "never", "undeclared", "unclear", "otherwise"]
ChangeKind = Literal["added", "removed", "changed"]
ChangeSubject = Literal[
    "finding", "boundary", "server", "name", "credential", "launch", "address", "data flow", "state", "node",
    "zone", "revision",
]  # fmt: skip


@dataclass(frozen=True, kw_only=True, eq=False)
class Evidence(Part):
    """How something is known: `where` is `path:line` of a file, or the `seq` of a message of a trace, whose name
    `source` is where recordings were laid over files.
    """

    kind: EvidenceKind
    where: str | None = None
    source: str | None = None


@dataclass(frozen=True, kw_only=True, eq=False)
class Source(Part):
    """A file that was read, and the title of the host that it belongs to. `zone` is the host's own, `reads` the key
    under which it looks for servers, `keys` those at the top of the file. A `recording` was laid over the others.
    """

    path: str
    kind: Literal["recording"] | None = None
    host: str | None = None
    zone: str | None = None
    reads: str | None = None
    keys: list[str] = field(default_factory=list)


@dataclass(frozen=True, kw_only=True, eq=False)
class Zone(Part):
    """What one party controls. `note` says in words what the boundary means, `lines` what else is to be known of it,
    such as what of a machine is a WSL distribution; `parent` is the zone around it.

    `seen` and `change` are as in a Node.
    """

    id: str
    kind: ZoneKind
    title: str
    parent: str | None = None
    note: str | None = None
    lines: list[str] = field(default_factory=list)
    seen: SeenKind | None = None
    change: ChangeKind | None = None


@dataclass(frozen=True, kw_only=True, eq=False)
class Node(Part):
    """A party. `name` is the server's key in the file, `lines` are what is said below the title, `scope` is the
    project for which alone the file declares it. Where recordings were laid over files, `seen` says how the two agree;
    where two topologies were compared, `change` what became of it, and `was` the lines that it had before.
    """

    id: str
    kind: NodeKind
    title: str
    zone: str | None = None
    name: str | None = None
    lines: list[str] = field(default_factory=list)
    transport: Transport | None = None
    auth: Auth | None = None
    disabled: bool = False
    badges: list[str] = field(default_factory=list)
    scope: str | None = None
    evidence: Evidence | None = None
    seen: SeenKind | None = None
    change: ChangeKind | None = None
    was: list[str] | None = None


@dataclass(frozen=True, kw_only=True, eq=False)
class DataFlow(Part):
    """What goes from one node to another; `label` has one or two lines, transport first, token second. `same_token`
    says whether the token is the one that the source was sent itself; None where that is not known. `change` and
    `was` are as in a Node, of the label.
    """

    source: str
    target: str
    kind: DataFlowKind
    label: list[str] = field(default_factory=list)
    tls: bool | None = None
    same_token: bool | None = None
    evidence: Evidence | None = None
    change: ChangeKind | None = None
    was: list[str] | None = None


@dataclass(frozen=True, kw_only=True, eq=False)
class Finding(Part):
    """What a reviewer should look at. `server` is the name of the server that it is about, `advice` how to mend it,
    `source` where the rule comes from (a section of the security best practices, an RFC), `node` the id of the node
    that it sits on.
    """

    code: str
    severity: Severity
    message: str
    server: str | None = None
    host: str | None = None
    where: str | None = None
    advice: str | None = None
    source: str | None = None
    node: str | None = None

    def __str__(self) -> str:
        """A line: where, how grave, which rule, the server, what."""
        who = " in ".join(filter(None, (self.server, self.host)))
        return f"{self.where or '-'}: {self.severity} {self.code}{f' [{who}]' if who else ''}: {self.message}"


@dataclass(frozen=True, kw_only=True, eq=False)
class Change(Part):
    """What a newer topology does differently: `about` is the subject, `name` whom it concerns, `was` and `now` what
    stood and stands there. `graver` says that a reviewer should look at it first; `where` is the newer file's place.
    """

    change: ChangeKind
    about: ChangeSubject
    name: str
    message: str
    was: str | None = None
    now: str | None = None
    host: str | None = None
    where: str | None = None
    severity: Severity | None = None
    graver: bool = False


@dataclass(frozen=True, kw_only=True, eq=False)
class Topology(Part):
    """Zones, the nodes in them, what flows between, and what was found.

    One that was read from config files also holds what a judge needs (`reading`); the document does not.
    """

    format: Literal["flowgen.topology/1"] = "flowgen.topology/1"
    title: str | None = None
    revision: str | None = None
    sources: list[Source] = field(default_factory=list)
    zones: list[Zone] = field(default_factory=list)
    nodes: list[Node] = field(default_factory=list)
    flows: list[DataFlow] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    changes: list[Change] | None = None

    @property
    def reading(self) -> "Reading | None":
        """What the config files said, entry by entry; None of a document and of a trace."""
        return vars(self).get("_reading")

    def made_from(self, reading: "Reading | None") -> "Topology":
        """The same with what it was made from."""
        return self.model_copy(update={"_reading": reading})


def schema() -> dict[str, Any]:
    """The JSON Schema of the document."""
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **Topology.model_json_schema()}
