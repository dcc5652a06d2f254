"""Names of styles and what they mean: which colour role fills, which strokes, how wide, how large the letters.

Colours are roles here; a theme gives each role a light and a dark value. Sizes are px.
A style that is used but not listed is a mistake of the programmer and raises KeyError.
"""

from typing import Literal, NamedTuple

KINDS = ("req", "res", "ntf", "err", "loc", "warn")
ROLES = ("client", "server", "gateway", "auth", "api", "host", "person", "browser", "model")
CODE_SIZE = 12.5


class Style(NamedTuple):
    """What a style's name stands for. `fill` and `stroke` are colour roles, None = none."""

    fill: str | None = None
    stroke: str | None = None
    stroke_width: float = 1
    dash: str | None = None
    round_ends: bool = False
    stroke_opacity: float | None = None
    size: float = 0
    bold: bool = False
    mono: bool = False
    anchor: Literal["start", "middle", "end"] = "start"

    @property
    def weight(self) -> int:
        """The font weight; the static renderers know these two only."""
        return 700 if self.bold else 400


def letters(fill: str, size: float, *, bold: bool = False, mono: bool = False) -> Style:
    """A style of text."""
    return Style(fill=fill, size=size, bold=bold, mono=mono)


def _middle(style: Style) -> Style:
    return style._replace(anchor="middle")


def _end(style: Style) -> Style:
    return style._replace(anchor="end")


def _of_kind(kind: str) -> dict[str, Style]:
    return {
        f"line.{kind}": Style(stroke=kind, stroke_width=2.5),
        f"line.{kind}.dashed": Style(stroke=kind, stroke_width=2.5, dash="9 6"),
        f"line.{kind}.thin": Style(stroke=kind, stroke_width=1.4),
        f"line.{kind}.dotted": Style(stroke=kind, stroke_width=2.5, dash="1 5", round_ends=True),
        f"tip.{kind}": Style(fill=kind),
        f"tip.{kind}.hollow": Style(fill="bg", stroke=kind, stroke_width=2.5),
        f"tip.{kind}.open": Style(stroke=kind, stroke_width=2.5, round_ends=True),
        f"cross.{kind}": Style(stroke=kind, stroke_width=2.4, round_ends=True),
        f"pill.{kind}": Style(fill=f"{kind}t"),
        f"pill.{kind}.text": _middle(letters(kind, 10, bold=True)),
        f"bar.{kind}": Style(fill=kind),
    }


def _of_role(role: str) -> dict[str, Style]:
    lane = f"lane.{role}"
    return {
        f"{lane}.header": Style(fill=f"{lane}.header"),
        f"{lane}": Style(fill=f"{lane}.tint", stroke=f"{lane}.border"),
        f"{lane}.life": Style(stroke=f"{lane}.life", stroke_width=2, stroke_opacity=0.35),
        f"{lane}.life.skipped": Style(stroke=f"{lane}.life", stroke_width=2, stroke_opacity=0.35, dash="2 4"),
        f"{lane}.wait": Style(fill="card", stroke=f"{lane}.wait", stroke_width=1.2),
        f"{lane}.wait.side": Style(stroke=f"{lane}.wait", stroke_width=1.2),
        f"{lane}.wait.fading": Style(stroke=f"{lane}.wait", stroke_width=1.2, dash="3 3"),
        f"{lane}.note": Style(fill="card", stroke=f"{lane}.border"),
        f"{lane}.stream": Style(fill=f"{lane}.wait"),
    }


def _of_comparison(became: str, kind: str) -> dict[str, Style]:
    """Of what became of a message from one session to the other."""
    beside = f"beside.{became}"
    return {
        beside: Style(fill="band" if kind == "mut" else f"{kind}t"),
        f"{beside}.disc": Style(fill="card", stroke=kind, stroke_width=1.6),
        f"{beside}.sign": _middle(letters(kind, 14, bold=True)),
        f"{beside}.text": letters(kind, CODE_SIZE, mono=True),
    }


_CODE = {
    "key": "json.key", "hot": "json.hot", "string": "json.string", "number": "json.number", "word": "json.word",
    "punct": "json.punct", "mut": "mut", "hidden": "mut", "plain": "text", "faint": "mut",
    "added": "res", "removed": "err", "changed": "ntf",
}  # fmt: skip

STYLES: dict[str, Style] = {
    "canvas": Style(fill="bg"),
    "title": _middle(letters("title", 27, bold=True)),
    "subtitle": _middle(letters("mut", 13.5)),
    "page.title": _middle(letters("title", 18, bold=True)),
    "page.count": _end(letters("mut", 13)),
    "page.step": letters("title", 16, bold=True),
    "page.foot": _middle(letters("mut", 12.5)),
    "footer": _end(letters("mut", 12)),
    "lane.name": letters("hd", 17, bold=True),
    "lane.name.long": letters("hd", 15, bold=True),
    "lane.name.longest": letters("hd", 12, bold=True),
    "lane.second": letters("hd", 13),
    "lane.second.long": letters("hd", 11.5),
    "lane.icon": Style(stroke="hd", stroke_width=2, round_ends=True),
    "lane.icon.dot": Style(fill="hd"),
    "band": Style(fill="band"),
    "band.disc": Style(fill="disc"),
    "band.digit": _middle(letters("digit", 26, bold=True)),
    "band.digits": _middle(letters("digit", 19, bold=True)),
    "band.digits.many": _middle(letters("digit", 13, bold=True)),
    "band.title": letters("title", 18, bold=True),
    "band.again": letters("mut", 14),
    "band.second": _end(letters("mut", 14)),
    "label": letters("title", 14.5, bold=True),
    "time": _end(letters("mut", 11, mono=True)),
    "chip": Style(fill="card", stroke="boxb"),
    "chip.none": Style(fill="card", stroke="boxb", dash="3 2"),
    "chip.text": _middle(letters("mut", 11, mono=True)),
    "chip.problem": Style(fill="warnt"),
    "chip.problem.text": _middle(letters("warn", 11, mono=True)),
    "chip.error": Style(fill="err"),
    "chip.error.text": _middle(letters("bg", 11, bold=True)),
    "chip.warning": Style(fill="ntf"),
    "chip.warning.text": _middle(letters("bg", 11, bold=True)),
    "chip.info": Style(fill="loc"),
    "chip.info.text": _middle(letters("bg", 11, bold=True)),
    "box": Style(fill="box", stroke="boxb"),
    "box.behind": Style(fill="box", stroke="boxb"),
    "box.rule": Style(stroke="rule"),
    "box.foreign": Style(fill="box", stroke="boxb", dash="4 3"),
    "image": Style(fill="card", stroke="boxb"),
    "mark": Style(fill="hl"),
    "note.req": letters("req", 12, bold=True),
    "note.res": letters("res", 12, bold=True),
    "note.req.code": letters("req", 12, bold=True, mono=True),
    "note.res.code": letters("res", 12, bold=True, mono=True),
    "note.text": letters("text", 12),
    "local": Style(fill="card", stroke="loc", dash="4 3"),
    "group": Style(stroke="mut", stroke_width=1.4, dash="6 4"),
    "group.part": Style(stroke="mut", stroke_width=1.4, dash="6 4"),
    "group.tab": Style(fill="band", stroke="mut", stroke_width=1.4),
    "group.operator": _middle(letters("mut", 11, bold=True)),
    "group.condition": _middle(letters("text", 12, bold=True)),
    "loop": Style(fill="card", stroke="req", stroke_width=1.5),
    "loop.icon": Style(stroke="req", stroke_width=1.8, round_ends=True),
    "loop.icon.tip": Style(fill="req"),
    "loop.text": letters("req", 12.5, bold=True),
    "retry": Style(stroke="req", stroke_width=2, dash="1 5", round_ends=True),
    "retry.tip": Style(stroke="req", stroke_width=2, round_ends=True),
    "series.track": Style(stroke="mut", stroke_width=1),
    "series.done": Style(stroke="ntf", stroke_width=2),
    "series.tick": Style(stroke="ntf", stroke_width=1.6),
    "series.number": letters("text", 12, bold=True),
    "series.number.end": _end(letters("text", 12, bold=True)),
    "run": Style(fill="card", stroke="mut", stroke_width=1.4),
    "run.text": _middle(letters("mut", 12, bold=True)),
    "break": Style(stroke="mut", stroke_width=1.4),
    "break.gap": Style(fill="bg"),
    "cancel": Style(stroke="ntf", stroke_width=2.2, round_ends=True),
    "over": Style(fill="hl", stroke="hlb"),
    "over.text": _middle(letters("text", 12)),
    "number": _middle(letters("bg", 11, bold=True)),
    "ledger.digit": _middle(letters("digit", 24, bold=True)),
    "ledger.band": letters("title", 17, bold=True),
    "ledger.second": _end(letters("mut", 12.5)),
    "ledger.name": _middle(letters("hd", 13.5, bold=True)),
    "ledger.title": _middle(letters("hd", 10.5)),
    "ledger.word": letters("title", 11.5, bold=True),
    "ledger.word.end": _end(letters("title", 11.5, bold=True)),
    "ledger.real": letters("mut", 10.5),
    "ledger.real.end": _end(letters("mut", 10.5)),
    "ledger.retry": letters("req", 11, bold=True),
    "leader": Style(stroke="rule", stroke_width=1.2, dash="1 5", round_ends=True),
    "line.user": Style(stroke="loc", stroke_width=2.5, dash="2 5"),
    "self": Style(stroke="loc", stroke_width=2.2, round_ends=True),
    "run.req": Style(stroke="req", stroke_width=1.4, dash="3 4"),
    "run.res": Style(stroke="res", stroke_width=1.4, dash="3 4"),
    "legend": Style(fill="band", stroke="rule"),
    "legend.head": letters("mut", 13, bold=True),
    "legend.name": letters("title", 13, bold=True),
    "legend.second": letters("mut", 12),
    "legend.key": letters("json.hot", 12, bold=True, mono=True),
    "beside.more": letters("mut", 12),
    "code": letters("text", CODE_SIZE, mono=True),
    **{f"code.{kind}": letters(fill, CODE_SIZE, bold=kind == "hot", mono=True) for kind, fill in _CODE.items()},
}
_BECAME = {"added": "res", "removed": "err", "changed": "ntf", "moved": "req", "same": "mut"}
for _became, _kind in _BECAME.items():
    STYLES |= _of_comparison(_became, _kind)
for _kind in KINDS:
    STYLES |= _of_kind(_kind)
for _role in ROLES:
    STYLES |= _of_role(_role)
