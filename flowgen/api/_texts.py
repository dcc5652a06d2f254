"""What formats of text need beside the flow: columns and colours, a template's source, the picture of a snippet."""

import io
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from flowgen.errors import TemplateError, UsageError

if TYPE_CHECKING:
    from ._picture import Picture

COLUMNS = (60, 1000)
_TEMPLATE = 4 << 20  # bytes
IMAGE = "flow.svg"  # what a snippet refers to that has no place of its own


def check_texts(options: Mapping[str, Any]) -> None:
    """Raises UsageError for columns out of bounds."""
    wide, (least, most) = options.get("columns"), COLUMNS
    if wide is not None and not least <= wide <= most:
        raise UsageError(f"--columns {wide:g}: expected columns from {least} to {most:,}", "or leave --columns out")


def of_txt(options: Mapping[str, Any]) -> dict[str, Any]:
    """The options of the swim lane as text, as its writer takes them."""
    known = {"wide": options.get("columns"), "colour": options.get("color"), "ascii_only": options.get("ascii")}
    return {name: value for name, value in known.items() if value is not None}


def template_of(template: str | Path | tuple[str, str] | None) -> tuple[str, str]:
    """Name and source of a template: of a file, or as they are. Raises TemplateError, UsageError without one."""
    if isinstance(template, tuple):
        return template
    if template is None:
        raise UsageError("the format template needs a template", "--template FILE.j2")
    try:
        with open(template, "rb") as file:
            data = file.read(_TEMPLATE + 1)
        if len(data) > _TEMPLATE:
            raise TemplateError(f"{template}: more than {_TEMPLATE >> 20} MB", "give the path of a template")
        return str(template), io.TextIOWrapper(io.BytesIO(data), encoding="utf-8-sig").read()
    except OSError as problem:
        raise TemplateError(f"{template}: {problem.strerror or problem}", "give the path of a template") from None
    except ValueError:
        raise TemplateError(f"{template}: not UTF-8", "templates are text in UTF-8") from None


def image_of(options: Mapping[str, Any], out: str | None) -> str:
    """The picture that a snippet refers to: as asked for, else beside the snippet and called as it is."""
    return options.get("image") or (f"{Path(out).stem}.svg" if out is not None else IMAGE)


def beside(picture: "Picture", out: str | None) -> list[bytes]:
    """The pictures, light and dark, of a snippet that has a place beside which they can stand and names no other."""
    if out is None or picture.options.get("image"):
        return []
    return [picture.in_mode("light").encode(), picture.in_mode("dark").encode()]
