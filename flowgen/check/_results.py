"""Rules of results in the stateless era: their type, questions to the client, and the retries that answer them."""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass

from ._capabilities import elicitation_mode, may_elicit
from ._hits import Hit, rule
from ._message import Json, Seen, obj
from ._session import Session

_ASKING = "input_required"
_MAY_ASK = ("tools/call", "resources/read", "prompts/get")
_KINDS = {"elicitation/create": "elicitation", "sampling/createMessage": "sampling", "roots/list": "roots"}
_OPEN = 50  # questions of one method and name that are remembered
_OF_RETRIES = ("inputResponses", "requestState")
_STATE, _SENT_STATE = "/body/result/requestState", "/body/params/requestState"


@dataclass(frozen=True, slots=True)
class Retry:
    """A request that brings answers or a state, and the result that asked for them; None where nothing did."""

    seen: Seen
    asked: Seen | None


@rule
def result_type_missing(session: Session) -> Iterator[Hit]:
    for seen in _of_server(session):
        if "resultType" not in obj(seen.result):
            yield Hit(seen, f"the result of {seen.method} has no resultType")


@rule
def result_type_unknown(session: Session) -> Iterator[Hit]:
    for seen in _of_server(session):
        kind = obj(seen.result).get("resultType", "complete")
        if kind not in ("complete", _ASKING, "task") and not _other_extensions(seen, session):
            yield Hit(seen, f"resultType is {str(kind)[:40]!r}")


@rule
def input_required_method(session: Session) -> Iterator[Hit]:
    for seen in questions(session):
        if seen.method and seen.method not in _MAY_ASK:
            yield Hit(seen, f"{seen.method} is answered with input_required")


@rule
def input_required_empty(session: Session) -> Iterator[Hit]:
    for seen in questions(session):
        result = obj(seen.result)
        if not result.get("inputRequests") and result.get("requestState") is None:
            yield Hit(seen, "input_required with neither inputRequests nor requestState")


@rule
def input_request_kind(session: Session) -> Iterator[Hit]:
    for seen in questions(session):
        for key, question in asked_in(seen).items():
            if question.get("method") not in _KINDS:
                yield Hit(seen, f"the question {key[:40]!r} is {str(question.get('method'))[:40]!r}")


@rule
def input_request_undeclared(session: Session) -> Iterator[Hit]:
    for seen in questions(session):
        declared = session.declared_by_client(seen.request) if seen.request else None
        for question in asked_in(seen).values() if declared is not None else ():
            if fault := _undeclared(question, declared or {}):
                yield Hit(seen, f"{fault}, which the request did not declare")


@rule
def input_required_cache_hints(session: Session) -> Iterator[Hit]:
    for seen in questions(session):
        hints = [name for name in ("ttlMs", "cacheScope") if name in obj(seen.result)]
        if hints:
            yield Hit(seen, f"input_required with {hints[0]}")


@rule
def retry_id_reused(session: Session) -> Iterator[Hit]:
    for seen, _, first in _answered(session):
        if seen.key == first.key:
            yield Hit(seen, f"the retry of {seen.method} has the id of the request before it")


@rule
def retry_params_changed(session: Session) -> Iterator[Hit]:
    for seen, _, first in _answered(session):
        before, now = _question(first), _question(seen)
        changed = sorted(name for name in {*before, *now} if before.get(name) != now.get(name))
        if changed and not (_is_masked(first) or _is_masked(seen)):
            yield Hit(seen, f"the retry of {seen.method} has another {changed[0]}")


@rule
def retry_state_altered(session: Session) -> Iterator[Hit]:
    for seen, asked, _ in _answered(session):
        given, sent = obj(asked.result).get("requestState"), seen.params.get("requestState")
        if given is not None and _state_of(asked, _STATE, given) != _state_of(seen, _SENT_STATE, sent):
            yield Hit(seen, "requestState is missing" if sent is None else "requestState is not the one that was given")


@rule
def retry_state_invented(session: Session) -> Iterator[Hit]:
    for seen, asked, _ in _answered(session):
        if "requestState" in seen.params and obj(asked.result).get("requestState") is None:
            yield Hit(seen, "a requestState, though none was given")


@rule
def retry_answers_missing(session: Session) -> Iterator[Hit]:
    for seen, asked, _ in _answered(session):
        wanted, given = obj(asked.result).get("inputRequests"), obj(seen.params.get("inputResponses"))
        missing, more = obj(wanted).keys() - given.keys(), given.keys() - obj(wanted).keys()
        if missing:
            yield Hit(seen, f"no answer to {min(missing)[:40]!r}")
        elif more:
            yield Hit(seen, f"an answer to {min(more)[:40]!r}, which was not asked", "warning")


@rule
def retry_state_elsewhere(session: Session) -> Iterator[Hit]:
    for retry in retries(session):
        if retry.asked is None:
            yield Hit(retry.seen, f"{retry.seen.method} brings answers or a state that were not asked of it")


@rule
def input_required_abandoned(session: Session) -> Iterator[Hit]:
    answered = {retry.asked.at for retry in retries(session) if retry.asked}
    for seen in questions(session):
        if seen.at not in answered and seen.request:
            yield Hit(seen, f"no retry of {seen.method} follows", by="client")


def questions(session: Session) -> Iterator[Seen]:
    """Results that ask for input."""
    return (seen for seen in _of_server(session) if obj(seen.result).get("resultType") == _ASKING)


def asked_in(seen: Seen) -> dict[str, Json]:
    """The questions of a result, by key."""
    return {key: obj(each) for key, each in obj(obj(seen.result).get("inputRequests")).items()}


def retries(session: Session) -> list[Retry]:
    """The retries, in order, each with the newest question that it may answer: by state, else by method and name."""
    found: list[Retry] = session.worked_out("retries", lambda each: list(_find_retries(each)))
    return found


def _find_retries(session: Session) -> Iterator[Retry]:
    asked: dict[object, deque[Seen]] = {}
    for seen in session.json_rpc:
        alike = asked.setdefault((seen.method, seen.name), deque(maxlen=_OPEN))
        if seen.kind == "response" and obj(seen.result).get("resultType") == _ASKING and seen.request:
            alike.append(seen)
        elif seen.kind == "request" and _is_retry(seen):
            found = _meant(seen, alike)
            if found:
                alike.remove(found)  # one retry a question; who repeats a retry repeats the question that it had
                alike.appendleft(found)
            yield Retry(seen, found)


def _of_server(session: Session) -> Iterator[Seen]:
    return (seen for seen in session.results() if seen.side == "server")


def _is_retry(seen: Seen) -> bool:
    brings = any(name in seen.params for name in _OF_RETRIES)
    return brings and seen.era == "stateless" and not (seen.method or "").startswith("tasks/")


def _meant(seen: Seen, asked: deque[Seen]) -> Seen | None:
    alike = list(reversed(asked))
    state = _state_of(seen, _SENT_STATE, seen.params.get("requestState"))
    keys = obj(seen.params.get("inputResponses")).keys()
    exact = [each for each in alike if _state_of(each, _STATE, obj(each.result).get("requestState")) == state]
    by_keys = [each for each in exact or alike if asked_in(each).keys() == keys]
    return next(iter(by_keys or exact or alike), None)


def _answered(session: Session) -> Iterator[tuple[Seen, Seen, Seen]]:
    """Each retry with the result that asked and the request before it."""
    for retry in retries(session):
        if retry.asked and retry.asked.request:
            yield retry.seen, retry.asked, retry.asked.request


def _state_of(seen: Seen, pointer: str, value: object) -> object:
    """A state, or what stands for one that was masked; without a fingerprint all masked states are the same."""
    return ("masked", seen.message.fingerprints.get(pointer)) if seen.masked(pointer) else value


def _question(seen: Seen) -> Json:
    return {name: value for name, value in seen.params.items() if name not in (*_OF_RETRIES, "_meta")}


def _is_masked(seen: Seen) -> bool:
    return any(seen.masked(f"/body/params/{name}") for name in _question(seen))


def _undeclared(question: Json, declared: Json) -> str | None:
    kind = _KINDS.get(str(question.get("method")))
    if kind is None:
        return None
    mode = elicitation_mode(obj(question.get("params")))
    if kind in declared and (kind != "elicitation" or may_elicit(declared, mode)):
        return None
    return f"{kind} in mode {mode}" if kind in declared else kind


def _other_extensions(seen: Seen, session: Session) -> bool:
    """Whether extensions were declared that may bring result types of their own."""
    declared = (session.declared_by_client(seen.request) if seen.request else None) or {}
    return any(not name.startswith("io.modelcontextprotocol/") for name in obj(declared.get("extensions")))


