"""Whether a package or an image is pinned: to a version, a digest or a commit.

True and False are what the text shows; None is what it leaves open (a variable, a file, an address of an archive).
"""

import re

from ._shell import VARIABLE

_COMMIT = re.compile(r"[0-9a-fA-F]{7,64}")
_LOCAL = re.compile(r"\.{0,2}[/\\]|\.{1,2}$|~|[A-Za-z]:[/\\]|file:|link:")
_GIT = re.compile(r"git\+|git://|git@|ssh://|(?:github|gitlab|bitbucket|gist):|https?://[^\s]+\.git(?:$|[#@])")
_SHORTHAND = re.compile(r"[\w.-]+/[\w.-]+(?:#.*)?")  # owner/repository, as npm takes it
_RANGE = re.compile(r"[\^~<>*|\s]|(?:^|\.)[xX](?:\.|$)")
_SCRIPT = re.compile(r"(?i)\.(?:js|mjs|cjs|ts|mts|py|sh)$")


def npm(spec: str) -> bool | None:
    """`@scope/name@1.2.3` is pinned; `name`, `name@latest` and a range are not."""
    spec = spec.removeprefix("npm:").removeprefix("jsr:")
    if _LOCAL.match(spec) or _whole_variable(spec) or _SCRIPT.search(spec):
        return None
    if _GIT.match(spec) or _SHORTHAND.fullmatch(spec):
        return _commit(spec.partition("#")[2])
    if "://" in spec:
        return None
    _, sign, version = spec[1:].partition("@")
    return _version(version) if sign else False


def pypi(spec: str) -> bool | None:
    """`name==1.2.3`, `name@1.2.3` and a commit of a repository are pinned."""
    spec = spec.strip()
    named = re.match(r"[\w.\[\],-]+\s*@\s*(?=git\+|https?:|file:)", spec)
    spec = spec[named.end() :] if named else spec
    if _GIT.match(spec):
        return _commit(spec.partition("#")[0].rpartition("@")[2] if spec.count("@") else "")
    if _LOCAL.match(spec) or _whole_variable(spec) or "://" in spec or _SCRIPT.search(spec):
        return None
    if found := re.search(r"===?\s*([^\s,;]+)", spec):
        return _version(found[1])
    if re.search(r"[<>~!]", spec):
        return False
    _, sign, version = spec.partition("@")
    return _version(version) if sign else False


def image(spec: str) -> bool | None:
    """A digest, or a tag other than `latest`; a port in the registry's name is no tag."""
    if re.search(r"@sha\d+:", spec):
        return True
    if _whole_variable(spec):
        return None
    _, sign, tag = spec.rpartition("/")[2].partition(":")
    if not sign:
        return False
    return None if VARIABLE.search(tag) else tag not in ("latest", "")


def _version(version: str) -> bool | None:
    if VARIABLE.search(version):
        return None
    return bool(re.search(r"\d", version)) and not _RANGE.search(version)


def _commit(reference: str) -> bool | None:
    if VARIABLE.search(reference):
        return None
    return _COMMIT.fullmatch(reference) is not None


def _whole_variable(spec: str) -> bool:
    return VARIABLE.sub("", spec).strip("@/:") == "" or spec.startswith(("${", "$", "%", "{"))
