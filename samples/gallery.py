"""The page that shows all pictures of this folder, README.md: what each of them is, and the command that draws it.

`python samples/make.py` writes it with everything else. It is made of the tables there and of what is said here.
"""

import html
from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any

Picture = tuple[tuple[str, ...], dict[str, Any]]

WIDTH = 270  # px of a picture
COLUMNS = 3
BOOK = "book/README.md"
HEAD = """# Gallery

Every picture here is drawn from the recording, config file or description beside it, by the command under it, in its
folder. `python samples/make.py` draws them all anew and writes this page; a test compares.
"""

# chapter -> picture -> what it shows
SAID: dict[str, dict[str, str]] = {
    "One session, as you like it": {
        "seed.svg": "The bundled server over stdio: four steps, ten messages. Light or dark, as the reader is.",
        "seed-light.svg": "The same, always light.",
        "seed-dark.svg": "Always dark.",
        "seed-zh.svg": "In Chinese.",
        "seed-zh-dark.svg": "In Chinese, dark.",
        "seed-en-zh.svg": "With Chinese beside the English.",
    },
    "Other servers, transports, signing in": {
        "oauth/flow.svg": "A server that answers 401: metadata, registration, consent, token, and the session then.",
        "oauth/flow-dark.svg": "The same, dark.",
        "create-issue/flow.svg": "A tool that asks back: the person approves and answers a form.",
        "http-2026-07-28/flow.svg": "Streamable HTTP in the stateless era, with the headers that matter to MCP.",
        "mcp/flow.svg": "flowgen itself as a server (`flowgen mcp`), recorded by flowgen; schemas in a few words.",
        "sdk-handshake.svg": "A server written with the official SDK, greeted with a handshake; every explanation.",
        "sdk-stateless.svg": "The same server without one.",
        "everything.svg": "The reference server from npm, in Chinese.",
    },
    "Who runs where": {
        "architecture/config.svg": "Behind a host's config file: zones, servers, and what crosses a trust boundary.",
        "architecture/description.svg": "The same system, from a description.",
        "architecture/trace.svg": "The same again, from a recording.",
        "architecture/seen.svg": "What was seen laid over what is declared.",
        "architecture/company.svg": "A system that no host's file holds: gateways, zones in zones, as a graph.",
    },
    "Two of them compared": {
        "eras/eras.svg": "The same calls in both eras, what means the same at one height.",
        "architecture/changes.svg": "What a change of a config means.",
    },
}


def page(pictures: Mapping[str, Picture], laid: Sequence[str], compared: Sequence[str], book: Sequence[str]) -> bytes:
    """The page. `pictures` and their sources are those of make.py, `laid` and `compared` those that take two; `book`
    are the names of the picture book's scenarios.
    """
    told = {name for chapter in SAID.values() for name in chapter}
    texts = [name for name in pictures if not name.endswith(".svg")]
    more = {name: "" for name in pictures if name not in told and name not in texts}
    lines = [*HEAD.split("\n")]
    for title, chapter in {**SAID, "More": more}.items():
        there = {name: said for name, said in chapter.items() if name in pictures}
        commands = {name: _command(name, pictures[name], name in laid, name in compared) for name in there}
        cells = [_cell(name, f"{html.escape(said)}<br><code>{commands[name]}</code>") for name, said in there.items()]
        lines += [f"## {title}", "", *_table(cells), ""] if there else []
    lines += ["## Texts", "", *(f"- [`{name}`]({name})" for name in texts), ""]
    lines += ["## Picture book", "", f"{len(book)} diagrams of the specification, each as a [recording]({BOOK}).", ""]
    return "\n".join([*lines, *_table([_cell(f"book/{name}/flow.svg", name) for name in book]), ""]).encode()


def _cell(name: str, said: str) -> str:
    """A picture that leads to itself, and what it is."""
    image = f'<a href="{name}"><img alt="{name}" src="{name}" width="{WIDTH}"></a>'
    return f'<td valign="top" width="{WIDTH}">{image}<br>{said}</td>'


def _command(name: str, picture: Picture, laid: bool, compared: bool) -> str:
    """As it is typed in the folder of the picture."""
    sources, options = picture
    place = PurePosixPath(name)
    files = [str(PurePosixPath(source).relative_to(place.parent)) for source in sources]
    words = ["diff" if compared else "render", *(" --with ".join(files).split() if laid else files), "-o", place.name]
    return " ".join(["flowgen", *words, *(f"--{option} {value}" for option, value in options.items())])


def _table(cells: Sequence[str]) -> Iterator[str]:
    """Pictures beside each other."""
    yield "<table>"
    for start in range(0, len(cells), COLUMNS):
        yield from ("<tr>", *cells[start : start + COLUMNS], "</tr>")
    yield "</table>"
