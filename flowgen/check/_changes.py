"""What a newer topology does differently from an older one: servers, credentials, launch lines, boundaries, data flows
and findings, matched by meaning. What a reviewer should look at first comes first. No value of a secret is told.
"""

from collections import defaultdict
from collections.abc import Iterator
from typing import Any, get_args

from flowgen.topology import Change, DataFlow, Finding, Node, Severity, Topology, Zone

from . import _change_words as say
from ._pairing import SERVERS, Pairs, Side, paired
from ._renames import facts_of
from ._union import united

_RANK = get_args(Severity)
_ABOUT = ("finding", "credential", "boundary", "server", "name", "launch", "address", "data flow", "state", "node",
          "zone", "revision")  # fmt: skip
_DONE = ("added", "changed", "removed")
_ON, _OFF = "switched on", "switched off"


def compared(old: Topology, new: Topology) -> Topology:
    """Both topologies as one, each part marked with what became of it, and the changes in their order.

    The findings of both have to be there already (`judged`).
    """
    before, after, pairs = paired(old, new)
    compare = _Compare(before, after, pairs)
    changes = sorted(compare.changes(), key=_rank)
    return united(before, after, pairs, compare.marked).model_copy(update={"changes": changes})


def _rank(change: Change) -> tuple[int, ...]:
    severity = _RANK.index(change.severity) if change.severity else len(_RANK)
    return int(not change.graver), _ABOUT.index(change.about), severity, _DONE.index(change.change)


class _Compare:
    def __init__(self, before: Side, after: Side, pairs: Pairs) -> None:
        self.before, self.after, self.pairs = before, after, pairs
        self.back = {new: old for old, new in pairs.nodes.items()}
        self.facts = [facts_of(side.topology) for side in (before, after)]
        self.marked: set[str] = set()  # nodes of the newer one that something changed about
        self.told: set[str] = set()  # servers that are started or reached otherwise: their data flows say so, too

    def changes(self) -> Iterator[Change]:
        yield from self._servers()
        yield from self._boundaries()
        yield from self._nodes()
        yield from self._flows()
        yield from self._findings()
        old, new = self.before.topology.revision, self.after.topology.revision
        if old != new:
            yield _change("changed", "revision", "MCP", old or "none", new or "none")

    # Servers

    def _servers(self) -> Iterator[Change]:
        for node in self.after.fronts():
            if node.id in self.back and self.before.nodes[self.back[node.id]].kind in SERVERS:
                yield from self._server(self.before.nodes[self.back[node.id]], node)
            else:
                yield self._whole("added", node, self.after)
        for node in self.before.fronts():
            if node.id not in self.pairs.nodes:
                yield self._whole("removed", node, self.before)

    def _whole(self, done: str, node: Node, side: Side) -> Change:
        place = side.zones.get((side.behind(node) or node).zone or "")
        where = f"{say.start_of(node, side)} in {say.titled(place)}" if place else say.start_of(node, side)
        now = {"now": where} if done == "added" else {"was": where}
        return _told(done, "server", node, side, message=f"{done}: {where}", graver=done == "added", **now)

    def _server(self, old: Node, new: Node) -> Iterator[Change]:
        if old.name != new.name and old.name and new.name:
            self.told |= {one.id for one in self.after.speakers(new)}
            yield self._both("name", new, old.name, new.name)
        was, now = self._start(old, self.before, 0), self._start(new, self.after, 1)
        if was != now:
            self.told.add(new.id)
            about = "address" if say.is_remote(old) and say.is_remote(new) else "launch"
            yield self._both(about, new, was, now)
        yield from self._moves(self.before.behind(old) or old, self.after.behind(new) or new, new)
        yield from self._credential(old, new)
        yield from self._hidden(old, new, was != now)
        if old.disabled != new.disabled:
            self.told.add(new.id)
            yield self._both("state", new, _OFF if old.disabled else _ON, _OFF if new.disabled else _ON,
                             graver=old.disabled)  # fmt: skip

    def _start(self, node: Node, side: Side, at: int) -> str:
        """How it is started or where it is; the whole line where both sides know their files."""
        known = self.facts[at].get(node.id) if all(self.facts) else None
        own = known.launched if known and known.launched else node.lines[0] if node.lines else node.title
        behind = side.behind(node)
        return f"{own}, a bridge to {behind.lines[0]}" if behind and behind.lines else own

    def _moves(self, old: Node, new: Node, front: Node) -> Iterator[Change]:
        one, two = self.before.zones.get(old.zone or ""), self.after.zones.get(new.zone or "")
        if one is None or two is None or self.pairs.zones.get(one.id) == two.id:
            return
        if (one.kind, one.title) == (two.kind, two.title):
            return
        outwards = two.kind in say.FOREIGN or one.kind == "sandbox"
        yield self._both("boundary", front, say.titled(one), say.titled(two), graver=outwards)

    def _credential(self, old: Node, new: Node) -> Iterator[Change]:
        one, two = self.facts[0].get(old.id), self.facts[1].get(new.id)
        if one and two:
            was, now = say.credentials(one), say.credentials(two)
            if was != now or one.auth != two.auth:
                in_file = [each for each in now if each not in was and each.endswith(f"({say.KINDS['literal']})")]
                texts = (", ".join(each) or say.AUTH[facts.auth] for each, facts in ((was, one), (now, two)))
                before, after = texts
                after = after if before != after else say.AUTH[two.auth]
                yield self._both("credential", new, before, after, graver=bool(in_file))
        elif old.auth != new.auth:
            yield self._both("credential", new, say.AUTH[old.auth], say.AUTH[new.auth], graver=new.auth == "literal")

    def _hidden(self, old: Node, new: Node, started: bool) -> Iterator[Change]:
        """What differs and is never shown: values, and the parts of a command that may be secret."""
        one, two = self.facts[0].get(old.id), self.facts[1].get(new.id)
        before, after = (dict(each.prints) if each else {} for each in (one, two))
        told = {"command", "address"} if started else set()
        names = [name for name in {**before, **after} if before.get(name) != after.get(name) and name not in told]
        if one and two and (left := [name for name in names if say.bare(name) not in say.told_of(one, two)]):
            self.marked.add(new.id)
            text = ", ".join(left)
            yield _told("changed", "launch", new, self.after, message=f"differs in what is not shown: {text}", now=text)

    def _both(self, about: str, node: Node, was: str, now: str, graver: bool = False) -> Change:
        self.marked.add(node.id)
        return _told("changed", about, node, self.after, message=f"{was} → {now}", was=was, now=now, graver=graver)

    # Zones, other nodes

    def _boundaries(self) -> Iterator[Change]:
        for side, known, done in ((self.after, set(self.pairs.zones.values()), "added"),
                                  (self.before, set(self.pairs.zones), "removed")):  # fmt: skip
            for zone in side.topology.zones:
                if zone.id not in known and zone.kind not in ("sandbox", "machine"):
                    about = "boundary" if zone.kind in say.FOREIGN else "zone"
                    graver = about == "boundary" and done == "added"
                    yield _change(done, about, say.titled(zone), message=done, graver=graver)
        for one, two in self.pairs.zones.items():
            yield from self._zone(self.before.zones[one], self.after.zones[two])

    def _zone(self, old: Zone, new: Zone) -> Iterator[Change]:
        alone = "" in self.after.hosts.values()
        if old.title != new.title and old.kind != "sandbox" and not (old.kind == "host" and alone):
            yield _change("changed", "zone", say.titled(new), say.titled(old), say.titled(new))
        if (self.pairs.zones.get(old.parent, old.parent) if old.parent else None) != new.parent:
            was, now = self.before.zones.get(old.parent or ""), self.after.zones.get(new.parent or "")
            yield _change("changed", "zone", say.titled(new), say.inside(was), say.inside(now))

    def _nodes(self) -> Iterator[Change]:
        """People, services and stores; servers and what hangs on them are told with their data flows."""
        for side, known, done in ((self.after, self.back, "added"), (self.before, self.pairs.nodes, "removed")):
            for node in side.topology.nodes:
                if node.kind in ("person", "api", "store") and node.id not in known and not side.into[node.id]:
                    yield _told(done, "node", node, side, message=done)
        for one, two in self.pairs.nodes.items():
            old, new = self.before.nodes[one], self.after.nodes[two]
            if old.kind in SERVERS or old.kind in ("client", "model"):
                continue
            was, now = (", ".join([each.title, *each.lines]) for each in (old, new))
            if was != now:
                yield _told("changed", "node", new, self.after, message=f"{was} → {now}", was=was, now=now)

    # Data flows

    def _flows(self) -> Iterator[Change]:
        for old, new in self.pairs.flows:
            flow, side = (new, self.after) if new else (old, self.before)
            if flow is None:
                continue
            if old and new:
                yield from self._flow(old, new)
            elif not self._is_told(flow, side):
                done = "added" if new else "removed"
                yield self._lone(done, flow, side)

    def _is_told(self, flow: DataFlow, side: Side) -> bool:
        """Whether it comes or goes with a server or a client, which is told already."""
        known = self.back if side is self.after else self.pairs.nodes
        source, target = side.nodes.get(flow.source), side.nodes.get(flow.target)
        ends = [end for end in (source, target) if end and end.kind in (*SERVERS, "client", "model")]
        behind = target is not None and target.kind in SERVERS and flow.source in self.told
        asked = target is not None and target.kind == "auth" and target.id in known  # by another one of its server
        return flow.kind == "tool-call" or behind or asked or any(end.id not in known for end in ends)

    def _lone(self, done: str, flow: DataFlow, side: Side) -> Change:
        said = ", ".join(flow.label)
        text = f"{done}: {say.way(flow, side)}" + (f" ({said})" if said else "")
        likely = flow.evidence is not None and flow.evidence.kind == "inferred"
        told = {"now": text.removeprefix("added: ")} if done == "added" else {"was": text.removeprefix("removed: ")}
        return _change(done, "data flow", say.named(flow, side), message=text, host=None,
                       graver=done == "added" and say.crosses(flow, side) and not likely, **told)  # fmt: skip

    def _flow(self, old: DataFlow, new: DataFlow) -> Iterator[Change]:
        was, now = old.label, new.label
        if self._has_facts(old, new) and len(was) > 1 and len(now) > 1:
            was, now = was[:1], now[:1]  # the second line is the token, which is told as a credential
        if self.told & {new.source, new.target} or (was == now and old.tls == new.tls):
            return
        before, after = ", ".join(was), ", ".join(now)
        if before == after:
            before, after = (f"{text} (TLS: {say.tls_word(flow)})" for text, flow in ((before, old), (after, new)))
        graver = old.tls is True and new.tls is False
        yield _change("changed", "data flow", say.named(new, self.after), before, after, graver=graver)

    def _has_facts(self, old: DataFlow, new: DataFlow) -> bool:
        ends = ({old.source, old.target}, {new.source, new.target})
        return all(each & facts.keys() for each, facts in zip(ends, self.facts, strict=True))

    # Findings

    def _findings(self) -> Iterator[Change]:
        olds: dict[tuple[str | None, ...], list[Finding]] = defaultdict(list)
        for finding in self.before.topology.findings:
            olds[self._key(finding, self.before)].append(finding)
        for finding in self.after.topology.findings:
            known = olds[self._key(finding, self.after)]
            if not known:
                yield _found("added", finding, graver=finding.severity != "info")
            elif (old := known.pop(0)).message != finding.message or old.severity != finding.severity:
                worse = _RANK.index(finding.severity) < _RANK.index(old.severity)
                yield _found("changed", finding, graver=worse, was=say.sentence(old), now=say.sentence(finding))
        yield from (_found("removed", finding) for rest in olds.values() for finding in rest)

    def _key(self, finding: Finding, side: Side) -> tuple[str | None, ...]:
        alone = "" in side.hosts.values() or not side.hosts
        host = None if alone else finding.host
        server = side.called.get(("" if alone else host, finding.server or ""), finding.server)
        return finding.code, server, host


def _found(done: str, finding: Finding, **told: Any) -> Change:
    text = told["now"] if "now" in told else say.sentence(finding)
    message = f"{told['was']} → {text}" if "was" in told else text
    return _change(done, "finding", finding.server or finding.host or "the file", message=message, host=finding.host,
                   where=finding.where, severity=finding.severity, **told)  # fmt: skip


def _told(done: str, about: str, node: Node, side: Side, **told: Any) -> Change:
    where = node.evidence.where if node.evidence and node.evidence.kind == "file" else None
    hosts = [host for one in side.speakers(node) if (host := side.host(one))]
    return _change(done, about, node.name or node.title, host=hosts[0] if hosts else None, where=where, **told)


def _change(done: str, about: str, name: str, was: str | None = None, now: str | None = None, **told: Any) -> Change:
    message = told.pop("message", None) or f"{was} → {now}"
    return Change.model_validate({
        "change": done, "about": about, "name": name, "message": message, "was": was, "now": now, **told,
    })  # fmt: skip
