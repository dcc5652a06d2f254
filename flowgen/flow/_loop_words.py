"""The condition of a loop's frame in words: how often, how long, and what ended it."""

from collections.abc import Iterator

from ._changes import MEMBERS, plural_of
from ._duration import duration, span
from ._loops import POLLS, Frame
from ._model import Say

_LONGEST = 24  # characters of a status
_MOST = 4  # statuses that are named


def condition(frame: Frame) -> Say:
    """`while nextCursor is there · 3 pages · 23 tools`; `until the status changes · 5 times · working → completed`."""
    parts = list(_polled(frame) if frame.method in POLLS else _paged(frame))
    return Say(" · ".join(part.en for part in parts), " · ".join(part.zh for part in parts))


def _paged(frame: Frame) -> Iterator[Say]:
    count = len(frame.rounds)
    ended = frame.rounds[-1].cursor is None
    if ended:
        yield Say("while nextCursor is there", "只要有 nextCursor")
    yield Say(f"{count:,} pages", f"{count:,} 页")
    if frame.method in MEMBERS:
        yield plural_of(frame.method, sum(_listed(frame)))
    if not ended:
        yield Say("more is left", "尚有后续")


def _listed(frame: Frame) -> Iterator[int]:
    for one in frame.rounds:
        found = (one.answer.result or {}).get(MEMBERS[frame.method][0]) if one.answer else None
        yield len(found) if isinstance(found, list) else 0


def _polled(frame: Frame) -> Iterator[Say]:
    seen = list(dict.fromkeys(status for one in frame.rounds if (status := one.status) is not None))
    if len(seen) > 1:
        yield Say("until the status changes", "直到状态变化")
    yield Say(f"{len(frame.rounds):,} times", f"{len(frame.rounds):,} 次")
    if seen:
        named = [status if len(status) <= _LONGEST else f"{status[:_LONGEST]}…" for status in seen[:_MOST]]
        text = " → ".join(named)
        yield Say(text, text)
    if (spent := _spent(frame)) is not None:
        yield Say(duration(spent), duration(spent))


def _spent(frame: Frame) -> float | None:
    """Seconds from the first question to the last answer."""
    last = frame.rounds[-1]
    return span(frame.rounds[0].request.message.at, (last.answer or last.request).message.at)
