"""Plays scripts over a transport: does what they ask, waits as long as they ask, and tells them what came of it.

One thread does everything that thinks; whatever happens reaches it through the intake. Several scripts may be under
way: the session itself, and one for each request of the server that is being answered.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from flowgen import protocol
from flowgen.wire import loose_key

from ._inbox import Clock
from ._intake import Arrival, Intake
from ._pairs import Asked, Pairs
from ._recorder import Recorder
from ._session import Limits
from ._speaker import Letter, Speaker

PROBE_SECONDS = 5.0  # how long a server that shows signs of life may be silent to the probe: the project's decision

_UNKEPT = {"too-large": "larger than --max-message", "too-deep": "nested too deep to be read"}


class Desk(Protocol):
    """Where people and models are asked; each answer comes back through the inbox as `(ticket, Reply)`."""

    def ask(self, ticket: int, question: protocol.AskPerson | protocol.RunModel) -> None:
        """Asks, and does not wait."""

    def open(self, url: str) -> None:
        """Opens a page."""

    def warn(self, text: str) -> None:
        """Tells the person something."""


class Web(Protocol):
    """Does what only HTTP has acts for; what comes of it arrives in the inbox as `(ticket, value)`."""

    def plays(self, act: Any) -> bool:
        """Whether this is one of those acts."""

    def play(self, ticket: int, act: Any) -> None:
        """Does it, and does not wait."""

    def settled(self, era: str, revision: str) -> None:
        """Both sides speak this revision from here on."""


@dataclass(slots=True, eq=False)
class _Task:
    """A script, and what it waits for since `since`: an Ask, a Pause, a Letter, or what comes under a ticket."""

    script: Any
    finished: Callable[[Any], None]
    waits: Any = None
    since: float = 0.0
    take_back: float | None = None
    asked: Asked | None = None


class Driver:
    """The client at work. `ending` is how the session's script ended, None while it runs."""

    def __init__(
        self,
        client: protocol.Client,
        intake: Intake,
        speaker: Speaker,
        desk: Desk,
        limits: Limits,
        now: Clock,
        recorder: Recorder,
        pairs: Pairs,
    ) -> None:
        self._client = client
        self._intake = intake
        self._speaker = speaker
        self._desk = desk
        self._limits = limits
        self._now = now
        self._recorder = recorder
        self._pairs = pairs
        self._tasks: list[_Task] = []
        self._tickets = 0
        self.web: Web | None = None
        self.turn_of: Callable[[int, int], None] | None = None  # with several servers: asks for step and ticket
        self.ending: protocol.Ending | None = None
        self.closing = False  # nothing of the server is answered any more
        self.timed_out = False  # a time limit ended a step
        self.overdue = ""  # the first request that one ended, for a person

    def start(self, script: protocol.Script[protocol.Ending]) -> None:
        """Begins the session."""
        self.begin(script, self._end)

    def turn(self, until: float | None = None) -> None:
        """Waits for something to happen, at most until then, and acts on it."""
        deadlines = [due for due in (until, self._intake.due, *map(self._due, self._tasks)) if due is not None]
        wait = max(0.0, min(deadlines) - self._now()) if deadlines else None
        self._intake.gather(0.0 if self._intake.fresh else wait)
        self._act()
        self._expire(self._intake.reached)

    def stop(self) -> None:
        """Ends all scripts where they are; nothing is answered from here on."""
        self.closing = True
        tasks, self._tasks = self._tasks, []
        for task in tasks:
            task.script.close()

    def _end(self, ending: protocol.Ending) -> None:
        self.ending = ending

    # what came in

    def _act(self) -> None:
        """Acts on what has arrived. Scripts go on last: what came together with an answer is heard before.

        What arrives meanwhile is for the next turn, so that a server that never stops talking cannot stop the clock.
        """
        ready: list[tuple[_Task, Any, Any]] = []
        for _ in range(len(self._intake.fresh)):
            arrival = self._intake.fresh.popleft()
            self._hear(arrival)
            ready += [(task, task.waits, told) for task in self._tasks if (told := _woken(task, arrival)) is not None]
        while self._intake.replies:
            ticket, reply = self._intake.replies.popleft()
            ready += [(task, task.waits, reply) for task in self._tasks if task.waits == ticket]
        for task, waited_for, told in ready:
            if task.waits is waited_for and task in self._tasks:
                self._go_on(task, told)

    def _hear(self, arrival: Arrival) -> None:
        if arrival.failed is not None and arrival.asked is not None and arrival.asked.stays_open:
            # nobody waits for the answer of a subscription
            self._client.failed = self._client.failed or arrival.failed.why
            self._desk.warn(arrival.failed.why)
        if self.closing or "method" not in arrival.body:
            return
        self._client.hear(arrival.body, arrival.seq)
        if arrival.message["kind"] == "request" and not self._client.stateless:
            self._answer(arrival)
        elif arrival.body["method"] == "notifications/progress":
            self._keep_waiting(arrival)

    def _answer(self, arrival: Arrival) -> None:
        """Starts the script that decides on a request of the server."""
        id_, revision = arrival.body.get("id"), self._intake.revision
        script = protocol.respond(self._client, arrival.body, arrival.seq)
        self.begin(script, lambda decision: self._speaker.answer(id_, decision, revision))

    def _keep_waiting(self, arrival: Arrival) -> None:
        """Progress starts the time limit of its request anew."""
        params = arrival.body.get("params")
        token = params.get("progressToken") if isinstance(params, dict) else None
        for task in self._tasks:
            if task.asked is not None and token is not None and loose_key(task.asked.id) == loose_key(token):
                task.since = arrival.at

    # time

    def _due(self, task: _Task) -> float | None:
        """When a task is to be told that nothing came."""
        if isinstance(task.waits, protocol.Pause):
            return task.since + task.waits.seconds
        limits = (self._limit(task), task.take_back)
        return min((due for due in limits if due is not None), default=None)

    def _limit(self, task: _Task) -> float | None:
        """The time limit of a request; none while a person or a model is asked, for that is our own time."""
        if not isinstance(task.waits, protocol.Ask | Letter) or self._consulting:
            return None
        if isinstance(task.waits, Letter) or task.waits.patience == "step":
            return task.since + self._limits.timeout
        startup, life = task.since + self._limits.startup, self._intake.life
        if task.waits.patience == "probe" and life is not None:
            return min(max(task.since, life) + PROBE_SECONDS, startup)
        return startup

    def _allowed(self, ask: protocol.Ask) -> float:
        return self._limits.timeout if ask.patience == "step" else self._limits.startup

    @property
    def _consulting(self) -> bool:
        return any(isinstance(task.waits, int) for task in self._tasks)

    def _expire(self, now: float) -> None:
        for task in list(self._tasks):
            due = self._due(task)
            if due is not None and due <= now and task in self._tasks:
                self._go_on(task, None if task.asked is None else self._given_up(task, task.asked, now))

    def _given_up(self, task: _Task, asked: Asked, now: float) -> protocol.Silence:
        if task.take_back is not None and task.take_back <= now:
            self._speaker.take_back(asked, "plan")
            return protocol.Silence(asked.seq, "plan")
        self._recorder.settle()
        probe = task.waits.patience == "probe"
        if not probe and not self.timed_out:
            self.overdue = f"{asked.called} got no answer within {self._allowed(task.waits):g} s"
        self.timed_out |= not probe
        self._pairs.give_up(asked, timed_out=True)
        self._speaker.take_back(asked, "timeout")
        return protocol.Silence(asked.seq, "startup" if probe and self._intake.life is None else "timeout")

    # what scripts ask for

    def begin(self, script: Any, finished: Callable[[Any], None]) -> None:
        """Plays a script beside the others; `finished` is told what it returns."""
        task = _Task(script, finished)
        self._tasks.append(task)
        self._go_on(task, None)

    def _go_on(self, task: _Task, value: Any) -> None:
        """Tells a script what came of its last act, and does what it asks next until it has to wait."""
        consulted = isinstance(task.waits, int)
        task.waits = task.asked = task.take_back = None
        if consulted and not self._consulting:
            self._restart_clocks()
        while task.waits is None:
            try:
                act = task.script.send(value)
            except StopIteration as stop:
                self._tasks.remove(task)
                task.finished(stop.value)
                return
            value = self._do(task, act)

    def _restart_clocks(self) -> None:
        for task in self._tasks:
            if isinstance(task.waits, protocol.Ask | Letter):
                task.since = self._now()

    def _do(self, task: _Task, act: Any) -> Any:
        """Does one act. What can be told at once is returned; otherwise the task waits."""
        match act:
            case protocol.Ask():
                self._ask(task, act)
            case protocol.Pause():
                task.waits, task.since = act, self._now()
            case protocol.AskPerson() | protocol.RunModel():
                self._desk.ask(self._ticket(task), act)
            case protocol.Tell(method, params, revision):
                letter = self._speaker.notify(method, params, revision)
                task.waits, task.since = letter if letter.lasting else None, self._now()
            case protocol.Note():
                return self._speaker.note(act)
            case protocol.Now():
                return self._now()
            case protocol.Open(method, params, revision):
                asked = self._speaker.request(method, params, revision)
                return protocol.Opened(asked.seq, asked.id)
            case protocol.Turn(number) if self.turn_of is not None:
                self.turn_of(number, self._ticket(task))
            case _ if self.web is not None and self.web.plays(act):
                self.web.play(self._ticket(task), act)
            case _:
                return self._do_at_once(act)
        return None

    def _ticket(self, task: _Task) -> int:
        """What comes under this number is for the task."""
        self._tickets += 1
        task.waits = self._tickets
        return self._tickets

    def _do_at_once(self, act: Any) -> Any:
        match act:
            case protocol.TakeBack(seq):
                asked = self._pairs.by_seq(seq)
                if asked is not None and asked.state == "open":
                    self._speaker.take_back(asked, "plan")
            case protocol.Mark(title, seq):
                self._recorder.band(title, seq)
            case protocol.Settled(era, revision):
                self._intake.revision = revision
                self._pairs.settled(era)
                if self.web is not None:
                    self.web.settled(era, revision)
            case protocol.OpenBrowser(url):
                self._desk.open(url)
            case protocol.Warn(text):
                self._desk.warn(text)
            case _:
                raise TypeError(f"no such act: {act!r}")
        return None

    def _ask(self, task: _Task, ask: protocol.Ask) -> None:
        task.asked = self._speaker.request(ask.method, ask.params, ask.revision, ask.progress)
        task.waits, task.since = ask, self._now()
        task.take_back = None if ask.cancel_after is None else task.since + ask.cancel_after


def _unkept(arrival: Arrival) -> str:
    """Why only a message's beginning was read, if so."""
    codes = [problem["code"] for problem in arrival.message["problems"]]
    return next((_UNKEPT[code] for code in codes if code in _UNKEPT and "body" not in arrival.message), "")


def _woken(task: _Task, arrival: Arrival) -> Any:
    """What a task is told of this arrival; None when it is not for it."""
    if task.asked is not None and arrival.asked is task.asked:
        return arrival.failed or protocol.Answer(arrival.seq, arrival.body, _unkept(arrival))
    if arrival.letter is not None and arrival.letter is task.waits:
        return True
    if isinstance(task.waits, protocol.Pause) and task.waits.wake(arrival.body):
        return arrival.seq
    return None
