"""From a Flow or a Topology to a Scene: sized shapes at places, with style names."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ._arch import architecture, is_chain, layout
    from ._arch_badges import Badge
    from ._arch_nodes import Box
    from ._arch_places import Layout, NodePlace, Route, ZonePlace
    from ._arch_styles import Paint, paint
    from ._arch_telling import Area, Crossing, Survey, survey
    from ._beside import beside
    from ._beside_cells import left_out
    from ._breaches import Breach
    from ._clean import clean, clean_line
    from ._extent import span
    from ._free import free, free_layout
    from ._free_graph import Cluster, Edge, Graph, Positions, Vertex
    from ._images import thumbnail
    from ._json_fill import JsonLine
    from ._ledger_lanes import Lane
    from ._options import Form, Headers, Options, Schema, Times
    from ._pages import Paging, alone, pages
    from ._shapes import Circle, Code, Group, Image, Line, Path, Rect, Scene, Shape, Text, flat, groups
    from ._styles import STYLES, Style
    from ._swimlane import swimlane
    from ._telling import Telling, telling
    from ._text import MONO, cjk_family, clusters, columns, has_cjk, is_narrow, shorten_columns, width, wrap_columns
    from ._theme import MODES, Mode, Theme, theme, theme_names, theme_text
    from ._words import LANGUAGES, Lang

_HOMES = {
    "_arch": ("architecture", "beside", "is_chain", "layout"),
    "_arch_badges": ("Badge",),
    "_arch_nodes": ("Box",),
    "_arch_places": ("Layout", "NodePlace", "Route", "ZonePlace"),
    "_arch_styles": ("Paint", "paint"),
    "_arch_telling": ("Area", "Crossing", "Survey", "survey"),
    "_beside": ("beside",),
    "_beside_cells": ("left_out",),
    "_breaches": ("Breach",),
    "_clean": ("clean", "clean_line"),
    "_extent": ("span",),
    "_free": ("free", "free_layout"),
    "_free_graph": ("Cluster", "Edge", "Graph", "Positions", "Vertex"),
    "_images": ("thumbnail",),
    "_json_fill": ("JsonLine",),
    "_ledger_lanes": ("Lane",),
    "_options": ("Form", "Headers", "Options", "Schema", "Times"),
    "_pages": ("Paging", "alone", "pages"),
    "_shapes": ("Circle", "Code", "Group", "Image", "Line", "Path", "Rect", "Scene", "Shape", "Text", "flat", "groups"),
    "_styles": ("STYLES", "Style"),
    "_swimlane": ("swimlane",),
    "_telling": ("Telling", "telling"),
    "_text": ("MONO", "cjk_family", "clusters", "columns", "has_cjk", "is_narrow", "shorten_columns", "width",
              "wrap_columns"),
    "_theme": ("MODES", "Mode", "Theme", "theme", "theme_names", "theme_text"),
    "_words": ("LANGUAGES", "Lang"),
}  # fmt: skip
_HOME = {name: home for home, names in _HOMES.items() for name in names}
__all__ = [
    "LANGUAGES", "MODES", "MONO", "STYLES", "Area", "Badge", "Box", "Breach", "Circle", "Cluster", "Code",
    "Crossing", "Edge", "Form", "Graph", "Group", "Headers", "Image", "JsonLine", "Lane", "Lang", "Layout",
    "Line", "Mode", "NodePlace", "Options", "Paging", "Paint", "Path", "Positions", "Rect", "Route", "Scene",
    "Schema", "Shape", "Style", "Survey", "Telling", "Text", "Theme", "Times", "Vertex", "ZonePlace", "alone",
    "architecture", "beside", "cjk_family", "clean", "clean_line", "clusters", "columns", "flat", "free",
    "free_layout", "groups", "has_cjk", "is_chain", "is_narrow", "layout", "left_out", "pages", "paint",
    "shorten_columns", "span", "survey", "swimlane", "telling", "theme", "theme_names", "theme_text",
    "thumbnail", "width", "wrap_columns",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    """Each part is loaded when it is first asked for (PEP 562): a small picture takes little more than its imports."""
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
