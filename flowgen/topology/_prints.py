"""Fingerprints of what an entry says in full, so that two files can be compared in what is never shown.

They stay in memory: a fingerprint of a short secret would lead back to it.
"""

import hashlib
from collections.abc import Iterator

from ._fields import Given

Print = tuple[str, str]  # what it is of, such as `variable API_BASE`, and the fingerprint


def prints_of(given: Given) -> tuple[Print, ...]:
    """One each for the command line, the address, every variable and every header."""
    return tuple((name, _print(text)) for name, text in _texts(given))


def _print(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _texts(given: Given) -> Iterator[Print]:
    if given.words:
        yield "command", "\0".join(word.text for word in given.words)
    if given.url:
        yield "address", given.url.text
    if given.grants:
        yield "sandbox", "\0".join(sorted(given.grants))
    yield from ((f"variable {name}", value.text) for name, value in given.env)
    yield from ((f"header {name}", value.text) for name, value in given.headers)
