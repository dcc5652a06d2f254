"""Where the pictures of many inputs go: a file name for each in one folder, no two the same.

`trace.json` becomes `trace.svg`, and `.mcp.json` `mcp.svg`, for a picture is nothing to hide. Names that are taken
twice get the folders in front of them that tell them apart (`oauth-trace.svg`), else their suffix (`trace.json.svg`),
at last a number.
"""

import os
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence


def places(inputs: Sequence[str], folder: str, suffix: str) -> list[str]:
    """The path of the picture of each input, in the folder."""
    paths = [[*map(_open, os.path.splitext(os.path.abspath(one))[0].split(os.sep)[1:])] for one in inputs]
    names = [path[-1] for path in paths]
    for alike in list(_alike(names)):
        depth = _depth([paths[at] for at in alike])
        for at in alike:
            names[at] = "-".join(paths[at][-depth:]) if depth else _open(os.path.basename(inputs[at]))
    return [os.path.join(folder, f"{name}.{suffix}") for name in _numbered(names)]


def _open(name: str) -> str:
    """A name that hides no file."""
    return name.lstrip(".") or name


def _alike(names: Sequence[str]) -> Iterator[list[int]]:
    """The positions of names that are taken more than once; disks that know no case take more for the same."""
    found = defaultdict(list)
    for at, name in enumerate(names):
        found[name.casefold()].append(at)
    return (positions for positions in found.values() if len(positions) > 1)


def _depth(paths: Sequence[Sequence[str]]) -> int:
    """How many parts at the end of the paths tell them apart; 0 if all of them do not."""
    for depth in range(2, max(map(len, paths)) + 1):
        ends = {"-".join(path[-depth:]).casefold() for path in paths}
        if len(ends) == len(paths):
            return depth
    return 0


def _numbered(names: Sequence[str]) -> Iterator[str]:
    """The names, with numbers where two are still the same."""
    taken = Counter(map(str.casefold, names))
    used: set[str] = set()
    for name in names:
        number = 1
        unlike = name
        while unlike.casefold() in used or (number > 1 and unlike.casefold() in taken):
            number += 1
            unlike = f"{name}-{number}"
        used.add(unlike.casefold())
        yield unlike
