"""Texts in two languages beside each other, where a picture is asked for in both: English, then Chinese."""

from collections.abc import Callable

from ._words import Words, words

_BETWEEN = "  "


def both(tell: Callable[[Words], str], how: Words) -> str:
    """What is told in the picture's language; in both where both are asked for and differ."""
    if how.lang != "en+zh":
        return tell(how)
    english, chinese = tell(words("en")), tell(words("zh"))
    return english if english == chinese else f"{english}{_BETWEEN}{chinese}"


def both_of(key: str, how: Words, **values: object) -> str:
    """The text of a key, in both languages where both are asked for."""
    return both(lambda tongue: tongue(key, **values), how)


def wider(wide: float, how: Words, text: str = _BETWEEN) -> float:
    """So many px for a text in one language; more where it says a thing in two. Names are said once."""
    return wide * 1.8 if how.lang == "en+zh" and _BETWEEN in text else wide
