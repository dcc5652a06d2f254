"""Spans of time in words."""

_AGES = 1e8  # seconds: three years


def duration(seconds: float) -> str:
    """`<1 ms`, `9 ms`, `410 ms`, `1.2 s`, `14.2 s`: milliseconds below one second, else one decimal."""
    if seconds < 0.0005:
        return "<1 ms"
    if seconds < 0.9995:
        return f"{seconds * 1000:.0f} ms"
    return f"{seconds:.1f} s" if seconds < _AGES else f"{seconds:.2g} s"


def span(start: float | None, end: float | None) -> float | None:
    """Seconds between two times; None where the source knew no times, or none that can be."""
    return end - start if start is not None and end is not None and end >= start else None
