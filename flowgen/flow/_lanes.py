"""Who gets a lane, on which side everybody stands, and the facts of the subtitle.

Lanes go by trust: from the person and the browser over the client to the servers and what stands behind them. Each
participant also has a side: the person, the model, the host and the browser the client's, the rest the server's.
"""

from collections.abc import Collection

from flowgen.trace import Message, Participant, Trace

from ._draft import Draft
from ._model import Facts, Side

_SIDES: tuple[Side, ...] = ("client", "server")
_TRUST = ("person", "browser", "host", "model", "client", "gateway", "auth", "server", "api")
_ENDS = ("client", "server", "gateway")  # a picture has one of each side at least
_TURNED_AWAY = 400
_NOT_SPOKEN = -32022  # MCP Versioning: an unsupported revision
_CLIENT_SIDE = frozenset({"client", "person", "model", "host", "browser"})


def lanes(trace: Trace, shown: list[Draft]) -> tuple[Participant, ...]:
    """Who sends or receives what is shown, in order of trust, but one of each side at least.

    A plan's step makes no lane by itself: it says only why the next request comes.
    """
    told = [draft.message for draft in shown if draft.event != "plan-step"]
    return standing(_everybody(trace), {id_ for message in told for id_ in (message.sender, message.receiver)})


def standing(known: list[Participant], busy: Collection[str]) -> tuple[Participant, ...]:
    """The busy ones of those who are known, in order of trust, and one of each side at least."""
    found = [who for who in known if who.id in busy]
    found += [_spare(known, side) for side in _SIDES if not any(_is_end(who, side) for who in found)]
    return tuple(sorted(found, key=lambda who: _TRUST.index(who.role)))


def _is_end(who: Participant, side: Side) -> bool:
    return who.role in _ENDS and side_of(who) == side


def sides(trace: Trace) -> dict[str, Side]:
    """On which side everybody stands who is known or sends or receives."""
    return {who.id: side_of(who) for who in _everybody(trace)}


def side_of(who: Participant) -> Side:
    """The side of one participant, by its role."""
    return "client" if who.role in _CLIENT_SIDE else "server"


def facts(trace: Trace, made: list[Draft], left_out: frozenset[int], steps: int = 0) -> Facts:
    """What the subtitle says. `left_out` are the positions of a probe that is not shown, `steps` how many there are."""
    told = [draft for draft in made if draft.at not in left_out]
    transports = (
        "http" if name == "sse" else name for name in (draft.message.transport for draft in told) if name
    )
    spoken = [draft for draft in told if not _refused(draft, made)]
    return Facts(
        transports=tuple(dict.fromkeys(transports)),
        revisions=tuple(dict.fromkeys(name for draft in spoken if (name := revision(draft)))),
        messages=trace.excerpt.of if trace.excerpt else sum(_numbers(draft) for draft in made),
        unanswered=sum(draft.count for draft in told if draft.state == "unanswered"),
        cancelled=sum(draft.count for draft in told if draft.state == "cancelled"),
        steps=steps,
    )


def _numbers(draft: Draft) -> int:
    """How many it takes, with those left out before it."""
    return draft.skipped + (draft.number is not None)


def _refused(draft: Draft, made: list[Draft]) -> bool:
    """Whether nobody agreed to the revision that a message names: HTTP or the server turned it away (401, -32022)."""
    answer = draft if draft.answer is None else made[draft.answer]
    return (answer.status or 0) >= _TURNED_AWAY or answer.error.get("code") == _NOT_SPOKEN


def revision(draft: Draft) -> str | None:
    """The revision of a message: as recorded, else as the message itself says (other tools record none)."""
    if draft.message.revision:
        return draft.message.revision
    if draft.kind == "response" and draft.method == "initialize":
        return _text((draft.result or {}).get("protocolVersion"))
    meta = draft.params.get("_meta")
    return _text(meta.get("io.modelcontextprotocol/protocolVersion")) if isinstance(meta, dict) else None


def _text(value: object) -> str | None:
    return value if isinstance(value, str) and value else None


def _everybody(trace: Trace) -> list[Participant]:
    """The participants once each, and whoever else sends or receives, its role guessed from what it does."""
    known = {who.id: who for who in reversed(trace.participants)}
    return [*reversed(known.values()), *_strangers(trace.messages, known)]


def _strangers(messages: list[Message], known: dict[str, Participant]) -> list[Participant]:
    """Who asks first is taken for the client, whoever speaks with a client for a server."""
    if all(message.sender in known and message.receiver in known for message in messages):
        return []
    found: dict[str, Participant] = {}
    for message in sorted(messages, key=lambda message: message.kind != "request"):
        for id_, other in ((message.sender, message.receiver), (message.receiver, message.sender)):
            if id_ not in known and id_ not in found:
                peer = known.get(other) or found.get(other)
                asks = side_of(peer) == "server" if peer else not found
                found[id_] = Participant(id=id_, role="client" if asks else "server")
    return list(found.values())


def _spare(known: list[Participant], role: Side) -> Participant:
    """A silent participant with the role, else an invented one: a picture has two lanes at least."""
    ids = {who.id for who in known}
    silent = (who for who in known if who.role == role)
    return next(silent, None) or Participant(id=role if role not in ids else f"{role} {len(ids)}", role=role)
