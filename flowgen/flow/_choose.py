"""Which messages a picture shows: by kind, by method, by step, and what it leaves out when nobody asks.

Left out by default: a probe that fell back, the steps of a plan, the quiet events of processes and streams, what a log
tells without a warning, and stderr of a session that ran to its end. `show` brings each of them back.
"""

import difflib
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from fnmatch import fnmatchcase

from flowgen.errors import UsageError
from flowgen.trace import Outcome

from ._draft import Draft

# What `--hide` and `--show` understand. A message is hidden if one of its words is hidden and none is shown.
WORDS = {
    "request": "requests",
    "response": "results",
    "error": "error responses",
    "notification": "notifications",
    "http": "HTTP exchanges without JSON-RPC in them",
    "stream": "the opening and closing of streams",
    "noise": "what came on the channel and is no JSON-RPC",
    "stderr": "what a server wrote to stderr",
    "process": "start, signals and end of a server's process",
    "note": "what the recorder noted itself",
    "plan": "the steps of a plan",
    "probe": "a server/discover that was followed by the handshake, with its answer",
    "ping": "ping and its answer",
    "progress": "progress notifications",
    "log": "log notifications (notifications/message)",
}

_MILD = ("info", "debug", "trace")  # levels of a log that tells how it goes
_NAMED = 12  # methods that an error names
_LEFT_OUT = "such messages are left out: --show them, or --hide fewer"
_EXAMPLE = "for example --steps 1-3,5"
_BY_METHOD = {"ping": "ping", "notifications/progress": "progress", "notifications/message": "log"}


class NothingFits(UsageError):
    """No message of a recording is left by what `--only` and `--steps` ask for."""


def chosen(
    made: Sequence[Draft],
    probe: frozenset[int],
    outcome: Outcome,
    *,
    only: Sequence[str] = (),
    hide: Sequence[str] = (),
    show: Sequence[str] = (),
) -> frozenset[int]:
    """The positions that are shown. Raises UsageError for a word that stands for no kind, and for patterns that
    leave nothing.
    """
    if only and not any(_fits(draft, only) for draft in made):
        raise NothingFits(f"--only {' --only '.join(only)}: no message has such a method", _methods(made))
    hidden, shown = _words("hide", hide), _words("show", show) - _words("hide", hide)
    quiet = _quiet(made, probe, outcome)
    return frozenset(
        draft.at
        for draft in made
        if _stays(_words_of(draft, probe), draft.at in quiet, hidden, shown)
        and (not only or _fits(draft, only))
    )


def nothing_left(steps: str | None, only: Sequence[str], found: Iterable[int | None]) -> NothingFits:
    """What is wrong with a choice that no message is left of; `found` are steps with messages of such methods."""
    asked = [*([f"--steps {steps}"] if steps else []), *(f"--only {pattern}" for pattern in only)]
    numbers = sorted({number for number in found if number is not None})
    told = ", ".join(map(str, numbers[:_NAMED])) + (", …" if len(numbers) > _NAMED else "")
    hint = f"there are such messages in {'step' if len(numbers) == 1 else 'steps'} {told}" if numbers else _LEFT_OUT
    return NothingFits(f"{' '.join(asked)}: no message is left to draw", hint)


def steps_chosen(asked: str | None, steps: range) -> Callable[[int | None], bool]:
    """Tells for the number of a step whether `--steps` asks for it; `steps` are the numbers that there are.

    Raises UsageError when it asks for none of them.
    """
    if asked is None or not asked.strip():
        return lambda number: True
    wanted = {number for part in asked.split(",") for number in _range(part.strip(), asked, steps)}
    if not wanted:
        raise UsageError(f"--steps {asked}: the picture has {_count(steps)}", "numbers stand in the bands")
    return lambda number: number in wanted


def _stays(words: frozenset[str], quiet: bool, hidden: frozenset[str], shown: frozenset[str]) -> bool:
    return not words & hidden and (not quiet or bool(words & shown))


def _words(option: str, given: Iterable[str]) -> frozenset[str]:
    words = frozenset(
        word.strip().casefold() for several in given for word in several.split(",") if word.strip()
    )
    for word in sorted(words - WORDS.keys()):
        near = difflib.get_close_matches(word, WORDS, 1)
        raise UsageError(
            f"--{option} {word}: no such kind of message",
            f"did you mean {near[0]}?" if near else f"kinds: {', '.join(WORDS)}",
        )
    return words


def _words_of(draft: Draft, probe: frozenset[int]) -> frozenset[str]:
    words = {draft.kind, _BY_METHOD.get(draft.method or "", "")}
    if draft.at in probe:
        words.add("probe")
    if draft.kind == "http" and draft.event:
        words.add("stream")
    if draft.event == "plan-step" and draft.kind == "note":
        words.add("plan")
    return frozenset(words)


def _fits(draft: Draft, patterns: Sequence[str]) -> bool:
    """By the method; an answer goes with its request, for it has the method of it."""
    return draft.method is not None and any(fnmatchcase(draft.method, pattern) for pattern in patterns)


def _methods(made: Sequence[Draft]) -> str:
    names = list(dict.fromkeys(draft.method[:60] for draft in made if draft.method))
    told = ", ".join(names[:_NAMED]) + (", …" if len(names) > _NAMED else "")
    return f"there are: {told}" if names else "the recording has no message with a method"


def _quiet(made: Sequence[Draft], probe: frozenset[int], outcome: Outcome) -> set[int]:
    """What is left out unless it is asked for."""
    quiet = set(probe)
    for draft in made:
        if draft.kind == "stderr" and outcome.complete:
            quiet.add(draft.at)
        if draft.kind == "note" and draft.event == "plan-step":
            quiet.add(draft.at)
        if draft.kind == "note" and draft.event == "logged" and draft.data.get("level") in _MILD:
            quiet.add(draft.at)
        if draft.kind == "http" and draft.event and not draft.message.problems:
            quiet.add(draft.at)
    return quiet | _quiet_events(made)


def _quiet_events(made: Sequence[Draft]) -> set[int]:
    """Process events that tell nothing new: the start, the closing of stdin, an end that was asked for in peace."""
    processes: defaultdict[frozenset[str], list[Draft]] = defaultdict(list)
    for draft in made:
        if draft.kind == "process":
            processes[draft.between].append(draft)
    return set[int]().union(*map(_quiet_of, processes.values()))


def _quiet_of(events: Sequence[Draft]) -> set[int]:
    """Of the events of one process."""
    quiet = set()
    stdin_closed = signalled = False
    last_exit = max((draft.at for draft in events if draft.event == "exited"), default=-1)
    for draft in events:
        stdin_closed |= draft.event == "stdin-closed"
        signalled |= draft.event == "signal-sent"
        if draft.message.problems:
            continue
        peaceful = stdin_closed and not signalled and not _told(draft, "exit_code") and not _told(draft, "signal")
        told_again = draft.event == "signal-sent" and draft.at < last_exit
        if draft.event in ("started", "stdin-closed") or told_again or (draft.event == "exited" and peaceful):
            quiet.add(draft.at)
        if draft.event == "stdout-closed" and last_exit > draft.at:
            quiet.add(draft.at)
    return quiet


def _told(draft: Draft, name: str) -> object:
    return draft.body.get(name) if isinstance(draft.body, dict) else None


def _range(part: str, asked: str, steps: range) -> range:
    start, dash, end = part.partition("-")
    if not start and not end:
        raise UsageError(f"--steps {asked}: {part!r} is no step", _EXAMPLE)
    try:
        first = int(start) if start else steps.start
        final = (int(end) if end else steps.stop) if dash else first
    except ValueError:
        raise UsageError(f"--steps {asked}: {part!r} is no step", _EXAMPLE) from None
    if start and end and final < first:
        raise UsageError(f"--steps {asked}: {part!r} runs backwards", f"write {final}-{first}")
    return range(max(first, steps.start), min(final + 1, steps.stop))


def _count(steps: range) -> str:
    from_one = "" if steps.start == 1 or not steps else f", from {steps.start}"
    return f"{len(steps)} steps{from_one}" if len(steps) != 1 else f"1 step{from_one}"
