"""What a person sees while a session is recorded: a line that changes, or with -v a line for each message."""

import shlex
import sys
from collections import Counter
from typing import Any
from urllib.parse import urlsplit

from flowgen.record import Watch, printable

_CLEAR = "\r\x1b[K"
_TOLD = 3  # failed answers, each in a line


class Onlooker:
    """Writes to stderr only, and the changing line only where stderr is a terminal."""

    def __init__(self, verbose: bool) -> None:
        self._verbose = verbose
        self._terminal = sys.stderr.isatty()
        self._live = self._terminal and not verbose
        self.watch = Watch(warn=self._warn, show=self._show)
        if verbose or self._live:
            self.watch = self.watch._replace(message=self._message)

    def close(self) -> None:
        """Takes the changing line away."""
        if self._live:
            self._write(_CLEAR)

    def summary(self, document: dict[str, Any], output: str) -> list[str]:
        """For a person at a terminal: what was written, what was odd, and what to do next."""
        if not self._terminal or output == "-":
            return []
        found = Counter(problem["code"] for message in document["messages"] for problem in message["problems"])
        odd = "".join(f", {code} ({count})" for code, count in found.items())
        name = printable(shlex.quote(output))
        wrote = f"flowgen: wrote {name}: {len(document['messages'])} messages{odd}"
        return [f"{wrote}; next: flowgen render {name} -o flow.svg"]

    def _message(self, message: dict[str, Any]) -> None:
        if self._verbose:
            self._write(f"{verbose_line(message)}\n")
        elif self._live:
            self._write(_CLEAR + printable(f"recording: message {message['seq']}, {_name(message)}", 78))

    def _warn(self, text: str) -> None:
        self._write(f"{_CLEAR if self._live else ''}flowgen: {printable(text)}\n")

    def _show(self, url: str) -> None:
        """An address in full, on a line of its own, for it is copied."""
        self._write(f"{_CLEAR if self._live else ''}flowgen: sign in at this address:\n{printable(url, 1 << 15)}\n")

    def _write(self, text: str) -> None:
        try:
            sys.stderr.write(text)
            sys.stderr.flush()
        except OSError:  # nobody looks on any more
            self._verbose = self._live = False


def failures(document: dict[str, Any]) -> list[str]:
    """What was asked for in a session and answered with an error, a line each; of many the first and their number.

    A revision that was tried and refused is no failure of what was asked for.
    """
    asked: dict[Any, str] = {}
    failed = []
    for message in document["messages"]:
        body = message.get("body")
        if not isinstance(body, dict) or isinstance(body.get("id"), (dict, list)):
            continue
        if message["kind"] == "request":
            asked[message["sender"], message["receiver"], body.get("id")] = _asked(body)
        elif _failure(body) and message["kind"] in ("response", "error"):
            name = asked.get((message["receiver"], message["sender"], body.get("id")), "")
            failed += [printable(f"{name} was answered with: {_failure(body)}{_first_text(body)}", 200)] if name else []
    more = [f"and {len(failed) - _TOLD} more answers with errors"] if len(failed) > _TOLD else []
    return [f"flowgen: {line}" for line in [*failed[:_TOLD], *more]]


def _asked(body: dict[str, Any]) -> str:
    """A request by its method and name; nothing for those that open a session."""
    opening = body.get("method") in ("server/discover", "initialize")
    return "" if opening else _name({"body": {key: value for key, value in body.items() if key != "id"}})


def _first_text(body: dict[str, Any]) -> str:
    """What a tool says of its error."""
    result = body.get("result")
    content = result.get("content") if isinstance(result, dict) else None
    first = content[0] if isinstance(content, list) and content else None
    return f": {first['text']}" if isinstance(first, dict) and isinstance(first.get("text"), str) else ""


def verbose_line(message: dict[str, Any]) -> str:
    """One message as one line: time, who to whom, kind, what it is about, problems."""
    way = f"{message['sender']} → {message['receiver']}"
    problems = " ".join(f"[{problem['code']}]" for problem in message["problems"])
    return printable(f"{message['at']:9.3f}  {way:16}  {message['kind']:12}  {_name(message)} {problems}".rstrip(), 160)


def _name(message: dict[str, Any]) -> str:
    if "text" in message and message["kind"] in ("noise", "stderr"):
        return str(message["text"])
    body = message.get("body") or message.get("head") or {}
    if not isinstance(body, dict):
        return _http_line(message)
    params = body.get("params")
    name = (params.get("name") or params.get("uri") or "") if isinstance(params, dict) else ""
    about = body.get("method") or body.get("event") or _http_line(message)
    number = f"#{body['id']}" if "id" in body else ""
    return " ".join(str(part) for part in (about, name, number, _failure(body)) if part)


def _http_line(message: dict[str, Any]) -> str:
    """What an HTTP message that carries no JSON-RPC is: method and path, or status."""
    http = message.get("http") if message["kind"] == "http" else None
    if not http:
        return ""
    if http.get("status") is not None:
        return str(http["status"])
    address = urlsplit(http.get("url") or "")
    return f"{http.get('method') or ''} {address.path or '/'}".strip()


def _failure(body: dict[str, Any]) -> str:
    """How an answer failed, or a process ended."""
    error, result = body.get("error"), body.get("result")
    if isinstance(error, dict):
        return f"error {error.get('code', '')} {error.get('message', '')}"
    if isinstance(result, dict) and result.get("isError") is True:
        return "tool error"
    ends = {"exit_code": "with code", "signal": "by signal"}
    return " ".join(f"{word} {body[key]}" for key, word in ends.items() if body.get(key) is not None)
