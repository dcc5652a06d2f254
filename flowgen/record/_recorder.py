"""Keeps what was seen: numbers it, times it, masks it, and names who took part. Nothing is worked out here.

Messages are plain dicts of `flowgen.trace/1`. Secrets are gone from a message before anybody sees it: at once, or
where nobody looks on, while the answer is waited for.
"""

import threading
import time
from collections import deque
from typing import Any, NamedTuple

from flowgen.version import __version__

Json = dict[str, Any]

FORMAT = "flowgen.trace/1"
# lanes from left to right; whoever neither sent nor received gets none
_ROLES = ("person", "host", "model", "browser", "client", "server", "auth")


class Sides(NamedTuple):
    """The participants' ids of one session's client and server; with several servers each session has its own."""

    client: str = "client"
    server: str = "server"


class Recorder:
    """The recording in the making. Several sessions may share it, each in a thread of its own."""

    def __init__(self, mask: Any, command: list[str] | str, title: str | None = None) -> None:
        """`mask` takes secrets out (`flowgen.trace.Mask`); `command` is the argv to be started, or the address."""
        self._mask = mask
        self._lock = threading.RLock()
        self._header: Json = {
            "format": FORMAT,
            "recorded_at": _utc_now(),
            "recorder": f"flowgen record {__version__}",
            **({"url": mask.url(command)} if isinstance(command, str) else {"command": mask.argv(command)}),
            **({"title": title} if title is not None else {}),
        }
        self._roles: dict[str, str] = {}
        self._titles: dict[str, str] = {}
        self._exchanges = 0
        self._band: str | None = None
        self._last_at = 0.0
        self._at_once = True
        self._unmasked: deque[Json] = deque()
        self.messages: list[Json] = []

    def mask_later(self) -> None:
        """From here on messages are masked when somebody says `settle`, or asks for the document."""
        self._at_once = False

    def seen(self, part: Json, at: float, sender: str, receiver: str, **more: Any) -> Json:
        """Keeps one message; `part` has its kind and content, `more` further fields. Returns it as it is kept.

        Times never go back: what waited in a thread is as late as what was kept before it. Nobody changes the
        content afterwards; problems may be added.
        """
        with self._lock:
            self._last_at = max(self._last_at, round(at, 6))
            message: Json = {
                "seq": len(self.messages) + 1, "at": self._last_at, "sender": sender, "receiver": receiver,
                "kind": part["kind"], **{name: value for name, value in more.items() if value is not None}, **part,
            }  # fmt: skip
            message["problems"] = list(part.get("problems", ()))
            if self._band is not None:
                message["step"], self._band = {"title": self._band}, None
            self.messages.append(message)
            self._unmasked.append(message)
            for name in (sender, receiver):
                self._roles.setdefault(name, name)
            if self._at_once:
                self.settle()
            return message

    def settle(self) -> None:
        """Takes the secrets out of what was kept since the last time, in its order. Any thread may."""
        with self._lock:
            while self._unmasked:
                message = self._unmasked[0]
                masked = self._mask.message({**message, "problems": list(message["problems"])})
                _become(message, masked)
                self._unmasked.popleft()

    def text(self, text: str) -> str:
        """A text without secrets, those of the last messages included."""
        self.settle()
        return str(self._mask.text(text))

    def enter(self, participant: str, role: str) -> None:
        """Somebody takes part, whether he says something or not; without this an id is a role, too."""
        with self._lock:
            self._roles.setdefault(participant, role)

    def party(self, role: str, title: str) -> str:
        """The id of somebody who is known by what he is called, such as an authorization server by its host."""
        with self._lock:
            same = [id_ for id_, known in self._roles.items() if known == role]
            found = next((id_ for id_ in same if self._titles.get(id_) == title), None)
            id_ = found or (role if not same else f"{role}-{len(same) + 1}")
            self.enter(id_, role)
            self.name(id_, title)
            return id_

    def exchange(self) -> int:
        """The number of the next HTTP exchange."""
        with self._lock:
            self._exchanges += 1
            return self._exchanges

    def band(self, title: str, seq: int | None = None) -> None:
        """The next message opens a band with this title, or the one with number `seq` does."""
        if seq is None:
            self._band = title
        else:
            self.settle()
            self.messages[seq - 1]["step"] = {"title": title}

    def name(self, participant: str, title: str) -> None:
        """What a participant calls itself; its first word counts."""
        with self._lock:
            if participant not in self._titles:
                self._titles[participant] = self.text(title)

    def document(self, outcome: Json) -> Json:
        """The whole recording."""
        self.settle()
        sides = [role for role in ("client", "server") if role not in self._roles.values()]
        taking_part = {**self._roles, **dict(zip(sides, sides, strict=True))}
        participants = [
            {"id": id_, "role": role, **({"title": self._titles[id_]} if id_ in self._titles else {})}
            for id_, role in sorted(taking_part.items(), key=lambda pair: _ROLES.index(pair[1]))
        ]
        return {**self._header, "participants": participants, "messages": self.messages, "outcome": outcome}


def _become(message: Json, masked: Json) -> None:
    """Makes a kept message what it is without its secrets. A problem may have been added meanwhile."""
    problems = masked.pop("problems")
    message["problems"][: len(problems)] = problems
    for name in {"raw", "raw_encoding"} - masked.keys():
        message.pop(name, None)
    message.update(masked)


def _utc_now() -> str:
    now = time.time()
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(now)) + f".{int(now * 1000) % 1000:03d}Z"
