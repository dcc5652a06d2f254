"""The styles of the architecture picture, added to the table of all styles. Colours are roles `arch.…` of the theme."""

from typing import NamedTuple

from ._styles import STYLES, Style, letters
from ._theme import Theme, theme

NODES = ("person", "model", "client", "server", "remote", "bridge", "auth", "api", "store")
ZONES = ("machine", "host", "sandbox", "vendor", "idp", "private-network", "other-machine", "unknown")
LINES = ("approval", "call", "stdio", "socket", "http", "plain", "unknown", "ssh", "oauth", "own", "off")
TONES = ("warn", "bad", "ok", "info", "off")
SEVERITIES = ("high", "medium", "low", "info")

# line -> the roles' table, width, dash
_LINES = {
    "approval": ("approval", 1.6, None), "call": ("call", 1.6, None), "stdio": ("stdio", 2, None),
    "socket": ("stdio", 2, "10 3"), "http": ("http", 2.4, None), "plain": ("plain", 2.4, None),
    "unknown": ("unknown", 2.4, "2 4"), "ssh": ("ssh", 2.4, None), "oauth": ("oauth", 1.8, "6 4"),
    "own": ("own", 2.2, None), "off": ("call", 1.6, "2 4"),
}  # fmt: skip
_DASHES = {"sandbox": "2 3", "unknown": "2 4", "host": None}


def _node(kind: str) -> dict[str, Style]:
    plain = Style(fill=f"arch.node.{kind}.fill", stroke=f"arch.node.{kind}.stroke", stroke_width=1.6)
    return {
        f"arch.{kind}": plain,
        f"arch.{kind}.inferred": plain._replace(dash="5 3"),
        f"arch.{kind}.bar": Style(fill=f"arch.node.{kind}.stroke"),
    }


def _zone(kind: str) -> dict[str, Style]:
    role, wide = f"arch.zone.{kind}", 1.4 if kind == "host" else 1.8
    frame = Style(
        fill=f"{role}.fill", stroke=f"{role}.stroke", stroke_width=wide, dash=_DASHES.get(kind, "7 4")
    )
    size = 13 if kind in ("machine", "host") else 12.5
    return {
        f"arch.zone.{kind}": frame,
        f"arch.zone.{kind}.plate": Style(fill=f"{role}.fill"),
        f"arch.zone.{kind}.title": letters(f"{role}.title", size, bold=True),
        f"arch.zone.{kind}.note": letters(f"{role}.title", 10.5),
    }


def _line(kind: str) -> dict[str, Style]:
    role, wide, dash = _LINES[kind]
    line = Style(stroke=f"arch.line.{role}.stroke", stroke_width=wide, dash=dash)
    card = Style(fill="card", stroke=f"arch.line.{role}.stroke")
    return {
        f"arch.line.{kind}": line,
        f"arch.line.{kind}.inferred": line._replace(stroke_opacity=0.55),
        f"arch.tip.{kind}": Style(fill=f"arch.line.{role}.stroke"),
        f"arch.label.{kind}": card if kind != "off" else card._replace(dash="3 2"),
        f"arch.label.{kind}.inferred": card._replace(dash="3 2"),
        f"arch.label.{kind}.text": letters(f"arch.line.{role}.text", 11)._replace(anchor="middle"),
    }


def _badge(tone: str) -> dict[str, Style]:
    text = letters(f"arch.badge.{tone}.text", 10, bold=True)._replace(anchor="middle")
    return {f"arch.badge.{tone}": Style(fill=f"arch.badge.{tone}.fill"), f"arch.badge.{tone}.text": text}


def _mark(severity: str) -> dict[str, Style]:
    role = f"arch.mark.{severity}"
    return {
        role: Style(fill=role, stroke="bg", stroke_width=2),
        f"{role}.word": letters(role, 10, bold=True),
        f"{role}.disc": Style(fill=role),
    }


def _middle(style: Style) -> Style:
    return style._replace(anchor="middle")


STYLES |= {
    "arch.heading": letters("title", 22, bold=True),
    "arch.facts": letters("mut", 12.5),
    "arch.gateway": _node("bridge")["arch.bridge"],
    "arch.gateway.inferred": _node("bridge")["arch.bridge.inferred"],
    "arch.gateway.bar": _node("bridge")["arch.bridge.bar"],
    "arch.gateway.behind": Style(stroke="arch.node.bridge.stroke", stroke_width=1.2, dash="3 2"),
    "arch.store.line": Style(stroke="arch.node.store.stroke", stroke_width=1.2),
    "arch.off": Style(fill="card", stroke="arch.line.call.stroke", stroke_width=1.6, dash="5 3"),
    "arch.off.bar": Style(fill="arch.line.call.stroke"),
    "arch.title": letters("title", 14, bold=True),
    "arch.title.middle": _middle(letters("title", 14, bold=True)),
    "arch.title.off": letters("mut", 14, bold=True),
    "arch.title.off.middle": _middle(letters("mut", 14, bold=True)),
    "arch.second": letters("mut", 11, mono=True),
    "arch.second.middle": _middle(letters("mut", 11, mono=True)),
    "arch.mark.number": _middle(letters("bg", 10.5, bold=True)),
    "arch.zone.empty": Style(
        fill="arch.zone.host.fill", stroke="arch.zone.host.stroke", stroke_width=1.4, dash="5 3"
    ),
    "arch.empty.title": letters("title", 14, bold=True),
    "arch.empty.text": letters("mut", 11.5),
    "arch.block": Style(fill="box", stroke="rule"),
    "arch.block.title": letters("title", 12.5, bold=True),
    "arch.block.text": letters("text", 11.5),
    "arch.block.more": letters("mut", 11.5),
    "arch.block.dot": Style(fill="mut"),
    "arch.legend": letters("mut", 11.5),
}
for _each in NODES:
    STYLES |= _node(_each)
for _each in ZONES:
    STYLES |= _zone(_each)
for _each in LINES:
    STYLES |= _line(_each)
for _each in TONES:
    STYLES |= _badge(_each)
for _each in SEVERITIES:
    STYLES |= _mark(_each)


class Paint(NamedTuple):
    """What a style looks like in a theme: colours as `#rrggbb` or None, the width of its line in px, its dashes."""

    fill: str | None
    stroke: str | None
    width: float
    dash: str | None


def paint(name: str, look: Theme | None = None) -> Paint:
    """A style in the colours of a theme; of the default one in light for formats that know no theme."""
    known = look or theme("light")
    roles, style = known.dark if known.mode == "dark" else known.light, STYLES[name]
    fill, stroke = (roles[role] if role else None for role in (style.fill, style.stroke))
    return Paint(fill, stroke, style.stroke_width, style.dash)
