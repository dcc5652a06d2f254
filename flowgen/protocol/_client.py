"""The client's side of a session: who it is, what it learned of the server, and what it heard.

It keeps facts for the scripts; it sends nothing. Everything a script says to the server goes through `ask`,
`open` and `tell`, which put on it what the era wants.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from flowgen.wire import param_headers

from ._acts import Answer, Ask, Ending, Failed, Json, Mark, Note, Open, Opened, Script, Settled, Silence, Tell, Warn
from ._dialects import Dialect, Identity, Stateless
from ._plan import Step

if TYPE_CHECKING:
    from ._cache import Cache
    from ._rules import Answers

# method of a list → the member of its result; `templates` and `resources` change together
LISTS = {
    "tools": ("tools/list", "tools"),
    "resources": ("resources/list", "resources"),
    "templates": ("resources/templates/list", "resourceTemplates"),
    "prompts": ("prompts/list", "prompts"),
}
_CHANGED = {
    "notifications/tools/list_changed": ("tools",),
    "notifications/resources/list_changed": ("resources", "templates"),
    "notifications/prompts/list_changed": ("prompts",),
}


class Manners(NamedTuple):
    """Who decides: a person before each call (`approve`), nobody (`yes`), a person where no rule answers (`ask`)."""

    approve: bool = False
    yes: bool = False
    ask: bool = False


class Over(Exception):
    """The session cannot go on, whatever step it is in."""

    def __init__(self, ending: Ending) -> None:
        self.ending = ending


class Client:
    """What a client knows during one session."""

    def __init__(
        self,
        identity: Identity,
        answers: "Answers | None" = None,
        manners: Manners | None = None,
        named: bool = False,
        web: Literal["auto", "http", "sse"] | None = None,
    ) -> None:
        """`named`: the steps come from a plan of the user, so each is announced by a note.

        `web`: which transport of HTTP may be spoken, None for a process with pipes.
        """
        self.identity = identity
        self.answers = answers
        self.manners = manners or Manners()
        self.named = named
        self.web = web
        self.hosted = ""  # what a host with several servers calls this one
        self.browser: Literal["user", "demo"] = "user"  # whose browser opens a page: a person's, or a played one
        self.turns = False  # whether the host says whose step is next
        self.echoed = False  # the other side said what only a client says
        self.failed = ""  # what the transport failed to do first
        self.reopen: Callable[[], Script[Ending | None]] | None = None  # opens a session anew, in the handshake era
        self.mirrored: dict[str, dict[tuple[str, ...], str]] = {}  # tool → which arguments have headers of their own
        self.dropped: dict[str, str] = {}  # tool → why it cannot be called over HTTP
        self.dialect: Dialect | None = None
        self.server: Json | None = None  # the server's capabilities; None while unknown
        self.listed: dict[str, list[Json]] = {}
        self.roots: tuple[Json, ...] | None = answers.roots if answers else None
        self.cache: Cache | None = None  # answers that may be used again, if the plan wants that
        self.roots_by = "answers"  # who gave the roots: the answers file, or a step of the plan
        self.calling: str | None = None
        self.titles: Json = {}  # of the parts of the step that runs
        self.announced: Json = {}  # what its note says of it
        self.visited: set[str] = set()  # ids of the elicitations that the server calls complete
        self.called: set[str] = set()
        self._changed: set[str] = set()
        self._heard: list[tuple[str, int]] = []
        self._last_heard: list[tuple[str, int]] = []

    # what is said

    def ask(self, method: str, params: Json, step: Step | None = None) -> Script[Answer | Silence | Failed]:
        """A request in the era's dress. Raises Over when there is no point in going on."""
        answer = yield from self._ask(method, params, step)
        if isinstance(answer, Failed) and answer.lost and self.reopen is not None:
            yield Warn("the server lost the session: a new one is opened")
            if (yield from self.reopen()) is None:
                answer = yield from self._ask(method, params, step)
        if isinstance(answer, Failed):
            if answer.refused:
                raise Over(Ending("connect-failed", answer.why, answer.hint))
            self.failed = self.failed or answer.why
        return answer

    def _ask(self, method: str, params: Json, step: Step | None) -> Script[Answer | Silence | Failed]:
        progress, cancel_after = (step.progress, step.cancel_after) if step else (False, None)
        dialect = self._settled
        answer: Answer | Silence | Failed = yield Ask(
            method, dialect.stamp(params), dialect.revision, progress=progress, cancel_after=cancel_after
        )
        return answer

    def open(self, method: str, params: Json) -> Script[Opened]:
        """A request that stays open."""
        opened: Opened = yield Open(method, self._settled.stamp(params), self._settled.revision)
        return opened

    def tell(self, method: str, params: Json | None = None) -> Script[None]:
        """A notification."""
        yield Tell(method, params, self._settled.revision)

    def part(self, name: str, seq: int | None = None) -> Script[None]:
        """A part of the running step begins with what is said next, or with message `seq`."""
        if name in self.titles:
            yield Mark(self.titles[name], seq)

    @property
    def stateless(self) -> bool:
        """True once the era is settled and has no handshake: then the client answers no requests."""
        return isinstance(self.dialect, Stateless)

    @property
    def _settled(self) -> Dialect:
        if self.dialect is None:
            raise RuntimeError("no era is settled yet")
        return self.dialect

    # what is learned

    def settle(self, dialect: Dialect, capabilities: Any) -> Script[None]:
        """From here on both sides speak `dialect`; `capabilities` are the server's, None when it told none."""
        self.dialect = dialect
        self.server = capabilities if isinstance(capabilities, dict) else None
        yield Settled(dialect.era, dialect.revision)

    def usable(self, tools: list[Json]) -> Script[list[Json]]:
        """The tools without those that a client over HTTP must drop (2026-07-28 basic/transports/streamable-http)."""
        if self.web is None or not self.stateless:
            return tools
        kept = []
        for tool in tools:
            name, read = str(tool.get("name")), param_headers(tool.get("inputSchema"))
            self.mirrored[name] = read.names
            if read.fault is None:
                self.dropped.pop(name, None)
                kept.append(tool)
            else:
                self.dropped[name] = read.fault
                yield Warn(f"the tool `{name}` is dropped: {read.fault}")
        return kept

    def speaks(self, revision: str) -> bool:
        """Whether this is the revision that is settled."""
        return self.dialect is not None and self.dialect.revision == revision

    def serves(self, kind: str) -> bool:
        """Whether the server has this kind of list, as far as it said."""
        return self.server is None or {"templates": "resources"}.get(kind, kind) in self.server

    def declares(self, *path: str) -> bool:
        """Whether the server's capabilities say true at this path, such as `tools`, `listChanged`."""
        value: Any = self.server
        for name in path:
            value = value.get(name) if isinstance(value, dict) else None
        return value is True

    @property
    def capabilities(self) -> Json:
        """What this client declared; before an era is settled, what it would declare in the newest revision."""
        return self.identity.declares(self.dialect.revision if self.dialect else "")

    # what is heard

    def hear(self, body: Json, seq: int) -> None:
        """Takes note of a request or notification of the server."""
        method = body.get("method")
        self.echoed |= method in ("initialize", "server/discover")
        if isinstance(method, str):
            self._heard.append((method, seq))
            self._changed.update(kind for kind in _CHANGED.get(method, ()) if kind in self.listed)
            if self.cache is not None:
                self.cache.hear(method, body.get("params"), seq)
        if method == "notifications/elicitation/complete" and isinstance(params := body.get("params"), dict):
            self.visited.add(str(params.get("elicitationId")))

    def begin_step(self, step: Step, number: int) -> None:
        """What was heard from here on belongs to the next step."""
        self._last_heard, self._heard = self._heard, []
        self.titles = step.titles
        name = {"name": step.name} if step.name is not None else {}
        self.announced = {"step": number, "does": step.action, **name}

    def announce(self) -> Script[None]:
        """Notes which step of the user's plan is the reason for what follows."""
        if self.named:
            yield Note("plan-step", self.announced, "host", "client")

    def heard(self, method: str) -> int | None:
        """The first message with this method since the step before began."""
        return next((seq for name, seq in self._last_heard + self._heard if name == method), None)

    def take_changed(self) -> list[str]:
        """The lists that were announced as changed since this was last asked, in a fixed order."""
        changed, self._changed = [kind for kind in LISTS if kind in self._changed], set()
        return changed
