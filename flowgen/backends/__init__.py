"""From a Scene or a Flow to a file: svg, png, pdf, json. A new format is a file here and a row in the table."""

from ._pdf import LONGEST, POINT, pdf
from ._raster import SCALE, SURFACE, png
from ._svg import svg

FORMATS = ("svg", "png", "pdf", "json")

__all__ = ["FORMATS", "LONGEST", "POINT", "SCALE", "SURFACE", "pdf", "png", "svg"]
