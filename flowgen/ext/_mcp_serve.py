"""The MCP server on its transport: stdin and stdout, or Streamable HTTP for this machine alone unless it is told."""

import os
import signal
import socket
from collections.abc import Callable
from typing import Any, NamedTuple

from mcp.server.mcpserver import MCPServer
from mcp.server.transport_security import TransportSecuritySettings

from flowgen.errors import FlowgenError, UsageError

_LOOPBACK = ("127.0.0.1", "::1", "localhost")
_PATH = "/mcp"


class Address(NamedTuple):
    """Where to wait for clients; port 0 takes a free one. `is_open`: for other machines and their pages, too."""

    host: str
    port: int
    is_open: bool

    @property
    def local(self) -> bool:
        """Whether only this machine can reach it."""
        return self.host in _LOOPBACK


def address(text: str, allow_remote: bool) -> Address:
    """`HOST:PORT`, or a port of this machine. Raises UsageError."""
    host, _, port = text.rpartition(":")
    if not (port.isascii() and port.isdecimal() and int(port) < 1 << 16):
        raise UsageError(f"--http {text}: expected HOST:PORT", "such as --http 127.0.0.1:8900")
    found = Address(host.strip("[]") or _LOOPBACK[0], int(port), allow_remote)
    if not found.local and not allow_remote:
        raise UsageError(f"--http {text}: other machines could reach it", "--allow-remote goes with it, or 127.0.0.1")
    return found


def serve(made: MCPServer[Any], where: Address | None, tell: Callable[[str], None]) -> None:
    """Speaks until the client goes, or until it is interrupted. `tell` gets the address. Raises FlowgenError."""
    if where is None:
        signal.signal(signal.SIGINT, lambda *_: os._exit(130))  # a thread waits for stdin, which nothing else ends
        made.run("stdio")
        return
    import uvicorn

    with _bound(where) as listening:
        host, port = listening.getsockname()[:2]
        tell(f"http://{f'[{host}]' if ':' in host else host}:{port}{_PATH}")
        app = made.streamable_http_app(streamable_http_path=_PATH, transport_security=_guard(where), host=host)
        config = uvicorn.Config(app, log_config=None, access_log=False, timeout_graceful_shutdown=2)
        uvicorn.Server(config).run(sockets=[listening])


def _guard(where: Address) -> TransportSecuritySettings:
    """Whose requests are taken: a page that was led here by its DNS calls us by another name."""
    names = ["127.0.0.1:*", "localhost:*", "[::1]:*"]
    return TransportSecuritySettings(
        enable_dns_rebinding_protection=not where.is_open,
        allowed_hosts=names,
        allowed_origins=[f"http://{name}" for name in names],
    )


def _bound(where: Address) -> socket.socket:
    family = socket.AF_INET6 if ":" in where.host else socket.AF_INET
    try:
        return socket.create_server((where.host, where.port), family=family)
    except OSError as problem:
        why = problem.strerror or problem
        raise FlowgenError(f"--http {where.host}:{where.port}: {why}", "choose another port; 0 is a free one") from None
