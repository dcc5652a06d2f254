"""The session from opening to end: each step of the plan in order, and a changed list read again after it.

A step that gets an error or no answer does not keep the next from being tried.
"""

from ._acts import Ending, Mark, Note, Script, Turn
from ._client import Client, Over
from ._opening import opened
from ._plan import Plan, Step
from ._steps import ACTIONS, asks_first, listed


def session(client: Client, plan: Plan) -> Script[Ending]:
    """Opens, goes through the plan, and says how it ended."""
    try:
        return (yield from _played(client, plan))
    except Over as over:
        return over.ending


def _played(client: Client, plan: Plan) -> Script[Ending]:
    if plan.opening is not None:
        yield Mark(plan.opening)
    if plan.cache:
        from ._cache import Cache

        client.cache = Cache()
    ending = yield from opened(client, plan.revision, plan.offer)
    if ending is not None:
        return ending
    if client.turns:
        yield from _prepared(client, plan)
    for number, step in enumerate(plan.steps, 1):
        mine: Step | None = (yield Turn(number)) if client.turns else step
        yield from _relisted(client) if mine is None else _stepped(client, mine, number)
    if client.named:
        yield Note("plan-step", {"step": len(plan.steps) + 1, "does": "end"}, "host", "client")
    return Ending()


def _stepped(client: Client, step: Step, number: int) -> Script[None]:
    client.begin_step(step, number)
    first = step.titles.get("approval", step.title) if asks_first(client, step) else step.title
    if first is not None and step.action != "wait":
        yield Mark(first)
    yield from client.announce()
    yield from ACTIONS[step.action](client, step)
    yield from _relisted(client)


def _prepared(client: Client, plan: Plan) -> Script[None]:
    """What the host has to know before it can say whom a step is for."""
    from ._routing import unlisted

    for kind in unlisted(plan.steps):
        if client.serves(kind):
            yield from listed(client, kind)


def _relisted(client: Client) -> Script[None]:
    """Once a step, so that a server that announces after every list does not hold us."""
    if client.cache is not None:
        yield from client.cache.told()
    for kind in client.take_changed():
        yield from listed(client, kind)


def tour(
    lists: tuple[str, ...], asked: tuple[Step, ...], *, as_declared: bool, safe: bool, listen: float | None
) -> tuple[Step, ...]:
    """The steps without a plan: the lists, what was asked for in its order, read-only tools, listening."""
    steps = [Step("list", lists, as_declared=as_declared)] if lists else []
    steps += asked
    steps += [Step("call-safe", None)] if safe else []
    steps += [Step("listen", None, seconds=listen)] if listen is not None else []
    return tuple(steps)
