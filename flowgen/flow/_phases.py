"""The steps of a session, as a good teacher would cut it: few chapters, each about one thing, in the order seen.

A chapter begins where no exchange is open, so a request and its answer never part. Neighbours about the same
thing are one chapter; two things in turn (list, call, list, call …) are one chapter about both. There are at
most MOST chapters and at most one per two numbered messages. Titles that the trace gives win over all this.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice

from ._draft import LISTEN, Draft
from ._links import CHANGES, LISTS
from ._model import Say
from ._titles import title_of, told, topic_of

MOST = 12  # bands in one picture; more are no chapters any more
_IN_TURN = 4  # bands of two topics in turn that become one
_LONG = 40  # messages after which an open exchange no longer holds its chapter together
_OPENING = frozenset({"initialization", "discovery", "authorization"})
_TOOLS = frozenset({"tool-discovery", "tool-execution"})
_IN_PASSING = frozenset({"asks", "ping"})  # a chapter of their own only right after the opening
_NO_TOKEN = (401, 403)
_READS = frozenset({"resources/read", "resources/subscribe", "subscriptions/listen"})


@dataclass(frozen=True, slots=True)
class Band:
    """A chapter: positions from `start` up to the next band's start."""

    start: int
    title: Say


@dataclass(slots=True)
class _Chapter:
    start: int
    topics: dict[str, None] = field(default_factory=dict)
    only_lists: bool = True
    size: int = 0

    def joined(self, other: "_Chapter") -> "_Chapter":
        return _Chapter(
            self.start,
            self.topics | other.topics,
            self.only_lists and other.only_lists,
            self.size + other.size,
        )


def bands(made: list[Draft], probe: frozenset[int]) -> list[Band]:
    """The bands of a trace; the first one takes in what came before it. None if nothing opens one."""
    marks = [Band(draft.at, told(title)) for draft in made if (title := _mark(draft))]
    found = _found(made[: marks[0].start] if marks else made, probe) + marks
    return [Band(0, found[0].title), *found[1:]] if found else []


def stretches(made: Sequence[Draft]) -> Iterator[list[Draft]]:
    """Cuts where no exchange is open: each stretch holds whole exchanges, or one message that needs no answer."""
    stretch: list[Draft] = []
    last = -1
    for draft in made:
        if stretch and draft.at > last:
            yield stretch
            stretch = []
        stretch.append(draft)
        last = max(last, _end(draft))
    if stretch:
        yield stretch


def leads(draft: Draft) -> bool:
    """A note that stands directly before what it is about."""
    if draft.event in ("approved", "plan-step", "consulted-model"):
        return "about" not in draft.data
    return draft.event == "cache-stale"


def failed_probe(made: list[Draft]) -> frozenset[int]:
    """The messages of a `server/discover` that came first and was followed by `initialize` all the same.

    With it go its answer, however late, and the recorder's notes about it (MCP Versioning, dual-era clients). One
    that was denied for want of a token is none: it is why somebody signed in.
    """
    failed = _failed(made)
    if not failed:
        return frozenset()
    late = {draft.at for draft in made if draft.request in failed}
    return frozenset(failed | late | _about(made, failed | late))


def _failed(made: list[Draft]) -> set[int]:
    """The requests of it, in each session by itself."""
    probes: defaultdict[frozenset[str], set[int]] = defaultdict(set)
    failed: set[int] = set()
    over: set[frozenset[str]] = set()  # sessions that have begun; each is a client's with one server
    for draft in (draft for draft in made if draft.kind == "request"):
        if (session := draft.between) in over:
            continue
        if draft.method == "server/discover":
            if draft.answer is None or made[draft.answer].status not in _NO_TOKEN:
                probes[session].add(draft.at)
        elif draft.method == "initialize":
            failed |= probes[session]
            over.add(session)
        elif topic_of(draft.method) not in _IN_PASSING:
            over.add(session)
    return failed


def _about(made: list[Draft], probe: set[int]) -> set[int]:
    seqs = {made[at].message.seq for at in probe}
    return {draft.at for draft in made if draft.event == "fell-back" and _tells_of(draft, seqs)}


def _tells_of(note: Draft, seqs: set[int]) -> bool:
    about = note.data.get("about")
    return about is None or (isinstance(about, int) and about in seqs)


def _mark(draft: Draft) -> str:
    """The title that the trace gives to what begins here."""
    return draft.message.step.title.strip() if draft.message.step else ""


def _end(draft: Draft) -> int:
    """Where the exchange that a message opens is over."""
    end = draft.answer if draft.answer is not None else draft.ended_by if draft.state == "cancelled" else None
    return end if end is not None and end - draft.at <= _LONG and draft.method != LISTEN else draft.at


def _found(made: list[Draft], probe: frozenset[int]) -> list[Band]:
    chapters = _in_turn(_chapters(made, probe))
    most = max(1, min(MOST, _size(made) // 2))
    if len(chapters) > most:
        chapters = _joined(chapters, _of_one_family)
    if len(chapters) > most:
        chapters = _joined(_squeezed(chapters, most), _same_topics)
    return [Band(chapter.start, title_of(chapter.topics, chapter.only_lists)) for chapter in chapters]


def _chapters(made: list[Draft], probe: frozenset[int]) -> list[_Chapter]:
    reader = _Reader(probe)
    waits: int | None = None  # where the notes stand that belong to what follows
    chapters: list[_Chapter] = []
    for stretch in stretches(made):
        found = reader.read(stretch, chapters[-1] if chapters else None)
        if found and (not chapters or not _same_topics(chapters[-1], found)):
            found.start = found.start if waits is None else waits
            chapters.append(found)
        elif found:
            chapters[-1] = chapters[-1].joined(found)
        if chapters:
            chapters[-1].size += 0 if found else _size(stretch)
        waits = (waits if waits is not None else stretch[0].at) if leads(stretch[0]) else None
    return chapters


class _Reader:
    """Tells what a stretch is about, from it and from what was asked before."""

    def __init__(self, probe: frozenset[int]) -> None:
        self.probe = probe
        self.asked: set[str] = set()
        self.updated: set[str | None] = set()

    def read(self, stretch: list[Draft], now: _Chapter | None) -> _Chapter | None:
        """A chapter of its own, or None if the stretch belongs to the one that runs."""
        running = next(reversed(now.topics)) if now else None
        refused = {draft.request for draft in stretch if draft.kind == "http" and draft.status in _NO_TOKEN}
        topics = dict.fromkeys(
            topic
            for draft in stretch
            if draft.at not in refused and (topic := self._topic(draft, draft is stretch[0], running))
        )
        requests = [draft for draft in stretch if draft.kind == "request"]
        self.asked.update(draft.method for draft in requests if draft.method)
        if not topics:
            return None
        only_lists = bool(requests) and all(draft.method in LISTS for draft in requests)
        return _Chapter(stretch[0].at, topics, only_lists, _size(stretch))

    def _topic(self, draft: Draft, first: bool, running: str | None) -> str | None:
        if draft.kind == "notification":
            return self._of_notification(draft, running) if first else None
        if draft.kind == "http":
            return "authorization" if _authorizes(draft) else None
        if draft.kind != "request":
            return None
        if draft.at in self.probe:
            return "initialization"
        return self._of_request(draft, first, running)

    def _of_request(self, draft: Draft, first: bool, running: str | None) -> str | None:
        topic = topic_of(draft.method)
        if topic in _IN_PASSING:
            return topic if first and (running is None or running in _OPENING) else None
        if draft.relists:
            return "notification" if running == "notification" else "refresh"
        if running in ("notification", "refresh") and (draft.text("cursor") or draft.name in self.updated):
            return None  # its next page; what the notification spoke of
        return topic

    def _of_notification(self, draft: Draft, running: str | None) -> str | None:
        if draft.method == "notifications/initialized":
            return None if running else "initialization"
        if draft.method == "notifications/resources/updated" and self.asked & _READS:
            self.updated.add(draft.name)
            return "notification"
        known = any(LISTS[method] == draft.method for method in self.asked & LISTS.keys())
        return "notification" if draft.method in CHANGES and known else None


def _size(made: Sequence[Draft]) -> int:
    """How many numbered messages these are or stand for."""
    return sum(draft.count for draft in made if draft.number is not None)


def _authorizes(draft: Draft) -> bool:
    url = draft.message.http.url if draft.message.http else None
    return draft.status in _NO_TOKEN or "/.well-known/oauth" in (url or "")


def _same_topics(one: _Chapter, other: _Chapter) -> bool:
    """The same, or one of several that went on at the same time."""
    ours, theirs = one.topics.keys(), other.topics.keys()
    return ours == theirs or (len(ours) > 1 and theirs < ours)


def _of_one_family(one: _Chapter, other: _Chapter) -> bool:
    return _same_topics(one, other) or _TOOLS.issuperset(one.topics.keys() | other.topics.keys())


def _joined(chapters: list[_Chapter], alike: Callable[[_Chapter, _Chapter], bool]) -> list[_Chapter]:
    made: list[_Chapter] = []
    for chapter in chapters:
        if made and alike(made[-1], chapter):
            made[-1] = made[-1].joined(chapter)
        else:
            made.append(chapter)
    return made


def _in_turn(chapters: list[_Chapter]) -> list[_Chapter]:
    """Joins the longest runs of chapters that are about two things only, again and again."""
    made: list[_Chapter] = []
    at = 0
    while at < len(chapters):
        run = _run_of_two(chapters, at)
        taken = run if len(run) >= _IN_TURN else run[:1]
        whole = taken[0]
        for chapter in taken[1:]:
            whole = whole.joined(chapter)
        made.append(whole)
        at += len(taken)
    return _joined(made, _same_topics)


def _run_of_two(chapters: list[_Chapter], at: int) -> list[_Chapter]:
    topics: set[str] = set()
    run: list[_Chapter] = []
    for chapter in islice(chapters, at, None):
        wider = topics | chapter.topics.keys()
        if len(wider) > 2 or wider & _OPENING:
            break
        topics = wider
        run.append(chapter)
    return run or chapters[at : at + 1]


def _squeezed(chapters: list[_Chapter], most: int) -> list[_Chapter]:
    """Fills chapters to an even size, so that `most` are left at most; the opening stays by itself if it can."""
    if most > 2 and _OPENING.issuperset(chapters[0].topics):
        return [chapters[0], *_squeezed(chapters[1:], most - 1)]
    enough = sum(chapter.size for chapter in chapters) / most
    made: list[_Chapter] = []
    for chapter in chapters:
        if made and made[-1].size < enough:
            made[-1] = made[-1].joined(chapter)
        else:
            made.append(chapter)
    return made
