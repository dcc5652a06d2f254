"""The way to a server that is a process: its parts put together."""

from shutil import which

from flowgen.wire import MAX_MESSAGE

from ._ending import Ending
from ._live import Live
from ._pipes import Pipes, Stdin
from ._session import Server
from ._starting import shell_words, start_hint
from ._stdio import Stdio


class PipeLine:
    """A process that was started."""

    def __init__(self, server: Server, transport: Stdio) -> None:
        self._argv = list(server.argv)
        self._cwd = server.cwd
        self._transport = transport

    def channel(self, live: Live) -> Stdin:
        """Its stdin."""
        self._pipes = Pipes(live.intake, live.now, live.session.max_message or MAX_MESSAGE)
        return Stdin(self._transport)

    def closing(self, live: Live) -> Ending:
        """How it is brought to its end."""
        return Ending(live.driver, live.intake, self._pipes, live.speaker, self._transport, live.now)

    def begin(self, live: Live, at: float) -> None:
        """It was started then; from here on it is heard."""
        kept = live.speaker.process("started", at=at, argv=self._argv)
        warning = shell_words(kept["body"]["argv"])
        if warning is not None:
            live.desk.warn(warning)
        self._transport.attend()

    def failed(self, live: Live, error: str) -> str:
        """Nothing could be started; gives what to try."""
        kept = live.speaker.process("start-failed", argv=self._argv, error=error)
        return start_hint(kept["body"]["argv"], self._cwd, which)
