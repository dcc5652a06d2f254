"""The two eras as dialects: how a request looks in each. `Handshake` adds nothing, `Stateless` adds `_meta`.

Source: 2026-07-28 basic/index (`_meta` keys), 2025-11-25 basic/lifecycle.
"""

from typing import Any, Literal, NamedTuple

from ._acts import Json
from ._revisions import declared_by_default

PREFIX = "io.modelcontextprotocol/"


class Identity(NamedTuple):
    """Who the client says it is. `capabilities` None: whatever the revision knows."""

    name: str
    version: str
    more: Json = {}  # noqa: RUF012 - a NamedTuple's default, never changed
    capabilities: Json | None = None

    @property
    def info(self) -> Json:
        """The `clientInfo` object."""
        return {"name": self.name, "version": self.version, **self.more}

    @property
    def title(self) -> str:
        """Name and version in one line, as a lane shows them."""
        return f"{self.name} {self.version}"

    def declares(self, revision: str) -> Json:
        """The capabilities in a revision."""
        return declared_by_default(revision) if self.capabilities is None else self.capabilities


class Handshake(NamedTuple):
    """Revisions up to 2025-11-25: capabilities are agreed once, requests carry nothing."""

    revision: str
    era: Literal["handshake"] = "handshake"

    def stamp(self, params: Json) -> Json | None:
        """The params to send; none at all when there are none."""
        return params or None


class Stateless(NamedTuple):
    """2026-07-28 on: every request says its revision, who asks, and what the asker can do."""

    revision: str
    identity: Identity
    log_level: str | None = None
    era: Literal["stateless"] = "stateless"

    def stamp(self, params: Json) -> Json:
        """The params with the envelope of this revision as their last member."""
        meta: dict[str, Any] = {
            PREFIX + "protocolVersion": self.revision,
            PREFIX + "clientInfo": self.identity.info,
            PREFIX + "clientCapabilities": self.identity.declares(self.revision),
        }
        if self.log_level is not None:
            meta[PREFIX + "logLevel"] = self.log_level
        return {**params, "_meta": meta}

    def logging_at(self, level: str) -> "Stateless":
        """The same, asking for log messages from `level` on."""
        return self._replace(log_level=level)


Dialect = Handshake | Stateless
