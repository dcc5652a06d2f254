"""Newline framing: bytes in as they come, whole lines out. No limit, no decoding, nothing raised."""


class Lines:
    """Cuts a stream of bytes at b"\\n". Pieces are kept apart until their line ends, so that any length is linear."""

    def __init__(self) -> None:
        self._pieces: list[bytes] = []

    def feed(self, chunk: bytes) -> list[bytes]:
        """The lines that this chunk completed, without their newline."""
        first, *others = chunk.split(b"\n")
        self._pieces.append(first)
        if not others:
            return []
        *whole, rest = others
        lines = [b"".join(self._pieces), *whole]
        self._pieces = [rest]
        return lines

    def end(self) -> bytes | None:
        """What came after the last newline; None where nothing did."""
        rest = b"".join(self._pieces)
        self._pieces = []
        return rest or None
