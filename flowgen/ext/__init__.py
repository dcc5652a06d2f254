"""Where people read: pictures in Sphinx, in sites made with Python-Markdown, in Markdown files.

Each module belongs to one tool and is loaded by it; all of them ask `flowgen.api` for the picture.
"""

from ._drawn import Place, drawn
from ._wish import WORDS, Wish, wished

__all__ = ["WORDS", "Place", "Wish", "drawn", "wished"]
