"""A demo process to talk to: lines in, messages out, a deadline around every wait."""

import json
import os
import queue
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

# members of a result, required and optional: from the schema of the revisions
_META, _PAGE, _HINTS = ["_meta"], ["nextCursor", "_meta"], ["ttlMs", "cacheScope"]
FORMS = {
    "initialize": (["protocolVersion", "capabilities", "serverInfo"], ["instructions", *_META]),
    "server/discover": (["supportedVersions", "capabilities", *_HINTS], ["instructions", *_META]),
    "tools/list": (["tools"], _PAGE),
    "resources/list": (["resources"], _PAGE),
    "resources/templates/list": (["resourceTemplates"], _PAGE),
    "prompts/list": (["prompts"], _PAGE),
    "tools/call": (["content"], ["isError", "structuredContent", *_META]),
    "resources/read": (["contents"], _META),
    "prompts/get": (["messages"], ["description", *_META]),
    "completion/complete": (["completion"], _META),
    "ping": ([], _META),
    "logging/setLevel": ([], _META),
    "resources/subscribe": ([], _META),
    "resources/unsubscribe": ([], _META),
    "subscriptions/listen": (["_meta"], []),
}
_KEPT = {"tools/list", "resources/list", "resources/templates/list", "prompts/list", "resources/read"}


def fits_its_form(method: str, result: dict[str, Any], stateless: bool) -> None:
    """Asserts that a result has the members of its form and no others."""
    required, optional = FORMS[method]
    if stateless:
        required = [*required, "resultType", *(_HINTS if method in _KEPT else [])]
    if result.get("resultType") == "input_required":
        required, optional = ["resultType"], ["inputRequests", "requestState", "_meta"]
        assert "inputRequests" in result or "requestState" in result
    assert set(required) <= result.keys() <= {*required, *optional}, (method, result)


DEADLINE = 20.0  # seconds; a demo answers in milliseconds
STATELESS = "2026-07-28"
PREFIX = "io.modelcontextprotocol/"


class Talk:
    """One running demo. `ask` gives the answer to a request and keeps what came before it in `heard`."""

    def __init__(self, scenario: str, revision: str | None = None, capabilities: dict | None = None) -> None:
        command = [sys.executable, "-m", "flowgen.demo", "--scenario", scenario]
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, env={**os.environ})
        self.revision = revision
        self.capabilities = {} if capabilities is None else capabilities
        self.level: str | None = None
        self.last_id = 0
        self.heard: list[dict[str, Any]] = []
        self._lines: queue.Queue[bytes | None] = queue.Queue()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        if revision is not None and revision != STATELESS:
            self.opened = self.initialize()
            self.tell("notifications/initialized")

    def _read(self) -> None:
        with self.process.stdout:
            for line in self.process.stdout:
                self._lines.put(line)
        self._lines.put(None)

    def initialize(self) -> dict[str, Any]:
        return self.ask(
            "initialize",
            protocolVersion=self.revision,
            capabilities=self.capabilities,
            clientInfo={"name": "test", "version": "1"},
        )

    def write(self, data: bytes) -> None:
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def say(self, message: Any) -> None:
        self.write(json.dumps(message).encode() + b"\n")

    def tell(self, method: str, **params: Any) -> None:
        self.say({"jsonrpc": "2.0", "method": method, **({"params": params} if params else {})})

    def begin(self, method: str, id: Any = None, **params: Any) -> Any:
        """Send a request, stamped for its era; its id."""
        if id is None:
            self.last_id += 1
            id = self.last_id
        if self.revision == STATELESS:
            params["_meta"] = {**self.meta(), **params.get("_meta", {})}
        self.say({"jsonrpc": "2.0", "id": id, "method": method, **({"params": params} if params else {})})
        return id

    def meta(self) -> dict[str, Any]:
        level = {PREFIX + "logLevel": self.level} if self.level else {}
        return {
            PREFIX + "protocolVersion": STATELESS,
            PREFIX + "clientInfo": {"name": "test", "version": "1"},
            PREFIX + "clientCapabilities": self.capabilities,
            **level,
        }

    def next(self) -> Any:
        """The next message; fails after the deadline or at the end."""
        line = self._lines.get(timeout=DEADLINE)
        assert line is not None, "the demo ended"
        return json.loads(line)

    def answer(self, id: Any) -> dict[str, Any]:
        """The answer to this request; what comes before it goes to `heard`."""
        while True:
            message = self.next()
            if isinstance(message, dict) and "method" not in message and message.get("id") == id:
                return message
            self.heard.append(message)

    def ask(self, method: str, **params: Any) -> dict[str, Any]:
        """The whole answer to a request."""
        return self.answer(self.begin(method, **params))

    def result(self, method: str, **params: Any) -> dict[str, Any]:
        answer = self.ask(method, **params)
        assert "result" in answer, answer
        fits_its_form(method, answer["result"], self.revision == STATELESS)
        return answer["result"]

    def error(self, method: str, **params: Any) -> dict[str, Any]:
        answer = self.ask(method, **params)
        assert "error" in answer, answer
        return answer["error"]

    def call(self, name: str, **arguments: Any) -> dict[str, Any]:
        return self.result("tools/call", name=name, arguments=arguments)

    def said(self, method: str) -> list[dict[str, Any]]:
        """The params of what was heard under this method."""
        return [message.get("params", {}) for message in self.heard if message.get("method") == method]

    def quiet(self) -> list[dict[str, Any]]:
        """Everything that has come when a request sent now is answered: nothing is under way any more."""
        self.ask("tools/list")
        heard, self.heard = self.heard, []
        return heard

    def close(self) -> tuple[int, list[Any], str]:
        """End stdin: exit code, what still came, stderr."""
        self.process.stdin.close()
        rest = [json.loads(line) for line in iter(lambda: self._lines.get(timeout=DEADLINE), None)]
        code = self.process.wait(DEADLINE)
        return code, rest, self.process.stderr.read().decode()

    def kill(self) -> None:
        self.process.kill()
        self.process.wait(DEADLINE)
        self._reader.join(DEADLINE)
        for stream in (self.process.stdin, self.process.stderr):
            with suppress(OSError):
                stream.close()


@pytest.fixture
def talk(tmp_path: Path) -> Iterator[Any]:
    """`talk("full", "2025-06-18", {...})` starts a demo; a TOML text is played as a scenario of its own."""
    started: list[Talk] = []

    def start(scenario: str, revision: str | None = None, capabilities: dict | None = None) -> Talk:
        if "\n" in scenario:
            path = tmp_path / f"scenario-{len(started)}.toml"
            path.write_text(scenario, encoding="utf-8")
            scenario = str(path)
        started.append(Talk(scenario, revision, capabilities))
        return started[-1]

    yield start
    for each in started:
        each.kill()


@pytest.fixture(scope="session")
def ending() -> Iterator[list[Any]]:
    """Servers that were told to end: all are waited for at once, for each takes its fifth of a second."""
    servers: list[Any] = []
    yield servers
    for server in servers:
        server.join()


@pytest.fixture
def served(ending: list[Any]) -> Iterator[Any]:
    """`served("full")` serves a scenario over HTTP and gives its address; a TOML text is a scenario of its own."""
    from flowgen.demo._running import Threaded
    from flowgen.demo._scenario import load, read

    servers = []

    def start(scenario: str) -> str:
        servers.append(Threaded(read(scenario) if "\n" in scenario else load(scenario)))
        return servers[-1].url

    yield start
    for server in servers:
        server.stop()
        ending.append(server)
