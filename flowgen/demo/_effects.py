"""Steps that are no part of a call's own answer: what is logged, announced, changed, ended."""

from typing import TYPE_CHECKING

from ._messages import notification
from ._revisions import LEVELS, Peer
from ._steps import Step
from ._values import Values, filled, text
from ._way import Way

if TYPE_CHECKING:
    from ._server import Server

_CHANGED = {kind: f"notifications/{kind}/list_changed" for kind in ("tools", "prompts", "resources")}
_UPDATED = "notifications/resources/updated"


def act(server: "Server", step: Step, values: Values, peer: Peer, way: Way) -> None:
    """Play such a step; `way` leads to whoever it is played for."""
    match step.action:
        case "log":
            _log(server, step, values, peer, way)
        case "stderr":
            server.line.tell(text(step.value, values))
        case "notify":
            way.send(notification(step.value, filled(step.more.get("params"), values)))
        case "ping" if not peer.stateless:
            server.ask({"method": "ping"}, peer, way, lambda _: None)
        case "change":
            server.world.change(step.value, step.more.get("show", []), step.more.get("hide", []))
            _announce(server, step.value)
        case "update":
            _update(server, text(step.value, values), step, values)
        case "end_listen":
            for each in server.world.audience:
                each.end_listens()
        case "end_session" if not peer.stateless:
            server.line.forget()
        case "disconnect" if not peer.stateless:
            way.cut(step.value)
        case "exit":
            server.line.leave(step.value)


def _log(server: "Server", step: Step, values: Values, peer: Peer, way: Way) -> None:
    level = step.more.get("level", "info")
    asked = peer.level if peer.stateless or server.session is None else server.session.level
    wanted = asked is not None and LEVELS.index(level) >= LEVELS.index(asked)
    if wanted and "logging" in server.scenario.capabilities:
        logger = {"logger": step.more["logger"]} if "logger" in step.more else {}
        params = {"level": level, **logger, "data": filled(step.value, values)}
        way.send(notification("notifications/message", params))


def _announce(server: "Server", kinds: list[str]) -> None:
    """Tell everybody who is connected: a list is the same for all."""
    for kind in kinds:
        if server.scenario.capabilities.get(kind, {}).get("listChanged"):
            for each in server.world.audience:
                _announce_to(each, kind)


def _announce_to(server: "Server", kind: str) -> None:
    if server.initialized:
        server.way.send(notification(_CHANGED[kind]))
    for listen in server.listens():
        if listen.wants(kind):
            listen.tell(_CHANGED[kind], {})


def _update(server: "Server", uri: str, step: Step, values: Values) -> None:
    if "text" in step.more:
        server.world.write(uri, text(step.more["text"], values))
    for each in server.world.audience:
        if uri in each.subscribed:
            each.way.send(notification(_UPDATED, {"uri": uri}))
        for listen in each.listens():
            if listen.wants_resource(uri):
                listen.tell(_UPDATED, {"uri": uri})
