"""`flowgen embed`: Markdown in, the same with fresh pictures out; or what is stale in it."""

import difflib
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from flowgen.errors import FlowgenError, UsageError

from ._help import Plain
from ._options import TypedOnly
from ._output import put_out, say, warnings_told
from ._words import FILE

if TYPE_CHECKING:
    from flowgen.ext.embed import File

_EXAMPLES = """
\b
Examples:
  flowgen embed README.md
  flowgen embed --check .
  flowgen embed --diff README.md docs/*.md
  flowgen embed README.md --base-url https://raw.githubusercontent.com/me/server/main

\b
In the Markdown, around the place of a picture:
  <!-- flowgen: traces/call.json notes lang=zh -->
  <!-- /flowgen -->
"""
_STALE = 3
_ENDINGS = (".md", ".markdown", ".mdx")
_LEFT_OUT = ("node_modules", "__pycache__")  # folders of others, beside those with a dot
_MOST = 60  # lines of one picture's difference
_CONTEXT = 2


@click.command(cls=Plain, epilog=_EXAMPLES)
@click.argument("documents", metavar="FILE.md...", nargs=-1, required=True, type=FILE)
@click.option("--check", is_flag=True,
              help="Write nothing; show what is stale, and end with exit code 3 if anything is.")
@click.option("--diff", is_flag=True, help="Show what is changed.")
@click.option("--base-url", metavar="URL", help="Where readers find the tree, for pages that need whole addresses.")
@click.option("--root", metavar="DIR", cls=TypedOnly, type=click.Path(path_type=Path),
              help="The tree that documents may name files of.  [default: the document's repository, else its folder]")
@click.option("--allow-record", is_flag=True, cls=TypedOnly,
              help="Let markers with record= start programs and record them.")
def embed(
    documents: Sequence[str], check: bool, diff: bool, base_url: str | None, root: Path | None, allow_record: bool
) -> int:
    """Refresh the pictures in Markdown files, where they stand and beside them.

    Between <!-- flowgen: TRACE --> and <!-- /flowgen --> comes the picture for light and dark pages, drawn from a
    recording, a config file or a description; `list` adds the messages, `notes` their explanations, too. All looks of
    `flowgen render` can be asked for: lang=zh steps=2-3 title="A call". out=NAME.svg says where the picture goes, else
    beside what it is drawn from. A folder stands for the Markdown files in it.
    """
    from flowgen.ext.embed import Embedder

    embedder = Embedder(root, base_url, allow_record)
    stale = failed = 0
    for document in _found(documents):
        try:
            with warnings_told():
                files = embedder.files(document)
            if len(files) == 1 and str(document) in documents:
                say(f"{_name(document)}: no marker in it; one begins at most three spaces from the margin")
            changed = [file for file in files if file.is_stale]
            stale += len(changed)
            _told(changed, check, check or diff)
        except FlowgenError as problem:
            if len(documents) == 1 and not os.path.isdir(documents[0]):
                raise
            failed += 1
            say(str(problem))
            say(problem.hint or f"mend {document}", "hint")
    if failed:
        return 1
    return _STALE if check and stale else 0


def _told(changed: "Sequence[File]", check: bool, shown: bool) -> None:
    """Write files, unless they are only checked, and tell which they are."""
    from flowgen import api

    for file in changed:
        if shown:
            put_out("".join(_difference(file)).encode())
        if not check:
            api.put(file.path, file.after)
        say(f"{_name(file.path)}: {'stale' if check else 'written'}")


def _difference(file: "File") -> Iterator[str]:
    """As `diff -u` tells it; of pictures only as much as one looks at."""
    old, new = (_lines(data) for data in (file.before or b"", file.after))
    name = _name(file.path)
    lines = [*difflib.unified_diff(old, new, name, name, n=_CONTEXT, lineterm="")]
    most = _MOST if file.path.suffix == ".svg" else len(lines)
    yield from (f"{line}\n" for line in lines[:most])
    if len(lines) > most:
        yield f"… {len(lines) - most} more lines\n"


def _lines(data: bytes) -> list[str]:
    """Lines with everything that a terminal would act on made visible."""
    text = data.decode("utf-8", "backslashreplace").replace("\r\n", "\n")
    return ["".join(sign if sign.isprintable() or sign == "\t" else ascii(sign)[1:-1] for sign in line)
            for line in text.split("\n")]  # fmt: skip


def _found(named: Sequence[str]) -> list[Path]:
    """The documents, each once; of a folder the Markdown files in it."""
    found: dict[str, Path] = {}
    for name in named:
        for path in _below(name) if os.path.isdir(name) else [Path(name)]:
            found.setdefault(os.path.realpath(path), path)
    if not found:
        raise UsageError(f"{', '.join(named)}: no Markdown in it", f"its files end in {', '.join(_ENDINGS)}")
    return [*found.values()]


def _below(folder: str) -> Iterator[Path]:
    for place, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith(".") and name not in _LEFT_OUT)
        yield from (Path(place, name) for name in sorted(files) if name.lower().endswith(_ENDINGS))


def _name(path: Path) -> str:
    """A file as one would type it here."""
    try:
        return str(path.absolute().relative_to(Path.cwd()))
    except ValueError:
        return str(path)
