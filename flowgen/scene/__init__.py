"""From a Flow to a Scene: sized shapes at places, with style names."""

from ._clean import clean, clean_line
from ._http_head import Headers
from ._options import Form, Options, Schema, Times
from ._images import thumbnail
from ._json_fill import JsonLine
from ._ledger_lanes import Lane
from ._shapes import Circle, Code, Group, Image, Line, Path, Rect, Scene, Shape, Text, flat
from ._styles import STYLES, Style
from ._swimlane import swimlane
from ._text import MONO, cjk_family, columns, has_cjk, width
from ._theme import MODES, Theme, theme, theme_names
from ._words import LANGUAGES

__all__ = [
    "LANGUAGES",
    "MODES",
    "MONO",
    "STYLES",
    "Circle",
    "Code",
    "Form",
    "Group",
    "Headers",
    "Line",
    "Options",
    "Path",
    "Image",
    "JsonLine",
    "Lane",
    "Rect",
    "Scene",
    "Schema",
    "Shape",
    "Style",
    "Text",
    "Theme",
    "Times",
    "cjk_family",
    "clean",
    "clean_line",
    "columns",
    "flat",
    "has_cjk",
    "swimlane",
    "theme",
    "theme_names",
    "width",
]
    "thumbnail",
