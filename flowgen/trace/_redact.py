"""Takes secrets out of what was recorded, before it is written. Never touches what goes over the wire.

Works on plain dicts. A secret is masked where its name, its shape or its surroundings tell it, and from then on
wherever the same value stands. Fields that the protocol itself needs are left alone.
"""

import os
import re
import threading
from collections.abc import Iterable
from typing import Any

from ._secrets import MASK, looks_random, places, prefix_of, secret_name, secrets_in, shape_in, spellings, squashed
from ._walk import Walk

_REMEMBERED = 100  # secrets found by their names; further ones are masked in their places only
_SHORT, _OFTEN = 64, 4096  # texts up to this length come again and again: so many are known at a time
_NAMED_ARGUMENT = re.compile(r"(?s)(-{0,2}[A-Za-z_][\w.-]*+)(=|: ?)(.+)")
# secrets in the query of an address, elsewhere ordinary words
_OF_QUERIES = {
    "auth", "code", "jsessionid", "jwt", "key", "nonce", "otp", "pass", "phpsessid", "pwd", "session", "sessionid",
    "sessionstate", "sid", "sig", "signature", "state", "ticket",
}  # fmt: skip
_PATH = re.compile(r"(?s)()()([^?#]*+)(\?[^#]*+)?(#.*+)?")  # an address without its host
_URL = re.compile(r"(?s)((?:[A-Za-z][A-Za-z0-9+.-]*+:)?//)([^/?#]*@)?([^?#]*+)(\?[^#]*+)?(#.*+)?")

Hidden = list[str]


class Mask:
    """Masks one run. `secrets` are masked wherever they stand, `keys` are further names of secrets.

    With `on=False` everything is given back as it is.
    """

    def __init__(self, secrets: Iterable[str] = (), keys: Iterable[str] = (), on: bool = True) -> None:
        self._on = on
        self._keys = frozenset(squashed(key) for key in keys)
        self._key = os.urandom(16)  # fingerprints say nothing to whoever did not see this run
        self._learning = threading.Lock()
        self._known: set[str] = set()
        self._spellings: dict[str, None] = {}
        self._harmless: set[str] = set()  # texts and names that were looked through with nothing found
        self._plain: set[str] = set()
        for secret in filter(None, secrets):
            self._remember(secret)

    @property
    def learnt(self) -> int:
        """How many secrets are known that are masked wherever they stand."""
        return len(self._known)

    def message(self, message: dict[str, Any]) -> dict[str, Any]:
        """A masked copy of a recorded message, with `redacted` and `fingerprints`; `raw` is left out then."""
        if not self._on:
            return message
        known = len(self._known)
        masked = Walk(self).message(message)
        # what was learnt from a later member may stand in an earlier one
        return masked if len(self._known) == known else Walk(self).message(message)

    def text(self, text: str) -> str:
        """A text without its secrets: a line of stderr, an error."""
        return self.hide(text)[0] if self._on else text

    def argv(self, argv: list[str]) -> list[str]:
        """A command line without its secrets: `--token=…`, `--api-key …`, `KEY=…`, addresses."""
        pairs = zip(argv, ["", *argv], strict=False)
        return [self.hide_argument(value, before)[0] for value, before in pairs] if self._on else argv

    def url(self, url: str) -> str:
        """An address without user info, values of the query, and fragment."""
        return self.hide_url(url)[0] if self._on else url

    def hide(self, text: str) -> tuple[str, Hidden]:
        """The text with its secrets masked, and the secrets."""
        harmless = self._harmless  # another thread may learn a secret meanwhile, and begin a new one
        if text in harmless:
            return text, []
        found = {*self._known_in(text), *secrets_in(text, self._keys)}
        if not found:
            if len(text) <= _SHORT:
                _note(harmless, text)
            return text, []
        spans = sorted(span for span in found if _shows(text, span))
        pieces, hidden, done = [], [], 0
        for start, end in spans:
            if start >= done:
                pieces += [text[done:start], MASK]
                hidden.append(text[start:end])
            done = max(done, end)
        for secret in hidden:
            self.learn(secret)
        return ("".join([*pieces, text[done:]]), hidden) if hidden else (text, [])

    def hide_whole(self, value: str) -> tuple[str, Hidden]:
        """A value that is a secret by its name: masked but for its scheme or version."""
        prefix = prefix_of(value)
        secret = value[len(prefix) :]
        if not secret or secret == MASK:
            return value, []
        self.learn(secret)
        return prefix + MASK, [secret]

    def hide_argument(self, value: str, before: str) -> tuple[str, Hidden]:
        """One argument of a command line; `before` is the one before it."""
        named = _NAMED_ARGUMENT.fullmatch(value)
        if named and self.is_secret(named[1]):
            masked, hidden = self.hide_whole(named[3])
            return named[1] + named[2] + masked, hidden
        if before.startswith("-") and "=" not in before and not value.startswith("-") and self.is_secret(before):
            return self.hide_whole(value)
        return self.hide(value)

    def hide_url(self, url: str) -> tuple[str, Hidden]:
        """An address whose user info, query and fragment may be secret."""
        found = _URL.fullmatch(url)
        if not found:
            return self.hide(url)
        scheme, user, path, query, fragment = found.groups(default="")
        path, hidden = self.hide(path)
        shown = re.sub("=[^&]*", f"={MASK}", query) if "=" in query else MASK
        hidden += [part for part in (user[:-1], query[1:], fragment[1:]) if part]
        masked = scheme + (f"{MASK}@" if user else "") + path
        return masked + (f"?{shown.lstrip('?')}" if query else "") + (f"#{MASK}" if fragment else ""), hidden

    def hide_address(self, url: str) -> tuple[str, Hidden]:
        """An address that is read on: its user info, and the values in its query and fragment that are secrets."""
        found = _URL.fullmatch(url) or _PATH.fullmatch(url) if "?" in url or "@" in url or "#" in url else None
        if not found:
            return self.hide(url)
        scheme, user, path, query, fragment = found.groups(default="")
        path, hidden = self.hide(path)
        hidden += [user[:-1]] if user else []
        shown = scheme + (f"{MASK}@" if user else "") + path
        for part in (query, fragment):
            masked, more = self._hide_parameters(part)
            shown, hidden = shown + masked, hidden + more
        return shown, hidden

    def _hide_parameters(self, text: str) -> tuple[str, Hidden]:
        """`?a=1&code=…` with the values masked that are secrets by their names, or known."""
        pieces: list[str] = []
        hidden: Hidden = []
        for part in text.split("&"):
            name, equals, value = part.partition("=")
            plain = name.lstrip("?#")
            secret = bool(value) and (squashed(plain) in _OF_QUERIES or self.is_secret(plain))
            masked, more = self.hide_whole(value) if secret else self.hide(part)
            pieces.append(f"{name}{equals}{masked}" if secret else masked)
            hidden += more
        return "&".join(pieces), hidden

    def hide_name(self, name: str) -> tuple[str, Hidden]:
        """A member's name: hidden only where it is a secret itself and no word."""
        if shape_in(name) or (self.knows(name) and looks_random(name)):
            return self.hide(name)
        return name, []

    def is_harmless(self, value: Any) -> bool:
        """Whether a value holds nothing to hide, as far as can be told without looking: methods, types, switches."""
        return value is None or value is True or value is False or (isinstance(value, str) and value in self._harmless)

    def is_plain(self, name: str) -> bool:
        """Whether a member's name tells no secret and is none."""
        plain = self._plain
        if name in plain:
            return True
        if self.is_secret(name) or self.hide_name(name)[1]:
            return False
        _note(plain, name)
        return True

    def remember(self, secret: str) -> None:
        """Mask this value wherever it stands from now on: whoever says so knows that it is a secret."""
        if secret:
            self._remember(secret)

    def learn(self, secret: str) -> None:
        """Mask this value everywhere from now on, unless it may be an ordinary word."""
        if secret not in self._known and len(self._known) < _REMEMBERED and looks_random(secret):
            self._remember(secret)

    def knows(self, text: str) -> bool:
        """Whether this is a known secret."""
        return text in self._known

    def is_secret(self, name: str) -> bool:
        """Whether a name is a secret's, by our own list or by the user's."""
        return secret_name(name) or self.is_forced(name)

    def is_forced(self, name: str) -> bool:
        """Whether the user named it: then everything under it is masked."""
        return bool(self._keys) and squashed(name) in self._keys

    def fingerprint(self, hidden: Hidden) -> str:
        """Eight digits that are equal for equal secrets of this run."""
        import hmac

        text = "\0".join(hidden)
        if "%" in text:
            from urllib.parse import unquote

            text = unquote(text)
        return hmac.new(self._key, text.encode("utf-8", "surrogatepass"), "sha256").hexdigest()[:8]

    def _remember(self, secret: str) -> None:
        ways = dict.fromkeys(spellings(secret))
        with self._learning:
            self._known.add(secret)
            # new ones each time: another thread may be looking through the old ones
            self._spellings = self._spellings | ways
            self._harmless, self._plain = set(), set()

    def _known_in(self, text: str) -> Iterable[tuple[int, int]]:
        for way in self._spellings:
            if way in text:
                yield from places(text, way)


def _note(seen: set[str], text: str) -> None:
    """Keeps what comes often; with too much of it, begins anew."""
    if len(seen) >= _OFTEN:
        seen.clear()
    seen.add(text)


def _shows(text: str, span: tuple[int, int]) -> bool:
    """Whether there is something left to hide."""
    return text[span[0] : span[1]].strip() not in ("", MASK)
