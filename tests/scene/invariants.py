"""What holds for every picture of a swim lane, whatever was recorded. Each check raises AssertionError with the place.

Boxes are what holds text of its own and must keep clear of others: cards, JSON boxes, notes, chips, pills, bands.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from flowgen.scene import MONO, Circle, Code, Group, Line, Path, Rect, Scene, Text, columns, flat, width
from tests.scene.canvas import inside_the_canvas, letters

LOWEST_BOX = 19  # px; what is lower lies under letters and holds none
LEDGER_CARD = 600  # px; a lane is never so wide, and what has a lane's tint and is so wide is a note
SLACK = 0.51  # px that two edges may share
_BOXES = ("box", "box.foreign", "local", "loop", "run", "over", "band", "legend", "chip", "chip.none", "chip.problem")


@dataclass(frozen=True)
class Box:
    """A rectangle by its edges."""

    left: float
    top: float
    right: float
    bottom: float
    style: str

    def meets(self, other: "Box") -> bool:
        apart = self.right <= other.left + SLACK or other.right <= self.left + SLACK
        return not apart and self.top < other.bottom - SLACK and other.top < self.bottom - SLACK

    def holds(self, other: "Box") -> bool:
        inside = self.left <= other.left and other.right <= self.right
        return inside and self.top <= other.top and other.bottom <= self.bottom


def everything_holds(scene: Scene) -> None:
    """All checks of this module."""
    inside_the_canvas(scene)
    texts_inside_their_boxes(scene)
    no_boxes_overlap(scene)
    no_arrow_through_a_box(scene)
    words_between_lifelines(scene)
    no_link_through_a_word(scene)
    ids_are_unique(scene)
    header_is_there(scene)


def texts_inside_their_boxes(scene: Scene) -> None:
    homes = [shape for shape in flat(scene.shapes) if isinstance(shape, Rect) and _is_home(shape)]
    homes.sort(key=lambda box: box.width * box.height)
    for text, left, right, baseline in lines_of_text(scene):
        x, y = left + 1, baseline - 4
        home = next(box for box in homes if box.x <= x <= box.x + box.width and box.y <= y <= box.y + box.height)
        assert right <= home.x + home.width + SLACK, f"{text!r} ends at {right}, its box at {home.x + home.width}"


def no_boxes_overlap(scene: Scene) -> None:
    last: list[Box] = []
    for box in sorted(boxes_of(scene), key=lambda box: box.top):
        last = [other for other in last if other.bottom > box.top + SLACK]
        met = [other for other in last if box.meets(other) and not _may_meet(box, other)]
        assert not met, f"{box} lies on {met[0]}"
        last.append(box)


def no_arrow_through_a_box(scene: Scene) -> None:
    boxes = [box for box in boxes_of(scene) if box.style != "legend"]
    legend = _legend(scene)
    for line in flat(scene.shapes):
        if isinstance(line, Line) and line.style.startswith(("line.", "leader")) and line.y1 < legend.top:
            way = Box(min(line.x1, line.x2), line.y1 - 1, max(line.x1, line.x2), line.y1 + 1, line.style)
            met = [box for box in boxes if box.meets(way)]
            assert not met, f"{line} goes through {met[0]}"


def words_between_lifelines(scene: Scene) -> None:
    lines = [shape for shape in flat(scene.shapes) if isinstance(shape, Line) and shape.style.endswith(".life")]
    lives = {line.x1 for line in lines if line.y1 < _legend(scene).top}
    for word in flat(scene.shapes):
        if isinstance(word, Text) and word.style.startswith("ledger.word"):
            wide = width(word.text, 11.5, 700)
            left = word.x - (wide if word.style.endswith("end") else 0)
            assert not [life for life in lives if left < life < left + wide], f"{word} crosses a lifeline"


def no_link_through_a_word(scene: Scene) -> None:
    """The way down of a link to a retry stops at words on arrows and notes over lanes, and goes on below them."""
    downs = list(_downs(scene))
    for box in _words(scene) if downs else ():
        met = [way for way in downs if box.meets(way)]
        assert not met, f"a link goes through {box}: {met[0]}"


def bars_end_in_their_branch(scene: Scene) -> None:
    """What begins in a branch of a frame ends above the line below it. Made-up flows may answer in another one."""
    shapes = list(flat(scene.shapes))
    frames = [shape for shape in shapes if isinstance(shape, Rect) and shape.style == "group"]
    for part in (shape for shape in shapes if isinstance(shape, Line) and shape.style == "group.part"):
        top = max(frame.y for frame in frames if frame.y < part.y1 < frame.y + frame.height)
        for bar in shapes:
            if isinstance(bar, Rect) and bar.style.endswith((".wait", ".stream")) and bar.y > top:
                assert not bar.y < part.y1 < bar.y + bar.height, f"{bar} reaches over the line at {part.y1}"


def ids_are_unique(scene: Scene) -> None:
    twice = [name for name, count in Counter(group.anchor for group in groups_of(scene)).items() if name and count > 1]
    assert not twice, f"twice: {twice}"


def header_is_there(scene: Scene) -> None:
    shapes = list(flat(scene.shapes))
    headers = [shape for shape in shapes if isinstance(shape, Rect) and shape.style.endswith(".header")]
    titles = [shape for shape in shapes if isinstance(shape, Text) and shape.style == "title"]
    assert len(headers) >= 2 and len(titles) == 1 and titles[0].text


def anchors_of(scene: Scene) -> dict[str, str]:
    """The id of each group that has one -> what is said of it where it cannot be seen."""
    return {group.anchor: group.label or "" for group in groups_of(scene) if group.anchor}


def groups_of(scene: Scene) -> Iterator[Group]:
    """All groups, those inside of others too."""
    waiting = list(scene.shapes)
    while waiting:
        shape = waiting.pop()
        if isinstance(shape, Group):
            waiting += shape.shapes
            yield shape


def boxes_of(scene: Scene) -> Iterator[Box]:
    for shape in flat(scene.shapes):
        if isinstance(shape, Rect) and _is_box(shape):
            yield Box(shape.x, shape.y, shape.x + shape.width, shape.y + shape.height, shape.style)
        elif isinstance(shape, Circle) and shape.style == "loop":
            r = shape.radius
            yield Box(shape.x - r, shape.y - r, shape.x + r, shape.y + r, "loop")


def lines_of_text(scene: Scene) -> Iterator[tuple[str, float, float, float]]:
    """Every line of letters: its text, its two ends, its baseline; words on arrows stand between lanes."""
    for shape in flat(scene.shapes):
        if isinstance(shape, Text) and not shape.style.startswith(("ledger.word", "ledger.real")):
            left, _, right, _ = letters(shape)
            yield shape.text, left, right, shape.y
        elif isinstance(shape, Code):
            last = shape.tokens[-1]
            yield last[2], shape.x, shape.x + (last[0] + columns(last[2])) * MONO * 12.5, shape.y


def _downs(scene: Scene) -> Iterator[Box]:
    """The pieces of links that go straight down, those of the legend left out."""
    bottom = _legend(scene).top
    for path in flat(scene.shapes):
        if isinstance(path, Path) and path.style == "retry" and path.y < bottom:
            for piece in path.d.split("M")[1:]:
                points = [tuple(map(float, part.split()[-2:])) for part in piece.replace("A", "L").split("L")]
                for (x, top), (other, low) in pairwise(points):
                    if x == other:
                        yield Box(path.x + x, path.y + top, path.x + x, path.y + low, "retry")


def _words(scene: Scene) -> Iterator[Box]:
    """Words on arrows, as high as their small letters, and notes over lanes."""
    yield from (box for box in boxes_of(scene) if box.style == "over")
    for word in flat(scene.shapes):
        if isinstance(word, Text) and word.style.startswith("ledger.word"):
            wide = width(word.text, 11.5, 700)
            left = word.x - (wide if word.style.endswith("end") else 0)
            yield Box(left, word.y - 8, left + wide, word.y + 2, "word")


def _legend(scene: Scene) -> Box:
    return next(box for box in boxes_of(scene) if box.style == "legend")


def _is_home(rect: Rect) -> bool:
    """Whether letters may stand in it. Those over a lane or a waiting bar are not in it."""
    under = rect.style.endswith((".wait", ".stream")) or (rect.style.startswith("lane.") and rect.style.count(".") == 1)
    return rect.height > LOWEST_BOX and (not under or rect.width == LEDGER_CARD)


def _is_box(rect: Rect) -> bool:
    note = rect.style.endswith(".note") or (rect.style.startswith("lane.") and rect.width == LEDGER_CARD)
    return note or rect.style in _BOXES or rect.style.startswith("pill.")


def _may_meet(one: Box, other: Box) -> bool:
    styles = {one.style, other.style}
    return bool(styles & {"legend", "local"}) and (one.holds(other) or other.holds(one))
