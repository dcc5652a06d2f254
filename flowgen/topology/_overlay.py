"""What was seen laid over what was declared: facts of recordings on the nodes and data flows of a topology.

No declared node is lost but an authorization server that was only likely and, as the recording shows, not asked. What
was seen and nobody declared is drawn too, and marked (`seen`); findings about it are left to a judge.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from flowgen.trace import Trace

from ._from_trace import Met, met_in, tools_label
from ._ground import Ground
from ._matching import Entry, entries, entry_of, is_host, matches, plain_address, starts_otherwise, words_of
from ._model import DataFlow, Evidence, Node, Source, Topology

_WIRE = ("http", "sse", "stdio", "socket", "ssh")
NEVER, UNDECLARED, UNCLEAR, OTHERWISE = "never seen", "undeclared", "perhaps seen", "not as declared"  # badges
_NO_TOKEN, _ELSEWHERE, _THEN = "no token seen", ", not in the file", "disabled, but seen"
_NOT_THEN = (["not started"], ["not connected"])


def overlaid(declared: Topology, traces: Sequence[tuple[str, Trace]], *, show_paths: bool = False) -> Topology:
    """A topology of config files or a description with recordings, as (name, trace), laid over it.

    A server of a recording is a declared one by its address, its launch line, or failing both its name. Tools that were
    called stand on the grey edges, tokens and OAuth as they were seen. User names become `~` unless `show_paths`.
    """
    if not traces:
        return declared
    seen, met = met_in(traces, show_paths=show_paths)
    told = _Overlay(declared, seen)
    for each in met:
        told.server(each)
    return told.topology()


@dataclass(slots=True)
class _Calls:
    """Tools called over one edge, with the message of the first."""

    tools: dict[str, None] = field(default_factory=dict)
    first: Evidence | None = None


class _Overlay(Ground):
    def __init__(self, declared: Topology, seen: Topology) -> None:
        super().__init__(declared, seen)
        self.entries = entries(declared)
        self.theirs = {entry.front.id: entry for entry in entries(seen)}
        self.seen_nodes = {node.id: node for node in seen.nodes}
        self.names: dict[str, str] = {}  # nodes of the recordings -> ours
        self.found: set[str] = set()
        self.labels = {(flow.source, flow.target): flow.label for flow in declared.flows}
        self.tokens: dict[tuple[str, str], str | None] = {}  # those that any of the recordings shows
        self.calls: dict[str, _Calls] = defaultdict(_Calls)

    def topology(self) -> Topology:
        self._never()
        self._elsewhere()
        self._tools()
        sources = [Source(path=source.path, kind="recording") for source in self.seen.sources]
        told: dict[str, Any] = {
            "nodes": list(self.nodes.values()), "zones": list(self.zones.values()), "flows": self.flows,
            "sources": [*self.declared.sources, *sources], "revision": self.declared.revision or self.seen.revision,
        }  # fmt: skip
        return self.declared.model_copy(update=told)

    def server(self, met: Met) -> None:
        """One server of a recording: laid over the entry that it is, or drawn as one that nobody declared."""
        self.path = met.drawn.file.path
        theirs = self.theirs.get(met.drawn.front) or entry_of(self.seen_nodes[met.drawn.front])
        found = matches(theirs, self.entries, met.session.client)
        if len(found) == 1:
            self._same(found[0], met)
        elif found:
            self._unclear(found)
        else:
            self._undeclared(met)

    # A declared server

    def _same(self, entry: Entry, met: Met) -> None:
        front = entry.front.id
        self.found.add(front)
        self.names.setdefault(met.drawn.front, front)
        clients = self._clients(entry, met)
        self._called(entry, clients, met)
        remote = met.server.transport in ("http", "sse")
        target = entry.behind.id if entry.behind and remote else front
        self.change(target, **self._facts_of(target, met))
        theirs = self.theirs.get(met.drawn.front)
        if theirs and starts_otherwise(theirs, entry):
            self.change(front, seen="otherwise", badges=[OTHERWISE, *self.nodes[front].badges])
        self._wires(clients or (() if entry.clients else (front,)), entry, target, met)
        if remote and met.server.url:
            self._authorization(entry, met)
        self._upstream(met, target)

    def _clients(self, entry: Entry, met: Met) -> tuple[str, ...]:
        """Whose session it was: where several hosts reach a server, the one that the client names itself after."""
        alone = len(entry.clients) == 1
        found = tuple(each for each in entry.clients if alone or self._is_of(each, met))
        return found if len(found) == 1 else ()

    def _called(self, entry: Entry, clients: tuple[str, ...], met: Met) -> None:
        """The tools: on the edge to the client, or on the server where nothing tells whose session it was."""
        if not met.server.tools:
            return
        over = clients[0] if clients else entry.front.id
        if not any(flow.kind == "tool-call" and flow.target == over for flow in self.flows):
            front = self.nodes[entry.front.id]
            self.change(front.id, lines=[*front.lines, f"called: {', '.join(tools_label(list(met.server.tools)))}"])
            return
        calls = self.calls[over]
        calls.tools |= dict.fromkeys(met.server.tools)
        calls.first = calls.first or self.seq(min(met.server.tools.values()))

    def _is_of(self, client: str, met: Met) -> bool:
        zone = self.zones.get(self.nodes[client].zone or "")
        return bool(zone and met.session.client and is_host(met.session.client, zone.title))

    def _facts_of(self, target: str, met: Met) -> dict[str, Any]:
        node = self.nodes[target]
        said = f"{met.server.title}, seen" if met.server.title else ""
        lines = [*node.lines, said] if said and said not in node.lines else node.lines
        guarded = met.server.token or met.server.refused
        badges = [badge for badge in node.badges if badge != "no auth"] if guarded else node.badges
        return {"lines": lines, "badges": badges, "seen": "seen"}

    def _wires(self, clients: Sequence[str], entry: Entry, target: str, met: Met) -> None:
        """What the client says to the server: the token as it was seen, beside what the file shows."""
        sources = {*clients, entry.front.id}
        for at, flow in enumerate(self.flows):
            if flow.source in sources and flow.target == target and flow.kind in _WIRE:
                ends = (flow.source, flow.target)
                told = self.labels.get(ends, flow.label)
                label = [_THEN] if told[:1] in _NOT_THEN else flow.label
                if met.server.transport in ("http", "sse"):
                    self.tokens[ends] = self.tokens.get(ends) or met.server.token
                    label = _with_token(label if label == [_THEN] else told, self.tokens[ends])
                self.flows[at] = flow.model_copy(update={"label": label, "evidence": self.seq(met.server.first)})

    def _authorization(self, entry: Entry, met: Met) -> None:
        """A likely authorization server is one if it was asked; where nothing asked for a token there is none."""
        ours = {*entry.clients, entry.front.id}
        inferred = [flow for flow in self.flows if flow.kind == "oauth" and flow.source in ours]
        theirs = [flow for flow in self.seen.flows if flow.kind == "oauth" and flow.source == met.drawn.client]
        if theirs:
            self._authorized(entry, inferred, theirs[0])
        elif not met.server.token and not met.server.refused:
            for flow in inferred:
                if flow.evidence and flow.evidence.kind == "inferred":
                    self._drop(flow)

    def _authorized(self, entry: Entry, known: list[DataFlow], shown: DataFlow) -> None:
        node, shown = self.seen_nodes[shown.target], self._flow(shown)
        zone = self.zone(node.zone)
        for flow in known:
            self.change(flow.target, lines=node.lines, zone=zone, evidence=self.shown_by(node.evidence), seen="seen")
            self.replace(flow, label=shown.label, tls=shown.tls, evidence=shown.evidence)
            self._relabel(flow.source, "OAuth client")
        for source in () if known else entry.clients or (entry.front.id,):
            target = self.add(node.model_copy(update={"zone": zone, "seen": "seen"}))
            self.flows.append(shown.model_copy(update={"source": source, "target": target}))
            self._relabel(source, "OAuth client")

    def _drop(self, flow: DataFlow) -> None:
        self.flows = [each for each in self.flows if each is not flow]
        if not any(flow.target in (each.source, each.target) for each in self.flows):
            self.nodes.pop(flow.target, None)
        self._relabel(flow.source, None)

    def _relabel(self, client: str, said: str | None) -> None:
        node = self.nodes[client]
        if node.kind == "client":
            lines = [line for line in node.lines if line not in ("OAuth if asked", "OAuth client")]
            self.change(client, lines=[*lines, *([said] if said else [])])

    # What nobody declared

    def _undeclared(self, met: Met) -> None:
        drawn = met.drawn
        known = drawn.front in self.names
        front = self.names.get(drawn.front) or self._take(drawn.front, "undeclared")
        behind = self._take(drawn.behind, None) if drawn.behind and not known else None
        self.names |= {drawn.behind: behind} if drawn.behind and behind else {}
        self.found.add(front)
        client = self._take(drawn.client, None, host=self._host(met)) if drawn.client else None
        for flow in self.seen.flows:
            if flow.target == drawn.client:
                model = self._model(client)
                self.flows.append(self._flow(flow, source=model, target=client))
            elif flow.source == drawn.client or (not known and self._is_own(flow, met)):
                target = self.names.get(flow.target) or self._take(flow.target, None)
                self.flows.append(self._flow(flow, source=self.names[flow.source], target=target))
        self._upstream(met, front)

    def _is_own(self, flow: DataFlow, met: Met) -> bool:
        """Whether it leads from a bridge to the server behind it, or to an authorization server."""
        return flow.source == met.drawn.front and (flow.kind == "oauth" or flow.target == met.drawn.behind)

    def _take(self, name: str, seen: str | None, host: str | None = None) -> str:
        """A node of the recordings becomes one of ours; an id that is taken gets a number."""
        node = self.seen_nodes[name]
        told: dict[str, Any] = {"zone": host or self.zone(node.zone)}
        if seen:
            told |= {"seen": seen, "badges": [UNDECLARED, *node.badges]}
        if node.kind == "client" and host:
            others = sum(each.kind == "client" and each.zone == host for each in self.nodes.values())
            told["title"] = f"Client {others + 1}"
        self.names[name] = self.add(node.model_copy(update=told))
        return self.names[name]

    def _host(self, met: Met) -> str:
        """The frame in which its client stands: the only host's, the one that it names, else one of its own."""
        hosts = [zone for zone in self.zones.values() if zone.kind == "host"]
        client = met.session.client
        named = [zone for zone in hosts if client and is_host(client, zone.title)]
        fitting = named if len(named) == 1 else hosts if len(hosts) == 1 else []
        theirs = self.seen_nodes[met.drawn.client].zone if met.drawn.client else None
        return fitting[0].id if fitting else self.zone(theirs) or "host"

    def _model(self, client: str | None) -> str:
        """The model of a client's host; that of the recording where the host has none."""
        zone = self.nodes[client].zone if client else None
        own = [node.id for node in self.nodes.values() if node.kind == "model" and node.zone == zone]
        if own:
            return own[0]
        model = self.add(Node(id="model", kind="model", title="Model", zone=zone, evidence=Evidence(kind="inferred")))
        for person in [node.id for node in self.nodes.values() if node.kind == "person"][:1]:
            self.flows.append(DataFlow(source=person, target=model, kind="approval", label=["prompt", "approval"],
                                       evidence=Evidence(kind="inferred")))  # fmt: skip
        return model

    def _upstream(self, met: Met, ours: str) -> None:
        """What the server itself spoke to; a description may have told of it."""
        theirs = {met.drawn.front, met.drawn.behind}
        for flow in self.seen.flows:
            node = self.seen_nodes.get(flow.target)
            if flow.source not in theirs or node is None or node.id == met.drawn.behind:
                continue
            known = self._known(node, ours)
            if known:
                self.found.add(known)
                self.change(known, seen="seen")
            strange = "undeclared" if node.kind == "server" else None
            target = known or self.names.get(node.id) or self._take(node.id, strange)
            own = [each for each in self.flows if (each.source, each.target) == (ours, target)]
            for each in own:
                told = _upstream_label(each, flow)
                self.replace(each, label=told, same_token=flow.same_token, evidence=self.shown_by(flow.evidence))
            if not own:
                self.flows.append(self._flow(flow, source=ours, target=target))

    def _known(self, node: Node, ours: str) -> str | None:
        """The declared service at the same address, or one of the same name that the server is said to speak to."""
        wanted = {plain_address(line) for line in node.lines[:1]}
        mine = [each for each in self.declared.nodes if each.kind in ("api", "server", "store")]
        behind = {flow.target for flow in self.declared.flows if flow.source == ours}
        by_address = (each.id for each in mine if each.lines and plain_address(each.lines[0]) in wanted)
        by_name = (each.id for each in mine if each.id in behind and words_of(each.title) == words_of(node.title))
        return next(by_address, None) or next(by_name, None)

    def _flow(self, flow: DataFlow, **ends: Any) -> DataFlow:
        return flow.model_copy(update={"evidence": self.shown_by(flow.evidence), **ends})

    # What is not to be told, and what was not seen

    def _unclear(self, found: Sequence[Entry]) -> None:
        for entry in found:
            node = self.nodes[entry.front.id]
            self.found.add(node.id)
            if node.seen is None:
                self.change(node.id, seen="unclear", badges=[UNCLEAR, *node.badges])

    def _never(self) -> None:
        for entry in self.entries:
            node = self.nodes[entry.front.id]
            if node.id not in self.found and not node.disabled:
                self.change(node.id, seen="never", badges=[NEVER, *node.badges])

    def _elsewhere(self) -> None:
        """Services in zones that nothing declared leads to say so, as servers do."""
        strange = {zone.id for zone in self.zones.values() if zone.seen == "undeclared"}
        for node in [*self.nodes.values()]:
            if node.zone in strange and UNDECLARED not in node.badges:
                self.change(node.id, badges=[UNDECLARED, *node.badges])

    def _tools(self) -> None:
        for at, flow in enumerate(self.flows):
            calls = self.calls.get(flow.target) if flow.kind == "tool-call" else None
            if calls:
                told = {"label": tools_label(list(calls.tools)), "evidence": calls.first}
                self.flows[at] = flow.model_copy(update=told)


def _upstream_label(declared: DataFlow, seen: DataFlow) -> list[str]:
    """What a server says to what is behind it: as declared, unless more was seen."""
    if declared.kind in ("http", "sse"):
        return [*declared.label[:1], *seen.label[-1:]]
    return seen.label if seen.same_token is not None or not declared.label else declared.label


def _with_token(label: Sequence[str], token: str | None) -> list[str]:
    """The transport as declared, and the token that went along: one that the file does not show is from elsewhere."""
    told = label[1] if len(label) > 1 else ""
    if token is None:
        return [*label[:1], _NO_TOKEN]
    if told == "no token in the file" or told.endswith(": placeholder"):
        return [*label[:1], token + _ELSEWHERE]
    return [*label] if told else [*label[:1], token]
