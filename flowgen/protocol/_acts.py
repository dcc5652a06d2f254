"""What a script may ask of whoever plays it, and what it is told in return.

A script is a generator: it yields an act and is sent what came of it. Nothing here sends, waits or knows the time,
so a test plays a whole session from canned answers.
"""

from collections.abc import Callable, Generator
from dataclasses import dataclass, field
from typing import Any, Literal, TypeVar

T = TypeVar("T")
Script = Generator[Any, Any, T]

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Ask:
    """A request. The script goes on with an Answer, or with a Silence when the request was given up.

    `patience` names the time limit: `opening` the first answer of a server, `probe` the question whether it is
    of the stateless era, `step` everything else. `cancel_after` is in seconds: the plan takes the request back then.
    """

    method: str
    params: Json | None
    revision: str | None
    patience: Literal["opening", "probe", "step"] = "step"
    progress: bool = False
    cancel_after: float | None = None


@dataclass(frozen=True, slots=True)
class Open:
    """A request that stays open (`subscriptions/listen`). The script goes on at once with an Opened."""

    method: str
    params: Json | None
    revision: str | None


@dataclass(frozen=True, slots=True)
class Tell:
    """A notification. The script goes on at once."""

    method: str
    params: Json | None
    revision: str | None


@dataclass(frozen=True, slots=True)
class TakeBack:
    """Gives up the open request of message `seq`, on the plan's behalf. The script goes on at once."""

    seq: int


@dataclass(frozen=True, slots=True)
class Pause:
    """Waits `seconds`, or until `wake` says yes to a message of the server: the script is sent its `seq`, or None."""

    seconds: float
    wake: Callable[[Json], bool]


@dataclass(frozen=True, slots=True)
class Note:
    """What only the client's side knows, as an event code of the picture book. The script is sent its `seq`."""

    event: str
    data: Json
    sender: str = "client"
    receiver: str = "client"


@dataclass(frozen=True, slots=True)
class AskPerson:
    """A question to the person at the terminal; the script is sent a Reply.

    `kind` is elicitation, sampling or approval. `schema` is the form asked for, `url` the page of URL mode.
    """

    kind: Literal["elicitation", "sampling", "approval"]
    message: str
    schema: Json = field(default_factory=dict)
    url: str | None = None


@dataclass(frozen=True, slots=True)
class RunModel:
    """Runs a command that stands for the model, with `question` as JSON on its stdin; the script is sent a Reply."""

    argv: tuple[str, ...]
    question: Any


@dataclass(frozen=True, slots=True)
class OpenBrowser:
    """Hands an address to the person's browser. The script goes on at once."""

    url: str


@dataclass(frozen=True, slots=True)
class Warn:
    """One line for the person who runs the recorder. It does not go into the trace."""

    text: str


@dataclass(frozen=True, slots=True)
class Mark:
    """Opens a band of the picture: the next message carries `title`, or the one with number `seq` does."""

    title: str
    seq: int | None = None


@dataclass(frozen=True, slots=True)
class Settled:
    """The era and the revision are known from here on."""

    era: Literal["handshake", "stateless"]
    revision: str


@dataclass(frozen=True, slots=True)
class Answer:
    """What answered a request: message `seq`, with the JSON-RPC object as it came."""

    seq: int
    body: Json

    @property
    def error(self) -> Json | None:
        """The error object, None where there is none."""
        error = self.body.get("error")
        return error if isinstance(error, dict) else None

    @property
    def result(self) -> Json:
        """The result, empty where it is missing or no object."""
        result = self.body.get("result")
        return result if isinstance(result, dict) else {}


@dataclass(frozen=True, slots=True)
class Silence:
    """The request of message `seq` was given up.

    `timeout`: its time was over. `startup`: so was a server's time to give any sign of life. `plan`: taken back.
    """

    seq: int
    why: Literal["timeout", "startup", "plan"]


@dataclass(frozen=True, slots=True)
class Opened:
    """An open request: its message and its JSON-RPC id."""

    seq: int
    id: Any


@dataclass(frozen=True, slots=True)
class Reply:
    """What a person or a model said, after `seconds`. `value` is the form's content or the text."""

    action: Literal["accept", "decline", "cancel"]
    value: Any
    seconds: float


@dataclass(frozen=True, slots=True)
class Result:
    """How a request of the server is answered: with this result."""

    value: Json


@dataclass(frozen=True, slots=True)
class Refusal:
    """How a request of the server is answered: with this JSON-RPC error."""

    code: int
    message: str


@dataclass(frozen=True, slots=True)
class Ending:
    """How a script ended: a reason of the trace, and what to tell a person when it is not `done`."""

    reason: Literal["done", "no-common-revision", "connect-failed", "timed-out"] = "done"
    why: str = ""
    hint: str = ""
