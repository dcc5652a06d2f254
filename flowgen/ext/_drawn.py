"""From what a page asks for to its picture. Where a file lies is told by whoever knows the page; it also says no."""

from collections.abc import Callable
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any, cast

from flowgen.errors import FlowgenError, UsageError

from ._wish import Wish

if TYPE_CHECKING:
    from flowgen.api import Architecture, Drawing, DrawingOptions

Place = Callable[[str], Path]  # a name as the page has it → the file that is meant; raises FlowgenError

_MODES = (":light", ":dark")


def drawn(wish: Wish, place: Place, inside: tuple[str, bytes] | None = None) -> "Drawing | Architecture":
    """The picture. `inside` is what the page itself holds instead of naming files, and what to call it.

    Nothing that a file names is started, resolved or contacted. Raises FlowgenError.
    """
    if inside is None and not wish.sources:
        raise UsageError("there is nothing to draw", "name a recording, a config file or a description")
    files = [inside] if inside else [(name, _read(name, place)) for name in wish.sources]
    seen = tuple((name, _read(name, place)) for name in wish.seen)
    options = dict(wish.options)
    if "theme" in options:
        options["theme"] = theme_of(options["theme"], place)
    if "logo" in options:
        options["logo"] = place(options["logo"])
    return _of_one(files[0], seen, wish, options) if len(files) == 1 else _of_several(files, seen, wish, options)


def theme_of(name: str, place: Place) -> str:
    """The theme as `flowgen` takes it: a name as it is, of a TOML file where it lies."""
    bare, mode = next(((name.removesuffix(end), end) for end in _MODES if name.endswith(end)), (name, ""))
    return f"{place(bare)}{mode}" if bare.lower().endswith(".toml") else name


def _of_one(
    file: tuple[str, bytes], seen: tuple[tuple[str, bytes], ...], wish: Wish, options: dict[str, Any]
) -> "Drawing | Architecture":
    from flowgen import api

    return api.picture(*file, api.Asked(seen=seen, **wish.asked), cast("DrawingOptions", options))


def _of_several(
    files: list[tuple[str, bytes]], seen: tuple[tuple[str, bytes], ...], wish: Wish, options: dict[str, Any]
) -> "Drawing | Architecture":
    from flowgen import api

    asked = dict(wish.asked)
    view, host, paths = asked.pop("view", None), asked.pop("host", None), asked.pop("show_paths", False)
    if view == "architecture" or seen or (view is None and any(map(api.is_config, files))):
        return api.architecture(files, seen=seen, host=host, show_paths=paths, **options)
    traces = [api.load(data, name, view="flow", **asked) for name, data in files]
    told: Drawing = api.drawing(traces, names=[PurePosixPath(name).stem for name, _ in files], **options)
    return told


def _read(name: str, place: Place) -> bytes:
    path = place(name)
    try:
        return path.read_bytes()
    except (OSError, ValueError) as problem:  # a name may hold what no path does
        why = getattr(problem, "strerror", None) or problem
        raise FlowgenError(f"{name}: {why}", f"it is looked for at {path}") from None
