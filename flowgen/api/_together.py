"""What one recording tells, or several in one picture: merged by time, one below the other, or as alternatives."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from flowgen.errors import UsageError

from ._options import DrawingOptions, Together, of_reading

if TYPE_CHECKING:
    from flowgen.flow import Flow
    from flowgen.trace import Trace


def story(traces: "Sequence[Trace]", options: DrawingOptions, keep: Sequence[int] = ()) -> "Flow":
    """The flow of one recording or of several; of one, the messages whose `seq` is in `keep` do not fold.

    Raises UsageError for what cannot be drawn together.
    """
    from flowgen import flow

    reading = of_reading(options)
    names = names_of(traces, options)
    if len(traces) == 1:
        return flow.read(traces[0], keep=frozenset(keep), **reading)
    match _way(traces, options.get("together", "auto")):
        case "time":
            _refuse_timeless(traces, names)
            return flow.by_time(traces, names, **reading)
        case "alt":
            return flow.alternatives(traces, names, **reading)
        case _:
            return flow.stacked(traces, names, **reading)


def _way(traces: "Sequence[Trace]", asked: Together) -> Together:
    """By time what went on at the same time, for it belongs together; everything else one below the other."""
    from flowgen.trace import overlapping

    if asked != "auto":
        return asked
    return "time" if overlapping(traces) else "stacked"


def names_of(traces: "Sequence[Trace]", options: DrawingOptions) -> list[str]:
    """What the recordings are called: as the caller says, else by their numbers."""
    if not traces:
        raise UsageError("there is no recording to draw", "give one trace at least")
    names = list(options.get("names") or map(str, range(1, len(traces) + 1)))
    if len(names) != len(traces):
        raise UsageError(f"names: {len(names)} for {len(traces)} recordings", "give each recording one, or none at all")
    return names


def _refuse_timeless(traces: "Sequence[Trace]", names: Sequence[str]) -> None:
    from flowgen.trace import began

    for trace, name in zip(traces, names, strict=True):
        if began(trace) is None or "times" in trace.missing:
            raise UsageError(f"{name}: does not say when it was recorded", "--together stacked needs no times")
