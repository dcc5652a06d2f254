"""What holds for every picture, of whatever kind: all of it lies on its canvas."""

from flowgen.scene import MONO, STYLES, Circle, Code, Line, Path, Rect, Scene, Shape, Text, columns, flat, width

SLACK = 0.6  # px that an edge may stand out
_WORDS = ("ledger.word", "ledger.real")  # they stand between lanes, wherever their style anchors them

Edges = tuple[float, float, float, float]  # left, top, right, bottom


def inside_the_canvas(scene: Scene) -> None:
    for shape in flat(scene.shapes):
        reach = edges(shape)
        assert reach is None or _holds(scene, reach), f"outside of the canvas: {shape}"


def _holds(scene: Scene, reach: Edges) -> bool:
    left, top, right, bottom = reach
    across = -SLACK <= left <= right <= scene.width + SLACK
    return across and -SLACK <= top <= bottom <= scene.height + SLACK


def edges(shape: Shape) -> Edges | None:
    """How far a shape reaches; None for one without a size of its own."""
    match shape:
        case Rect(x, y, wide, high):
            return x, y, x + wide, y + high
        case Line(x1, y1, x2, y2):
            return min(x1, x2), min(y1, y2), max(x1, x2), max(y1, y2)
        case Circle(x, y, radius):
            return x - radius, y - radius, x + radius, y + radius
        case Path(x, y):
            return x, y, x, y
        case Text():
            return letters(shape) if shape.text else None
        case Code(x, y, tokens):
            return x, y, x + (tokens[-1][0] + columns(tokens[-1][2])) * MONO * 12.5, y
    return None


def letters(text: Text) -> Edges:
    """How far the letters of a line reach, from the top of capitals to a little under the baseline."""
    style = STYLES[text.style]
    if text.style.startswith(_WORDS):
        return text.x, text.y, text.x, text.y
    wide = columns(text.text) * MONO * style.size if style.mono else width(text.text, style.size, style.weight)
    left = text.x - {"start": 0.0, "middle": wide / 2, "end": wide}[style.anchor]
    return left, text.y - 0.75 * style.size, left + wide, text.y + 0.2 * style.size
