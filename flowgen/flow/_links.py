"""What ties a message to an earlier one beyond its exchange: retries, equal results, lists asked for again."""

from collections import defaultdict
from collections.abc import Hashable
from typing import Any

from flowgen.trace import Message

from ._draft import Draft
from ._json import key_of, one_line

LISTS = {
    "tools/list": "notifications/tools/list_changed",
    "prompts/list": "notifications/prompts/list_changed",
    "resources/list": "notifications/resources/list_changed",
    "resources/templates/list": "notifications/resources/list_changed",
}
CHANGES = frozenset(LISTS.values())

_WORTH_ANOTHER_TRY = frozenset({-32020, -32022, -32042})  # headers, revision, a page to visit first
_NO_CONTENT = frozenset({"_meta", "resultType"})
_NOT_AS_SENT = frozenset({"invalid-utf8", "duplicate-key", "not-a-number", "number-out-of-range"})


def link(made: list[Draft]) -> None:
    """Fills `retry_of`, `same_as` and `relists`, for drafts whose exchanges are known."""
    link_requests(made)
    _same_results(made)


def link_requests(made: list[Draft]) -> None:
    """Fills `retry_of` and `relists`."""
    _retries(made)
    _lists_again(made)


def _retries(made: list[Draft]) -> None:
    """By equal method, name and arguments plus `requestState`, never by id: ids differ (MCP, MRTR pattern)."""
    refused: defaultdict[Any, list[Draft]] = defaultdict(list)
    for draft in made:
        if draft.kind == "request" and refused and (earlier := _last_refused(refused, draft)):
            draft.retry_of = earlier.at
        request = made[draft.request] if draft.request is not None else None
        if request and request.kind == "request" and request.answer == draft.at and _asks_for_retry(draft):
            state = None if draft.result is None else draft.result.get("requestState")
            refused[_what(request), _state(draft.result is not None, state)].append(request)


def _last_refused(refused: dict[Any, list[Draft]], draft: Draft) -> Draft | None:
    """The newest request that this one repeats; it can be repeated once."""
    what = _what(draft)
    ways = ((what, _state(False)), (what, _state(True, draft.params.get("requestState"))))
    found = [refused[way] for way in ways if refused.get(way)]
    return max(found, key=lambda waiting: waiting[-1].at).pop() if found else None


def _what(request: Draft) -> Hashable:
    message, arguments = request.message, request.params.get("arguments")
    return message.sender, message.receiver, request.method, request.name, key_of(arguments)


def _state(asked_back: bool, state: Any = None) -> Hashable:
    """What a retry has to bring along: nothing, or the state of the server that asked back."""
    return (key_of(state),) if asked_back else None


def _asks_for_retry(answer: Draft) -> bool:
    if answer.result is not None:
        return answer.result.get("resultType") == "input_required"
    code = answer.error.get("code")
    return answer.status in (401, 403) or (isinstance(code, int) and code in _WORTH_ANOTHER_TRY)


def _same_results(made: list[Draft]) -> None:
    """Equal results of one method, whatever the order of members; `_meta` tells of the answer, not of the result.

    A result without anything else in it is not worth the remark. Masked values count as equal only where
    their fingerprints are, and nothing where the value is not all that was sent.
    """
    seen: dict[tuple[str, str], Draft] = {}
    for draft in made:
        key = result_key(draft.message)
        if key and draft.method:
            first = seen.setdefault((draft.method, key), draft)
            draft.same_as = first.number if first is not draft else None


def result_key(message: Message) -> str | None:
    """What two results have in common that are equal; None for what is no result, or not worth the remark."""
    result = message.body.get("result") if message.kind == "response" and isinstance(message.body, dict) else None
    if not isinstance(result, dict) or not result.keys() - _NO_CONTENT or not_as_sent(message):
        return None
    content = {name: value for name, value in result.items() if name != "_meta"}
    return one_line([content, message.fingerprints], sort=True)


def not_as_sent(message: Message) -> bool:
    """Whether a body is not all that was sent: masked without a fingerprint, or mended."""
    unseen = (pointer for pointer in message.redacted if pointer not in message.fingerprints)
    return any(pointer.startswith("/body") for pointer in unseen) or not _NOT_AS_SENT.isdisjoint(message.codes)


def _lists_again(made: list[Draft]) -> None:
    """A list that was asked for before, and is asked for again because of a change since."""
    asked: dict[Hashable, int] = {}
    changed: dict[Hashable, int] = {}
    for draft in made:
        if draft.kind == "notification" and draft.method in CHANGES:
            changed[draft.between, draft.method] = draft.at
        elif draft.kind == "request" and draft.method in LISTS:
            before = asked.get((draft.between, draft.method))
            change = changed.get((draft.between, LISTS[draft.method]), -1)
            draft.relists = before is not None and change > before
            asked[draft.between, draft.method] = draft.at
