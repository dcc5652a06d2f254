"""The boundary table: what crosses which trust boundary, with which token, approved by whom, how that is known, and
what a reviewer asks there. For a threat model, a pull request or a wiki; texts of strangers stay text.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from flowgen.scene import Crossing, Options, Survey, survey

from ._markdown import pictured, text_of

if TYPE_CHECKING:
    from flowgen.topology import Topology

COLUMNS = ("boundary", "what", "from", "to", "token", "approved", "evidence", "findings")
_KINDS = {"http": "wire", "sse": "wire", "oauth": "oauth", "own-token": "own", "ssh": "shell", "stdio": "pipe",
          "socket": "pipe", "tool-call": "call", "approval": "call"}  # fmt: skip
_QUESTIONS = ("wire", "oauth", "own", "shell", "pipe", "call")
_STRIDE = "STRIDE"
_SPOKEN = ("http", "sse", "own-token")  # kinds whose label tells the token in its second line
_AUTH = {"none": "no-token-in-the-file", "literal": "secret-in-file", "reference": "secret-by-reference",
         "placeholder": "placeholder", "oauth": "bearer-oauth-declared"}  # fmt: skip
_NOTHING = "—"


def boundaries(topology: "Topology", options: Options, image: str | None = None) -> str:
    """The table with its questions, ending in a newline; above it the picture `image`, if there is one."""
    return "\n".join(_lines(survey(topology, options), image)) + "\n"


def crossings(topology: "Topology", options: Options) -> str:
    """The rows of what crosses a boundary alone, for a page that has headings of its own."""
    told = survey(topology, options)
    crossing = [each for each in told.crossings if told.crosses(each)]
    return "\n".join(_table(told, crossing)) if crossing else told.how("arch.table.none")


def _lines(told: Survey, image: str | None) -> Iterator[str]:
    how = told.how
    crossing = [each for each in told.crossings if told.crosses(each)]
    staying = [each for each in told.crossings if not told.crosses(each)]
    yield f"<!-- {how('arch.table.made')} -->"
    yield f"# {text_of(told.heading)}"
    if image is not None:
        yield from ("", *pictured(image, told.heading))
    yield f"\n## {how('arch.table.crossing')}\n"
    yield from _table(told, crossing) if crossing else [how("arch.table.none")]
    if crossing:
        yield f"\n## {how('arch.table.ask')}"
        yield from _questions(told, crossing)
    if staying:
        yield f"\n## {how('arch.table.inside')}\n"
        yield from _table(told, staying)


def _table(told: Survey, crossings: Sequence[Crossing]) -> Iterator[str]:
    yield _row([told.how(f"arch.table.{name}") for name in COLUMNS])
    yield _row(["---"] * len(COLUMNS))
    found = found_on(told)
    for each in crossings:
        yield _row([text_of(cell) or _NOTHING for cell in cells(told, each, found)])


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def cells(told: Survey, each: Crossing, found: dict[str, list[str]]) -> Iterator[str]:
    label = told.label(each)
    split = each.flow.kind in _SPOKEN and len(label) > 1
    codes = dict.fromkeys(code for end in (each.source, each.target) for code in found.get(told.nodes[end].id, ()))
    yield _boundary(told, each)
    yield label[0] if split else told.how("arch.list").join(label)
    yield _end(told, each.source)
    yield _end(told, each.target)
    yield told.how("arch.list").join(label[1:]) if split else _token(told, each)
    yield _approved(told, each, "auto-approved" in codes)
    yield told.evidence(each.flow.evidence)
    yield ", ".join(codes)


def _end(told: Survey, node: int) -> str:
    """What an end is called; a Client by its server, too, for the picture counts its rows and the file its entries."""
    known = told.nodes[node]
    counted = known.kind == "client" and known.name and known.title.removeprefix("Client ").isdecimal()
    return f"Client: {known.name}" if counted else told.title(node)


def _boundary(told: Survey, each: Crossing) -> str:
    source, target = (told.zone(told.domains[end]) for end in (each.source, each.target))
    return f"{source} → {target}" if told.crosses(each) else target


def _token(told: Survey, each: Crossing) -> str:
    """Of a line whose label tells none: as the file shows it for the server at its end."""
    auth = told.nodes[each.target].auth
    known = each.flow.kind not in ("approval", "tool-call", "oauth") and auth is not None
    return told.how(f"arch.text.{_AUTH[auth]}") if known and auth else ""


def _approved(told: Survey, each: Crossing, auto: bool) -> str:
    """The people whose approval leads to the line; an authorization server asks for consent itself."""
    if each.flow.kind == "approval":
        return told.title(each.source)
    who = told.how("arch.list").join(told.title(person) for person in told.approvers[each.source])
    if auto:
        return told.how("arch.table.auto", who=who)
    return who or told.how("arch.table.nobody")


def found_on(told: Survey) -> dict[str, list[str]]:
    """Node id -> the codes of what was found on it; by the server's name where a finding names no node."""
    found: dict[str, list[str]] = {}
    servers = [node for node in told.nodes if node.kind in ("server", "bridge", "gateway")]
    by_name: dict[str, list[str]] = {}
    for node in servers:
        by_name.setdefault(node.name or node.title, []).append(node.id)
    for finding in told.topology.findings:
        for place in [finding.node] if finding.node else by_name.get(finding.server or "", ()):
            found.setdefault(place, []).append(finding.code)
    return found


def _questions(told: Survey, crossings: Sequence[Crossing]) -> Iterator[str]:
    """Once for every boundary, what to ask of the kinds of lines that cross it."""
    asked: dict[str, set[str]] = {}
    for each in crossings:
        asked.setdefault(_boundary(told, each), set()).add(_KINDS[each.flow.kind])
    same: dict[tuple[str, ...], list[str]] = {}  # boundaries at which the same is to be asked
    for boundary, kinds in asked.items():
        same.setdefault(tuple(kind for kind in _QUESTIONS if kind in kinds), []).append(boundary)
    for order, lines in same.items():
        yield ""
        yield from (f"- **{text_of(boundary)}**" for boundary in lines)
        yield ""
        yield from _asked(told, order)


def _asked(told: Survey, kinds: Sequence[str]) -> Iterator[str]:
    yield _row([told.how("arch.table.threat"), told.how("arch.table.question")])
    yield _row(["---", "---"])
    for letter in _STRIDE:
        texts = [told.how.main.get(f"arch.ask.{kind}.{letter}") for kind in kinds]
        if question := told.how("spoken.gap").join(filter(None, texts)):
            yield _row([told.how(f"arch.ask.{letter}"), question])
