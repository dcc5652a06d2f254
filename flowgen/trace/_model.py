"""What was seen on the wire, as a file holds it (`flowgen.trace/1`). Nothing here is worked out from it.

Unknown fields are kept, so that a document of a later revision of the format survives being read and written.
Every string may hold lone surrogates; `body` is any JSON value.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StrictBool, StrictInt

Role = Literal["client", "server", "gateway", "auth", "api", "host", "person", "browser", "model"]
Kind = Literal["request", "response", "error", "notification", "http", "noise", "stderr", "process", "note"]
Transport = Literal["stdio", "http", "sse"]
Reason = Literal[
    "done", "server-exited", "server-failed", "start-failed", "connect-failed",
    "no-common-revision", "timed-out", "interrupted", "cut",
]  # fmt: skip
Count = Annotated[int, Field(strict=True, ge=0, le=10**9)]
Seconds = Annotated[float, Field(strict=True, allow_inf_nan=False)]  # "inf" is a text, and no time


# pydantic reads the signatures of factories, and that of a builtin with a tokenizer that takes as long as a model
def _list() -> list[Any]:
    return []


def _dict() -> dict[str, str]:
    return {}


class _Part(BaseModel):
    model_config = ConfigDict(extra="allow", frozen=True)


class Participant(_Part):
    """Who sends or receives. `title` is the name and version it gave of itself."""

    id: str
    role: Role
    title: str | None = None


class Problem(_Part):
    """What the recorder noticed about one message: a code of the contract and one plain sentence."""

    code: str
    message: str = ""


class Http(_Part):
    """One half of an HTTP exchange. `headers` are pairs in the order and case sent, repeats kept."""

    method: str | None = None
    url: str | None = None
    status: StrictInt | None = None
    headers: list[tuple[str, str]] = Field(default_factory=_list)


class Sse(_Part):
    """The fields of a server-sent event beside its data."""

    id: str | None = None
    event: str | None = None
    retry: StrictInt | None = None
    comment: str | None = None


class StepMark(_Part):
    """Opens a band in the picture; comes from a plan."""

    title: str


class Message(_Part):
    """One thing seen. `at` is in seconds since the start; None where the source knew no times.

    `left_out` is how many numbered messages of the whole recording an excerpt does not have directly before it.
    """

    seq: StrictInt
    at: Seconds | None = None
    sender: str
    receiver: str
    kind: Kind
    transport: Transport | None = None
    revision: str | None = None
    body: Any = None
    text: str | None = None
    encoding: Literal["base64"] | None = None
    raw: str | None = None
    raw_encoding: Literal["base64"] | None = None
    exchange: StrictInt | None = None
    http: Http | None = None
    sse: Sse | None = None
    problems: list[Problem] = Field(default_factory=_list)
    redacted: list[str] = Field(default_factory=_list)
    fingerprints: dict[str, str] = Field(default_factory=_dict)
    size: StrictInt | None = None
    head: dict[str, Any] | None = None
    step: StepMark | None = None
    left_out: Count | None = None

    @property
    def codes(self) -> list[str]:
        """The problem codes, in order."""
        return [problem.code for problem in self.problems]


@dataclass(frozen=True, slots=True)
class Others:
    """Messages that were left out of a recording: how many, the seconds that those took which are answers, and some
    of the names that were asked for.
    """

    count: int
    latencies: Sequence[float] = ()
    names: tuple[str, ...] = ()


class StandIn(Message, defer_build=True):
    """A message of a recording too large to be held: it stands for others like it, which were left out.

    `skipped` is how many numbered messages are missing directly before it. Neither is in a file.
    """

    others: Others | None = Field(default=None, exclude=True)
    skipped: int = Field(default=0, exclude=True)


class ServerEnd(_Part):
    """How one of several sessions ended that did not run to its end: the server's participant, and what it's called."""

    id: str
    name: str
    reason: Reason
    exit_code: StrictInt | None = None
    signal: str | None = None


class Outcome(_Part):
    """How the session ended. `complete` only if every step ran to its end.

    With several servers `reason` is that of the most serious end; `servers` are all that did not run to their end.
    """

    complete: StrictBool
    reason: Reason
    exit_code: StrictInt | None = None
    signal: str | None = None
    servers: list[ServerEnd] = Field(default_factory=_list)


class Excerpt(_Part):
    """What a part of a recording is of the whole: its messages `first` to `last` as a picture numbers them, `of` so
    many; the number of its first step; how the whole session ended.
    """

    first: Count
    last: Count
    of: Count
    first_step: Count = 1
    outcome: Outcome


class Trace(_Part):
    """A recording: a header, the participants and the messages in the order seen. An excerpt says that it is one."""

    format: Literal["flowgen.trace/1"] = "flowgen.trace/1"
    recorded_at: str | None = None
    recorder: str | None = None
    command: list[str] | None = None
    url: str | None = None
    title: str | None = None
    missing: list[str] = Field(default_factory=_list)
    excerpt: Excerpt | None = None
    participants: list[Participant]
    messages: list[Message] = Field(default_factory=_list)
    outcome: Outcome


def schema() -> dict[str, Any]:
    """The JSON Schema of the document."""
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **Trace.model_json_schema()}
