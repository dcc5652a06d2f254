"""A finding about a message of a recording: a rule of the protocol that is not kept."""

from dataclasses import dataclass

from ._book import Level


@dataclass(frozen=True, slots=True)
class Breach:
    """A finding about a message: `where` is its anchor, `number` that of pictures, `seq` that of the recording.

    `server` is the participant that does not keep the rule, `advice` the rule itself.
    """

    code: str
    severity: Level
    message: str
    server: str
    where: str
    advice: str
    source: str
    seq: int
    number: int | None = None
    host: str | None = None

    def __str__(self) -> str:
        """A line: where, how grave, which rule, who, what."""
        return f"{self.where}: {self.severity} {self.code} [{self.server}]: {self.message}"
