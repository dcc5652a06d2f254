"""A Scene as SVG 1.1 that browsers, cairo, resvg, Inkscape and office programs draw alike.

Every paint is an attribute with a plain colour; `auto` adds classes and one style sheet of @media blocks that
browsers use for dark mode and fonts and all others skip. Same scene, same bytes: one element a line, no date,
no random id. Text arrives here cleaned of control characters; it is escaped for XML and nothing else.
"""

import hashlib
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from flowgen.scene import (
    MONO,
    STYLES,
    Circle,
    Code,
    Group,
    Image,
    Line,
    Path,
    Rect,
    Scene,
    Shape,
    Style,
    Text,
    Theme,
    cjk_family,
    columns,
    has_cjk,
)

from ._fonts import Faces
from ._sheet import class_of, sheet

Token = tuple[int, str, str]  # its column, its kind, its text

ADVANCE = MONO * 12.5  # px of one monospace column
_CHINESE = "CJK SC"  # where a reader has no such font, the stacks of the style sheet name another
_PLACED = frozenset(["key", "hot", "string", "number", "word", "mut", "hidden", "plain", "faint"])
_WORD = re.compile(r" *[^ ]+ *|^ +$")
_PIECE = 4096  # lines
_SPECIAL = re.compile("[&<>\"']")
_MARKUP = re.compile("[&<>]")  # what could be taken for markup between tags; quotes are letters there
_ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;"}


def svg(
    scene: Scene, theme: Theme, width: float | None = None, inline: str | None = None, faces: Faces | None = None
) -> str:
    """The file's text. `width` is the size on display in px, the viewBox stays.

    `inline` is a prefix for all ids, for a picture that stands in a page beside others; the colours then follow
    the page's own switch (`data-theme`, `data-md-color-scheme`) as well as the system. `faces` are fonts
    that travel in the picture.
    """
    writer = _Writer(theme, inline or "", faces is not None)
    body = writer.shapes(scene.shapes)
    name = f"{inline or ''}fg-{_digest(scene.title, body)}"
    styles = list(sheet(theme, writer.used, inline is not None, faces or Faces())) if writer.styled else []
    opening = '<g class="fg-sans">' if writer.styled else "<g>"
    return "\n".join([*_head(scene, width, name), *styles, opening, *body, "</g>", "</svg>", ""])


def _digest(title: str, body: Sequence[str]) -> str:
    """Eight digits that tell a picture from others, worked out piece by piece: some have 70 MB."""
    mark = hashlib.sha256(title.encode())
    for start in range(0, len(body), _PIECE):
        mark.update("\n".join(["", *body[start : start + _PIECE]]).encode())
    return mark.hexdigest()[:8]


def escape(text: str) -> str:
    """Text for XML content and attributes."""
    if not _SPECIAL.search(text):
        return text
    return _SPECIAL.sub(lambda found: _ENTITIES[found.group()], text)


@lru_cache(maxsize=65536)
def number(value: float) -> str:
    """Two decimals at most, without trailing zeros or a minus zero."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def _head(scene: Scene, width: float | None, name: str) -> Iterable[str]:
    """The root: a document of its own to who listens, with links and lists in it (an `img` would have no inside)."""
    shown = width or scene.width
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{number(shown)}" '
        f'height="{number(scene.height * shown / scene.width)}" '
        f'viewBox="0 {number(scene.top)} {number(scene.width)} {number(scene.height)}" font-family="sans-serif" '
        f'role="graphics-document document" aria-labelledby="{name}-t" aria-describedby="{name}-d">'
    )
    yield f'<title id="{name}-t">{escape(scene.title)}</title>'
    yield f'<desc id="{name}-d">{escape(scene.desc)}</desc>'


class _Writer:
    """Writes shapes under one theme; collects which colours a style sheet has to name."""

    def __init__(self, theme: Theme, prefix: str, faces: bool) -> None:
        self.colours = theme.dark if theme.mode == "dark" else theme.light
        self.auto = theme.mode == "auto"
        self.styled = self.auto or faces  # whether there is a style sheet, and classes for it
        self.weight = theme.weight
        self.prefix = prefix
        self.used: set[str] = set()
        self.paints: dict[str, str] = {}
        self.openings: dict[str, str] = {}
        self.places: dict[float, _Places] = {}

    def shapes(self, shapes: Iterable[Shape]) -> list[str]:
        lines: list[str] = []
        in_code = False
        for shape in shapes:
            if isinstance(shape, Code) != in_code:
                lines.append("</g>" if in_code else self._code_group())
                in_code = not in_code
            self._shape(shape, lines)
        if in_code:
            lines.append("</g>")
        return lines

    def _shape(self, shape: Shape, lines: list[str]) -> None:
        match shape:
            case Code():
                lines += self._code(shape)
            case Text():
                lines.append(self._text(shape))
            case Rect():
                lines.append(self._rect(shape))
            case Line():
                lines.append(self._line(shape))
            case Path():
                lines.append(self._path(shape))
            case Circle():
                lines.append(self._circle(shape))
            case Image():
                lines.append(self._image(shape))
            case Group():
                lines += self._group(shape)

    def _group(self, group: Group) -> list[str]:
        attributes = ""
        if group.anchor:
            attributes += f' id="{self.prefix}{escape(group.anchor)}"'
        if group.label:
            attributes += f' role="{group.role or "group"}" aria-label="{escape(group.label)}"'
        opening, closing = [f"<g{attributes}>"], ["</g>"]
        if group.tip:
            opening.append(f"<title>{escape(group.tip)}</title>")
        if group.link:
            opening, closing = [*opening, f'<a href="#{self.prefix}{escape(group.link)}">'], ["</a>", *closing]
        return [*opening, *self.shapes(group.shapes), *closing]

    def _rect(self, rect: Rect) -> str:
        radius = f' rx="{number(rect.radius)}"' if rect.radius else ""
        return (
            f'<rect x="{number(rect.x)}" y="{number(rect.y)}" width="{number(rect.width)}" '
            f'height="{number(rect.height)}"{radius}{self._paint(rect.style)}/>'
        )

    def _line(self, line: Line) -> str:
        return (
            f'<line x1="{number(line.x1)}" y1="{number(line.y1)}" x2="{number(line.x2)}" '
            f'y2="{number(line.y2)}"{self._paint(line.style)}/>'
        )

    def _circle(self, circle: Circle) -> str:
        return (
            f'<circle cx="{number(circle.x)}" cy="{number(circle.y)}" r="{number(circle.radius)}"'
            f"{self._paint(circle.style)}/>"
        )

    def _image(self, image: Image) -> str:
        """The only reference a picture has, and the bytes stand in it."""
        told = f'role="img" aria-label="{escape(image.said)}"' if image.said else 'aria-hidden="true"'
        return (
            f'<image x="{number(image.x)}" y="{number(image.y)}" width="{number(image.width)}" '
            f'height="{number(image.height)}" {told} xmlns:xlink="http://www.w3.org/1999/xlink" '
            f'xlink:href="data:{image.kind};base64,{image.data}"/>'
        )

    def _path(self, path: Path) -> str:
        place = f' transform="translate({number(path.x)} {number(path.y)})"'
        return f'<path{place} d="{path.d}"{self._paint(path.style)}/>'

    def _text(self, text: Text) -> str:
        style = STYLES[text.style]
        family = self._family(style, text.text)
        whole = f"<title>{escape(text.cut)}</title>" if text.cut else ""
        family += ' xml:space="preserve"' if "  " in text.text else ""
        paint = self._paint(text.style)
        if self.styled and not style.mono and _CHINESE in family:
            paint = paint.replace('class="', 'class="fg-sans ', 1) if self.auto else f'{paint} class="fg-sans"'
        return f'<text x="{number(text.x)}" y="{number(text.y)}"{family}{paint}>{whole}{escape(text.text)}</text>'

    def _family(self, style: Style, text: str) -> str:
        """One family name a text; the static renderers read no further than the first."""
        if not text.isascii() and has_cjk(text):
            return f' font-family="{cjk_family(text)}"'
        return ' font-family="monospace"' if style.mono else ""

    def _code_group(self) -> str:
        style = STYLES["code"]
        mono = ' class="fg-mono"' if self.styled else ""
        return f'<g font-family="monospace" font-size="{number(style.size)}" xml:space="preserve"{mono}>'

    def _code(self, code: Code) -> list[str]:
        """A line as one text; Chinese letters stand in a text of their own, or the others would lose their font."""
        joined = "".join([token[2] for token in code.tokens])
        if joined.isascii() or not has_cjk(joined):
            return [self._code_text(code, code.tokens, "")]
        lines = []
        for token in code.tokens:
            family = f' font-family="{cjk_family(token[2])}"' if has_cjk(token[2]) else ""
            for word in _words(token) if family else [token]:
                lines.append(self._code_text(code, [word], "" if word[2].isascii() else family))
        return lines

    def _code_text(self, code: Code, tokens: Sequence[Token], family: str) -> str:
        """Tokens of one family. The first one and every name and value stand where their column says."""
        places = self._places(code.x)
        family += ' class="fg-mono"' if self.styled and _CHINESE in family else ""
        parts = [f'<text x="{number(code.x)}" y="{number(code.y)}"{family} xml:space="preserve">']
        place = places[tokens[0][0]]
        for column, kind, text in tokens:
            if kind in _PLACED:
                place = places[column]
            if _MARKUP.search(text):
                text = _MARKUP.sub(_entity, text)
            parts.append(f"<tspan{place}{self.openings.get(kind) or self._opening(kind)}{text}</tspan>")
            place = ""
        parts.append("</text>")
        return "".join(parts)

    def _places(self, x: float) -> "_Places":
        """The attribute for each column of lines that begin at x."""
        if x not in self.places:
            self.places[x] = _Places(x)
        return self.places[x]

    def _opening(self, kind: str) -> str:
        style = STYLES[f"code.{kind}"]
        weight = ' font-weight="700"' if style.bold else ""
        self.openings[kind] = opening = f"{weight}{self._colour('fill', style.fill)}>"
        return opening

    def _paint(self, name: str) -> str:
        """All attributes of a style, worked out once a picture."""
        known = self.paints.get(name)
        if known is None:
            self.paints[name] = known = self._attributes(STYLES[name])
        return known

    def _attributes(self, style: Style) -> str:
        parts = [f' fill="{self._value(style.fill)}"']
        if style.stroke:
            parts.append(f' stroke="{self._value(style.stroke)}"')
            thick = style.stroke_width * self.weight
            parts.append(f' stroke-width="{number(thick)}"' if thick != 1 else "")
            parts.append(f' stroke-dasharray="{style.dash}"' if style.dash else "")
            parts.append(' stroke-linecap="round" stroke-linejoin="round"' if style.round_ends else "")
            parts.append(f' stroke-opacity="{number(style.stroke_opacity)}"' if style.stroke_opacity else "")
        if style.size:
            parts.append(f' font-size="{number(style.size)}"')
            parts.append(' font-weight="700"' if style.bold else "")
            parts.append(f' text-anchor="{style.anchor}"' if style.anchor != "start" else "")
        return "".join(parts) + self._classes(style)

    def _value(self, role: str | None) -> str:
        return self.colours[role] if role else "none"

    def _classes(self, style: Style) -> str:
        if not self.styled:
            return ""
        names = [self._class("fill", style.fill), self._class("stroke", style.stroke)] if self.auto else []
        names.append("fg-mono" if style.mono else "")
        found = " ".join(filter(None, names))
        return f' class="{found}"' if found else ""

    def _class(self, prop: str, role: str | None) -> str:
        if not role:
            return ""
        self.used.add(f"{prop} {role}")
        return class_of(prop, role)

    def _colour(self, prop: str, role: str | None) -> str:
        name = self._class(prop, role) if self.auto else ""
        return f' {prop}="{self._value(role)}"' + (f' class="{name}"' if name else "")


def _words(token: Token) -> Iterator[Token]:
    """A token with Chinese in it, each of its words at its own column: a space of such a font is narrower than one."""
    column, kind, text = token
    for word in _WORD.findall(text):
        yield column, kind, word
        column += columns(word, True)


def _entity(found: "re.Match[str]") -> str:
    return _ENTITIES[found.group()]


class _Places(dict[int, str]):
    """Column -> the x of a token there, written once."""

    def __init__(self, x: float) -> None:
        super().__init__()
        self.x = x

    def __missing__(self, column: int) -> str:
        self[column] = place = f' x="{number(self.x + column * ADVANCE)}"'
        return place
