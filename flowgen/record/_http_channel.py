"""Messages over HTTP: each is a POST of its own, and what its exchange brought is weighed here.

A redirect within the origin is followed, a 401 may lead to a login, a stream that ended early may be taken up again;
whatever remains without an answer is told as Failed. No request is repeated that may have had an effect.
"""

import re
from collections.abc import Callable
from functools import partial
from typing import Any
from urllib.parse import urlsplit

from flowgen import protocol
from flowgen.protocol import Failed
from flowgen.wire import write_json

from ._http import Broken, Exchange, Exchanges
from ._http_answers import Answers
from ._http_dress import Dress, wears_session
from ._http_round import Round, phrase, redirect_of
from ._http_sockets import can_be_asked
from ._inbox import Clock
from ._intake import Arrival, Intake
from ._pairs import Asked, Json, Pairs, mark
from ._recorder import Recorder
from ._speaker import Letter, Speaker

MAX_HOPS = 5  # redirects of one message
_REPEATED = (301, 302, 307, 308)  # a 303 says that the answer is elsewhere, not the endpoint
_METHOD_NOT_FOUND = -32601
_CERTIFICATE = "--cacert FILE names who vouches for the server"
_ENDPOINT = "is this the address of the MCP endpoint, such as https://host/mcp? --transport sse is the older transport"
_SICK = "the fault is the server's: its own log tells more"
_DOOR = "a token goes in with --bearer env:NAME, a header with --header 'NAME: env:VARIABLE'"


class Posted(Letter):
    """A message in an exchange of its own."""

    def __init__(self, kind: str, body: Json, revision: str | None, fields: Json, exchange: Exchange) -> None:
        super().__init__(kind, body, revision, fields)
        self.exchange = exchange
        self.lasting = kind == "notification"


class HttpChannel:
    """Sends messages, and tells what became of them.

    `login` may take over an exchange that was refused: it says whether it does, and sends the message again itself.
    `resume` may go on reading a stream that ended early. `taken` is told what the server took, and when to go on.
    """

    speaker: Speaker

    def __init__(
        self, exchanges: Exchanges, answers: Answers, dress: Dress, url: str, recorder: Recorder, intake: Intake,
        pairs: Pairs, now: Clock,
    ) -> None:  # fmt: skip
        self._exchanges = exchanges
        self._answers = answers
        self._dress = dress
        self._recorder = recorder
        self._intake = intake
        self._pairs = pairs
        self._now = now
        self._hops: dict[Letter, int] = {}
        self.url = url
        self.login: Callable[[Round], bool] = lambda answer: False
        self.resume: Callable[[Round, float], bool] = lambda answer, at: False
        self.taken: Callable[[Letter, Callable[[], None]], None] = lambda letter, go_on: go_on()
        answers.denies = self._denies

    # out

    def prepared(self, kind: str, body: Json, revision: str | None) -> Letter:
        """A message that is ready to go."""
        headers = self._dress.post(body, revision)
        exchange = self.exchange("POST", self.url, headers, write_json(body))
        return Posted(kind, body, revision, asking_fields(exchange), exchange)

    def exchange(self, method: str, url: str, headers: list[tuple[str, str]], content: bytes | None = None) -> Exchange:
        """An exchange with the MCP server that is ready to start."""
        return self._exchanges.prepare(self._recorder.exchange(), method, url, headers, content)

    def fields(self, exchange: Exchange) -> Json:
        """What the message of a request without JSON-RPC has beside its kind."""
        return {**asking_fields(exchange), "revision": self._intake.revision}

    def send(self, letter: Letter) -> None:
        """Sends it; never waits."""
        assert isinstance(letter, Posted)
        carried = Round(letter.exchange, "message", letter.message, letter)
        carried.ended = lambda broken, at: self._ended(carried, broken, at)
        self.start(carried)

    def start(self, carried: Round) -> None:
        """Sends whatever an exchange carries."""
        self._answers.rounds[carried.exchange] = carried
        self._exchanges.start(carried.exchange)

    def withdraw(self, asked: Asked) -> bool:
        """In the stateless era a request ends with its stream (2026-07-28 basic/patterns/cancellation)."""
        if asked.revision not in protocol.STATELESS:
            return False
        for carried in self.open_rounds():
            if carried.letter is not None and carried.letter.asked is asked:
                self.close(carried)
        return True

    def open_rounds(self) -> list[Round]:
        """The exchanges under way."""
        return list(self._answers.rounds.values())

    def close(self, carried: Round) -> None:
        """Ends an exchange from our side."""
        self._answers.rounds.pop(carried.exchange, None)
        carried.over = True
        part: Json = {"kind": "http", "body": {"event": "stream-closed", "by": "client"}}
        revision = carried.letter.revision if carried.letter else self._intake.revision
        more: Json = {"transport": "http", "exchange": carried.exchange.number, "revision": revision}
        self._intake.keep_own(part, self._now(), carried.between, **more)
        carried.exchange.grip.close()

    # what came of it

    def _denies(self, answer: Round, parts: list[Json]) -> bool:
        """Whether a status outweighs the JSON-RPC beside it: who may not come in, and whose session is lost."""
        own = answer.letter is not None and any(_answers(part, answer.letter) for part in parts)
        if answer.status == 404 and wears_session(answer.exchange.headers):
            return not (own and any(_code(part) == _METHOD_NOT_FOUND for part in parts))
        return answer.status == 401 or (answer.status == 403 and not own)

    def _ended(self, answer: Round, broken: Broken | None, at: float) -> None:
        letter = answer.letter
        assert letter is not None
        if answer.good and answer.head and letter.body.get("method") == "initialize":
            self._dress.learn(answer.head.headers)
        if self._moved(answer) or (answer.status in (401, 403) and self.login(answer)):
            return
        if letter.asked is not None and letter.kind == "request":
            self._request_ended(answer, letter.asked, broken, at)
        else:
            go_on = partial(self._intake.fresh.append, Arrival(at, answer.message, {}, letter=letter.first))
            if answer.good:
                self.taken(letter, go_on)
            else:
                go_on()

    def _request_ended(self, answer: Round, asked: Asked, broken: Broken | None, at: float) -> None:
        if asked.state != "open" or (answer.good and self._answered_elsewhere(answer)):
            return
        if answer.events is not None and self.resume(answer, at):
            return
        if asked.stays_open and answer.good:  # a subscription may end so (2026-07-28 basic/patterns/subscriptions)
            self._intake.fresh.append(Arrival(at, answer.message, {"id": asked.id}, asked))
            self._pairs.give_up(asked, timed_out=False)
            return
        self.fail(answer, asked, self.failure(answer, broken), at)

    def _answered_elsewhere(self, answer: Round) -> bool:
        """Always so in HTTP+SSE; and some servers take a request with 202 and answer on the stream we listen to."""
        listening = (carried.purpose == "stream" and carried.events for carried in self.open_rounds())
        return self._answers.replies_elsewhere or (answer.status == 202 and any(listening))

    def fail(self, answer: Round, asked: Asked, failed: Failed, at: float) -> None:
        """No answer will come."""
        if answer.events is not None:
            mark(answer.message, "stream-closed", "The stream ended without the answer that it owed.")
        if failed.lost:
            self._dress.session = self._dress.revision = None
        if answer.status and not answer.good:
            self._pairs.refused(asked)
        else:
            self._pairs.give_up(asked, timed_out=False)
        self._intake.fresh.append(Arrival(at, answer.message, {"id": asked.id}, asked, failed))

    def lose_all(self, stream: Round, at: float) -> None:
        """The stream that brought all answers is gone."""
        for asked in self._pairs.open_of_client():
            why = f"the stream ended without the answer to {asked.method}"
            self.fail(stream, asked, Failed(int(stream.message["seq"]), why), at)

    def _moved(self, answer: Round) -> bool:
        """Follows a redirect within the origin: a token must not go to another (2026-07-28 security considerations)."""
        letter, target = answer.letter, redirect_of(answer)
        assert letter is not None
        hops = self._hops.get(letter.first, 0)
        if target is None or answer.status not in _REPEATED or hops >= MAX_HOPS:
            return False
        if not same_origin(target, self.url) or not can_be_asked(target):
            return False
        self._hops[letter.first] = hops + 1
        before, self.url = self.url, target
        self.speaker.repeat(letter)
        if answer.status not in (301, 308):  # only those are for good
            self.url = before
        return True

    def failure(self, answer: Round, broken: Broken | None) -> Failed:
        """Why there is no answer, in words for a person."""
        seq, what = int(answer.message["seq"]), str(answer.letter.body.get("method")) if answer.letter else "the GET"
        if answer.head is None:
            reason = broken.reason if broken else ""
            if broken is not None and not broken.connected:
                place = origin_of(answer.exchange.url)
                return Failed(seq, f"no connection to {place}: {_plain(reason)}", _why_not(reason), connected=False)
            return Failed(seq, f"{what}: the connection ended without an answer: {reason}")
        why, hint = _words(answer, what, broken)
        return Failed(seq, why, hint, answer.status, lost=_is_lost(answer), refused=answer.status == 401)


def asking_fields(exchange: Exchange) -> Json:
    """What a request's message has of HTTP."""
    http = {"method": exchange.method, "url": exchange.url, "headers": exchange.headers}
    return {"transport": "http", "exchange": exchange.number, "http": http}


def same_origin(one: str, other: str) -> bool:
    """Whether two addresses have scheme, host and port in common."""
    return origin_of(one) == origin_of(other)


def origin_of(url: str) -> str:
    """Scheme, host and port; empty for what is no address."""
    try:
        parts = urlsplit(url)
        port = parts.port or {"http": 80, "https": 443}.get(parts.scheme)
    except ValueError:
        return ""
    host = parts.hostname or ""
    return f"{parts.scheme}://{f'[{host}]' if ':' in host else host}:{port}"


def _words(answer: Round, what: str, broken: Broken | None) -> tuple[str, str]:
    """What happened, and what may help."""
    status, target = answer.status, redirect_of(answer)
    if answer.events is not None:
        return f"the stream ended without the answer to {what}", ""
    if target is not None and not same_origin(target, answer.exchange.url):
        return f"{what} was sent on to {target}, another server", f"if that is yours: --url {target}"
    if target is not None and status in _REPEATED:
        return f"{what} was sent on more than {MAX_HOPS} times, at last to {target}", ""
    if status in (401, 403):
        return f"{what} was answered with {status} {phrase(status)}", _DOOR
    if status >= 400:
        hint = _ENDPOINT if status in (400, 404, 405, 406) else _SICK if status >= 500 else ""
        return f"{what} was answered with {status} {phrase(status)}".rstrip(), hint
    if broken is not None:
        return f"the answer to {what} was cut: {broken.reason}", ""
    kind = f"{answer.media} and no JSON-RPC" if answer.size else "nothing"
    return f"{what} was answered with {status} and {kind}", "is this the address of the MCP endpoint?"


def _plain(reason: str) -> str:
    """What went wrong without the number that the system gives it."""
    return re.sub(r"\[(?:Errno -?\d+|SSL: \w+)\] ", "", reason)


def _why_not(reason: str) -> str:
    """What may help when no connection stands."""
    said = reason.lower()
    if "certificate" in said:
        return _CERTIFICATE
    if "wrong version" in said or "record layer" in said or "unknown protocol" in said:
        return "this port does not speak TLS: is it http:// and not https://?"
    return "is the server running, and is this its address?"


def _is_lost(answer: Round) -> bool:
    return answer.status == 404 and wears_session(answer.exchange.headers)


def _answers(part: Json, letter: Letter) -> bool:
    body: Any = part.get("body")
    return isinstance(body, dict) and "method" not in body and body.get("id") == letter.body.get("id")


def _code(part: Json) -> Any:
    error = part["body"].get("error") if isinstance(part.get("body"), dict) else None
    return error.get("code") if isinstance(error, dict) else None
