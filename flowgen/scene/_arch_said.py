"""Texts of a document in the picture's language: known by the English patterns that flowgen writes them with.

A document holds plain English. What flowgen wrote is the text of a key of the English table, or one of its patterns
with names in its holes; whatever else stands there is somebody's own and stays as it is.
"""

import re
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING

from ._words import Words, words

if TYPE_CHECKING:
    from flowgen.topology import Finding

_HOLE = re.compile(r"\{(\w+)\}")
_LETTERS = re.compile("[a-z0-9]+")
_LONG = 400  # characters of a text that is looked at
_PATTERNS = "arch.said."


def said(text: str, how: Words) -> str:
    """A text of the document in the language of the picture, if it is one that flowgen itself writes."""
    if how.lang != "zh" or len(text) > _LONG:
        return text
    key = f"arch.text.{'-'.join(_LETTERS.findall(text.lower()))}"
    if words("en").main.get(key) == text:
        return how(key)
    if "; " in text:
        return how("arch.parts").join(said(part, how) for part in text.split("; "))
    found = next((key for key in _patterns() if _pattern(key).fullmatch(text)), None)
    return _filled(text, found, how) if found else text


def sentence(finding: "Finding", how: Words) -> str | None:
    """What was found, in Chinese by the sentence of its code; None where the document's own words are to stand."""
    general = f"arch.finding.{finding.code}"
    if how.lang != "zh" or general not in how.main:
        return None
    for key in _sentences(general):
        if len(finding.message) <= _LONG and _pattern(key).fullmatch(finding.message):
            return _filled(finding.message, key, how)
    return how(general, **dict.fromkeys(_HOLE.findall(words("en").main[general]), ""))


def advice(finding: "Finding", how: Words) -> str | None:
    """How to mend it, in the language of the picture where it is flowgen's own advice."""
    key = f"arch.advice.{finding.code}"
    known = key in how.main and words("en").main[key] == finding.advice
    return how(key) if known else finding.advice


def _filled(text: str, key: str, how: Words) -> str:
    found = _pattern(key).fullmatch(text)
    values = found.groupdict() if found else {}
    return how(key, **{name: _listed(value, how) for name, value in values.items()})


def _listed(text: str, how: Words) -> str:
    """A value whose parts may be texts of flowgen's, too."""
    return ", ".join(said(part, how) for part in text.split(", "))


def _sentences(general: str) -> Iterator[str]:
    """A code's own key and those of its special cases."""
    yield from (key for key in words("en").main if key == general or key.startswith(f"{general}."))


@cache
def _patterns() -> tuple[str, ...]:
    return tuple(key for key in words("en").main if key.startswith(_PATTERNS))


@cache
def _pattern(key: str) -> "re.Pattern[str]":
    """The English text of a key, with anything in its holes."""
    parts = _HOLE.split(words("en").main[key])
    regex = [f"(?P<{part}>.+?)" if at % 2 else re.escape(part) for at, part in enumerate(parts)]
    return re.compile("".join(regex), re.DOTALL)
