"""The legend of a text picture: a sample of what occurs in it, and of nothing else."""

from collections.abc import Iterator

from flowgen.flow import Entry

from ._txt_ground import cells
from ._txt_stage import Line, Stage

_SAMPLE = 4  # columns of an arrow's line
_GAP = 3  # columns between two entries
_ARROWS = frozenset(["request", "response", "error", "notification", "noise", "http"])


def legend(stage: Stage) -> Iterator[Line]:
    """Lines of samples with their names."""
    line: Line = [("bold", stage.plain(stage.told.words("legend")))]
    for style, sample, whole in _items(stage):
        name = stage.short(whole, stage.columns.wide - cells(line[0][1]) - _GAP - cells(sample) - 1)
        wide = _GAP + cells(sample) + 1 + cells(name)
        if sum(cells(text) for _, text in line) + wide > stage.columns.wide:
            yield line
            line = [("", " " * cells(line[0][1]))]
        line = [*line, ("", " " * _GAP), (style, sample), ("", f" {name}")]
    if len(line) > 1:
        yield line


def _items(stage: Stage) -> Iterator[tuple[str, str, str]]:
    kinds, waited = _occurring(stage)
    for kind in ("req", "res", "err", "ntf", "loc", "warn"):
        if kind in kinds:
            arrow = stage.glyphs.arrows[kind]
            name = stage.told.words("legend.user" if kind == "loc" else f"legend.{kind}")
            line = (arrow.line * _SAMPLE)[:_SAMPLE]
            yield kind, f"{stage.glyphs.mark}{line}{arrow.right}", stage.plain(name)
    if waited:
        yield "life", stage.glyphs.wait, stage.plain(stage.told.words("legend.wait"))


def _occurring(stage: Stage) -> tuple[set[str], bool]:
    """The kinds of arrows that are drawn, and whether anybody is waited for."""
    kinds: set[str] = set()
    for step in stage.told.flow.steps:
        for row in step.open_rows:
            if isinstance(row, Entry) or row.kind == "repeat":
                kinds.add(_kind(stage, row if isinstance(row, Entry) else row.entries[0]))
    return kinds, stage.ground.waited


def _kind(stage: Stage, entry: Entry) -> str:
    if entry.message.kind == "note" and stage.told.passes(entry):
        return "loc"
    return stage.told.kind(entry) if entry.message.kind in _ARROWS and stage.told.passes(entry) else ""
