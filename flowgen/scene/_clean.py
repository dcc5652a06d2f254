"""Text of strangers made safe to draw and to print: what would be invisible or would act is shown as `U+202E`.

The same notation stands everywhere, in JSON strings too: it is the one of the trace contract, it cannot be taken
for an escape that a server wrote itself, and it is drawn in its own colour. Newlines stay, a tab becomes four
spaces. Escaping for a grammar (XML, Mermaid, …) is the business of whoever writes it.
"""

import re
from functools import cache

# Below 0x7F only C0 and DEL can be wrong: one look at ASCII text is enough.
_ASCII = re.compile(r"[\x00-\x09\x0b-\x1f\x7f]")

_CONTROLS = (
    r"\x00-\x08\x0b-\x1f\x7f-\x9f"  # C0 (without tab and newline), DEL, C1: terminals and XML parsers act on them
    r"\u2028\u2029\u202a-\u202e\u2060-\u206f\u200e\u200f\u061c"  # line ends, directions, joiners
    r"\ud800-\udfff\ufdd0-\ufdef\ufff9-\ufffb\U000f0000-\U0010ffff"  # surrogates, non-characters, private planes
    + "".join(rf"\U{plane:04x}fffe\U{plane:04x}ffff" for plane in range(15))
)
_UNSEEN = (
    r"\xad\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200c\u3164\uffa0\ufeff\ufe00-\ufe0d"
    r"\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
    r"\U000e0000-\U000e0fff"  # tag characters, which hide whole sentences from people but not from models
)
_MARKS = r"\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20f0\ufe20-\ufe2f"
_EMOJI = r"\xa9\xae\u203c\u2049\u2122-\u2bff\u3030\u303d\u3297\u3299\U0001f000-\U0001faff"
_HIDDEN = (
    rf"[{_CONTROLS}{_UNSEEN}]"
    rf"|(?<![{_EMOJI}#*0-9])[\ufe0e\ufe0f]"  # chooses how an emoji is drawn; elsewhere it carries nothing seen
    rf"|(?<![{_EMOJI}\ufe0f])\u200d|\u200d(?![{_EMOJI}])"  # joins emoji
    rf"|(?<=[{_MARKS}]{{3}})[{_MARKS}]"  # accents piled up until they cover other lines
)


_SUSPECT = rf"[{_CONTROLS}{_UNSEEN}{_MARKS}\u200d\ufe0e\ufe0f\t]"  # any sign that _HIDDEN can begin with
_BLANK = re.compile(r"[ \t\r\n]+")


@cache
def _suspect() -> re.Pattern[str]:
    return re.compile(_SUSPECT)  # when the first text beyond ASCII comes


@cache
def _hidden() -> re.Pattern[str]:
    return re.compile(_HIDDEN)  # when the first text comes that may hold such a sign


def _shown(found: re.Match[str]) -> str:
    char = found.group()
    return "    " if char == "\t" else f"U+{ord(char):04X}"


def clean(text: str) -> str:
    """The text as it may be drawn. Clean text comes back as it is: cleaning twice is cleaning once."""
    if text.replace("…", "").isascii():  # our own texts have that sign
        return _ASCII.sub(_shown, text) if _ASCII.search(text) else text
    return _hidden().sub(_shown, text).replace("\t", "    ") if _suspect().search(text) else text


def pieces(text: str) -> list[tuple[str, bool]]:
    """The cleaned text in parts; True marks those that stand for a character which could not be seen."""
    if clean(text) is text:
        return [(text, False)] if text else []
    parts: list[tuple[str, bool]] = []
    end = 0
    for found in _hidden().finditer(text):
        if found.start() > end:
            parts.append((text[end : found.start()].replace("\t", "    "), False))
        parts.append((_shown(found), True))
        end = found.end()
    if end < len(text):
        parts.append((text[end:].replace("\t", "    "), False))
    return parts


def clean_line(text: str, limit: int) -> str:
    """The text as one line of at most `limit` characters, for labels: white space is one space, the rest `…`."""
    start = text[: 2 * limit + 200]  # more can never be shown; names of a megabyte cost nothing
    line = clean(_BLANK.sub(" ", start).strip(" "))
    if len(line) <= limit and len(start) == len(text):
        return line
    return head(line, limit - 1).rstrip() + "…" if limit > 0 else ""


def head(text: str, limit: int) -> str:
    """The first `limit` characters at most; accents and joined emoji are never torn from what they belong to."""
    if len(text) <= limit or text.isascii():
        return text[:limit]
    from wcwidth import iter_graphemes

    length = 0
    for cluster in iter_graphemes(text[: limit + 1]):
        if length + len(cluster) > limit:
            break
        length += len(cluster)
    return text[:length]
