"""What ties a message to an earlier one beyond its exchange: retries, equal results, lists asked for again."""

from collections import defaultdict
from typing import Any

from ._draft import Draft
from ._json import equal, one_line

LISTS = {
    "tools/list": "notifications/tools/list_changed",
    "prompts/list": "notifications/prompts/list_changed",
    "resources/list": "notifications/resources/list_changed",
    "resources/templates/list": "notifications/resources/list_changed",
}
CHANGES = frozenset(LISTS.values())

_WORTH_ANOTHER_TRY = frozenset({-32020, -32022, -32042})  # headers, revision, a page to visit first
_NO_CONTENT = frozenset({"_meta", "resultType"})


def link(made: list[Draft]) -> None:
    """Fills `retry_of`, `same_as` and `relists`, for drafts whose exchanges are known."""
    _retries(made)
    _same_results(made)
    _lists_again(made)


def _retries(made: list[Draft]) -> None:
    """By equal method, name and arguments plus `requestState`, never by id: ids differ (MCP, MRTR pattern)."""
    refused: defaultdict[Any, list[Draft]] = defaultdict(list)
    for draft in made:
        if draft.kind == "request" and (earlier := refused.get(_what(draft))):
            first = next((other for other in reversed(earlier) if _is_retry(made, draft, other)), None)
            if first:
                earlier.remove(first)
                draft.retry_of = first.at
        request = made[draft.request] if draft.request is not None else None
        if request and request.kind == "request" and request.answer == draft.at and _asks_for_retry(draft):
            refused[_what(request)].append(request)


def _what(request: Draft) -> tuple[str, str, str | None, str | None]:
    return request.message.sender, request.message.receiver, request.method, request.name


def _asks_for_retry(answer: Draft) -> bool:
    if answer.result is not None:
        return answer.result.get("resultType") == "input_required"
    code = answer.error.get("code")
    return answer.status in (401, 403) or (isinstance(code, int) and code in _WORTH_ANOTHER_TRY)


def _is_retry(made: list[Draft], request: Draft, first: Draft) -> bool:
    answer = made[first.answer] if first.answer is not None else first
    state = (answer.result or {}).get("requestState")
    if not equal(request.params.get("arguments"), first.params.get("arguments")):
        return False
    return answer.result is None or equal(request.params.get("requestState"), state)


def _same_results(made: list[Draft]) -> None:
    """Equal results of one method, whatever the order of members; `_meta` tells of the answer, not of the result.

    A result without anything else in it is not worth the remark. Masked values count as equal only where
    their fingerprints are.
    """
    seen: dict[tuple[str, str], Draft] = {}
    for draft in made:
        key = _content(draft)
        if key and draft.method:
            first = seen.setdefault((draft.method, key), draft)
            draft.same_as = first.number if first is not draft else None


def _content(draft: Draft) -> str | None:
    result = draft.result
    if not result or not result.keys() - _NO_CONTENT:
        return None
    message = draft.message
    if any(
        pointer not in message.fingerprints for pointer in message.redacted if pointer.startswith("/body")
    ):
        return None
    content = {name: value for name, value in result.items() if name != "_meta"}
    return one_line([content, message.fingerprints], sort=True)


def _lists_again(made: list[Draft]) -> None:
    """A list that was asked for before, and is asked for again because of a change since."""
    asked: dict[str, int] = {}
    changed: dict[str, int] = {}
    for draft in made:
        if draft.kind == "notification" and draft.method in CHANGES:
            changed[draft.method] = draft.at
        elif draft.kind == "request" and draft.method in LISTS:
            before = asked.get(draft.method)
            draft.relists = before is not None and changed.get(LISTS[draft.method], -1) > before
            asked[draft.method] = draft.at
