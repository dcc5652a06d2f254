"""How the rules of resources, prompts, logging, progress, cancelling, subscriptions and stdio are broken."""

from tests.check.tape import Json, Tape
from tests.check.violations import breaks

META = "io.modelcontextprotocol/"
LISTEN, ACKNOWLEDGED = "subscriptions/listen", "notifications/subscriptions/acknowledged"
PROGRESS, CANCELLED, LOG = "notifications/progress", "notifications/cancelled", "notifications/message"

# resources, prompts, completion


@breaks("resources-flow")
def resource_not_found_code(tape: Tape) -> None:
    tape.turn_into_error(tape.answer("resources/read"), -32603, "Resource not found")


@breaks("resources-flow")
def resource_empty_contents(tape: Tape) -> None:
    tape.params("resources/read")["uri"] = "nope://x"
    tape.result("resources/read")["contents"] = []


@breaks("prompts-flow")
def prompt_error_code(tape: Tape) -> None:
    tape.params("prompts/get")["name"] = "nope"
    tape.turn_into_error(tape.answer("prompts/get"), -32603)


@breaks("completion")
def completion_too_many(tape: Tape) -> None:
    tape.result("completion/complete")["completion"]["values"] = [str(number) for number in range(250)]


# logging


@breaks("progress")
def log_not_requested(tape: Tape) -> None:
    tape.after(tape.request("tools/call"), tape.tell(LOG, level="info", data="hello"))


@breaks("legacy-logging")
def log_below_level(tape: Tape) -> None:
    tape.after(tape.request("tools/call", 1), tape.tell(LOG, level="info", data="hello"))


@breaks("http-listen")
def log_wrong_stream(tape: Tape) -> None:
    tape.after(tape.told(ACKNOWLEDGED), _on_listen(tape, LOG, level="info", data="hello"))


@breaks("legacy-logging")
def log_secret(tape: Tape) -> None:
    tape.told(LOG)["body"]["params"]["data"] = "connected with password=hG7dk29dkLs02jdk4mP"


# progress


@breaks("progress")
def progress_token_invalid(tape: Tape) -> None:
    ask = tape.ask("tools/call", 70, name="tidy_slowly", arguments={})
    ask["body"]["params"]["_meta"]["progressToken"] = tape.params(PROGRESS)["progressToken"]
    ask["body"]["params"]["arguments"] = {"again": True}
    tape.after(tape.told(PROGRESS, 2), ask)
    tape.after(tape.answer("tools/call"), tape.reply(ask, **tape.result("tools/call")))


@breaks("progress")
def progress_token_unknown(tape: Tape) -> None:
    tape.after(tape.told(PROGRESS), tape.tell(PROGRESS, progressToken=9, progress=1))


@breaks("progress")
def progress_after_end(tape: Tape) -> None:
    last = tape.told(PROGRESS, 2)
    tape.drop(last)
    tape.after(tape.answer("tools/call"), last)


@breaks("progress")
def progress_not_increasing(tape: Tape) -> None:
    tape.params(PROGRESS, 1)["progress"] = tape.params(PROGRESS)["progress"]


# cancelling


@breaks("cancelled")
def cancel_unknown_request(tape: Tape) -> None:
    tape.after(tape.request("tools/call"), tape.tell(CANCELLED, side="client", requestId=99))


@breaks("seed")
def cancel_initialize(tape: Tape) -> None:
    told = tape.tell(CANCELLED, side="client", requestId=tape.request("initialize")["body"]["id"])
    tape.after(tape.request("initialize"), told)


@breaks("legacy-tasks-basic")
def cancel_task(tape: Tape) -> None:
    told = tape.tell(CANCELLED, side="client", requestId=tape.request("tools/call")["body"]["id"])
    tape.after(tape.request("tools/call"), told)


@breaks("progress")
def cancel_by_server(tape: Tape) -> None:
    tape.after(tape.request("tools/call"), tape.tell(CANCELLED, requestId=tape.request("tools/call")["body"]["id"]))


@breaks("http")
def cancel_on_http(tape: Tape) -> None:
    ask = tape.request("tools/call")
    tape.after(ask, tape.tell(CANCELLED, side="client", requestId=ask["body"]["id"]))


@breaks("progress")
def message_after_cancel(tape: Tape) -> None:
    ask, late = tape.request("tools/call"), tape.told(PROGRESS, 2)
    tape.drop(tape.answer("tools/call"), late)
    told = tape.tell(CANCELLED, side="client", requestId=ask["body"]["id"])
    tape.after(tape.told(PROGRESS, 1), told)
    tape.after(told, late, seconds=3)


# subscriptions


@breaks("resources-flow")
def listen_ack_not_first(tape: Tape) -> None:
    told, acknowledged = tape.told("notifications/resources/updated"), tape.told(ACKNOWLEDGED)
    tape.drop(told)
    tape.before(acknowledged, told)


@breaks("caching")
def listen_ack_widened(tape: Tape) -> None:
    tape.params(ACKNOWLEDGED)["notifications"]["promptsListChanged"] = True


@breaks("resources-flow")
def listen_kind_unrequested(tape: Tape) -> None:
    tape.params("notifications/resources/updated")["uri"] = "other://x"


@breaks("caching")
def listen_subscription_id(tape: Tape) -> None:
    meta = tape.params("notifications/tools/list_changed")["_meta"]
    meta[f"{META}subscriptionId"] = str(meta[f"{META}subscriptionId"])


@breaks("http-listen")
def listen_foreign_message(tape: Tape) -> None:
    ask = tape.request(LISTEN)
    ask["body"]["params"]["_meta"]["progressToken"] = 7
    tape.after(tape.told(ACKNOWLEDGED), _on_listen(tape, PROGRESS, progressToken=7, progress=1))


@breaks("sdk-stateless")
def change_without_listen(tape: Tape) -> None:
    tape.after(tape.answer("tools/list"), tape.tell("notifications/tools/list_changed"))


@breaks("http-listen")
def listen_end_unclean(tape: Tape) -> None:
    tape.drop(tape.answer(LISTEN))


# stdio


@breaks("seed")
def stdio_not_json(tape: Tape) -> None:
    _noise(tape, "Server started", "not-json")


@breaks("seed")
def stdio_embedded_newline(tape: Tape) -> None:
    _mark(tape, "split-message")


@breaks("seed")
def stdio_encoding(tape: Tape) -> None:
    _mark(tape, "invalid-utf8")


@breaks("seed")
def stdio_unterminated(tape: Tape) -> None:
    _mark(tape, "unterminated")


@breaks("seed")
def stdio_exit_forced(tape: Tape) -> None:
    tape.process("exited")["problems"] = [{"code": "had-to-be-killed", "message": "still alive"}]


@breaks("seed")
def stdio_oauth(tape: Tape) -> None:
    tape.turn_into_error(tape.answer("tools/call"), -32603, "401", **{"WWW-Authenticate": "Bearer realm=x"})


def _on_listen(tape: Tape, method: str, **params: object) -> Json:
    """A message on the stream of the subscription."""
    told = tape.tell(method, **params)
    return {**told, "transport": "sse", "exchange": tape.request(LISTEN)["exchange"]}


def _noise(tape: Tape, text: str, code: str) -> None:
    like = tape.answer("tools/call")
    noise = {name: like[name] for name in ("sender", "receiver", "transport")}
    tape.after(like, {**noise, "kind": "noise", "text": text, "problems": [{"code": code, "message": code}]})


def _mark(tape: Tape, code: str) -> None:
    tape.answer("tools/call")["problems"] = [{"code": code, "message": code}]
