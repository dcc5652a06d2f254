"""A trace as JSON Lines of mcpsnoop: messages, stderr, the end of the process. HTTP heads have no place there."""

from typing import Any

from flowgen.trace import line

from ._parts import Row
from ._writing import RPC, Clock, Lost, Written, details, servers_of, text_of

_SESSION = "flowgen"


def write(document: Row) -> Written:
    """The lines."""
    lost, clock, servers = Lost(), Clock(document), servers_of(document)
    details(document, lost)
    several = _clients(document, servers)
    rows = []
    for message in document["messages"]:
        server = next((end for end in (message["sender"], message["receiver"]) if end in servers), None)
        content = _content(message, server, servers, lost)
        if content is None:
            continue
        if message.get("http", {}).get("headers"):
            lost.detail("HTTP heads")
        label = servers[server] if server else next(iter(servers.values()), "server")
        told = {"session_id": _SESSION, "server_label": label, "seq": message["seq"]}
        link = _known("conn_id", _link(message, several))
        rows.append(line({**told, **_known("ts", clock.text(message)), **content, **link}))
    return Written(b"".join(rows), lost.told())


def _content(message: Row, server: str | None, servers: dict[str, str], lost: Lost) -> Row | None:
    """Direction, transport and what was said; None for what has no place."""
    kind = message["kind"]
    direction = "s2c" if message["sender"] in servers else "c2s"
    over = _known("transport", message.get("transport"))
    status = _known("status", (message.get("http") or {}).get("status"))
    if server and kind in RPC and isinstance(message.get("body"), dict):
        return {"direction": direction, **over, "raw": message["body"], **status}
    if server and kind == "noise":
        return {"direction": direction, **over, "text": text_of(message), **status}
    if server and kind == "stderr":
        return {"direction": "stderr", **over, "text": text_of(message)}
    text = _event(message.get("body"))
    if text is None:
        lost.message(message, "not kept whole" if kind in RPC and server else None)
        return None
    return {"direction": "meta", **over, "text": text}


def _event(body: Any) -> str | None:
    """What a line of kind meta can tell: the end of the process, words of a log."""
    match body:
        case {"event": "exited", "exit_code": int(code)}:
            return f"process exited with code {code}"
        case {"event": "logged", "data": {"text": str(text)}}:
            return text
    return None


def _clients(document: Row, servers: dict[str, str]) -> set[str]:
    """The clients of servers that several of them speak with."""
    talks: dict[str, set[str]] = {}
    for message in document["messages"]:
        for server, other in ((message["sender"], message["receiver"]), (message["receiver"], message["sender"])):
            if server in servers and other not in servers:
                talks.setdefault(server, set()).add(other)
    return {client for clients in talks.values() if len(clients) > 1 for client in clients}


def _link(message: Row, several: set[str]) -> str | None:
    return next((end for end in (message["sender"], message["receiver"]) if end in several), None)


def _known(name: str, value: Any) -> Row:
    return {} if value is None else {name: value}
