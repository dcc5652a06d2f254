"""What a secret looks like: by the name it stands under, by its own shape, by where it stands in a text.

Knows nothing of messages. The names are those of OAuth 2.1 and its extensions, of HTTP, and of what servers
commonly ask for; the shapes are those of issuers that mark their tokens.
"""

import base64
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache

MASK = "•••"

Span = tuple[int, int]

_ENDS = (
    "authorization", "password", "passwd", "passphrase", "passcode", "secret", "token", "credential",
    "credentials", "apikey", "accesskey", "secretkey", "privatekey", "authkey", "signingkey", "encryptionkey",
    "masterkey", "sharedkey", "accountkey", "sessionkey", "sshkey", "subscriptionkey",
)  # fmt: skip
_WHOLE = {
    "assertion", "bearer", "clientassertion", "codeverifier", "cookie", "devicecode", "dpop", "mcpsessionid",
    "requeststate", "setcookie",
}  # fmt: skip
# tokens that are a place in a list, a mark in a text, or the protocol's own
_HARMLESS = (
    "progresstoken", "pagetoken", "nexttoken", "continuationtoken", "synctoken", "cursortoken", "stoptoken",
    "eostoken", "bostoken", "padtoken", "unktoken", "masktoken",
)  # fmt: skip

_SHAPE = re.compile(
    r"""(?<![A-Za-z0-9_])(?:
      (?<!-)sk-(?=[a-z_-]{0,40}+[A-Z0-9])[A-Za-z0-9_-]{16,}+ | (?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]{10,}+
    | whsec_[A-Za-z0-9]{16,}+
    | gh[pousr]_[A-Za-z0-9]{20,}+ | github_pat_[A-Za-z0-9_]{20,}+ | glpat-[A-Za-z0-9_-]{16,}+
    | xox[abeoprs]-[A-Za-z0-9-]{10,}+ | xapp-[A-Za-z0-9-]{10,}+
    | (?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Z0-9]) | AIza[A-Za-z0-9_-]{30,}+ | ya29\.[A-Za-z0-9_-]{20,}+
    | npm_[A-Za-z0-9]{30,}+ | pypi-[A-Za-z0-9_-]{40,}+ | hf_[A-Za-z0-9]{30,}+ | dop_v1_[a-f0-9]{40,}+
    | SG\.[A-Za-z0-9_-]{16,}+\.[A-Za-z0-9_-]{16,}+ | lin_api_[A-Za-z0-9]{20,}+ | shp(?:at|ca|pa|ss)_[a-fA-F0-9]{30,}+
    | (?<!-)eyJ[A-Za-z0-9_-]{5,}+\.[A-Za-z0-9_-]{5,}+(?:\.[A-Za-z0-9_-]*+){1,3}
    )""",
    re.VERBOSE,
)
_SCHEME = re.compile(
    r"(?i)(?<![A-Za-z0-9_])(?:bearer|basic|dpop|digest|negotiate|apikey) +([A-Za-z0-9._~+/-]++=*+)(?![\"'=\w])"
)
_KEY_BLOCK = re.compile(r"-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----([\s\S]*?)(?:-----END|\Z)")
_HEADER = re.compile(
    r"(?i)(?<![\w-])(?:proxy-)?(?:authorization|cookie|set-cookie|x-api-key)\\*[\"']?\s*:\s*\\*[\"']?"
    r"([^\s\\\"'{\[][^\r\n\\\"']*+)"
)
_NAME = re.compile(
    r"(?<![\w.-])(?P<dashes>--?)?(?P<name>[A-Za-z_][\w.-]{1,63}+)"
    r"(?:(?P<quote>\\{0,7}[\"'])?[ \t]*(?P<sign>=>|:=|=|:)[ \t]*|[ \t]++)"
)
_VALUE = re.compile(
    r"(?P<quote>\\{0,7}[\"'])(?P<text>(?:(?!(?P=quote))(?:\\[^\r\n]|[^\r\n]))++)"
    r"|(?P<bare>[^\s\"'\\,;&<>(){}\[\]]++)"
)
_USER_INFO = re.compile(r"(?i)(?<![a-z0-9+.-])[a-z][a-z0-9+.-]{1,20}+://([^\s/?#@:\"'<>]*+:[^\s/?#@\"'<>]++)@")
_WORD = re.compile(r"[^\s\"'<>#?]++")
_FORM_VALUE = re.compile(r"(?:^|&(?:amp;)?)([\w.~%+-]+)=([^&]*+)")
_PREFIX = re.compile(r"(?i)(?:(?:bearer|basic|dpop|digest|negotiate|token|apikey) +|v[0-9]{1,2}\.)(?=.)")
_OAUTH = {"grant_type", "response_type", "redirect_uri", "code_challenge", "code_verifier", "client_id", "iss"}
_REFERENCE = re.compile("env:[A-Z_][A-Z0-9_]*")  # where a secret is to be found, as our own options take it
_SWITCHES = {"true", "false", "none", "null", "nil", "undefined"}
_PERCENT = re.compile("%[0-9A-F]{2}")
_LETTER = re.compile("[A-Za-z_]")
_NO_LETTER = re.compile("[^A-Za-z0-9]")
_CLASSES = tuple(re.compile(part) for part in ("[a-z]", "[A-Z]", "[0-9]", "[^A-Za-z0-9]"))


@lru_cache(4096)
def secret_name(name: str) -> bool:
    """Whether what stands under this name (a JSON member, a header, a variable, an option) is a secret."""
    plain = squashed(name)
    return plain in _WHOLE or (plain.endswith(_ENDS) and not plain.endswith(_HARMLESS))


def squashed(name: str) -> str:
    """`X-Api-Key`, `xApiKey` and `x_api_key` as one word."""
    return re.sub("[^a-z0-9]", "", name.lower())


def env_secrets(env: Mapping[str, str]) -> set[str]:
    """The values of variables to be masked wherever they stand: eight characters or more, or a secret's name.

    Up to three characters are none even then: `USE_TOKEN=1` must not mask every 1.
    """
    return {
        value
        for name, value in env.items()
        if len(value) >= 8 or (len(value) >= 4 and secret_name(name) and value.lower() not in _SWITCHES)
    }


def prefix_of(value: str) -> str:
    """The scheme or version that may stay readable before a secret: `Bearer `, `v1.`, or nothing."""
    found = _PREFIX.match(value)
    return found[0] if found else ""


def looks_random(value: str) -> bool:
    """Whether a value is hardly a word of a language: mixed signs, or very long."""
    value = value.strip(".,:;!?")
    word = value[:1].lower() + value[1:]
    mixed = sum(1 for part in _CLASSES if part.search(word)) >= 2
    return len(value) >= 20 or (len(value) >= 6 and mixed)


def places(text: str, part: str) -> Iterator[Span]:
    """Where a known secret stands in a text; one of less than eight characters is no part of a longer word."""
    start = text.find(part)
    while start >= 0:
        end = start + len(part)
        if len(part) >= 8 or not (text[start - 1 : start].isalnum() or text[end : end + 1].isalnum()):
            yield start, end
        start = text.find(part, end)


def shape_in(text: str) -> bool:
    """Whether a token of a known issuer stands in the text."""
    return _SHAPE.search(text) is not None


def mask_shapes(text: str) -> str:
    """The text with everything masked that its own shape gives away: for whoever draws what was not masked before."""
    for block in _KEY_BLOCK.finditer(text) if "PRIVATE KEY-----" in text else ():
        text = text.replace(block[1] or MASK, MASK)
    return _SHAPE.sub(MASK, text)


def spellings(secret: str) -> set[str]:
    """The ways in which a known secret may stand in a text: as it is, escaped for JSON, HTML or a URL, in base64."""
    import html
    import json

    ways = {secret, json.dumps(secret)[1:-1], json.dumps(secret, ensure_ascii=False)[1:-1], html.escape(secret)}
    ways |= _in_urls(secret)
    if len(secret) >= 8:
        data = secret.encode("utf-8", "surrogatepass")
        ways |= {way for shift in range(3) for way in _in_base64(data, shift)}
    return ways


def _in_urls(secret: str) -> set[str]:
    """As a form, as `encodeURIComponent` and `encodeURI`, as Python's `quote`; small digits; one URL in another."""
    from urllib.parse import quote, quote_plus

    data = secret.encode("utf-8", "surrogatepass")
    ways = {quote(data, safe=safe) for safe in ("", "/", "!'()*", ";,/?:@&=+$!'()*#")} | {quote_plus(data)}
    ways |= {_PERCENT.sub(lambda found: found[0].lower(), way) for way in ways}
    return ways | {quote(way, safe="") for way in ways}


def _in_base64(data: bytes, shift: int) -> set[str]:
    """The signs that stand for the data whatever surrounds it, `shift` bytes after a multiple of three."""
    start = (0, 2, 3)[shift]
    end = (shift + len(data)) * 8 // 6
    plain = base64.b64encode(bytes(shift) + data).decode()[start:end]
    return {plain, plain.replace("+", "-").replace("/", "_")}


def secrets_in(text: str, keys: frozenset[str] = frozenset()) -> Iterable[Span]:
    """Where secrets stand in a text, by what is written around them or by their own shape.

    `keys` are further names, squashed.
    """
    if len(text) < 20 and text.isalnum():  # nothing stands around it, and no shape is that short
        return ()
    if not _LETTER.search(text):  # whatever tells a secret is written in letters
        return ()
    return (span for span in _told(text, keys) if not _REFERENCE.fullmatch(text, *span))


def _told(text: str, keys: frozenset[str]) -> Iterator[Span]:
    for pattern, group in ((_KEY_BLOCK, 1), (_HEADER, 1), (_SHAPE, 0), (_USER_INFO, 1)):
        for found in pattern.finditer(text):
            yield found.start(group) + len(prefix_of(found[group])), found.end(group)
    for found in _SCHEME.finditer(text):
        if looks_random(_NO_LETTER.sub("", found[1])):  # "basic key-value store" is prose
            yield found.span(1)
    yield from _named(text, keys)
    yield from _in_forms(text)


def _named(text: str, keys: frozenset[str]) -> Iterator[Span]:
    """Values after a secret's name: `API_KEY=…`, `"password": "…"`, `--token …`."""
    place = 0
    while found := _NAME.search(text, place):
        place = found.end()
        if not (secret_name(found["name"]) or squashed(found["name"]) in keys):
            continue
        prefix = _PREFIX.match(text, place)
        value = _VALUE.match(text, prefix.end() if prefix else place)
        if value and _is_value(found, value):
            start, place = value.span("text" if value["quote"] else "bare")
            yield start + len(prefix_of(text[start:place])), place


def _is_value(name: re.Match[str], value: re.Match[str]) -> bool:
    """After a colon or a space prose may follow: then only quotes or a random look tell a value."""
    call = name[0].endswith(" ") and value.string.startswith("(", value.end())  # a line of source in a traceback
    if call or (value["bare"] or "").lower() in _SWITCHES:
        return False
    if name["sign"]:
        return name["sign"] != ":" or bool(name["quote"] or value["quote"]) or looks_random(value[0])
    return bool(name["dashes"]) and looks_random(value[0])


def _in_forms(text: str) -> Iterator[Span]:
    """`code` and `state` in the queries and forms of OAuth; elsewhere they are ordinary words."""
    for word in _WORD.finditer(text) if "&" in text else ():
        values = list(_FORM_VALUE.finditer(word[0])) if "&" in word[0] else []
        names = {value[1] for value in values}
        if names & _OAUTH or {"code", "state"} <= names:
            for value in values:
                if value[1] in ("code", "state") and value[2]:
                    yield word.start() + value.start(2), word.start() + value.end(2)
