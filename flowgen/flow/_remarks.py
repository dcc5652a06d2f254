"""Facts about several participants at once, each at its place: what a recording lacks, a change of era or revision,
tools merged by the host, a stream taken up again, a session begun anew. Only what the trace holds.
"""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from flowgen.trace import Excerpt, Participant, Trace

from ._about import last_event
from ._draft import Draft
from ._model import Remark, Say

_MISSING = {
    "times": Say("the times", "时间"),
    "bodies": Say("the contents of messages", "消息内容"),
    "stderr": Say("what servers wrote to stderr", "Server 的 stderr"),
    "directions": Say("who sent what", "收发方向"),
    "heads": Say("HTTP heads", "HTTP 头"),
}
_WHY = {
    "handshake-answer": Say(" (the server answers as one of the handshake era)", "（Server 按握手方式应答）"),
    "silence": Say(" (no answer to server/discover)", "（server/discover 无响应）"),
    "startup-timeout": Say(" (no sign of life in time)", "（限时内无任何动静）"),
    "version": Say(" (the server does not speak {})", "（Server 不支持 {}）"),
}
_ERAS = {
    "handshake": Say("the handshake", "握手方式"),
    "stateless": Say("no handshake", "无握手方式"),
}
_TRIED = Say("The client tried server/discover first (not drawn). ", "Client 先尝试了 server/discover（未画出）。")
_NOTHING = Say("", "")
_LONGEST = 40  # characters of a value from outside

Placed = tuple[int, Remark]  # before the message at a position


def remarks(
    trace: Trace,
    made: Sequence[Draft],
    shown: Sequence[Draft],
    lanes: Sequence[Participant],
    probe: frozenset[int] = frozenset(),
) -> Iterator[Placed]:
    """The remarks of a trace in order: about the whole, and about messages that are shown.

    `probe` are the positions of a probe that fell back, shown or not.
    """
    told = {draft.at for draft in shown}
    walk = _Walk(tuple(lanes), _agreed(made), _unseen(made, probe, told))
    if trace.excerpt is not None:
        yield -1, walk.over(_excerpt(trace.excerpt), [who.id for who in lanes])
    if trace.missing:
        yield -1, walk.over(_lacking(trace.missing), [who.id for who in lanes])
    for draft in made:
        if draft.at in told:
            yield from walk.at(draft)
        walk.pass_by(draft)


def is_said(draft: Draft) -> bool:
    """Whether a remark says all that there is to say of a note, in its place."""
    return draft.kind == "note" and draft.number is None and draft.event in ("fell-back", "merged-tools")


@dataclass(slots=True)
class _Walk:
    """A trace on the way from its first message to its last. `agreed` is client -> revisions of its handshakes,
    `unseen` the sessions that began with a probe that is not shown, each with what the recorder noted of it.
    """

    lanes: tuple[Participant, ...]
    agreed: Mapping[str, Sequence[tuple[int, str]]]
    unseen: dict[frozenset[str], Mapping[str, Any]]
    opened: set[frozenset[str]] = field(default_factory=set)
    spoke: dict[str, frozenset[str]] = field(default_factory=dict)

    def over(self, text: Say, ids: Collection[str]) -> Remark:
        """A remark over the lanes from the first to the last of these; over all where they have none."""
        spanned = [who.id for who in self.lanes if who.id in ids] or [who.id for who in self.lanes]
        return Remark((spanned[0], spanned[-1]), text)

    def at(self, draft: Draft) -> Iterator[Placed]:
        """What there is to say at one message."""
        if draft.kind == "note" and draft.event == "fell-back":
            yield draft.at + 1, self.over(self._fallen_back(draft, draft.data), self._addressed(draft))
        elif draft.kind == "note" and draft.event == "merged-tools":
            servers = [who.id for who in self.lanes if who.role == "server"]
            yield draft.at, self.over(_merged(draft), [draft.message.sender, *servers])
        elif last := last_event(draft.message):
            yield draft.at, self.over(_resumed(_cut(last)), draft.between)
        elif draft.kind == "request" and draft.method == "initialize":
            yield from self._begun(draft)

    def pass_by(self, draft: Draft) -> None:
        """Takes in a message that the walk leaves behind."""
        if draft.kind == "request":
            self.spoke[draft.message.sender] = draft.between
        elif draft.kind == "response" and draft.method == "initialize":
            self.opened.add(draft.between)

    def _begun(self, asked: Draft) -> Iterator[Placed]:
        """What there is to say where a handshake begins: what came before and is not to be seen."""
        if asked.between in self.opened:
            yield asked.at, self.over(Say("A new session begins", "新的会话开始"), asked.between)
        elif (noted := self.unseen.pop(asked.between, None)) is not None:
            on = self._fallen_back(asked, {"to": "handshake", **noted})
            yield asked.at, self.over(Say(_TRIED.en + on.en, _TRIED.zh + on.zh), asked.between)

    def _fallen_back(self, at: Draft, noted: Mapping[str, Any]) -> Say:
        to = noted.get("to")
        era = _ERAS.get(to) if isinstance(to, str) else None
        agreed = self._agreed(at) if to == "handshake" else to if era is None and isinstance(to, str) else None
        what = [era] if era else []
        what += [Say(f"revision {_cut(agreed)}", f"版本 {_cut(agreed)}")] if agreed else []
        why = _WHY.get(str(noted.get("why")), _NOTHING)
        tried = _cut(str(noted.get("from", "")))
        return Say(
            f"From here on: {', '.join(one.en for one in what)}{why.en.replace('{}', tried)}",
            f"此后：{'，'.join(one.zh for one in what)}{why.zh.replace('{}', tried)}",
        )

    def _agreed(self, at: Draft) -> str | None:
        """The revision of the handshake that follows."""
        known = self.agreed.get(at.message.sender, ())
        place = bisect_right(known, (at.at, ""))
        return known[place][1] if place < len(known) else None

    def _addressed(self, note: Draft) -> frozenset[str]:
        """Between whom it goes on differently: the client, and whoever it spoke to last."""
        return self.spoke.get(note.message.sender, frozenset({note.message.sender}))


def _unseen(
    made: Sequence[Draft], probe: frozenset[int], told: set[int]
) -> dict[frozenset[str], Mapping[str, Any]]:
    """Of each session that began with a probe, if nothing of it is told: what was noted of its end."""
    if not told.isdisjoint(probe):
        return {}
    noted = {made[at].message.sender: made[at].data for at in probe if made[at].kind == "note"}
    asked = [made[at] for at in probe if made[at].kind == "request"]
    return {draft.between: noted.get(draft.message.sender, {}) for draft in asked}


def _agreed(made: Sequence[Draft]) -> dict[str, list[tuple[int, str]]]:
    """The revisions that each client shook hands on, with their positions."""
    found: defaultdict[str, list[tuple[int, str]]] = defaultdict(list)
    for draft in made:
        if draft.kind == "response" and draft.method == "initialize":
            version = (draft.result or {}).get("protocolVersion")
            if isinstance(version, str):
                found[draft.message.receiver].append((draft.at, version))
    return found


def _lacking(codes: Sequence[str]) -> Say:
    named = [_MISSING.get(code) or Say(_cut(code), _cut(code)) for code in codes]
    return Say(
        f"Not in this recording: {', '.join(one.en for one in named)}",
        f"此记录未包含：{'、'.join(one.zh for one in named)}",
    )


def _excerpt(of: Excerpt) -> Say:
    """Which part of the whole recording this is."""
    if of.first == of.last:
        return Say(f"Excerpt: message {of.first} of {of.of}", f"节选：第 {of.first} 条消息，共 {of.of} 条")
    numbers = f"{of.first}–{of.last}"
    return Say(f"Excerpt: messages {numbers} of {of.of}", f"节选：第 {numbers} 条消息，共 {of.of} 条")


def _resumed(event: str) -> Say:
    return Say(
        f"The stream ended; the client asks for what came after event {event}",
        f"流已结束；Client 请求事件 {event} 之后的内容",
    )


def _merged(note: Draft) -> Say:
    tools = note.data.get("tools")
    found = [tool for tool in tools if isinstance(tool, dict)] if isinstance(tools, list) else []
    servers = {name for tool in found if isinstance(name := tool.get("server"), str)}
    return Say(
        f"The host offers {len(found)} tools of {len(servers)} servers as one list",
        f"Host 将 {len(servers)} 个 Server 的 {len(found)} 个工具合为一个列表",
    )


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
