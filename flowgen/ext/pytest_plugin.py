"""A pytest plugin that keeps the MCP sessions of tests: a recording and a picture of each test that fails.

Without `--flowgen DIR` it does nothing, loads nothing beyond pytest, and hands on what it is given.
"""

import hashlib
import re
import time
from collections.abc import AsyncIterator, Generator, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from flowgen.api import Spoken
    from flowgen.trace import Trace

Kept = tuple[float, Any, Any]  # when, who sent it, the SDK's message

_PROPERTIES = ("flowgen.trace", "flowgen.picture")
_LONGEST = 100  # characters of a file's name
_SESSIONS: "pytest.StashKey[Sessions]" = pytest.StashKey()
_FAILED: "pytest.StashKey[bool]" = pytest.StashKey()


class Sessions:
    """The sessions of one test: what its clients say and hear, or recordings that it makes."""

    def __init__(self, listening: bool) -> None:
        self._listening = listening
        self._found: list[list[Kept] | Trace] = []

    def transport(self, client: Any) -> Any:
        """A transport of the SDK (`stdio_client(…)`, `streamable_http_client(…)`), an address, parameters of a server
        or one in this process, for `Client(…)` or `async with … as streams`: it is listened to.
        """
        opened = client if hasattr(client, "__aenter__") else _connected(client)
        return self._heard(opened) if self._listening else opened

    def streams(self, read: Any, write: Any) -> tuple[Any, Any]:
        """The two streams of a client session (`ClientSession(read, write)`), listened to."""
        if not self._listening:
            return read, write
        kept: list[Kept] = []
        self._found.append(kept)
        return _Heard(read, kept), _Said(write, kept)

    def record(self, server: Any = None, **options: Any) -> "Trace":
        """Record a session of flowgen's own client with a command or an address, as `flowgen.record` does."""
        import flowgen

        trace = flowgen.record(server, **options)
        self._found.append(trace)
        return trace

    def traces(self, title: str) -> "Iterator[Trace]":
        """What was seen: a recording for each session."""
        from flowgen import api

        for found in self._found:
            if not isinstance(found, list):
                yield found
            elif found:  # else nobody said anything
                yield api.spoken(map(_spoken, found), title)

    @asynccontextmanager
    async def _heard(self, client: AbstractAsyncContextManager[Any]) -> AsyncIterator[tuple[Any, ...]]:
        async with client as (read, write, *rest):
            yield (*self.streams(read, write), *rest)


@pytest.fixture
def flowgen_sessions(request: pytest.FixtureRequest) -> Sessions:
    """Records the MCP sessions of this test, where `--flowgen DIR` says where to keep them."""
    sessions = Sessions(request.config.getoption("flowgen_folder") is not None)
    request.node.stash[_SESSIONS] = sessions
    return sessions


def pytest_addoption(parser: pytest.Parser) -> None:
    """The options."""
    group = parser.getgroup("flowgen", "recordings of MCP sessions")
    group.addoption("--flowgen", dest="flowgen_folder", metavar="DIR",
                    help="keep recording and picture of each failing test that uses flowgen_sessions in this folder")
    group.addoption("--flowgen-all", dest="flowgen_all", action="store_true", help="keep those of passing tests, too")


def pytest_configure(config: pytest.Config) -> None:
    """Takes part only where it was asked to."""
    folder = config.getoption("flowgen_folder")
    if folder is not None:
        config.pluginmanager.register(_Keeper(Path(folder), config.getoption("flowgen_all")), "flowgen-keeper")


class _Keeper:
    """Writes what was seen when a test is over, and tells where it lies."""

    def __init__(self, folder: Path, everything: bool) -> None:
        self._folder = folder
        self._everything = everything
        self._pictures: list[str] = []

    @pytest.hookimpl(hookwrapper=True)  # as every pytest since 7 has it
    def pytest_runtest_makereport(self, item: pytest.Item) -> Generator[None, Any, None]:
        """The report of a test that is over tells the files."""
        report: pytest.TestReport = (yield).get_result()
        failed = item.stash[_FAILED] = item.stash.get(_FAILED, False) or report.failed
        sessions = item.stash.get(_SESSIONS, None)
        if report.when == "teardown" and sessions is not None and (failed or self._everything):
            report.user_properties += self._kept(sessions, item.nodeid, report)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Where the files are, whichever process wrote them."""
        if report.when == "teardown":
            self._pictures += [str(path) for name, path in report.user_properties if name == _PROPERTIES[1]]

    def pytest_terminal_summary(self, terminalreporter: "pytest.TerminalReporter") -> None:
        """A line for each picture."""
        for path in self._pictures:
            terminalreporter.write_line(f"flowgen: {path}")

    def _kept(self, sessions: Sessions, test: str, report: pytest.TestReport) -> list[tuple[str, object]]:
        """Writes the files; what cannot be written is told with the report, and changes no test."""
        written: list[tuple[str, object]] = []
        try:
            for number, trace in enumerate(sessions.traces(test), 1):  # +2: other tests may be called test[2]
                written += self._files(trace, f"{named(test)}{f'+{number}' if number > 1 else ''}")
        except Exception as problem:
            report.sections.append(("flowgen", f"not kept: {problem}"))
        return written

    def _files(self, trace: "Trace", name: str) -> list[tuple[str, object]]:
        import flowgen

        self._folder.mkdir(parents=True, exist_ok=True)
        paths = [str(self._folder / f"{name}{suffix}") for suffix in (".json", ".svg")]
        flowgen.save(trace, paths[0])
        flowgen.render(trace, paths[1])
        return list(zip(_PROPERTIES, paths, strict=True))


def named(test: str) -> str:
    """A file's name for a test's: what no file system takes is replaced, and then a few signs tell it from others."""
    plain = re.sub(r"[^\w.-]+", "-", test.replace("::", "-").replace("/", "."), flags=re.ASCII).strip("-.")
    if len(plain) <= _LONGEST and re.fullmatch(r"[\w./:-]*(\[[\w.-]*\])?", test, flags=re.ASCII):
        return plain
    return f"{plain[:_LONGEST]}-{hashlib.sha256(test.encode('utf-8', 'replace')).hexdigest()[:8]}"


class _Stream:
    """A stream of the SDK, with all that it can do otherwise."""

    def __init__(self, stream: Any, kept: list[Kept]) -> None:
        self._stream = stream
        self._kept = kept

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    async def __aenter__(self) -> Any:
        await self._stream.__aenter__()
        return self

    async def __aexit__(self, *raised: Any) -> Any:
        return await self._stream.__aexit__(*raised)

    def _keep(self, sender: str, item: Any) -> None:
        if hasattr(item, "message"):  # else it is what went wrong with one
            self._kept.append((time.time(), sender, item.message))


class _Heard(_Stream):
    def __aiter__(self) -> Any:
        return self

    async def __anext__(self) -> Any:
        item = await self._stream.__anext__()
        self._keep("server", item)
        return item

    async def receive(self) -> Any:
        item = await self._stream.receive()
        self._keep("server", item)
        return item


class _Said(_Stream):
    async def send(self, item: Any) -> None:
        self._keep("client", item)  # before its answer can be there
        await self._stream.send(item)


def _spoken(kept: Kept) -> "Spoken":
    from flowgen.api import Spoken

    at, sender, message = kept
    return Spoken(at, sender, message.model_dump_json(by_alias=True, exclude_unset=True))


def _connected(server: Any) -> Any:
    """What connects a client with a server, over streams of the SDK."""
    if isinstance(server, str):
        from mcp.client.streamable_http import streamable_http_client

        return streamable_http_client(server)
    if hasattr(server, "command"):
        from mcp.client.stdio import stdio_client

        return stdio_client(server)
    from mcp.client._memory import InMemoryTransport  # what Client(server) itself takes

    return InMemoryTransport(server)
