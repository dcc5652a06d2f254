"""The steps of a call as the server plays them, made from the tables of a scenario: series are spread out."""

from collections.abc import Iterator
from typing import Any, NamedTuple

ACTIONS = (
    "wait", "progress", "log", "stderr", "notify", "ping", "ask", "calculate", "result", "error",
    "change", "update", "visit", "end_listen", "end_session", "disconnect", "exit",
)  # fmt: skip


class Step(NamedTuple):
    """One action. `place` is where it stands in the file, and what its `times` are counted by."""

    action: str
    value: Any
    more: dict[str, Any]
    place: str


def steps_of(entry: dict[str, Any], place: str) -> tuple[Step, ...]:
    """All steps of a tool, prompt, resource, template or reaction; its own answer is the last one."""
    steps: list[Step] = []
    for number, table in enumerate(entry.get("step", [])):
        steps += _spread(table, f"{place}.step[{number}]")
    answer = _own_answer(entry)
    return (*steps, Step("result", answer, {}, place)) if answer else tuple(steps)


def action_of(table: dict[str, Any]) -> list[str]:
    """The actions that a step's table names: one, if it is right."""
    return [action for action in ACTIONS if action in table]


def _spread(table: dict[str, Any], place: str) -> Iterator[Step]:
    (action,) = action_of(table)
    value = table[action]
    if action == "progress" and isinstance(value, list):
        yield from _series(value, table, place)
    elif action == "change" and isinstance(value, str):
        yield Step(action, [value], table, place)
    else:
        yield Step(action, value, table, place)


def _series(values: list[float], table: dict[str, Any], place: str) -> Iterator[Step]:
    for number, value in enumerate(values):
        if "every" in table:
            yield Step("wait", table["every"], table, f"{place}[{number}].wait")
        yield Step("progress", value, table, f"{place}[{number}]")


def _own_answer(entry: dict[str, Any]) -> dict[str, Any]:
    answer: dict[str, Any] = dict(entry.get("result", {}))
    if "messages" in entry:
        answer["messages"] = entry["messages"]
        if "description" in entry:
            answer["description"] = entry["description"]
    return answer
