"""Rules of questions to the person, by form or by address, and of sampling with tools; in both eras."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from ipaddress import ip_address
from itertools import pairwise
from urllib.parse import parse_qsl, urlsplit

from flowgen.trace import MASK, mask_shapes, secret_name

from ._capabilities import elicitation_mode
from ._hits import Hit, rule
from ._message import Json, Seen, items, obj, objects, text
from ._results import asked_in, retries
from ._session import Session

_ELICIT, _SAMPLE = "elicitation/create", "sampling/createMessage"
_PAYMENT = re.compile(r"(?i)(?:card|account)[ _-]?(?:number|no)$|^(?:cvv|cvc|cvv2|iban|pin)$|security[ _-]?code")
_SECRET = re.compile(r"(?i)\b(?:password|passphrase|api[ -]?key|access[ -]?token|secret key|private key|credit card)\b")
_PRIMITIVE = ("string", "number", "integer", "boolean")
_COMPLETE = "notifications/elicitation/complete"


@dataclass(frozen=True, slots=True)
class Question:
    """One question, the message that it stands in, and its answer with the message of that one."""

    seen: Seen
    params: Json
    answered: Seen | None
    answer: Json

    @property
    def mode(self) -> str:
        """`form` or `url`."""
        return elicitation_mode(self.params)

    @property
    def fields(self) -> dict[str, Json]:
        """The fields of its form."""
        schema = obj(self.params.get("requestedSchema"))
        return {name: obj(each) for name, each in obj(schema.get("properties")).items()}


@rule
def elicit_secret_in_form(session: Session) -> Iterator[Hit]:
    for asked in _questions(session, "form"):
        for name, field in asked.fields.items():
            if secret_name(name) or _PAYMENT.search(name):
                yield Hit(asked.seen, f"the form asks for {name[:60]!r}")
            elif told := _SECRET.search(f"{field.get('title')} {field.get('description')}"):
                yield Hit(asked.seen, f"the field {name[:60]!r} speaks of {told[0]!r}", "warning")


@rule
def elicit_schema_nested(session: Session) -> Iterator[Hit]:
    for asked in _questions(session, "form"):
        for name, field in asked.fields.items():
            if not _is_flat(field, lists=(asked.seen.revision or "") >= "2025-11-25"):
                yield Hit(asked.seen, f"the field {name[:60]!r} is {str(field.get('type'))[:40]!r}")


@rule
def elicit_content_mismatch(session: Session) -> Iterator[Hit]:
    for asked in _questions(session, "form"):
        content = asked.answer.get("content")
        known = asked.answer.get("action") == "accept" and isinstance(content, dict) and MASK not in str(content)
        if asked.answered and known and (wrong := session.schemas.fault(content, asked.params.get("requestedSchema"))):
            yield Hit(asked.answered, f"content: {wrong}")


@rule
def elicit_content_unaccepted(session: Session) -> Iterator[Hit]:
    for asked in _questions(session):
        accepted = asked.answer.get("action") == "accept" and asked.mode == "form"
        if asked.answered and asked.answer.get("content") and not accepted:
            yield Hit(asked.answered, f"content with {str(asked.answer.get('action'))[:20]} in mode {asked.mode}")


@rule
def elicit_url_invalid(session: Session) -> Iterator[Hit]:
    for asked in _questions(session, "url"):
        url = asked.params.get("url")
        if not isinstance(url, str) or (MASK not in url and not _host(url)):
            yield Hit(asked.seen, f"the address is {str(url)[:60]!r}")
        elif asked.seen.era == "handshake" and not isinstance(asked.params.get("elicitationId"), str):
            yield Hit(asked.seen, "mode url without an elicitationId")


@rule
def elicit_url_secret(session: Session) -> Iterator[Hit]:
    for asked in _questions(session, "url"):
        url = str(asked.params.get("url"))
        if name := _secret_in(url):
            yield Hit(asked.seen, f"the address holds {name[:40]!r}")


@rule
def elicit_url_plain_http(session: Session) -> Iterator[Hit]:
    for asked in _questions(session, "url"):
        url = str(asked.params.get("url"))
        if url.lower().startswith("http://") and (host := _host(url)) and not _is_here(host):
            yield Hit(asked.seen, f"plain http to {host[:60]}")


@rule
def elicit_complete_unknown(session: Session) -> Iterator[Hit]:
    known, ended = set[object](), set[object]()
    for seen in session.json_rpc:
        known |= {name for params in _asked_here(seen) if (name := text(params.get("elicitationId"))) is not None}
        name = text(seen.params.get("elicitationId")) if seen.method == _COMPLETE else None
        if name is not None and (name not in known or name in ended):
            yield Hit(seen, f"the elicitation {name[:40]!r} {'ended before' if name in ended else 'is not known'}")
        ended |= {name} if name is not None else set()


@rule
def elicit_required_shape(session: Session) -> Iterator[Hit]:
    for seen in session.errors():
        pages = items(obj(seen.error.get("data")).get("elicitations"))
        whole = [page for page in pages if isinstance(page, dict) and page.get("mode") == "url"
                 and isinstance(page.get("elicitationId"), str)]  # fmt: skip
        if seen.code == -32042 and (not pages or len(whole) < len(pages)):
            yield Hit(seen, "error -32042 without pages to visit, each in mode url and with an elicitationId")


@rule
def sampling_result_mixed(session: Session) -> Iterator[Hit]:
    for seen, messages in _samplings(session):
        for message in messages:
            kinds = {str(block.get("type")) for block in _blocks(message)}
            if message.get("role") == "user" and "tool_result" in kinds and len(kinds) > 1:
                yield Hit(seen, f"results of tools beside {min(kinds - {'tool_result'})}")
                break


@rule
def sampling_tool_unanswered(session: Session) -> Iterator[Hit]:
    for seen, messages in _samplings(session):
        for message, after in pairwise([*messages, {}]):
            used = {str(block.get("id")) for block in _blocks(message) if block.get("type") == "tool_use"}
            told = {str(block.get("toolUseId")) for block in _blocks(after) if block.get("type") == "tool_result"}
            if used - told:
                yield Hit(seen, f"the use of a tool {min(used - told)[:40]!r} has no result in the next message")
                break


def _questions(session: Session, mode: str | None = None) -> list[Question]:
    """The questions to the person, by request or in results, in a mode."""
    found: list[Question] = session.worked_out("questions", lambda each: [*_direct(each), *_embedded(each)])
    return [each for each in found if mode in (None, each.mode)]


def _direct(session: Session) -> Iterator[Question]:
    for seen in session.requests(_ELICIT):
        yield Question(seen, seen.params, seen.answer, obj(seen.answer.result) if seen.answer else {})


def _embedded(session: Session) -> Iterator[Question]:
    answered = {retry.asked.at: retry.seen for retry in retries(session) if retry.asked}
    for seen in session.results():
        retry = answered.get(seen.at)
        given = obj(retry.params.get("inputResponses")) if retry else {}
        for key, question in asked_in(seen).items():
            if question.get("method") == _ELICIT:
                yield Question(seen, obj(question.get("params")), retry, obj(given.get(key)))


def _asked_here(seen: Seen) -> Iterator[Json]:
    """The questions in a message: a request's, or those of an error -32042."""
    if seen.kind == "request" and seen.method == _ELICIT:
        yield seen.params
    yield from objects(obj(seen.error.get("data")).get("elicitations"))


def _samplings(session: Session) -> Iterator[tuple[Seen, list[Json]]]:
    """What models are asked, message by message."""
    for seen in session.requests(_SAMPLE):
        yield seen, list(objects(seen.params.get("messages")))
    for seen in session.results():
        for question in asked_in(seen).values():
            if question.get("method") == _SAMPLE:
                yield seen, list(objects(obj(question.get("params")).get("messages")))


def _blocks(message: Json) -> list[Json]:
    content = message.get("content")
    return list(objects(content if isinstance(content, list) else [content]))


def _is_flat(field: Json, lists: bool) -> bool:
    if field.get("type") == "array":
        return lists and not obj(field.get("items")).keys() & {"properties", "items"} and "items" in field
    return field.get("type") in _PRIMITIVE


def _host(url: str) -> str | None:
    try:
        parts = urlsplit(url)
        return parts.hostname if parts.scheme in ("http", "https") else None
    except ValueError:
        return None


def _secret_in(url: str) -> str | None:
    """The name of a credential in an address, or what it is."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return None
    named = (name for name, value in parse_qsl(parts.query) if secret_name(name) and value)
    told = "user info" if parts.password else "a token" if mask_shapes(url) != url else None
    return next(named, told)


def _is_here(host: str) -> bool:
    """Whether a host is this machine."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")
