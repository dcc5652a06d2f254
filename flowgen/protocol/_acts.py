"""What a script may ask of whoever plays it, and what it is told in return.

A script is a generator: it yields an act and is sent what came of it. Nothing here sends, waits or knows the time,
so a test plays a whole session from canned answers.
"""

from collections.abc import Callable, Generator
from typing import Any, Literal, NamedTuple, TypeVar

T = TypeVar("T")
Script = Generator[Any, Any, T]

Json = dict[str, Any]


class Ask(NamedTuple):
    """A request. The script goes on with an Answer, with a Silence when the request was given up, or with a Failed.

    `patience` names the time limit: `opening` the first answer of a server, `probe` the question whether it is
    of the stateless era, `step` everything else. `cancel_after` is in seconds: the plan takes the request back then.
    """

    method: str
    params: Json | None
    revision: str | None
    patience: Literal["opening", "probe", "step"] = "step"
    progress: bool = False
    cancel_after: float | None = None


class Open(NamedTuple):
    """A request that stays open (`subscriptions/listen`). The script goes on at once with an Opened."""

    method: str
    params: Json | None
    revision: str | None


class Tell(NamedTuple):
    """A notification. The script goes on when it is sent; over HTTP, when the server has taken it or will not."""

    method: str
    params: Json | None
    revision: str | None


class OpenStream(NamedTuple):
    """Opens the stream of HTTP+SSE (2024-11-05): from here on requests go where its `endpoint` event says.

    The script is sent None when it stands, or a Failed.
    """


class TakeBack(NamedTuple):
    """Gives up the open request of message `seq`, on the plan's behalf. The script goes on at once."""

    seq: int


class Pause(NamedTuple):
    """Waits `seconds`, or until `wake` says yes to a message of the server: the script is sent its `seq`, or None."""

    seconds: float
    wake: Callable[[Json], bool]


class Now(NamedTuple):
    """What time is it? The script is sent the seconds since the recording began."""


class Note(NamedTuple):
    """What only the client's side knows, as an event code of the picture book. The script is sent its `seq`."""

    event: str
    data: Json
    sender: str = "client"
    receiver: str = "client"


class AskPerson(NamedTuple):
    """A question to the person at the terminal; the script is sent a Reply.

    `kind` is elicitation, sampling or approval. `schema` is the form asked for, `url` the page of URL mode.
    """

    kind: Literal["elicitation", "sampling", "approval"]
    message: str
    schema: Json | None = None
    url: str | None = None


class RunModel(NamedTuple):
    """Runs a command that stands for the model, with `question` as JSON on its stdin; the script is sent a Reply."""

    argv: tuple[str, ...]
    question: Any


class OpenBrowser(NamedTuple):
    """Hands an address to the person's browser. The script goes on at once."""

    url: str


class Turn(NamedTuple):
    """With several servers: step `number` of the plan is next. The script is sent the Step to do, None if it is not
    for its server, as soon as all sessions have come so far.
    """

    number: int


class Warn(NamedTuple):
    """One line for the person who runs the recorder. It does not go into the trace."""

    text: str


class Mark(NamedTuple):
    """Opens a band of the picture: the next message carries `title`, or the one with number `seq` does."""

    title: str
    seq: int | None = None


class Settled(NamedTuple):
    """The era and the revision are known from here on."""

    era: Literal["handshake", "stateless"]
    revision: str


class Answer(NamedTuple):
    """What answered a request: message `seq`, with the JSON-RPC object as it came.

    `unkept`: why only its beginning was read, such as `larger than --max-message`; then `body` is just its head.
    """

    seq: int
    body: Json
    unkept: str = ""

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


class Silence(NamedTuple):
    """The request of message `seq` was given up.

    `timeout`: its time was over. `startup`: so was a server's time to give any sign of life. `plan`: taken back.
    """

    seq: int
    why: Literal["timeout", "startup", "plan"]


class Failed(NamedTuple):
    """The transport brings no answer to the request of message `seq`: an HTTP status, a stream that closed, no server.

    `status` is that of HTTP, None where none came. `lost`: the server does not know our session any more.
    `refused`: nobody may speak with this server as we do, so there is no point in going on.
    """

    seq: int
    why: str
    hint: str = ""
    status: int | None = None
    connected: bool = True
    lost: bool = False
    refused: bool = False


class Opened(NamedTuple):
    """An open request: its message and its JSON-RPC id."""

    seq: int
    id: Any


class Reply(NamedTuple):
    """What a person or a model said, after `seconds`. `value` is the form's content or the text."""

    action: Literal["accept", "decline", "cancel"]
    value: Any
    seconds: float


class Result(NamedTuple):
    """How a request of the server is answered: with this result."""

    value: Json


class Refusal(NamedTuple):
    """How a request of the server is answered: with this JSON-RPC error."""

    code: int
    message: str


class Ending(NamedTuple):
    """How a script ended: a reason of the trace, and what to tell a person when it is not `done`."""

    reason: Literal["done", "no-common-revision", "connect-failed", "timed-out"] = "done"
    why: str = ""
    hint: str = ""
