"""How a command line may be shown: no secret, nothing that looks like one, no user's name in a path."""

import re
from collections.abc import Iterator, Sequence

from ._address import HIDDEN, address, is_address
from ._document import Word
from ._shell import VARIABLE, base
from ._switches import told_before
from ._values import is_shape, looks_random, strength

_LONGEST = 60
_ALL = 160
_OPTION = re.compile(r"(--?[A-Za-z][\w.-]*|[A-Za-z_]\w*)=(.*)", re.DOTALL)
_HEADER = re.compile(r"([A-Za-z][\w-]*):\s*(\S.*)", re.DOTALL)
_HOME = re.compile(r"(?i)^(?:/home/[^/\\:]+|/Users/[^/\\:]+|[A-Za-z]:[\\/]+Users[\\/]+[^/\\:]+)(?=[/\\:]|$)")
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_USER = re.compile(r"://[^/\s]*@|^(?!npm:|jsr:)[\w.-]+:[^/\s@:]+@(?!sha256:)[A-Za-z\[]")
_NAMED = re.compile(r"(?:^|[;&,?|#])\s*([A-Za-z][\w .-]*?)\s*=\s*[^;&,|\s]")
_LONG_MARK = re.compile(r"(?<=@sha256:)([0-9a-f]{7})[0-9a-f]{8,}$|(?<=[@#])([0-9a-f]{7})[0-9a-f]{1,57}$")


def shown_path(path: str) -> str:
    """A path with the home of whoever it belongs to as `~`."""
    return _HOME.sub("~", path.replace("\\", "/") if re.match(r"[A-Za-z]:\\", path) else path)


def shown_line(words: Sequence[Word]) -> str:
    """A command line, short; the program without its folder where that says nothing."""
    parts = list(_shown(words))
    line = " ".join(part for part in parts if part)
    return line if len(line) <= _ALL else line[: _ALL - 1] + "…"


def _shown(words: Sequence[Word]) -> Iterator[str]:
    hide_next = False
    texts = [word.text for word in words]
    for number, word in enumerate(words):
        told = told_before(texts, number)
        if told:
            yield f"{told[1]}{HIDDEN}"
            hide_next = False
            continue
        if hide_next and not word.text.startswith("-"):
            yield HIDDEN
            hide_next = False
            continue
        hide_next = bool(re.fullmatch(r"--?[A-Za-z][\w.-]*", word.text)) and strength(word.text) is not None
        yield _program(word.text) if number == 0 else shown_word(word.text)


def _program(text: str) -> str:
    return shown_word(base(text) if re.match(r"[/~]|[A-Za-z]:[\\/]", text) else text)


def shown_word(text: str) -> str:
    """One word: an address without its query, `••••` for what may be a secret, `…` for what is too long."""
    if found := _OPTION.fullmatch(text):
        return f"{found[1]}={HIDDEN if strength(found[1]) else shown_word(found[2])}"
    if is_address(text):
        return address(text, 0).shown
    if "/" in text or "@sha256:" in text:  # an image or a repository: of its digest or commit the beginning is enough
        text = _LONG_MARK.sub(lambda found: f"{found[1] or found[2]}…", text)
    if _hidden(text):
        return HIDDEN
    if re.search(r"\s", text.strip()):
        return "…"  # a shell's text, a header: what is in it may be anything
    text = shown_path(_CONTROL.sub("", text))
    return text if len(text) <= _LONGEST else f"{text[:28]}…{text[-28:]}"


def _hidden(text: str) -> bool:
    """Whatever is no plain word, path, package or switch stays hidden."""
    if is_shape(text) or (text.lstrip().startswith(("{", "[")) and not VARIABLE.match(text)):
        return True
    header = _HEADER.fullmatch(text)
    if (header and strength(header[1])) or _USER.search(text):
        return True
    if any(strength(name) for name in _NAMED.findall(text)):
        return True
    return any(looks_random(part) for part in re.split(r"[/\\=,:@?&]", VARIABLE.sub("", text)) if len(part) >= 12)
