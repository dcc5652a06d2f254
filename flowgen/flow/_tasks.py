"""Tasks of both generations: what makes one, which call its messages belong to, what an answer says of it.

In the core of 2025-11-25 an answer holds `task`, and messages name it by related-task; in the extension of
2026-07-28 an answer is of `resultType` task and flat (MCP Tasks; SEP-2663).
"""

from collections.abc import Mapping, Sequence
from typing import Any

from ._about import meta_of
from ._draft import Draft
from ._model import Say

_RELATED = "io.modelcontextprotocol/related-task"
_STATUS = {
    "working": Say("the task is working", "任务进行中"),
    "input_required": Say("the task needs input", "任务需要输入"),
    "completed": Say("the task is completed", "任务已完成"),
    "failed": Say("the task failed", "任务失败"),
    "cancelled": Say("the task is cancelled", "任务已取消"),
}
_ANSWERS = {
    "tasks/result": Say("the task's result", "任务的结果"),
    "tasks/update": Say("the input has arrived", "输入已送达"),
    "tasks/cancel": Say("the task is to be cancelled", "将取消任务"),
}
_MADE = Say("a task is made", "已创建任务")


def find_calls(made: Sequence[Draft]) -> None:
    """Fills `about` of the messages of a task with the call that made it; it may come after the first of them."""
    calls = {
        (draft.between, task["taskId"]): draft.request
        for draft in made
        if draft.request is not None and draft.result and (task := _made(draft.result))
    }
    for draft in made if calls else ():
        if draft.kind in ("request", "notification") and (name := _task_of(draft)) is not None:
            draft.about = calls.get((draft.between, name), draft.about)


def status_of(result: Mapping[str, Any] | None) -> str | None:
    """How a task stands, by an answer to `tasks/get`."""
    status = result.get("status") if result else None
    return status if isinstance(status, str) else None


def task_words(method: str | None, result: Any) -> Say | None:
    """What an answer, or the params of a notification, says of a task; None if it is about none."""
    if not isinstance(result, Mapping):
        return None
    if made := _made(result):
        return _MADE if status_of(made) == "working" else _status(status_of(made)) or _MADE
    if method is None or not method.startswith(("tasks/", "notifications/tasks")) or method == "tasks/list":
        return None
    return _ANSWERS.get(method) if method == "tasks/result" else _status(status_of(result)) or _ANSWERS.get(method)


def _status(status: str | None) -> Say | None:
    if status is None:
        return None
    return _STATUS.get(status) or Say(f"the task is {status}", f"任务状态：{status}")


def _made(result: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """The task that a result tells of the making of."""
    task = result.get("task") if result.get("resultType") != "task" else result
    return task if isinstance(task, Mapping) and isinstance(task.get("taskId"), str) else None


def _task_of(draft: Draft) -> str | None:
    """The task that a request or a notification names."""
    related = meta_of(draft.params).get(_RELATED)
    name = related.get("taskId") if isinstance(related, Mapping) else None
    if name is None and (draft.method or "").startswith(("tasks/", "notifications/tasks")):
        name = draft.params.get("taskId")
    return name if isinstance(name, str) else None
