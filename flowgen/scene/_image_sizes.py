"""How large an image is, read from its first bytes: PNG, JPEG, GIF and WebP. Nothing is unpacked.

Sources: PNG (W3C) 11.2.2; JPEG (ITU-T T.81) B.2.2; GIF89a 18 and 20; WebP container (RFC 9649) 2.
"""

import struct

Size = tuple[str, int, int]  # media type, width, height in px


def image_size(data: bytes) -> Size | None:
    """The media type and size of an image; None where the bytes are no such image, or end too early."""
    for magic, read in _KINDS:
        if data.startswith(magic):
            try:
                return read(data)
            except (struct.error, IndexError):
                return None
    return None


def _png(data: bytes) -> Size | None:
    if data[12:16] != b"IHDR" or not data.rstrip(b"\0").endswith(b"IEND\xaeB`\x82"):
        return None
    return ("image/png", *struct.unpack_from(">II", data, 16))


def _gif(data: bytes) -> Size | None:
    """The screen; a first frame that is larger would be shown larger by some, so the larger of both counts."""
    width, height, flags = struct.unpack_from("<HHB", data, 6)
    at = 13 + _colours(flags)
    while data[at] == 0x21:  # extensions
        at = _after_blocks(data, at + 2)
    if data[at] != 0x2C:
        return None
    left, top, wide, high = struct.unpack_from("<4H", data, at + 1)
    return "image/gif", max(width, left + wide), max(height, top + high)


def _colours(flags: int) -> int:
    """The bytes of a colour table."""
    return 3 << ((flags & 7) + 1) if flags & 0x80 else 0


def _after_blocks(data: bytes, at: int) -> int:
    while data[at]:
        at += data[at] + 1
    return at + 1


_NO_FRAMES = frozenset([0xC4, 0xC8, 0xCC])  # segments among the frames' numbers that are none


def _jpeg(data: bytes) -> Size | None:
    at = 2
    while data[at] == 0xFF:
        marker, length = struct.unpack_from(">xBH", data, at)
        if 0xC0 <= marker <= 0xCF and marker not in _NO_FRAMES:
            height, width = struct.unpack_from(">HH", data, at + 5)
            return "image/jpeg", width, height
        at += 1 if marker == 0xFF else 2 + length
    return None


def _webp(data: bytes) -> Size | None:
    if data[8:12] != b"WEBP":
        return None
    form = data[12:16]
    if form == b"VP8X":
        return "image/webp", 1 + int.from_bytes(data[24:27], "little"), 1 + int.from_bytes(data[27:30], "little")
    if form == b"VP8L":
        (bits,) = struct.unpack_from("<I", data, 21)
        return "image/webp", 1 + (bits & 0x3FFF), 1 + (bits >> 14 & 0x3FFF)
    if form == b"VP8 ":
        width, height = struct.unpack_from("<HH", data, 26)
        return "image/webp", width & 0x3FFF, height & 0x3FFF
    return None


_KINDS = (
    (b"\x89PNG\r\n\x1a\n", _png),
    (b"\xff\xd8\xff", _jpeg),
    (b"GIF87a", _gif),
    (b"GIF89a", _gif),
    (b"RIFF", _webp),
)
