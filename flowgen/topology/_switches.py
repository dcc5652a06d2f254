"""Words of a command line that are secrets because of the words before them: `-u name:password`, `-H NAME VALUE`.

For both who looks for credentials and who shows the line. Nothing is judged by the word itself.
"""

import re
from collections.abc import Sequence

from ._launchers import data
from ._shell import base
from ._values import strength

_HEADERS = frozenset(["-H", "--header", "--headers"])
_USERS = frozenset(["-u", "--user", "--proxy-user", "--creds"])
_PATH = re.compile(r"[A-Za-z]:[\\/]")


def told_before(words: Sequence[str], at: int) -> tuple[str, str] | None:
    """The name of the credential that a word is by those before it, and how much of the word is none of it."""
    text, before, earlier = words[at], words[at - 1] if at else "", words[at - 2] if at > 1 else ""
    if earlier in _HEADERS and strength(before) and not text.startswith("-"):
        return before, ""
    if before in _USERS and ":" in text and not _PATH.match(text) and not _is_of_container(words[:at]):
        return "password", f"{text.partition(':')[0]}:"
    if before == "-p" and base(earlier) == "sshpass":
        return "password", ""
    return ("key", "") if before == "-k" and not text.startswith("-") and "://" not in text else None


def _is_of_container(words: Sequence[str]) -> bool:
    """Where `-u name:group` says as whom the program runs."""
    engines = data()["containers"]
    return any(base(word) in engines["names"] or base(word) in engines["compose"] for word in words)
