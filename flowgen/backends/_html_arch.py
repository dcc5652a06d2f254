"""The page of an architecture: the picture, and beside it what is known of the node that is clicked.

All of it is there without scripts, in both languages: a click leads to an element of the page. The script only switches
language and colours, looks for a name and saves files.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from flowgen.scene import Crossing, Lang, Layout, Options, Scene, Survey, Theme, clean, survey

from ._arch_markdown import COLUMNS, cells, found_on
from ._html import embedded_json, filled
from ._html_flow import LANGUAGES, said, words_of
from ._svg import svg

if TYPE_CHECKING:
    from flowgen.topology import Finding, Node, Topology

_SCRIPTS = ("dom", "look", "arch")
_LEAST = 0.6  # of its width the picture takes, or letters could not be read


@dataclass(frozen=True, slots=True)
class Spot:
    """Where a node stands in the picture, in per cent of its width and height; `at` is its place among the nodes."""

    at: int
    x: float
    y: float
    wide: float
    high: float


@dataclass(frozen=True, slots=True)
class Card:
    """What is known of a node. `findings` are (number, severity, sentence, advice, source), `flows` (label, evidence).
    """

    at: int
    title: str
    zone: str
    lines: Sequence[str]
    evidence: str
    findings: Sequence[tuple[int, str, str, str, str]]
    flows: Sequence[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Side:
    """The page in one language. `least` is the width in px that the picture needs; `crossing` and `inside` are rows of
    tables.
    """

    lang: Lang
    how: Any
    picture: str
    least: int
    spots: Sequence[Spot]
    cards: Sequence[Card]
    findings: Sequence[tuple[int, str, str, str, str]]
    heads: Sequence[str]
    crossing: Sequence[Sequence[str]]
    inside: Sequence[Sequence[str]]


def arch_html(
    topology: "Topology",
    options: Options,
    theme: Theme,
    laid: Mapping[Lang, tuple[Scene, Layout]],
    document: str,
    watch: str | None = None,
) -> str:
    """The page; `laid` is the picture in each language, `document` the topology as JSON, to be saved."""
    told = {lang: survey(topology, replace(options, lang=lang)) for lang in LANGUAGES}
    lang: Lang = "zh" if options.lang == "zh" else "en"
    heading = said([told[each].heading for each in LANGUAGES])
    words = words_of([*told.values()])
    data = {"kind": "arch", "lang": lang, "words": words, "heading": heading, "document": document, "watch": watch}
    return filled(
        "viewer_arch.html.j2", theme, embedded_json(data), _SCRIPTS, watch is not None, lang=lang,
        heading=told[lang].heading, sides=[_side(told[each], each, theme, *laid[each]) for each in LANGUAGES],
    )  # fmt: skip


def _side(told: Survey, lang: Lang, theme: Theme, scene: Scene, laid: Layout) -> Side:
    crossing = [each for each in told.crossings if told.crosses(each)]
    inside = [each for each in told.crossings if not told.crosses(each)]
    found = found_on(told)
    rows = {id(each): [cell or "—" for cell in cells(told, each, found)] for each in told.crossings}
    return Side(
        lang=lang, how=told.how, picture=Markup(svg(scene, theme, inline=f"{lang}-")),
        least=round(scene.width * _LEAST), spots=[*_spots(told, scene, laid)], cards=[*_cards(told)],
        findings=[_finding(told, *each) for each in enumerate(told.findings, 1)],
        heads=[told.how(f"arch.table.{name}") for name in COLUMNS],
        crossing=[rows[id(each)] for each in crossing], inside=[rows[id(each)] for each in inside],
    )  # fmt: skip


def _spots(told: Survey, scene: Scene, laid: Layout) -> Iterator[Spot]:
    at = {node.id: number for number, node in reversed([*enumerate(told.nodes)])}
    for place in laid.nodes:
        if place.box.node in at:
            x, wide = (round(100 * each / scene.width, 3) for each in (place.x, place.wide))
            y, high = (round(100 * each / scene.height, 3) for each in (place.y - scene.top, place.high))
            yield Spot(at[place.box.node], x, y, wide, high)


def _cards(told: Survey) -> Iterator[Card]:
    findings: dict[int, list[tuple[int, str, str, str, str]]] = defaultdict(list)
    for number, each in enumerate(told.findings, 1):
        for at, node in enumerate(told.nodes):
            if _is_about(each, node):
                findings[at].append(_finding(told, number, each))
    flows: dict[int, list[tuple[str, str]]] = defaultdict(list)
    for crossing in told.crossings:
        for at in {crossing.source, crossing.target}:
            flows[at].append(_flow(told, crossing))
    for at, node in enumerate(told.nodes):
        yield Card(at, told.title(at), _zone(told, node), told.lines(at), told.evidence(node.evidence),
                   findings[at], flows[at])  # fmt: skip


def _is_about(finding: "Finding", node: "Node") -> bool:
    if finding.node is not None:
        return finding.node == node.id
    return node.kind in ("server", "bridge", "gateway") and finding.server in (node.name or node.title, node.id)


def _zone(told: Survey, node: "Node") -> str:
    zones = {zone.id: zone for zone in reversed(told.topology.zones)}
    return told.zone(zones.get(node.zone)) if node.zone in zones else ""


def _flow(told: Survey, crossing: Crossing) -> tuple[str, str]:
    label = told.how("arch.list").join(told.label(crossing))
    way = f"{told.title(crossing.source)} → {told.title(crossing.target)}"
    return f"{way}{told.how('spoken.colon')}{label}" if label else way, told.evidence(crossing.flow.evidence)


def _finding(told: Survey, number: int, finding: "Finding") -> tuple[int, str, str, str, str]:
    return (number, finding.severity, told.sentence(finding), told.advice(finding), clean(finding.source or ""))
