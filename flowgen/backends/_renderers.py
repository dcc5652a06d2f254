"""What is asked before a picture is drawn by another program: is it here, has it the letters, can it write them."""

import gc
import importlib
import re
import shutil
import subprocess
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from flowgen.errors import BackendMissing
from flowgen.scene import Code, Group, Image, Scene, Shape, Text, flat, has_cjk

# Hebrew and Arabic, the scripts of India and South-East Asia, emoji
_BEYOND = re.compile("[\u0590-\u109f\u1780-\u18af\u1a00-\u1aff\ufb1d-\ufdff\ufe0f\ufe70-\ufefc\U0001f1e6-\U0001faff]")

_FIRST_EMOJI = 0x1F1E6
_SAMPLES = 8


def module(name: str) -> Any:
    """A renderer, or None: without the cairo library the import of cairosvg fails with OSError."""
    try:
        return importlib.import_module(name)
    except (ImportError, OSError):
        return None


@contextmanager
def swept() -> Iterator[Callable[[], int]]:
    """To be called after each page: CairoSVG leaves trees in circles that only the collector finds.

    What was there before is set aside, or each sweep would go through all shapes of the picture.
    """
    gc.freeze()
    try:
        yield gc.collect
    finally:
        gc.unfreeze()


def sound(scene: Scene) -> Scene:
    """The picture without images whose first bytes are right and the rest is not: cairo gives up at them, and a
    server that sends one must not keep a picture from being drawn.
    """
    images = {shape.data: shape for shape in flat(scene.shapes) if isinstance(shape, Image)}
    broken = frozenset(data for data, image in images.items() if not _can_be_drawn(image))
    if not broken:
        return scene
    warnings.warn("an image is broken and left out: it came with a message, or is the logo", stacklevel=4)
    return replace(scene, shapes=_without(broken, scene.shapes))


def _can_be_drawn(image: Image) -> bool:
    source = f"data:{image.kind};base64,{image.data}"
    size = 'width="1" height="1"'
    text = f'<svg xmlns="http://www.w3.org/2000/svg" {size}><image {size} href="{source}"/></svg>'
    try:
        module("cairosvg").svg2png(bytestring=text.encode())
    except Exception:  # of any kind: whatever a decoder stumbles over
        return False
    return True


def _without(broken: Set[str], shapes: Iterable[Shape]) -> tuple[Shape, ...]:
    left = (shape for shape in shapes if not (isinstance(shape, Image) and shape.data in broken))
    return tuple(
        shape._replace(shapes=_without(broken, shape.shapes)) if isinstance(shape, Group) else shape for shape in left
    )


def missing(form: str) -> BackendMissing:
    """The error for a machine without cairo."""
    return BackendMissing(
        f"{form} needs cairo, which is not installed here",
        "pip install 'mcp-flowgen[png]', and the library: apt install libcairo2 / brew install cairo / "
        "on Windows the GTK runtime. SVG needs nothing",
    )


def is_beyond_cairo(scenes: Iterable[Scene]) -> bool:
    """Whether there is writing whose letters are joined, reordered or taken from a font of their own."""
    return any(_BEYOND.search(text) for text in _texts(scenes))


def warn_of_missing_fonts(scenes: Sequence[Scene]) -> None:
    """Letters that no font here has become boxes, wider than they were measured, and nobody would be told."""
    if any(map(has_cjk, _texts(scenes))) and _no_font(":lang=zh"):
        warnings.warn(
            "the picture has Chinese text and no font here has its letters: install one (fonts-noto-cjk)",
            stacklevel=4,
        )
    boxes = [sign for sign in _samples(scenes) if _no_font(f":charset={ord(sign):x}")]
    if boxes:
        told = ", ".join(f"U+{ord(sign):04X}" for sign in boxes)
        warnings.warn(
            f"no font here has the letters of the picture around {told}: they become boxes, svg leaves them to "
            "whoever looks; install some (fonts-noto-core, fonts-noto-color-emoji)",
            stacklevel=4,
        )


def _samples(scenes: Iterable[Scene]) -> list[str]:
    """A letter of each script that fonts for Latin and Chinese lack; emoji are one."""
    found: dict[int, str] = {}
    for text in _texts(scenes):
        for sign in "" if text.isascii() else _BEYOND.findall(text.replace("\ufe0f", "")):
            found.setdefault(min(ord(sign), _FIRST_EMOJI) >> 7, sign)
    return list(found.values())[:_SAMPLES]


def _texts(scenes: Iterable[Scene]) -> Iterator[str]:
    for scene in scenes:
        for shape in flat(scene.shapes):
            if isinstance(shape, Text):
                yield shape.text
            elif isinstance(shape, Code):
                yield from (token[2] for token in shape.tokens)


def _no_font(pattern: str) -> bool:
    """Whether no font here fits a pattern of fontconfig; False where that cannot be told."""
    lister = shutil.which("fc-list")
    if lister is None:
        return False
    try:
        found = subprocess.run([lister, pattern, "family"], capture_output=True, timeout=10, check=False)
    except (OSError, subprocess.SubprocessError):
        return False
    return found.returncode == 0 and not found.stdout.strip()
