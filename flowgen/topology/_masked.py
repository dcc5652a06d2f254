"""Texts that a person wrote, without what is surely a secret: for descriptions, which say whatever they like.

A command line of a config is read word by word (`_shown`); here only what a name or a shape gives away is taken out, so
that prose such as `Bearer by reference` stays as it is.
"""

import re
from typing import Any

from flowgen.trace import mask_shapes

from ._address import HIDDEN
from ._values import strength, value_of

_USER = re.compile(r"(?<=://)([^/\s:@]*):[^/\s@]+@")
_PARAMETER = re.compile(r"([?&;#])([\w.-]+)=([^&;#\s]+)")
_VARIABLE = re.compile(r"(?<![\w?&;#])(-{0,2}[A-Za-z][\w.-]*)(=)([^\s,;&]+)")
_OPTION = re.compile(r"(?<!\S)(--?[A-Za-z][\w.-]*)( +)(?!-)([^\s,;&]+)")
_HEADER = re.compile(r"\b([A-Za-z][\w-]*)(: +(?:(?:Bearer|Basic|Token) +)?)([^\s,;]+)", re.IGNORECASE)
_SCHEME = re.compile(r"\b(Bearer|Basic)( +)(\S+)", re.IGNORECASE)


def masked(text: str) -> str:
    """The text; what is surely a secret is `••••`."""
    text = mask_shapes(text)
    if "://" in text:
        text = _USER.sub(lambda found: f"{found[1]}:{HIDDEN}@", text)
    text = _PARAMETER.sub(lambda found: found[1] + _kept(found[2], "=", found[3], sure=True), text)
    for joined in (_VARIABLE, _OPTION):
        text = joined.sub(lambda found: _kept(*found.groups(), sure=True), text)
    text = _HEADER.sub(lambda found: _kept(*found.groups(), sure=False), text)
    return _SCHEME.sub(lambda found: _kept("auth", found[2], found[3], sure=False, shown=found[1]), text)


def masked_all(value: Any) -> Any:
    """A value of a document with every text in it masked; keys and lines stay."""
    if isinstance(value, str):
        return masked(value)
    if isinstance(value, dict):
        return {key: masked_all(child) for key, child in value.items()}
    return [masked_all(child) for child in value] if isinstance(value, list) else value


def _kept(name: str, sign: str, value: str, *, sure: bool, shown: str = "") -> str:
    """`sure` is a place where only a value can stand; elsewhere it must look like a secret, too."""
    strong = sure and strength(name)
    told = value_of(value, name if strong else "auth", {}) if strong or strength(name) else None
    return f"{shown or name}{sign}{HIDDEN if told and told.kind == 'literal' else value}"
