"""From a Scene or a Flow to a file: svg, png, pdf, json. A new format is a file here and a row in the table."""

from ._raster import SCALE, pdf, png
from ._svg import svg

FORMATS = ("svg", "png", "pdf", "json")

__all__ = ["FORMATS", "SCALE", "pdf", "png", "svg"]
