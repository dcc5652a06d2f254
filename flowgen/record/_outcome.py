"""How a session ended: the trace's outcome, the exit code of the command, and a few lines for a person.

The table of exit codes is the contract's; the first row that fits counts.
"""

from typing import NamedTuple

from flowgen import protocol

from ._pairs import Json
from ._words import printable

TAIL = 2  # lines of stderr that a verdict shows


class Ended(NamedTuple):
    """What is known at the end. `lost`: the server went away early; `ending`: the script came to its end.

    `failed`: what the transport failed to do, while the session went on. `overdue`: which request got no answer.
    `start_hint`: what to try when nothing could be started.
    """

    interrupted: bool = False
    start_error: str | None = None
    ending: protocol.Ending | None = None
    lost: str | None = None
    answered: bool = False
    timed_out: bool = False
    failed: str = ""
    overdue: str = ""
    start_hint: str = ""

    @property
    def reason(self) -> str:
        """A reason of the trace's outcome."""
        if self.interrupted:
            return "interrupted"
        if self.start_error is not None:
            return "start-failed"
        if self.lost is not None and not self.answered:
            return self.lost
        if self.ending is not None and self.ending.reason in ("no-common-revision", "connect-failed"):
            return self.ending.reason
        if self.timed_out:
            return "timed-out"
        return self.lost or ("server-failed" if self.failed else "done")

    @property
    def why(self) -> str:
        """What the script said of its end."""
        return self.ending.why if self.ending is not None else ""

    @property
    def exit_code(self) -> int:
        """The exit code of `flowgen record`."""
        match self.reason:
            case "interrupted":
                return 130
            case "start-failed" | "no-common-revision" | "connect-failed":
                return 3
            case "server-exited" | "server-failed":
                return 1 if self.answered or self.failed else 3
            case "timed-out":
                return 4
        return 0

    def outcome(self, exit_fields: Json) -> Json:
        """The trace's outcome."""
        return {"complete": self.exit_code == 0, "reason": self.reason, **exit_fields}


def verdict(ended: Ended, document: Json) -> list[str]:
    """At most five lines on what went wrong; none when nothing did. Masked as the document is, and cleaned."""
    if ended.exit_code == 0:
        return []
    messages = document["messages"]
    lines = [f"flowgen: {_what(ended, document)}"]
    last = next((message for message in reversed(messages) if not _is_about_the_way(message)), None)
    if last is not None and ended.start_error is None:
        lines.append(f"  last seen: {_seen(last)}")
    tail = [message["text"] for message in messages if message["kind"] == "stderr" and message["text"].strip()]
    lines += [f"  stderr: {printable(text)}" for text in tail[-TAIL:]]
    hint = _hint(ended, messages)
    return [*lines, *([f"hint: {hint}"] if hint else [])]


def _is_about_the_way(message: Json) -> bool:
    """Whether a message tells of the process or of a stream, not of what was said."""
    body = message.get("body")
    event = body.get("event") if isinstance(body, dict) else None
    return message["kind"] in ("process", "stderr") or (message["kind"] == "http" and event == "stream-closed")


def _what(ended: Ended, document: Json) -> str:
    command, outcome = printable(" ".join(document.get("command") or [document["url"]]), 100), document["outcome"]
    if ended.start_error is not None:
        return f"cannot start `{command}`: {printable(ended.start_error)}"
    match ended.reason:
        case "interrupted":
            return "interrupted; what was seen so far is kept"
        case "server-exited":
            when = "early" if ended.answered else "before it answered anything"
            return f"`{command}` ended {when}, {_exit(outcome)}"
        case "server-failed" if ended.failed:
            return printable(f"a step failed in transport: {ended.failed}")
        case "server-failed":
            return f"`{command}` closed its pipe and lived on"
        case "timed-out":
            return printable(ended.overdue or ended.why or "a request got no answer in time")
    return printable(ended.why or ended.reason)


def _exit(outcome: Json) -> str:
    if "signal" in outcome:
        return f"by {outcome['signal']}"
    return f"exit code {outcome['exit_code']}" if "exit_code" in outcome else "nobody knows how"


def _id(body: Json) -> str:
    """The id of an answer; HTTP errors often have none."""
    return "" if "id" not in body else "without an id" if body["id"] is None else f"id {body['id']}"


def _seen(message: Json) -> str:
    body: Json = message.get("body") or message.get("head") or {}
    name = body.get("method") or body.get("event") or _id(body)
    http = message.get("http") or {}
    name = name or str(http.get("status") or " ".join(filter(None, (http.get("method"), http.get("url")))))
    problems = [problem["code"] for problem in message["problems"]]
    marks = f" ({', '.join(problems)})" if problems else ""
    return printable(f"message {message['seq']}, {message['kind']} {name} of the {message['sender']}{marks}")


def _hint(ended: Ended, messages: list[Json]) -> str:
    if ended.start_error is not None:
        return ended.start_hint
    if ended.ending is not None and ended.ending.hint:
        return ended.ending.hint
    match ended.reason:
        case "server-exited" if not ended.answered:
            return "run the command by itself: it should wait for input; variables go in with --env NAME=VALUE"
        case "server-exited":
            return "the trace holds everything up to its end: flowgen render draws it"
        case "server-failed" if ended.failed:
            return "the trace holds every status, head and body: flowgen render draws it"
        case "server-failed":
            return "an MCP server keeps stdin and stdout open until stdin is closed"
        case "timed-out":
            return "slow tools need --timeout SECONDS"
    return ""
