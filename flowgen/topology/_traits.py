"""What a launch shows of itself that a reviewer should know, and the patterns by which it is known."""

import posixpath
import re
from collections.abc import Sequence
from typing import Literal, NamedTuple

from ._shell import base

TraitKind = Literal[
    "package-pinned", "package-open", "image-pinned", "image-open", "home", "shell", "sudo", "remove", "download",
    "privileged", "host-network", "engine-socket", "host-key", "key-file", "allow-http", "read-only", "approved",
]  # fmt: skip


class Trait(NamedTuple):
    """One thing seen, and the line on which it is seen; `about` is a name that may be shown."""

    kind: TraitKind
    line: int
    about: str = ""


_LONGEST = 200  # characters of a folder that is looked at
_LOOKED_AT = 5000  # characters of a shell's text; the patterns take time in the square of them
_USER = r"[^/\\]+"
_HOME = re.compile(
    rf"(?i)/|[a-z]:[\\/]*|~|\$(?:HOME|USERPROFILE)|\$\{{(?:env:)?(?:HOME|USERPROFILE)\}}|\$env:(?:HOME|USERPROFILE)"
    rf"|%(?:USERPROFILE|HOMEPATH|HOMEDRIVE%%HOMEPATH)%|\$\{{userHome\}}|\{{env:HOME\}}"
    rf"|/home(?:/{_USER})?|/Users(?:/{_USER})?|/root|/var/root|[a-z]:[\\/]+Users(?:[\\/]+{_USER})?"
    rf"|/(?:(?:mnt|host_mnt|cygdrive)/[a-z](?:/Users(?:/{_USER})?)?|[a-z]/Users(?:/{_USER})?)"
)
_ENDING = re.compile(r"(?:[/\\]+\.?|[/\\]\*{1,2})$")
_FETCH = r"(?:curl|wget|iwr|irm|invoke-webrequest|invoke-restmethod|fetch)"
_SHELL = (
    r"(?:\S{0,200}/)?(?:sh|bash|zsh|dash|ksh|fish|ash|python[0-9.]*|node|perl|ruby|iex|invoke-expression|powershell|pwsh)"
)
_PIPED = re.compile(
    rf"(?i)(?<![\w./-]){_FETCH}(?:\.exe)?\s[^;&]*?\|\s*(?:(?:sudo|env|exec)\s+(?:-\S+\s+)*)?{_SHELL}(?![\w.-])"
)
_SUBSTITUTED = re.compile(rf"(?i)(?<![\w-])(?:{_SHELL}|eval|source|\.)\s[^;&|]*?(?:<\(|\$\(|`)\s*{_FETCH}\s")


def is_home(text: str) -> bool:
    """Whether a folder is a whole home, a drive's root or `/`; a folder below is not."""
    text = _folder(text.strip().strip("\"'"))
    if re.fullmatch(r"(?i)[/\\]+|[a-z]:[\\/]*", text):
        return True
    trimmed = _ENDING.sub("", text)
    return bool(trimmed) and len(trimmed) <= _LONGEST and _HOME.fullmatch(trimmed) is not None


def _folder(text: str) -> str:
    """A folder without `file://`, and without ways back: `/home/maria/..` is `/home`."""
    text = re.sub(r"(?i)^file://(?:localhost)?(?=/)", "", text)
    if not re.search(r"[/\\]\.\.(?:[/\\]|$)", text) or len(text) > _LONGEST:
        return text
    way = posixpath.normpath(text.replace("\\", "/"))
    above = way == "." or way.startswith("..")
    return "/home" if above and text[0] in "~$%{" else way  # above a home are all homes


def downloads(text: str) -> bool:
    """Whether a shell's text runs what it has just fetched."""
    text = text[:_LOOKED_AT]
    return _PIPED.search(text) is not None or _SUBSTITUTED.search(text) is not None


def removes(words: Sequence[str]) -> bool:
    """Whether a command is `rm` that asks nothing and takes folders."""
    if not words or base(words[0]) != "rm":
        return False
    letters = "".join(word[1:] for word in words[1:] if re.fullmatch(r"-[a-zA-Z]+", word))
    long = {word for word in words[1:] if word.startswith("--")}
    return bool(re.search("[rR]", letters) or "--recursive" in long) and ("f" in letters or "--force" in long)
