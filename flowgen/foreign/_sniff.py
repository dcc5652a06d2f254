"""Which tool a recording comes from, told by its first bytes. What reads it is loaded only then."""

HEAD = 4096  # bytes in which the first line's names stand

_SIGNS = (b'"ts"', b'"direction"', b'"transport"')


def fits(head: bytes) -> bool:
    """Whether a file begins as a wire capture does."""
    line = head[:HEAD].split(b"\n", 1)[0]
    return line.lstrip(b"\xef\xbb\xbf").startswith(b"{") and all(sign in line for sign in _SIGNS)
