"""Keeps what was seen: numbers it, times it, masks it, and names who took part. Nothing is worked out here.

Messages are plain dicts of `flowgen.trace/1`; secrets are gone before a message is kept.
"""

import time
from typing import Any

from flowgen.version import __version__

Json = dict[str, Any]

FORMAT = "flowgen.trace/1"
# lanes from left to right; whoever neither sent nor received gets none
_ROLES = ("person", "host", "model", "browser", "client", "server")


class Recorder:
    """The recording in the making."""

    def __init__(self, mask: Any, command: list[str], title: str | None = None) -> None:
        """`mask` takes secrets out (`flowgen.trace.Mask`); `command` is the argv to be started."""
        self._mask = mask
        self._header: Json = {
            "format": FORMAT,
            "recorded_at": _utc_now(),
            "recorder": f"flowgen record {__version__}",
            "command": mask.argv(command),
            **({"title": title} if title is not None else {}),
        }
        self._titles: dict[str, str | None] = {"client": None, "server": None}
        self._band: str | None = None
        self._last_at = 0.0
        self.messages: list[Json] = []

    def seen(self, part: Json, at: float, sender: str, receiver: str, **more: Any) -> Json:
        """Keeps one message; `part` has its kind and content, `more` further fields. Returns it as it is kept.

        Times never go back: what waited in a thread is as late as what was kept before it.
        """
        self._last_at = max(self._last_at, round(at, 6))
        message: Json = {
            "seq": len(self.messages) + 1, "at": self._last_at, "sender": sender, "receiver": receiver,
            "kind": part["kind"], **{name: value for name, value in more.items() if value is not None}, **part,
        }  # fmt: skip
        message.setdefault("problems", [])
        if self._band is not None:
            message["step"], self._band = {"title": self._band}, None
        kept: Json = self._mask.message(message)
        self.messages.append(kept)
        for name in (sender, receiver):
            self._titles.setdefault(name, None)
        return kept

    def band(self, title: str, seq: int | None = None) -> None:
        """The next message opens a band with this title, or the one with number `seq` does."""
        if seq is None:
            self._band = title
        else:
            self.messages[seq - 1]["step"] = {"title": title}

    def name(self, participant: str, title: str) -> None:
        """What a participant calls itself; its first word counts."""
        if self._titles.get(participant) is None:
            self._titles[participant] = self._mask.text(title)

    def document(self, outcome: Json) -> Json:
        """The whole recording."""
        participants = [
            {"id": role, "role": role, **({"title": self._titles[role]} if self._titles[role] is not None else {})}
            for role in _ROLES
            if role in self._titles
        ]
        return {**self._header, "participants": participants, "messages": self.messages, "outcome": outcome}


def _utc_now() -> str:
    now = time.time()
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(now)) + f".{int(now * 1000) % 1000:03d}Z"
