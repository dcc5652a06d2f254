"""Images that a message carries, as thumbnails; and a logo. Never an SVG, which is a document with links of its own.

What an image is, its own first bytes tell, not whoever sent it; how large it is stands in its header. One that says
too much of itself, or is of another kind, is left out: the JSON beside it still tells its size.
"""

import base64
import binascii
import re
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from ._image_sizes import image_size
from ._shapes import Image, Rect, Shape

THUMB_WIDE, THUMB_HIGH = 240, 160  # px at most
GAP = 12  # between thumbnails
_MOST = 6  # thumbnails of a box
_BYTES = 512 * 1024  # of an image: it travels inside of the picture
_SIDE, _AREA = 8192, 1 << 24  # px of an image: renderers unpack it whole
_DATA_URL = re.compile(r"data:image/[\w.+-]{1,40};base64,")


class Thumbnail(NamedTuple):
    """An image and the size that it is shown at, in px. `kind` is its media type."""

    data: bytes
    kind: str
    width: float
    height: float

    def at(self, x: float, y: float, said: str) -> Image:
        """The image with its upper left corner at (x, y); `said` is what is told of it where it cannot be seen."""
        return Image(x, y, self.width, self.height, self.kind, base64.b64encode(self.data).decode(), said)


def thumbnail(data: bytes, wide: float = THUMB_WIDE, high: float = THUMB_HIGH) -> Thumbnail | None:
    """The image made to fit, never enlarged; None where it is none of ours, or too large."""
    found = image_size(data) if len(data) <= _BYTES and b"<svg" not in data else None
    if found is None:
        return None
    kind, width, height = found
    if not (0 < width <= _SIDE and 0 < height <= _SIDE and width * height <= _AREA):
        return None
    factor = min(1.0, wide / width, high / height)
    return Thumbnail(data, kind, max(1.0, width * factor), max(1.0, height * factor))


def thumbnails(body: Any) -> tuple[Thumbnail, ...]:
    """The images of a message's body in their order: contents, resources, icons given as `data:` URLs."""
    shown: list[Thumbnail] = []
    for data in _encoded(body):
        found = thumbnail(data)
        if found is not None:
            shown.append(found)
        if len(shown) == _MOST:
            break
    return tuple(shown)


def _encoded(body: Any) -> Iterator[bytes]:
    """The bytes of whatever is said to be an image."""
    left = [body]
    while left:
        value = left.pop()
        if isinstance(value, str) and _DATA_URL.match(value):
            yield from _decoded(value.partition(",")[2])
        elif isinstance(value, list):
            left.extend(reversed(value))
        elif isinstance(value, dict):
            if str(value.get("mimeType", "")).startswith("image/"):
                yield from _decoded(value.get("data", value.get("blob")))
            left.extend(reversed(value.values()))


def _decoded(text: Any) -> Iterator[bytes]:
    if isinstance(text, str) and len(text) <= 2 * _BYTES:
        try:
            yield base64.b64decode("".join(text.split()), validate=True)
        except (binascii.Error, ValueError):
            return


def rows_of(images: Iterable[Thumbnail], wide: float) -> list[list[Thumbnail]]:
    """The images side by side in rows no wider than `wide` px."""
    rows: list[list[Thumbnail]] = []
    for image in images:
        if rows and sum(each.width + GAP for each in rows[-1]) + image.width <= wide:
            rows[-1].append(image)
        else:
            rows.append([image])
    return rows


def strip_height(images: Iterable[Thumbnail], wide: float) -> float:
    """The height of the images in rows, with the gap above each; 0 for none."""
    return sum(max(image.height for image in row) + GAP for row in rows_of(images, wide))


def strip(images: Iterable[Thumbnail], x: float, y: float, wide: float) -> Iterator[Shape]:
    """The images in rows from (x, y) on."""
    for row in rows_of(images, wide):
        left = x
        for image in row:
            yield Rect(left - 1, y + GAP - 1, image.width + 2, image.height + 2, "image")
            yield image.at(left, y + GAP, image.kind)
            left += image.width + GAP
        y += max(image.height for image in row) + GAP
