"""By the bundled table, every text of a picture lies inside its box, and everything inside the canvas."""

from collections.abc import Iterator
from typing import Any

import pytest

from flowgen import api
from flowgen.scene import MONO, STYLES, Code, Line, Rect, Scene, Text, columns, flat, width
from tests.backends.test_svg import hostile_trace
from tests.scene.test_ledger import session
from tests.traces import SAMPLES

TRACES = ["seed.json", "sdk-handshake.json", "sdk-stateless.json", "everything.json", "hostile", "many lanes"]
OPTIONS: list[dict[str, Any]] = [
    {},
    {"lang": "zh", "notes": "full"},
    {"lang": "en+zh", "times": "clock"},
    {"full": True, "notes": "full", "times": "latency"},
]
LOWEST_BOX = 19  # px; what is lower lies under letters and holds none


def scene_of(name: str, options: dict[str, Any]) -> Scene:
    made = {"hostile": hostile_trace, "many lanes": session}
    trace = made[name]() if name in made else api.load(SAMPLES / name)
    return api.drawing(trace, show=["stderr", "process", "probe"], **options).scene


def test_hostile_text_lies_inside_the_cards_of_a_ledger_too() -> None:
    every_text_lies_inside(api.drawing(hostile_trace(), form="ledger", notes="full", times="clock").scene)


def extents(scene: Scene) -> Iterator[tuple[str, float, float, float]]:
    """Every line of letters: its text, its two ends, its baseline."""
    for shape in flat(scene.shapes):
        if isinstance(shape, Text) and not shape.style.startswith("ledger.word"):  # on an arrow, between lanes
            style = STYLES[shape.style]
            mono = columns(shape.text) * MONO * style.size
            wide = mono if style.mono else width(shape.text, style.size, style.weight)
            left = shape.x - {"start": 0.0, "middle": wide / 2, "end": wide}[style.anchor]
            yield shape.text, left, left + wide, shape.y
        elif isinstance(shape, Code):
            last = shape.tokens[-1]
            yield last[2], shape.x, shape.x + (last[0] + columns(last[2])) * MONO * 12.5, shape.y


def homes(scene: Scene) -> list[Rect]:
    boxes = [shape for shape in flat(scene.shapes) if isinstance(shape, Rect) and shape.height > LOWEST_BOX]
    return sorted(boxes, key=lambda box: box.width * box.height)


@pytest.mark.parametrize("options", OPTIONS, ids=["plain", "zh", "both", "full"])
@pytest.mark.parametrize("name", TRACES)
def test_every_text_lies_inside_its_box(name: str, options: dict[str, Any]) -> None:
    every_text_lies_inside(scene_of(name, options))


def every_text_lies_inside(scene: Scene) -> None:
    boxes = homes(scene)
    for text, left, right, baseline in extents(scene):
        x, y = left + 1, baseline - 4
        home = next(box for box in boxes if box.x <= x <= box.x + box.width and box.y <= y <= box.y + box.height)
        assert right <= home.x + home.width + 0.5, (text, right, home)


@pytest.mark.parametrize("options", OPTIONS, ids=["plain", "zh", "both", "full"])
@pytest.mark.parametrize("name", TRACES)
def test_nothing_lies_outside_the_canvas(name: str, options: dict[str, Any]) -> None:
    scene = scene_of(name, options)
    for shape in flat(scene.shapes):
        if isinstance(shape, Rect):
            assert 0 <= shape.x and shape.x + shape.width <= scene.width
            assert 0 <= shape.y and shape.y + shape.height <= scene.height
    assert all(0 <= left and right <= scene.width for _, left, right, _ in extents(scene))


def test_no_word_on_an_arrow_crosses_a_lifeline() -> None:
    scene = api.drawing(session(), form="ledger").scene
    lives = {shape.x1 for shape in flat(scene.shapes) if isinstance(shape, Line) and shape.style.endswith(".life")}
    words = [shape for shape in flat(scene.shapes) if isinstance(shape, Text) and shape.style.startswith("ledger.word")]
    for word in words:
        wide = width(word.text, 11.5, 700)
        left = word.x - (wide if word.style.endswith("end") else 0)
        assert not [life for life in lives if left < life < left + wide]
