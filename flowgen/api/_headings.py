"""What stands over a picture beside its title: the day of the recording, a logo from a file."""

from pathlib import Path
from typing import TYPE_CHECKING

from flowgen.errors import UsageError

if TYPE_CHECKING:
    from flowgen.trace import Trace

    from ._options import DrawingOptions

_MOST = 512 * 1024  # bytes of a logo: it travels inside of the picture


def headed(options: "DrawingOptions", trace: "Trace") -> "DrawingOptions":
    """The options with the day and the logo that they ask for. Raises UsageError for a logo that is none."""
    date, logo = options.get("date"), options.get("logo")
    day = trace.recorded_at if date is True else date or None
    return {**options, "date": day, "logo": logo_of(logo) if logo is not None else None}


def logo_of(logo: str | Path | bytes) -> bytes:
    """The bytes of a logo: PNG, JPEG, GIF or WebP, told by themselves. Raises UsageError."""
    from flowgen.scene import thumbnail

    data = logo if isinstance(logo, bytes) else _read(Path(logo))
    if len(data) > _MOST:
        raise UsageError(f"{_name(logo)}: a logo of more than {_MOST >> 10} KB", "it is embedded: give a smaller file")
    if thumbnail(data) is None:
        hint = "a logo is a PNG, JPEG, GIF or WebP file of ordinary size; an SVG is not taken"
        raise UsageError(f"{_name(logo)}: no image that can be embedded", hint)
    return data


def _read(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(_MOST + 1)
    except OSError as problem:
        raise UsageError(f"{path}: {problem.strerror or problem}", "give the file of a logo") from None


def _name(logo: str | Path | bytes) -> str:
    return "logo" if isinstance(logo, bytes) else str(logo)
