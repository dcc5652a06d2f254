"""From a Flow or a Topology to a Scene: sized shapes at places, with style names."""

from ._arch import architecture, is_chain
from ._clean import clean, clean_line
from ._extent import span
from ._http_head import Headers
from ._images import thumbnail
from ._json_fill import JsonLine
from ._ledger_lanes import Lane
from ._options import Form, Options, Schema, Times
from ._pages import Paging, alone, pages
from ._shapes import Circle, Code, Group, Image, Line, Path, Rect, Scene, Shape, Text, flat, groups
from ._styles import STYLES, Style
from ._swimlane import swimlane
from ._telling import Telling, telling
from ._text import MONO, cjk_family, clusters, columns, has_cjk, is_narrow, shorten_columns, width, wrap_columns
from ._theme import MODES, Mode, Theme, theme, theme_names, theme_text
from ._words import LANGUAGES, Lang

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
    "Image",
    "JsonLine",
    "Lane",
    "Lang",
    "Line",
    "Mode",
    "Options",
    "Paging",
    "Path",
    "Rect",
    "Scene",
    "Schema",
    "Shape",
    "Style",
    "Telling",
    "Text",
    "Theme",
    "Times",
    "alone",
    "architecture",
    "cjk_family",
    "clean",
    "clean_line",
    "clusters",
    "columns",
    "flat",
    "groups",
    "has_cjk",
    "is_chain",
    "is_narrow",
    "pages",
    "shorten_columns",
    "span",
    "swimlane",
    "telling",
    "theme",
    "theme_names",
    "theme_text",
    "thumbnail",
    "width",
    "wrap_columns",
]
