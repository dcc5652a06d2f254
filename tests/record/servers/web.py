"""An MCP server over HTTP that misbehaves as it is told, in this process, and remembers everything it was asked.

Speaks both eras. A fault is a function below that gets the request first (`post_…`, `get_…`, `delete_…`); True when
it has dealt with it. Several are joined with `+`.
"""

import gzip
import json
import socket
import ssl
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, quote, urlsplit

TOOL = {"name": "echo", "inputSchema": {"type": "object", "properties": {"text": {"type": "string"}}}}
CHANGED = {"jsonrpc": "2.0", "method": "notifications/tools/list_changed"}
WORKING = {"jsonrpc": "2.0", "method": "notifications/message", "params": {"level": "info", "data": "working"}}


class Web(ThreadingHTTPServer):
    """The server. `asked` are the requests: method, path, headers in small letters, body."""

    daemon_threads = True

    def __init__(self, fault: str = "", context: ssl.SSLContext | None = None) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.faults = fault.split("+") if fault else []
        self.asked: list[tuple[str, str, dict[str, str], bytes]] = []
        self.connections = 0
        self.left: list[str] = []  # streams that the client closed
        self.wake = threading.Event()
        self.answers: list[Any] = []  # what the client answered to our requests
        self.memory: dict[str, Any] = {}
        if context is not None:
            self.socket = context.wrap_socket(self.socket, server_side=True)
        self.origin = f"http{'s' if context else ''}://127.0.0.1:{self.server_port}"
        self.url = f"{self.origin}/mcp"

    @property
    def said(self) -> list[str]:
        """Every request in a few words."""
        return [_words(method, body) for method, _, _, body in self.asked]

    def process_request(self, request: Any, client_address: Any) -> None:
        self.connections += 1
        super().process_request(request, client_address)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Clients hang up."""


def _words(method: str, body: bytes) -> str:
    try:
        return str(json.loads(body).get("method", "answer"))
    except ValueError:
        return method


@contextmanager
def served(fault: str = "", context: ssl.SSLContext | None = None) -> Iterator[Web]:
    """A server while it is needed."""
    web = Web(fault, context)
    thread = threading.Thread(target=web.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield web
    finally:
        web.wake.set()
        web.shutdown()
        web.server_close()


class Handler(BaseHTTPRequestHandler):
    """One connection."""

    server: Web
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def do_POST(self) -> None:
        self.handle_any("post")

    def do_GET(self) -> None:
        self.handle_any("get")

    def do_DELETE(self) -> None:
        self.handle_any("delete")

    def handle_any(self, verb: str) -> None:
        length = int(self.headers.get("Content-Length") or 0)
        self.body = self.rfile.read(length)
        headers = {name.lower(): value for name, value in self.headers.items()}
        self.server.asked.append((self.command, self.path, headers, self.body))
        try:
            self.message = json.loads(self.body) if self.body else {}
        except ValueError:
            self.message = {}
        names = [name for name in self.server.faults if f"{verb}_{name}" in globals()]
        with suppress(OSError):
            if not any(globals()[f"{verb}_{name}"](self) for name in names):
                globals()[verb](self)

    def log_message(self, *arguments: Any) -> None:
        pass

    # ways to answer

    def head(self, status: int, *headers: tuple[str, str]) -> None:
        self.send_response(status)
        for name, value in headers:
            self.send_header(name, value)
        self.end_headers()

    def plain(self, status: int, body: bytes = b"", kind: str = "", *headers: tuple[str, str]) -> bool:
        own = [("Content-Type", kind)] if kind else []
        self.head(status, *own, *headers, ("Content-Length", str(len(body))))
        self.wfile.write(body)
        return True

    def json(self, value: Any, status: int = 200, *headers: tuple[str, str]) -> bool:
        return self.plain(status, json.dumps(value).encode(), "application/json", *headers)

    def stream(self, *headers: tuple[str, str]) -> None:
        """The head of a stream; what follows is sent by `event`, and `end` ends it."""
        self.head(200, ("Content-Type", "text/event-stream"), *headers, ("Transfer-Encoding", "chunked"))
        self.wfile.flush()

    def chunk(self, data: bytes) -> None:
        self.wfile.write(b"%x\r\n%s\r\n" % (len(data), data))
        self.wfile.flush()

    def event(self, value: Any = None, **fields: Any) -> None:
        lines = [f"{name}: {text}" for name, text in fields.items()]
        lines += [] if value is None else [f"data: {json.dumps(value)}"]
        self.chunk(("\n".join(lines) + "\n\n").encode())

    def end(self) -> bool:
        self.chunk(b"")
        return True

    def cut(self) -> bool:
        """Hangs up in the middle."""
        self.wfile.flush()
        with suppress(OSError):
            self.connection.shutdown(socket.SHUT_RDWR)
        self.close_connection = True
        return True

    def hold(self, seconds: float = 10.0) -> bool:
        """Keeps a stream open until the client leaves or the server is done."""
        until = time.monotonic() + seconds
        self.connection.settimeout(0.02)
        while time.monotonic() < until and not self.server.wake.is_set():
            try:
                if not self.connection.recv(1):
                    break
            except TimeoutError:
                continue
            except OSError:
                break
        else:
            return True
        self.server.left.append(str(self.message.get("method", self.command)))
        self.close_connection = True
        return True

    # what is asked

    @property
    def method(self) -> str:
        return str(self.message.get("method"))

    @property
    def calls(self) -> bool:
        return self.method == "tools/call"


# a server that behaves


def post(handler: Handler) -> bool:
    if "method" not in handler.message:
        handler.server.answers.append(handler.message)
        return handler.plain(202)
    if "id" not in handler.message:
        return handler.plain(202)
    return handler.json(right(handler.message))


def get(handler: Handler) -> bool:
    return handler.plain(405, b"", "", ("Allow", "POST"))


delete = get


def right(message: dict[str, Any]) -> dict[str, Any]:
    """The answer to a request."""
    stateless = "_meta" in (message.get("params") or {})
    answer = {"jsonrpc": "2.0", "id": message["id"]}
    more = {"resultType": "complete"} if stateless else {}
    match message["method"]:
        case "server/discover" if stateless:
            return {**answer, "result": {"supportedVersions": ["2026-07-28"], "capabilities": {"tools": {}}, **more}}
        case "initialize":
            info = {"name": "web", "version": "1.0"}
            agreed = message["params"]["protocolVersion"]
            result = {"protocolVersion": agreed, "capabilities": {"tools": {}}, "serverInfo": info}
            return {**answer, "result": result}
        case "tools/list":
            return {**answer, "result": {"tools": [TOOL], **more}}
        case "tools/call":
            text = message["params"].get("arguments", {}).get("text", "")
            return {**answer, "result": {"content": [{"type": "text", "text": text}], **more}}
    return {**answer, "error": {"code": -32601, "message": "Method not found"}}


# statuses and content types


def post_notification_200(handler: Handler) -> bool:
    return "id" not in handler.message and handler.json(None)


def post_text_plain(handler: Handler) -> bool:
    body = json.dumps(right(handler.message)).encode() if "id" in handler.message else b""
    return bool(body) and handler.plain(200, body, "text/plain; charset=utf-8")


def post_html_502(handler: Handler) -> bool:
    return handler.calls and handler.plain(502, b"<html><h1>Bad Gateway</h1></html>", "text/html")


def post_html_always(handler: Handler) -> bool:
    return handler.plain(200, b"<html>Welcome</html>", "text/html")


def post_not_json(handler: Handler) -> bool:
    return handler.calls and handler.plain(200, b'{"jsonrpc": "2.0", oops', "application/json")


def post_empty(handler: Handler) -> bool:
    return handler.calls and handler.plain(200)


def post_accepted(handler: Handler) -> bool:
    return handler.calls and handler.plain(202)


def post_unauthorized(handler: Handler) -> bool:
    challenge = 'Bearer realm="x", error="invalid_token"'
    return handler.plain(401, b"", "", ("WWW-Authenticate", challenge))


def post_unauthorized_json(handler: Handler) -> bool:
    body = {"jsonrpc": "2.0", "id": None, "error": {"code": -32001, "message": "Unauthorized"}}
    return handler.json(body, 401)


def post_forbidden(handler: Handler) -> bool:
    return handler.calls and handler.plain(403, b"no", "text/plain")


def post_nameless_error(handler: Handler) -> bool:
    body = {"jsonrpc": "2.0", "id": None, "error": {"code": -32000, "message": "Bad Request"}}
    return handler.method == "server/discover" and handler.json(body, 400)


def post_batch(handler: Handler) -> bool:
    return handler.calls and handler.json([WORKING, right(handler.message)])


def post_huge(handler: Handler) -> bool:
    if not handler.calls:
        return False
    answer = right(handler.message)
    answer["result"]["content"][0]["text"] = "x" * (1 << 20)
    return handler.json(answer)


# bodies


def post_cut_body(handler: Handler) -> bool:
    if not handler.calls:
        return False
    body = json.dumps(right(handler.message)).encode()
    handler.head(200, ("Content-Type", "application/json"), ("Content-Length", str(len(body))))
    handler.wfile.write(body[:-20])
    return handler.cut()


def post_cut_chunk(handler: Handler) -> bool:
    if not handler.calls:
        return False
    handler.head(200, ("Content-Type", "application/json"), ("Transfer-Encoding", "chunked"))
    handler.wfile.write(b'400\r\n{"jsonrpc": "2.0", "id"')
    return handler.cut()


def post_hangs_up(handler: Handler) -> bool:
    return handler.calls and handler.cut()


def post_gzip(handler: Handler) -> bool:
    if "id" not in handler.message:
        return False
    body = gzip.compress(json.dumps(right(handler.message)).encode())
    return handler.plain(200, body, "application/json", ("Content-Encoding", "gzip"))


def post_gzip_lie(handler: Handler) -> bool:
    if "id" not in handler.message:
        return False
    body = json.dumps(right(handler.message)).encode()
    return handler.plain(200, body, "application/json", ("Content-Encoding", "gzip"))


def post_gzip_cut(handler: Handler) -> bool:
    body = gzip.compress(json.dumps(right(handler.message)).encode()) if handler.calls else b""
    return handler.calls and handler.plain(200, body[:-12], "application/json", ("Content-Encoding", "gzip"))


# streams


def post_stream(handler: Handler) -> bool:
    if "id" not in handler.message:
        return False
    handler.stream()
    handler.chunk(b": hello\r\r")
    handler.event({}, event="ping")
    handler.event(right(handler.message), event="message", id=f"{handler.message['id']}-1")
    return handler.end()


def post_stream_closes(handler: Handler) -> bool:
    if not handler.calls:
        return False
    handler.stream()
    handler.event(WORKING)
    return handler.end()


def post_stream_cut(handler: Handler) -> bool:
    if not handler.calls:
        return False
    handler.stream()
    handler.event(WORKING)
    handler.wfile.write(b'100\r\nevent: message\ndata: {"jsonrpc": "2.0", "id"')
    return handler.cut()


def post_slow(handler: Handler) -> bool:
    """Never answers a call; says when the client has left."""
    if not handler.calls:
        return False
    handler.stream()
    handler.event(WORKING)
    return handler.hold()


def post_deaf(handler: Handler) -> bool:
    """Takes a call and does not even send a head."""
    return handler.calls and handler.hold()


def post_listens(handler: Handler) -> bool:
    if handler.method != "subscriptions/listen":
        return False
    id_ = {"_meta": {"io.modelcontextprotocol/subscriptionId": handler.message["id"]}}
    handler.stream()
    note = {"jsonrpc": "2.0", "method": "notifications/subscriptions/acknowledged", "params": id_}
    handler.event(note, event="message")
    handler.event({**CHANGED, "params": id_}, event="message")
    return handler.hold()


def post_holds_after_answer(handler: Handler) -> bool:
    if not handler.calls:
        return False
    handler.stream()
    handler.event(right(handler.message))
    return handler.hold()


def post_unheard_probe(handler: Handler) -> bool:
    return handler.method == "server/discover" and handler.hold(3.0)


# redirects


def post_moved(handler: Handler) -> bool:
    if handler.path == "/mcp":
        return handler.plain(307, b"", "", ("Location", "/mcp/"))
    return False


def post_moved_for_good(handler: Handler) -> bool:
    if handler.path == "/mcp":
        return handler.plain(308, b"", "", ("Location", "/new"))
    return False


def post_moved_away(handler: Handler) -> bool:
    return handler.plain(307, b"", "", ("Location", handler.server.memory["elsewhere"]))


def post_moved_in_circles(handler: Handler) -> bool:
    return handler.plain(307, b"", "", ("Location", handler.path + "x"))


def post_wrong_head(handler: Handler) -> bool:
    """No header that HTTP knows, with what we sent in it."""
    handler.wfile.write(f"HTTP/1.1 200 OK\r\nNo header: {handler.headers['Authorization']}\r\n\r\n".encode())
    handler.wfile.flush()
    handler.close_connection = True
    return True


# sessions (handshake era)


def post_session(handler: Handler) -> bool:
    if handler.method == "server/discover":
        return handler.plain(400, b"no session", "text/plain")
    if handler.method == "initialize":
        number = handler.server.memory["session"] = handler.server.memory.get("session", 0) + 1
        return handler.json(right(handler.message), 200, ("Mcp-Session-Id", f"session-secret-{number}"))
    known = f"session-secret-{handler.server.memory.get('session')}"
    if handler.headers.get("Mcp-Session-Id") != known:
        return handler.plain(400, b"no session", "text/plain")
    return False


def post_session_lost_once(handler: Handler) -> bool:
    if handler.calls and not handler.server.memory.get("lost"):
        handler.server.memory["lost"] = True
        return handler.plain(404, b"session not found", "text/plain")
    return False


def delete_session(handler: Handler) -> bool:
    return handler.plain(204)


def delete_refused(handler: Handler) -> bool:
    return handler.plain(405, b"", "", ("Allow", "POST"))


def get_session(handler: Handler) -> bool:
    """The stream of a session: asks for roots, then stays open."""
    handler.stream()
    handler.event({"jsonrpc": "2.0", "id": 7, "method": "roots/list"}, event="message", id="g1")
    return handler.hold()


def post_answers_on_the_stream(handler: Handler) -> bool:
    """Takes a request with 202 and answers on the stream of the GET, as no revision allows."""
    if not handler.calls:
        return False
    handler.plain(202)
    handler.server.memory["stream"].event(right(handler.message))
    return True


def get_answers_on_the_stream(handler: Handler) -> bool:
    handler.server.memory["stream"] = handler
    handler.stream()
    return handler.hold()


def post_resumable(handler: Handler) -> bool:
    """A stream that closes early, with an id and a time to come back."""
    if not handler.calls:
        return False
    handler.server.memory["call"] = handler.message
    handler.stream()
    handler.chunk(b"id: r1\nretry: 30\ndata: \n\n")
    return handler.end()


def get_resumable(handler: Handler) -> bool:
    if handler.headers.get("Last-Event-ID") != "r1":
        return handler.plain(405)
    handler.stream()
    handler.event(right(handler.server.memory["call"]), id="r2")
    return handler.end()


def get_resumable_never(handler: Handler) -> bool:
    if handler.headers.get("Last-Event-ID") is None:
        return handler.plain(405)
    handler.stream()
    return handler.end()


# HTTP+SSE (2024-11-05)


def post_old(handler: Handler) -> bool:
    parts = urlsplit(handler.path)
    if parts.path != "/messages":
        return handler.plain(405, b"Method Not Allowed", "text/plain")
    stream = handler.server.memory["stream"]
    handler.plain(202, b"Accepted", "text/plain")
    if "id" in handler.message and "method" in handler.message:
        if handler.calls and "old_leaves" in handler.server.faults:
            return bool(stream.cut())
        stream.event(right(handler.message), event="message")
    return True


def get_old(handler: Handler) -> bool:
    handler.server.memory["stream"] = handler
    handler.stream()
    place = handler.server.memory.get("endpoint", "/messages?sessionId=old-session-77")
    handler.chunk(f"event: endpoint\ndata: {place}\n\n".encode())
    return handler.hold()


def get_no_endpoint(handler: Handler) -> bool:
    handler.stream()
    return handler.hold(3.0)


# headers out of arguments

MIRROR = {
    "name": "weather",
    "inputSchema": {"type": "object", "properties": {"city": {"type": "string", "x-mcp-header": "City"}}},
}
WRONG = {
    "name": "wrong",
    "inputSchema": {"type": "object", "properties": {"n": {"type": "number", "x-mcp-header": "N"}}},
}


def post_mirrors(handler: Handler) -> bool:
    if handler.method == "tools/list":
        answer = right(handler.message)
        answer["result"]["tools"] = [MIRROR, WRONG, TOOL]
        return handler.json(answer)
    return False


def post_mismatch(handler: Handler) -> bool:
    """The tool changed its headers after it was listed."""
    lists = handler.server.said.count("tools/list")
    if handler.method == "tools/list" and lists > 1:
        return post_mirrors(handler)
    if handler.calls and lists < 2:
        error = {"code": -32020, "message": "Header mismatch"}
        return handler.json({"jsonrpc": "2.0", "id": handler.message["id"], "error": error}, 400)
    return False


# signing in: the authorization server is the same host

TOKEN, SECRET, CODE = "tok-9f8e7d6c5b4a", "cli-secret-13579", "code-2468-acegik"


def post_oauth(handler: Handler) -> bool:
    origin, path = handler.server.origin, urlsplit(handler.path).path
    if path == "/register":
        return handler.json({"client_id": "client-1", "client_secret": SECRET}, 201)
    if path == "/token":
        handler.server.memory["form"] = {name: values[0] for name, values in parse_qs(handler.body.decode()).items()}
        granted = {"access_token": TOKEN, "refresh_token": f"ref-{TOKEN}", "token_type": "Bearer", "expires_in": 60}
        return handler.json(granted)
    if handler.headers.get("Authorization") != f"Bearer {TOKEN}":
        place = f"{origin}/.well-known/oauth-protected-resource/mcp"
        challenge = f'Bearer resource_metadata="{place}"'
        return handler.json({"error": "invalid_token"}, 401, ("WWW-Authenticate", challenge))
    return False


def get_oauth(handler: Handler) -> bool:
    origin, parts = handler.server.origin, urlsplit(handler.path)
    match parts.path:
        case "/.well-known/oauth-protected-resource/mcp":
            return handler.json({"resource": handler.server.url, "authorization_servers": [origin]})
        case "/.well-known/oauth-authorization-server":
            names = ("authorize", "token", "register")
            endpoints = {f"{_of(name)}_endpoint": f"{origin}/{name}" for name in names}
            methods = ["client_secret_post"]
            return handler.json({
                "issuer": origin, **endpoints, "code_challenge_methods_supported": ["S256"],
                "token_endpoint_auth_methods_supported": methods,
            })  # fmt: skip
        case "/authorize":
            asked = {name: values[0] for name, values in parse_qs(parts.query).items()}
            handler.server.memory["authorize"] = asked
            back = f"{asked['redirect_uri']}?code={CODE}&state={asked['state']}&iss={quote(origin, safe='')}"
            return handler.plain(302, f"Go to {back}".encode(), "text/plain", ("Location", back))
    return handler.plain(404)


def _of(name: str) -> str:
    return {"authorize": "authorization", "register": "registration"}.get(name, name)


def post_echoes_secrets(handler: Handler) -> bool:
    """Says in a body whatever came in the headers."""
    if not handler.calls:
        return False
    answer = right(handler.message)
    answer["result"]["content"][0]["text"] = json.dumps(dict(handler.headers.items()))
    return handler.json(answer, 200, ("Set-Cookie", "sid=cookie-secret-246; Path=/"), ("X-Seen", "cookie-secret-246"))
