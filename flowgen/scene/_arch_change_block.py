"""The block that lists the changes between two topologies, what is graver first."""

import re
from typing import TYPE_CHECKING

from ._arch_blocks import Block, Item
from ._arch_both import both_of
from ._arch_said import said, sentence
from ._clean import clean_line
from ._words import Words

if TYPE_CHECKING:
    from flowgen.topology import Change, Topology

LISTED = 14  # changes that the list has room for
_LONG, _NAME = 300, 60  # characters of a line, and of a name in it
_WAY = re.compile(r"(.*?) → (.*?)(?: \((.*)\))?")
_ZONES = {"host": "host", "sandbox": "sandbox", "vendor": "vendor", "identity provider": "idp",
          "private network": "private-network", "other machine": "other-machine"}  # fmt: skip


def changes_block(topology: "Topology", how: Words) -> Block | None:
    """None of a topology that was compared with nothing."""
    if topology.changes is None:
        return None
    if not topology.changes:
        return Block(both_of("arch.changes.none", how), (Item(both_of("arch.changes.looked", how), dot=False),))
    items = [_item(each, how) for each in topology.changes[:LISTED]]
    more = len(topology.changes) - LISTED
    rest = [Item(both_of("arch.changes.more", how, n=more), dot=False)] if more > 0 else []
    first = sum(each.graver for each in topology.changes)
    title = both_of("arch.changes.first", how, n=first) if first else both_of("arch.changes", how)
    return Block(title, (*items, *rest))


def _item(change: "Change", how: Words) -> Item:
    host = how("arch.finding.host", host=clean_line(change.host, _NAME)) if change.host else ""
    about = how(f"arch.about.{change.about.replace(' ', '-')}")
    name = f"{clean_line(_zone(change.name, how), _NAME)}{host}"
    text = clean_line(how("arch.finding.of", server=name, text=_text(change, how)), _LONG)
    return Item(text, word=f"! {about}" if change.graver else about, change=change.change, tip=change.where or "")


def _text(change: "Change", how: Words) -> str:
    if how.lang != "zh":
        return change.message
    if change.about == "finding":
        return _found(change.message, change, how)
    if change.was and change.now:
        return f"{_body(change.was, change, how)} → {_body(change.now, change, how)}"
    done = how(f"arch.change.{change.change}")
    body = change.now or change.was
    return f"{done} {_body(body, change, how)}" if body else done


def _body(text: str, change: "Change", how: Words) -> str:
    """What stood or stands there; the fixed words of it in the picture's language."""
    if change.about == "server":
        line, among, zone = text.rpartition(" in ")
        return how("arch.change.in", name=said(line, how), zone=_zone(zone, how)) if among else said(text, how)
    if change.about == "credential":
        return ", ".join(_credential(part, how) for part in text.split(", "))
    if change.about == "data flow":
        return _way(text, how)
    return _zone(text, how) if change.about in ("boundary", "zone") else said(text, how)


def _way(text: str, how: Words) -> str:
    """`client of KEY → Authorization server (OAuth)`."""
    found = _WAY.fullmatch(text)
    if not found:
        return said(text, how)
    ends = " → ".join(said(each, how) for each in (found[1], found[2]))
    return how("arch.change.in", name=ends, zone=said(found[3], how)) if found[3] else ends


def _zone(text: str, how: Words) -> str:
    """A zone's name behind the word for its kind."""
    found = next((word for word in _ZONES if text.startswith(f"{word} ")), None)
    if found is None or how.lang != "zh":
        return said(text, how)
    return how(f"arch.zone.{_ZONES[found]}", name=said(text.removeprefix(f"{found} "), how))


def _credential(text: str, how: Words) -> str:
    name, opening, kind = text.removesuffix(")").rpartition(" (")
    return f"{name}: {said(kind, how)}" if opening else said(text, how)


def _found(message: str, change: "Change", how: Words) -> str:
    """`high CODE: sentence`, by the sentence of the code."""
    from flowgen.topology import Finding

    severity, _, rest = message.rpartition(" → ")[2].partition(" ")
    code, _, text = rest.partition(": ")
    finding = Finding(code=code, severity=change.severity or "info", message=text)
    word = how(f"arch.severity.{change.severity}") if change.severity else severity
    return f"{word} {code} {sentence(finding, how) or text}"
