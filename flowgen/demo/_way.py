"""Where what belongs to a request goes. On stdio all go the same way; over HTTP each exchange is a way of its own."""

from collections.abc import Callable
from typing import NamedTuple

from ._messages import Message

Answer = Message | list[Message] | None


class Way(NamedTuple):
    """The way to whoever sent a request.

    `send` takes what is told before the answer, `answer` the answer itself (None: there will be none), and `cut`
    breaks the connection off, to be taken up again after so many seconds.
    """

    send: Callable[[Message], None]
    answer: Callable[[Answer], None]
    cut: Callable[[float], None]
