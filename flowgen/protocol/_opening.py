"""How a session is opened: in one revision, or by the probe of a client that speaks both eras.

Policy (2026-07-28 basic/versioning and basic/transports/stdio; the waiting times are the project's own):
`auto` asks `server/discover` first. A result, or one of the three errors of the stateless era, means that era;
any other answer, or silence, means the handshake. A client fixed to a revision never leaves it.
Over HTTP a status without an answer means the handshake too, where it may be the server's way of not understanding;
and where `initialize` is refused in the same way, the transport of 2024-11-05 is tried (2026-07-28
basic/transports/streamable-http, backward compatibility).
"""

from typing import Any, Literal

from ._acts import Answer, Ask, Ending, Failed, Json, Note, OpenStream, Script, Silence
from ._client import Client
from ._dialects import Handshake, Stateless
from ._revisions import HANDSHAKE, STATELESS, newest_common

_UNSUPPORTED_VERSION = -32022
_STATELESS_ERRORS = (-32020, -32021, _UNSUPPORTED_VERSION)
_INVALID_PARAMS = -32602
# statuses that say nothing of the era: who may come in, and gateways in front of the server
_NO_ERA = (401, 403, 407, 429)
_BROKEN_BY_THE_PROBE = (500, 501)
_OTHER_TRANSPORT = (400, 404, 405)
_TRY_HTTP = "servers since 2025-03-26 speak Streamable HTTP: --transport http, or auto to find out"
_TRY_SSE = "--transport sse is the older transport, auto finds out; the address is the MCP endpoint's, as https://host/mcp"

Patience = Literal["opening", "probe", "step"]


def opened(client: Client, revision: str, offer: str | None = None) -> Script[Ending | None]:
    """Opens the session in `revision` or, for `auto`, in whatever the server speaks. None: it is open.

    `offer`: another revision is named first, which the server may refuse.
    """
    if offer is not None:
        return (yield from _offered(client, revision, offer))
    if client.web == "sse":
        failed = yield OpenStream()
        return _without_stream(failed) if failed else (yield from _opened_by_handshake(client, revision))
    if revision == "auto":
        return (yield from _found_out(client))
    if revision in STATELESS:
        return (yield from _discovered(client, revision))
    return (yield from _shaken(client, revision, "opening"))


def _opened_by_handshake(client: Client, revision: str) -> Script[Ending | None]:
    auto = revision == "auto"
    return (yield from _shaken(client, HANDSHAKE[-1] if auto else revision, "opening", auto))


def _offered(client: Client, revision: str, offer: str) -> Script[Ending | None]:
    if revision in HANDSHAKE:
        return (yield from _shaken(client, offer, "opening", auto=True))
    answer = yield from _discover(client, offer, "opening")
    if isinstance(answer, Answer) and _code(answer) == _UNSUPPORTED_VERSION:
        return (yield from _redressed(client, answer, offer))
    return (yield from _taken(client, answer, offer))


# both eras


def _found_out(client: Client) -> Script[Ending | None]:
    newest = STATELESS[-1]
    answer = yield from _discover(client, newest, "probe")
    if isinstance(answer, Silence):
        why = "startup-timeout" if answer.why == "startup" else "silence"
        return (yield from _fallen_back(client, {"from": "stateless", "to": "handshake", "why": why}))
    if isinstance(answer, Failed):
        return (yield from _probed_in_vain(client, answer))
    if (ending := _unusable(client, answer, "server/discover")) is not None:
        return ending
    if _is_discovery(answer):
        return (yield from _chosen(client, answer))
    if _code(answer) in _STATELESS_ERRORS:
        return (yield from _redressed(client, answer, newest))
    caused = {"about": answer.seq, "from": "stateless", "to": "handshake", "why": "handshake-answer"}
    return (yield from _fallen_back(client, caused))


def _probed_in_vain(client: Client, failed: Failed) -> Script[Ending | None]:
    status = failed.status or 0
    if status in _BROKEN_BY_THE_PROBE or (400 <= status < 500 and status not in _NO_ERA):
        caused = {"about": failed.seq, "from": "stateless", "to": "handshake", "why": "handshake-answer"}
        return (yield from _fallen_back(client, caused))
    return _unreached(failed)


def _chosen(client: Client, answer: Answer) -> Script[Ending | None]:
    """A discovery names its versions: the newest stateless one, else a handshake one if it names that."""
    offered = answer.result["supportedVersions"]
    revision = newest_common(offered, STATELESS)
    if revision is not None:
        yield from client.settle(Stateless(revision, client.identity), answer.result.get("capabilities"))
        return None
    if newest_common(offered, HANDSHAKE) is None:
        return _none_in_common(offered, (*HANDSHAKE, *STATELESS))
    caused = {"about": answer.seq, "from": "stateless", "to": "handshake", "why": "version"}
    return (yield from _fallen_back(client, caused))


def _redressed(client: Client, answer: Answer, tried: str) -> Script[Ending | None]:
    """An error of the stateless era: the client stays in it, in a revision that the server names."""
    if _code(answer) != _UNSUPPORTED_VERSION:
        yield from client.settle(Stateless(tried, client.identity), None)
        return None
    offered = _data(answer).get("supported")
    revision = newest_common(offered, STATELESS)
    if revision is None:
        return _none_in_common(offered, STATELESS)
    if revision != tried:
        yield Note("fell-back", {"about": answer.seq, "from": tried, "to": revision, "why": "version"})
        return (yield from _discovered(client, revision))
    yield from client.settle(Stateless(revision, client.identity), None)
    return None


def _fallen_back(client: Client, caused: Json) -> Script[Ending | None]:
    yield Note("fell-back", caused)
    return (yield from _shaken(client, HANDSHAKE[-1], "step", auto=True))


# the stateless era


def _discovered(client: Client, revision: str) -> Script[Ending | None]:
    answer = yield from _discover(client, revision, "opening")
    return (yield from _taken(client, answer, revision))


def _taken(client: Client, answer: Answer | Silence | Failed, revision: str) -> Script[Ending | None]:
    """What a discovery in the revision that is asked for brings."""
    if isinstance(answer, Silence):
        return _silent("server/discover")
    if isinstance(answer, Failed):
        return _unreached(answer, client)
    if (ending := _unusable(client, answer, "server/discover")) is not None:
        return ending
    if _code(answer) in _STATELESS_ERRORS:
        offered = _data(answer).get("supported")
        if _code(answer) == _UNSUPPORTED_VERSION and newest_common(offered, (revision,)) is None:
            return _none_in_common(offered, (revision,))
    elif not _is_discovery(answer):
        return _other_era(answer, revision)
    elif revision not in answer.result["supportedVersions"]:
        return _none_in_common(answer.result["supportedVersions"], (revision,))
    yield from client.settle(Stateless(revision, client.identity), answer.result.get("capabilities"))
    return None


def _discover(client: Client, revision: str, patience: Patience) -> Script[Answer | Silence | Failed]:
    params = Stateless(revision, client.identity).stamp({})
    answer: Answer | Silence | Failed = yield Ask("server/discover", params, revision, patience)
    return answer


def _is_discovery(answer: Answer) -> bool:
    return answer.error is None and isinstance(answer.result.get("supportedVersions"), list)


# the handshake era


def _shaken(client: Client, revision: str, patience: Patience, auto: bool = False) -> Script[Ending | None]:
    params = {
        "protocolVersion": revision,
        "capabilities": client.identity.declares(revision),
        "clientInfo": client.identity.info,
    }
    answer: Answer | Silence | Failed = yield Ask("initialize", params, revision, patience)
    if isinstance(answer, Silence):
        return _silent("initialize")
    if isinstance(answer, Failed):
        return (yield from _shaken_over_sse(client, answer, revision, auto))
    if (ending := _unusable(client, answer, "initialize")) is not None:
        return ending
    if "result" not in answer.body or answer.error is not None:
        return (yield from _unshaken(client, answer, revision, auto))
    agreed = answer.result.get("protocolVersion", revision)
    if agreed not in (HANDSHAKE if auto else (revision,)):
        return _none_in_common([agreed], HANDSHAKE if auto else (revision,))
    client.reopen = lambda: _shaken(client, agreed, "step")
    yield from client.settle(Handshake(agreed), answer.result.get("capabilities", {}))
    yield from client.tell("notifications/initialized")
    return None


def _shaken_over_sse(client: Client, failed: Failed, revision: str, auto: bool) -> Script[Ending | None]:
    """The handshake once more over HTTP+SSE (2024-11-05), if the server has it."""
    if client.web == "auto" and client.dialect is None and failed.status in _OTHER_TRANSPORT:
        client.web = "sse"
        if (yield OpenStream()) is None:
            return (yield from _shaken(client, revision, "step", auto))
    return _unreached(failed, client)


def _unshaken(client: Client, answer: Answer, revision: str, auto: bool) -> Script[Ending | None]:
    """`initialize` was refused: the stateless era after all, another revision, or nothing to be done."""
    supported = _data(answer).get("supported")
    if _code(answer) == _UNSUPPORTED_VERSION:
        common = newest_common(supported, STATELESS) if auto else None
        if common is None:
            return _none_in_common(supported, (*HANDSHAKE, *STATELESS) if auto else (revision,))
        yield Note("fell-back", {"about": answer.seq, "from": "handshake", "to": "stateless", "why": "version"})
        return (yield from _discovered(client, common))
    if _code(answer) == _INVALID_PARAMS and isinstance(supported, list):
        common = newest_common(supported, HANDSHAKE) if auto else None
        if common is None or common == revision:
            return _none_in_common(supported, HANDSHAKE if auto else (revision,))
        yield Note("fell-back", {"about": answer.seq, "from": revision, "to": common, "why": "version"})
        return (yield from _shaken(client, common, "step"))
    return Ending("connect-failed", f"the server refused initialize: {_said(answer)}")


# what is told of a session that did not open


def _none_in_common(offered: Any, ours: tuple[str, ...]) -> Ending:
    names = ", ".join(str(each) for each in offered) if isinstance(offered, list) and offered else "no revision"
    hint = "--revision auto takes what the server speaks" if len(ours) == 1 else ""
    why = f"no revision in common: the server names {names}, asked for {_listed(ours)}"
    return Ending("no-common-revision", why, hint)


def _other_era(answer: Answer, revision: str) -> Ending:
    why = f"the server does not speak {revision}: it answered server/discover with {_said(answer)}"
    return Ending("no-common-revision", why, "--revision auto falls back to the handshake")


def _without_stream(failed: Failed) -> Ending:
    """There is no stream of HTTP+SSE; where somebody answered, he may speak the newer transport."""
    status = failed.status or 0
    if status in _NO_ERA or status >= 500 or not status:
        return _unreached(failed)
    return Ending("connect-failed", f"no HTTP+SSE (2024-11-05) here: {failed.why}", _TRY_HTTP)


def _unreached(failed: Failed, client: Client | None = None) -> Ending:
    """`client`: it was told to speak the newer transport, which this may not be."""
    if client and client.web == "http" and client.dialect is None and failed.status in _OTHER_TRANSPORT:
        return Ending("connect-failed", f"no Streamable HTTP here: {failed.why}", _TRY_SSE)
    return Ending("connect-failed", failed.why, failed.hint)


def _unusable(client: Client, answer: Answer, method: str) -> Ending | None:
    """The end where an answer came that says nothing of the server; None where it does."""
    if answer.unkept:
        hint = "larger ones are read with --max-message BYTES" if "--max" in answer.unkept else ""
        return Ending("connect-failed", f"the answer to {method} is {answer.unkept}", hint)
    if client.echoed and "result" not in answer.body:
        why = "the program sends our own messages back, so it is no MCP server"
        return Ending("connect-failed", why, "check the command: it should start the server itself")
    return None


def _silent(method: str) -> Ending:
    return Ending("timed-out", f"no answer to {method}", "a slow start needs --startup-timeout SECONDS")


def _listed(ours: tuple[str, ...]) -> str:
    return ours[0] if len(ours) == 1 else f"{ours[0]} to {ours[-1]}"


def _said(answer: Answer) -> str:
    error = answer.error
    return f"{error.get('code')} {error.get('message')}" if error else "a result of another kind"


def _code(answer: Answer) -> Any:
    return answer.error.get("code") if answer.error else None


def _data(answer: Answer) -> Json:
    data = answer.error.get("data") if answer.error else None
    return data if isinstance(data, dict) else {}
