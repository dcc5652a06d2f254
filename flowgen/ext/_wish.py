"""What a page asks of a picture, as words with texts behind them: read into the options that `flowgen.api` takes.

The same words stand in a directive of Sphinx, in a fence and in a comment of Markdown. A word that there is not, or a
value that it cannot have, is told; nothing is looked for and nothing is opened here.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from flowgen.errors import UsageError

_YES = ("", "true", "yes", "on", "1")
_DIGITS = 9  # of a whole number
_NO = ("false", "no", "off", "0")


@dataclass(frozen=True, slots=True)
class Wish:
    """A picture that is asked for.

    `sources` are files as the page names them, `seen` recordings that are laid over them. `options` are those of
    `flowgen.api.drawing`, in which `theme` and `logo` may name files, too; `asked` are `view`, `host`, `show_paths`,
    `source_format` and `server`.
    """

    sources: tuple[str, ...]
    seen: tuple[str, ...] = ()
    options: Mapping[str, Any] = field(default_factory=dict)
    asked: Mapping[str, Any] = field(default_factory=dict)


def _text(value: str) -> str:
    if not value:
        raise ValueError("a text")
    return value


def _yes(value: str) -> bool:
    if value.lower() not in (*_YES, *_NO):
        raise ValueError("true or false")
    return value.lower() in _YES


def _number(value: str) -> float:
    try:
        return float(value)
    except ValueError:
        raise ValueError("a number") from None


def _whole(value: str) -> int:
    if not value.isdecimal() or len(value) > _DIGITS:
        raise ValueError("a whole number")
    return int(value)


def _list(value: str) -> list[str]:
    return [each for each in re.split(r"[,\s]+", value) if each]


def _day(value: str) -> bool | str:
    return True if value.lower() in _YES else value


Reader = Callable[[str], Any]

# word -> how its text is read; those of `render` with the same names
_LOOKS: dict[str, Reader] = {
    "title": _text, "subtitle": _text, "footer": _text, "date": _day, "logo": _text, "theme": _text, "lang": _text,
    "notes": _text, "form": _text, "steps": _text, "start-step": _whole, "only": _list, "hide": _list, "show": _list,
    "fold": _whole, "full": _yes, "headers": _text, "times": _text, "gap": _number, "schema": _text, "images": _yes,
    "check": _yes, "embed-fonts": _yes, "together": _text, "layout": _text,
}  # fmt: skip
_ASKED: dict[str, Reader] = {
    "view": _text, "host": _text, "show-paths": _yes, "from": _text, "server": _text, "with": _list,
}  # fmt: skip
_CALLED = {"from": "source_format"}
_VIEWS = ("flow", "architecture")
WORDS = (*_LOOKS, *_ASKED)


def wished(sources: Iterable[str], words: Mapping[str, str], others: Iterable[str] = ()) -> Wish:
    """What words ask for: each with its text, empty where it stands alone.

    `others` are words of a picture's own, which are told where a word is none. Raises UsageError.
    """
    own = {*others}
    options: dict[str, Any] = {}
    asked: dict[str, Any] = {}
    for name, value in words.items():
        word = name.replace("_", "-")
        if word in own:
            raise UsageError(f"{word} is a word of one picture", "say it there")
        if word not in WORDS:
            raise UsageError(f"there is no word {name!r}", _nearest(word, (*WORDS, *own)))
        known, into = (_LOOKS, options) if word in _LOOKS else (_ASKED, asked)
        into[_CALLED.get(word, word.replace("-", "_"))] = _value(word, known[word], value)
    if asked.get("view", "flow") not in _VIEWS:
        raise UsageError(f"view: there is no {asked['view']!r}", f"known: {', '.join(_VIEWS)}")
    return Wish(tuple(sources), tuple(asked.pop("with", ())), options, asked)


def _value(word: str, reader: Reader, value: str) -> Any:
    try:
        return reader(" ".join(value.split()))
    except ValueError as problem:
        found = f"found {value!r}" if value else "found nothing"
        raise UsageError(f"{word}: expected {problem}, {found}", f'such as {word}="…"') from None


def _nearest(word: str, words: Iterable[str]) -> str:
    from difflib import get_close_matches

    known = [*words]
    close = get_close_matches(word, known, 1)
    return f"did you mean {close[0]}?" if close else f"there are: {', '.join(sorted(known))}"
