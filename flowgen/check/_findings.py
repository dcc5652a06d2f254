"""From the facts of a topology to its findings: the gravest first, then in the file's order.

A finding names the server, the line and the node that it sits on, and holds no value of a secret.
"""

from collections import Counter
from collections.abc import Iterator
from typing import get_args

from flowgen.topology import Drawn, File, Finding, Ignored, Reading, Severity, Topology

from ._rules import rules
from ._seen import anchor, of_recordings
from ._topology import RULES, Hit, shared_credential

_ORDER = get_args(Severity)


def findings(topology: Topology) -> tuple[Finding, ...]:
    """What a reviewer should look at; of a recording or a document what its data flows say and what it holds itself."""
    reading = topology.reading
    if reading is None:
        return tuple(_once([*topology.findings, *_of_flows(topology), *of_recordings(topology)]))
    found = [*_of_servers(reading), *(each for file in reading.files for each in _of_file(file, reading)),
             *_of_flows(topology), *of_recordings(topology)]  # fmt: skip
    found += [told for told in topology.findings if told not in found]  # a person's own, in a description
    return tuple(sorted(_once(found), key=lambda each: _ORDER.index(each.severity)))


def judged(topology: Topology) -> Topology:
    """The same topology with its findings filled."""
    return topology.model_copy(update={"findings": list(findings(topology))})


def _of_servers(reading: Reading) -> Iterator[Finding]:
    fronts = Counter(drawn.front for drawn in reading.servers)
    holders = [drawn for drawn in reading.servers if any(each.mark for each in drawn.facts.credentials)]
    for drawn in reading.servers:
        for code, rule in RULES.items():
            for hit in rule(drawn):
                yield _finding(code, hit, drawn, reading, fronts[drawn.front] > 1)
        if drawn in holders:
            for hit in shared_credential(drawn, holders):
                yield _finding("shared-credential", hit, drawn, reading, fronts[drawn.front] > 1)


def _of_flows(topology: Topology) -> Iterator[Finding]:
    """What only messages show; `where` is the anchor of the message, as pictures of the recording have it."""
    nodes = {node.id: node for node in topology.nodes}
    rule = rules()["token-passthrough"]
    for flow in topology.flows:
        source, target = nodes.get(flow.source), nodes.get(flow.target)
        if flow.same_token and source and target:
            yield Finding(
                code=rule.code, severity=rule.severity, message=_sentence(rule.sentences["message"], target.title),
                server=source.name or source.title, where=anchor(flow.evidence), advice=rule.advice,
                source=rule.source, node=source.id,
            )  # fmt: skip


def _of_file(file: File, reading: Reading) -> Iterator[Finding]:
    for ignored in file.found.ignored:
        rule = rules()["ignored-key"]
        yield Finding(
            code=rule.code, severity=rule.severity, message=_ignored(ignored), host=_host(file, reading),
            where=f"{file.path}:{ignored.line}", advice=rule.advice, source=rule.source,
        )  # fmt: skip


    for setting in file.found.unasked:
        rule = rules()["auto-approved"]
        yield Finding(
            code=rule.code, severity="medium", host=_host(file, reading), where=f"{file.path}:{setting.line}",
            message=_sentence(rule.sentences["message"], f"{setting.key} = {setting.value}"),
            advice=rule.advice, source=rule.source,
        )  # fmt: skip


def _ignored(ignored: Ignored) -> str:
    count = "1 server" if ignored.count == 1 else f"{ignored.count} servers"
    return rules()["ignored-key"].sentences["message"].format(about=ignored.key, count=count)


def _finding(code: str, hit: Hit, drawn: Drawn, reading: Reading, shared: bool) -> Finding:
    rule = rules()[code]
    return Finding(
        code=code, severity=hit.severity or rule.severity, message=_sentence(rule.sentences[hit.sentence], hit.about),
        server=drawn.facts.name, host=_host(drawn.file, reading), where=f"{drawn.file.path}:{hit.line}",
        advice=rule.advice, source=rule.source, node=_node(hit, drawn, shared),
    )  # fmt: skip


def _sentence(template: str, about: str) -> str:
    return " ".join(template.replace("{about}", about).split())


def _node(hit: Hit, drawn: Drawn, shared: bool) -> str:
    """Of a server that several hosts share, what is about one host's entry sits on that host's client."""
    if hit.behind and drawn.behind:
        return drawn.behind
    return drawn.client if shared and hit.entry and drawn.client else drawn.front


def _host(file: File, reading: Reading) -> str | None:
    return file.host.title if len(reading.files) > 1 else None


def _once(found: list[Finding]) -> list[Finding]:
    """A server that several hosts share has each finding once, the gravest."""
    best: dict[object, Finding] = {}
    for number, each in enumerate(found):
        key: object = (each.code, each.node) if each.node else number
        if key not in best or _ORDER.index(each.severity) < _ORDER.index(best[key].severity):
            best[key] = each
    return list(best.values())
