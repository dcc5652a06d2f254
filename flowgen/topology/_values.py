"""What a value is: a secret itself, a reference to one, or a placeholder. The value never leaves this file.

A `Value` says the kind and, of a secret, a mark by which the same secret is known elsewhere.
"""

import hashlib
import re
from collections.abc import Mapping
from typing import Literal, NamedTuple

from flowgen.trace import mask_shapes, secret_name

from ._shell import VARIABLE

ValueKind = Literal["literal", "reference", "placeholder"]
Defaults = Mapping[str, str]  # of the inputs that a file declares: name -> what stands there if nobody is asked

_SCHEME = re.compile(r"(?i)\s*(?:(?:bearer|basic|token|apikey|api-key|dpop|digest|negotiate|key)[ :]+)+")
_STORE = re.compile(
    r"(?i)(?:op|keychain|keyring|vault|secret|secrets|ssm|awssm|gcpsm|akv|bw|pass)://\S+|env:[A-Z_]\w*"
    r"|(?:keychain|keyring|vault):[\w./-]+|file:[/~.][\w./@-]*"
)
_FILE = re.compile(
    r"(?:~|\.{1,2}|[A-Za-z]:)?[/\\][\w. @%+-]+(?:[/\\][\w. @%+-]+)*"
    r"|[\w./\\-]+\.(?:pem|json|key|crt|txt|toml|env)"
)
_DEFAULT = re.compile(r"\$\{[^{}]*?:?[-=](?P<default>(?:[^{}]|\{[^{}]*\})*)\}")
_INPUT = re.compile(r"\$\{(?:input:)?([\w. -]+)\}")
_NOTHING = {"", "true", "false", "yes", "no", "on", "off", "none", "null", "nil", "undefined", "oauth", "oauth2",
            "bearer", "basic"}  # fmt: skip
_PLACEHOLDER = re.compile(
    r"(?i)^<.*>$|^x{3}$|<[a-z][a-z0-9 _-]*>|^\[.*\]$|\.\.\.|…|x{4,}|\*{2,}|•|_{4,}|\b0{6,}\b|#{3,}|^-+$|^\?+$"
    r"|(?:^|[^a-z])my[-_ ](?:own|api|key|token|secret|pat|password|access|personal)"
    r"|(?:^|[^a-z])your(?:[^a-z]|$)|your(?:api|key|token|secret|pat)|replace|change[-_ ]?(?:me|this|it)"
    r"|(?:insert|enter|put|paste|fill)[-_ ]?(?:your|in|the|here|me)"
    r"|(?:^|[-_ ])(?:goes[-_ ])?here$|placeholder|dummy|example|redacted|^to[-_ ]?do$|^tbd$|fixme|^foo(?:bar)?$|^bar$"
)
_WORDS = {
    "my", "your", "the", "a", "api", "key", "token", "secret", "password", "access", "personal", "auth", "bearer",
    "client", "id", "here", "value", "test", "fake", "demo", "sample", "some", "app", "apikey", "user", "pat",
}  # fmt: skip
_NAME = re.compile(r"[A-Z]{2,}(?:_[A-Z]{2,})+")

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
_TRAILING = {"value", "string", "raw", "prod", "dev", "staging", "test", "live", "base64", "b", "default", "header"}
_STRONG = {"bearer", "pat", "jwt", "passwd", "passphrase", "cookie", "dsn"}
_WEAK = {"key", "keys", "auth", "pass", "pwd", "tokens", "secrets", "passwords", "pin", "cred", "creds", "sig",
         "signature"}  # fmt: skip
_BEFORE_KEY = {
    "api", "access", "secret", "private", "auth", "signing", "encryption", "master", "shared", "account", "session",
    "service", "subscription", "app", "application", "license", "licence", "deploy", "integration", "webhook",
}  # fmt: skip
_NO_KEY = {
    "public", "sort", "primary", "partition", "foreign", "hot", "cache", "index", "row", "project", "issue",
    "storage", "object", "group", "idempotency", "translation", "dictionary", "board", "space", "config", "map",
}  # fmt: skip


class Value(NamedTuple):
    """What kind of value stands there; `mark` tells one secret from another and does not lead back to it."""

    kind: ValueKind
    mark: str | None = None


def strength(name: str) -> Literal["strong", "weak"] | None:
    """How surely what stands under a name is a credential: `API_KEY` yes, `TEAM_KEY` perhaps, `MAX_TOKENS` no."""
    parts = [word.lower() for word in _WORD.findall(name)]
    while len(parts) > 1 and (parts[-1] in _TRAILING or parts[-1].isdigit()):
        parts.pop()
    if not parts:
        return None
    before, last = (parts[-2] if len(parts) > 1 else ""), parts[-1]
    if last == "key" and before in _NO_KEY:
        return None
    if last in _STRONG or (last in ("key", "keys") and before in _BEFORE_KEY) or secret_name("_".join(parts)):
        return "strong"
    return "weak" if last in _WEAK or last.endswith(("password", "secret", "token")) else None


def value_of(text: str, name: str, defaults: Defaults) -> Value | None:
    """What stands under the name of a credential; None if it is none after all (a number, a switch, nothing)."""
    bare = _SCHEME.sub("", text, count=1).strip().strip("\"'")
    if bare.lower() in _NOTHING:
        return None
    if _STORE.fullmatch(bare):
        return Value("reference")
    if VARIABLE.search(bare):
        return _of_variable(bare, name, defaults)
    if strength(name) == "weak" and not _looks_secret(bare):
        return Value("placeholder") if _is_placeholder(bare) else None
    if _is_placeholder(bare):
        return Value("placeholder")
    if name.lower().endswith("header") and re.fullmatch(r"[A-Za-z]+(?:-[A-Za-z]+)*", bare) and strength(bare):
        return None  # the name of a header
    if "token" in name.lower() and bare.isdecimal() and len(bare) <= 7:
        return None
    return Value("reference") if _FILE.fullmatch(bare) and not is_shape(bare) else _literal(bare)


def secret_of(text: str) -> Value | None:
    """A literal that its own shape gives away, whatever name it has: an issuer's token, a private key."""
    if not is_shape(text):
        return None
    return None if _is_placeholder(text) and "PRIVATE KEY" not in text else _literal(text)


def is_shape(text: str) -> bool:
    """Whether a token of a known issuer, or a private key, stands in a text."""
    return mask_shapes(text) != text


def looks_random(text: str) -> bool:
    """Whether a part of a path or of an argument is hardly a word: nothing that should be shown."""
    if re.fullmatch(r"[0-9a-fA-F]{16,}|[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}", text):
        return True
    if any(_mixed(part) for part in re.split(r"[-_.~:]", text)):
        return True
    return len(text) >= 24 and _digits(text) >= 4 and _mixed(re.sub(r"\W|_", "", text))


def _mixed(part: str) -> bool:
    """Digits among letters, or capitals within: `Jb6wkzPNqcjF`, not `MyProject2`."""
    changes = len(re.findall(r"[a-z][A-Z0-9]|[A-Z][0-9]|[0-9][a-zA-Z]", part))
    return len(part) >= 12 and changes >= 4


def _digits(text: str) -> int:
    return sum(sign.isdigit() for sign in text)


def _of_variable(text: str, name: str, defaults: Defaults) -> Value:
    """A reference, unless a default, or what stands beside the variable, is a secret itself."""
    found = [match["default"] for match in _DEFAULT.finditer(text)]
    found += [defaults[match[1]] for match in _INPUT.finditer(text) if match[1] in defaults]
    for default in found:
        value = value_of(default, name, {}) if default else None
        if value and value.kind == "literal":
            return value
    rest = VARIABLE.sub("", text).strip(" :;,./@\"'")
    if rest and (is_shape(rest) or (len(rest) >= 12 and _looks_secret(rest) and looks_random(rest))):
        return _literal(rest)
    inner = re.sub(r"[${}%]", "", text)
    return Value("placeholder" if text[0] == "{" and re.search("(?i)your", inner) else "reference")


def _literal(text: str) -> Value:
    return Value("literal", hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16])


def _is_placeholder(text: str) -> bool:
    parts = [part for part in re.split(r"[-_ ]", text.lower()) if part]
    plain = bool(parts) and all(part in _WORDS for part in parts) and text.lower() not in ("password", "secret")
    named = _NAME.fullmatch(text) is not None and strength(text) is not None
    return plain or named or _PLACEHOLDER.search(text) is not None


def _looks_secret(text: str) -> bool:
    if len(text) < 8 or re.search(r"\s", text) or "://" in text or _FILE.fullmatch(text):
        return False
    mixed = bool(re.search("[0-9]", text)) and bool(re.search("[A-Za-z]", text))
    return mixed or len(text) >= 24 or ":" in text
