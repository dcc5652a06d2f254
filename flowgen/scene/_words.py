"""The words of a picture in its language. They live in `themes/lang/*.toml`; names of the protocol are never here.

A text may hold `{n}` (filled in), `{n,}` (a count, with commas from a thousand on), `{n|message|messages}` (one,
several) and `[[…]]`: a part that is left out when
a value in it is missing, empty or zero. Values are put in once: braces in a server's text stay what they are.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Literal

from ._found import theme_file

Lang = Literal["en", "zh", "en+zh"]
LANGUAGES: tuple[Lang, ...] = ("en", "zh", "en+zh")

_HOLE = re.compile(r"\{(\w+)(,)?(?:\|([^|{}]*)\|([^|{}]*))?\}")
_OPTIONAL = re.compile(r"\[\[(.*?)\]\]")


@dataclass(frozen=True, slots=True)
class Words:
    """Key -> text. `main` is what the picture says, `beside` what stands next to it in the other language.

    `shorter` is what the picture says where there is little room, for keys where that differs.
    """

    lang: Lang
    main: Mapping[str, str]
    beside: Mapping[str, str]
    shorter: Mapping[str, str]

    def __call__(self, key: str, **values: object) -> str:
        """The text of `key` with its values. An unknown key or a missing value is a KeyError: ours to mend."""
        return _filled(self.main[key], values)

    def second(self, key: str, **values: object) -> str | None:
        """The text in the other language; None where one language is asked for, or it would say the same."""
        text = self.beside.get(key, "")
        return _filled(text, values) if text and text != self.main[key] else None

    def short(self, key: str) -> str:
        """The text of `key` where there is little room."""
        return self.shorter.get(key) or self.main[key]


@cache
def words(lang: Lang = "en") -> Words:
    """The words for `en`, `zh`, or English with Chinese beside it."""
    if lang == "en+zh":
        (main, shorter), (texts, second) = _file("en"), _file("zh")
        return Words(lang, main, texts | second, shorter)
    texts, second = _file(lang)
    return Words(lang, texts, {}, second)


@cache
def _file(lang: str) -> tuple[dict[str, str], dict[str, str]]:
    """The texts of a language, and those it says shorter beside another one."""
    import tomllib

    texts = tomllib.loads(theme_file(f"lang/{lang}.toml").read_text("utf-8"))
    second = texts.pop("second", {})
    return texts, second


def _filled(text: str, values: Mapping[str, object]) -> str:
    if "[[" in text:
        text = _OPTIONAL.sub(lambda part: part[1] if _known(part[1], values) else "", text)
    return _HOLE.sub(lambda hole: _value(hole, values), text) if "{" in text else text


def _known(part: str, values: Mapping[str, object]) -> bool:
    return all(values.get(hole[1]) not in (None, "", 0) for hole in _HOLE.finditer(part))


def _value(hole: re.Match[str], values: Mapping[str, object]) -> str:
    value = values[hole[1]]
    if hole[3] is not None:
        return hole[3] if value == 1 else hole[4]
    return f"{value:,}" if hole[2] else str(value)
