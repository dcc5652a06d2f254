"""Badges: facts about a node in a word each, coloured by how good or bad they are. Never a value."""

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from ._arch_words import badge_of
from ._shapes import Rect, Shape, Text
from ._text import width
from ._words import Words

if TYPE_CHECKING:
    from flowgen.topology import Node

_HIGH = 16
_GAP = 5

# Which words make a badge good or bad: the first that fits. What fits none is a plain fact.
_TONES = (
    ("bad", re.compile(r"home|plain http|in clear|not encrypted|privileged|in (the )?file|in (the )?url|literal|"
                       r"dangerous|docker socket|host key|runs a download|rm -rf|passthrough|sudo|whole disk|root of")),
    ("warn", re.compile(r"unpinned|no tag|latest|no auth|no token|http\+sse|deprecated|shell|host network|"
                        r"auto[- ]approved|always allowed|trusted|shared|placeholder|not checked|undeclared|"
                         r"not as declared|"
                        r"allows?[- ]http")),
    ("ok", re.compile(r"pinned|https|read[- ]only|deny|audience|oauth|no network|digest|no passthrough|sandboxed")),
    ("off", re.compile(r"disabled|not started")),
)  # fmt: skip
_WORST = ("bad", "warn", "ok", "info")


class Badge(NamedTuple):
    """A word and the tone that colours it."""

    text: str
    tone: str


def badges_of(node: "Node", kind: str, how: Words, most: int) -> tuple[Badge, ...]:
    """What a node is, then its facts, `most` of them: the worst, in the order of the document, then `+n`."""
    facts = [text for text in dict.fromkeys(node.badges) if text.strip() and text not in (kind, "disabled")]
    tones = [_tone(text) for text in facts]
    kept = sorted(sorted(range(len(facts)), key=lambda at: _WORST.index(tones[at]))[:most])
    shown = [Badge(badge_of(facts[at], how), tones[at]) for at in kept]
    more = [Badge(f"+{len(facts) - most}", "info")] if len(facts) > most and most > 1 else []
    first = [Badge(how(f"arch.badge.{kind}"), "info")] if kind in ("bridge", "gateway") else []
    last = [Badge(how("arch.badge.disabled"), "off")] if node.disabled else []
    return (*first, *shown, *more, *last)


def _tone(text: str) -> str:
    lowered = text.lower()
    found = next((tone for tone, pattern in _TONES if pattern.search(lowered)), "info")
    return "info" if found == "off" else found


def badges_width(badges: Sequence[Badge]) -> float:
    """Of badges side by side."""
    return sum(map(_width, badges)) + _GAP * max(0, len(badges) - 1)


def draw_badges(badges: Sequence[Badge], x: float, y: float) -> Iterator[Shape]:
    """Badges from (x, y) to the right."""
    for badge in badges:
        wide = _width(badge)
        yield Rect(x, y, wide, _HIGH, f"arch.badge.{badge.tone}", _HIGH / 2)
        yield Text(x + wide / 2, y + 11.6, badge.text, f"arch.badge.{badge.tone}.text")
        x += wide + _GAP


def _width(badge: Badge) -> float:
    return width(badge.text, 10, 700) + 16
