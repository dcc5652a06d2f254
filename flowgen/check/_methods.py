"""Rules of methods: who may send which one in which revision, and the form of each message."""

from collections.abc import Iterator

from ._forms import fault_of, method_form, named, senders
from ._hits import Hit, rule
from ._message import Seen, obj
from ._session import Session

_UNKNOWN = -32601
_RESULTS = {"input_required": "InputRequiredResult"}  # result types that have a form of their own
_EXTENSIONS = ("tasks/", "notifications/tasks", "ui/")  # families of methods that extensions bring along


@rule
def schema_mismatch(session: Session) -> Iterator[Hit]:
    for seen in session.json_rpc:
        if seen.revision and (fault := _asked(seen) or _answered(seen)):
            yield Hit(seen, f"{seen.method}: {fault}")


@rule
def method_not_in_revision(session: Session) -> Iterator[Hit]:
    for seen in _sent(session):
        known = senders(seen.method or "", seen.kind)
        gone = known and not any(seen.revision in revisions for revisions in known.values())
        asked_back = seen.era == "stateless" and seen.side == "server" and seen.kind == "request"
        if gone and not asked_back and not _is_extension(seen):
            yield Hit(seen, f"{seen.method} is not part of {seen.revision}")


@rule
def wrong_direction(session: Session) -> Iterator[Hit]:
    for seen in _sent(session):
        known = senders(seen.method or "", seen.kind)
        rightly = [side for side, revisions in known.items() if seen.revision in revisions]
        if rightly and seen.side not in rightly:
            yield Hit(seen, f"{seen.method} is sent by the {rightly[0]} only")


@rule
def server_sends_request(session: Session) -> Iterator[Hit]:
    for seen in session.requests():
        if seen.side == "server" and seen.era == "stateless":
            yield Hit(seen, f"the server sends {seen.method} with id {seen.id}")


@rule
def client_sends_response(session: Session) -> Iterator[Hit]:
    for seen in session.json_rpc:
        if seen.side == "client" and seen.kind in ("response", "error") and seen.era == "stateless":
            yield Hit(seen, f"the client answers {seen.method}" if seen.method else "the client answers")


@rule
def unknown_method_answer(session: Session) -> Iterator[Hit]:
    for seen in session.requests():
        answer = seen.answer
        if seen.side != "client" or answer is None or senders(seen.method or "", "request") or _is_extension(seen):
            continue
        if _may_be_known(seen, session):
            continue
        if answer.kind == "response" or (answer.kind == "error" and answer.code not in (_UNKNOWN, -32600, -32022)):
            said = "a result" if answer.kind == "response" else f"error {answer.code}"
            yield Hit(answer, f"{seen.method}, which no revision has, is answered with {said}")


def _may_be_known(seen: Seen, session: Session) -> bool:
    """Whether the server declared something of its own, which may bring methods along."""
    declared = session.declared_by_server(seen) or {}
    return bool(declared.get("experimental") or declared.get("extensions"))


def _sent(session: Session) -> Iterator[Seen]:
    """Requests and notifications, but for probes of an era that the other side turned out not to speak."""
    for seen in session.json_rpc:
        refused = seen.answer is not None and seen.answer.code == _UNKNOWN
        if seen.kind in ("request", "notification") and seen.revision and not (
            refused and seen.method in ("server/discover", "initialize")
        ):  # fmt: skip
            yield seen


def _is_extension(seen: Seen) -> bool:
    return seen.era == "stateless" and (seen.method or "").startswith(_EXTENSIONS)


def _asked(seen: Seen) -> str | None:
    """What is wrong with the params of a request or a notification."""
    if seen.kind not in ("request", "notification"):
        return None
    form = method_form(seen.revision or "", seen.kind, seen.side, seen.method or "")
    if form is None:
        return None
    if seen.body.get("params") is None and "params" not in seen.body:
        return "params: missing" if form.required else None
    return fault_of(form.params, seen.body.get("params"), "params")


def _answered(seen: Seen) -> str | None:
    """What is wrong with a result, and with the questions in it."""
    asked = seen.request
    if seen.kind != "response" or asked is None or seen.revision is None:
        return None
    form = method_form(seen.revision, "request", asked.side, seen.method or "")
    if form is None or form.result is None:
        return None
    result, kind = obj(seen.result), obj(seen.result).get("resultType")
    if kind in _RESULTS:
        return fault_of(named(_RESULTS[str(kind)], seen.revision), result, "result") or _questions(seen)
    if kind not in (None, "complete"):
        return None
    if form.other == "CreateTaskResult" and "task" in asked.params and "task" in result:
        return fault_of(named(form.other, seen.revision), result, "result")
    return fault_of(form.result, seen.body.get("result"), "result")


def _questions(seen: Seen) -> str | None:
    for key, question in obj(obj(seen.result).get("inputRequests")).items():
        form = method_form(seen.revision or "", "input-request", "server", str(obj(question).get("method")))
        where = f"result.inputRequests.{key}.params"
        fault = form and fault_of(form.params, obj(question).get("params", {}), where)
        if fault:
            return fault
    return None
