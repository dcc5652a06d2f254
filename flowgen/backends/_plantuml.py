"""A flow as a PlantUML sequence diagram.

Texts of strangers are written so that they are text there: what the preprocessor, Creole or HTML would act on is a
code point (`<U+0025>` is a percent sign), and no text begins a line. Nothing is included and no file is read.
"""

import re
from collections.abc import Iterator, Sequence

from flowgen.flow import Flow
from flowgen.scene import Lane, Options, Telling

from ._notation import About, written

_ARROWS = {"req": "->", "res": "-->", "err": "-->", "ntf": "-->>", "warn": "-->x", "loc": "->"}
_LONGEST = 5_000_000  # characters; the engine reads whatever its memory holds
_MADE = "' Made by flowgen from a recorded MCP session; make it anew with: flowgen render TRACE -f plantuml"

_QUOTES = re.compile(r'["\u201c\u201d\u00ab\u00bb]')  # that may end a name
_DASHES = re.compile("-")  # that may make a message of a condition
_LETTERS = re.compile(r"[^\W_]")  # a title without any is refused, so its signs are written as code points then
_ANY = re.compile(r"\S")

# Functions and variables of the preprocessor, comments, tags, links, escapes, tables.
_ACTING = re.compile(r"[%$!'<>&~\\@|#^`]")
# Pairs that make bold, italic, struck, underlined or monospaced text, headings, links and embedded diagrams.
_PAIRS = re.compile(r'([*/_"={}\[\]().:;-])(?=\1)')

# The engine writes `>` as it is, and XML has no text with `]]>` in it: in a style of its own it is a text of its own.
_CDATA_END, _PARTED = "]<U+003E>", "]<plain><U+003E></plain>"


def plantuml(flow: Flow, options: Options) -> str:
    """The diagram, ending in a newline."""
    return written(flow, options, _PlantUml())


def text_of(text: str) -> str:
    """A text in which nothing acts; never empty, always one line."""
    safe = _PAIRS.sub(_code, _ACTING.sub(_code, text.replace("\n", " ")))
    return safe.replace(_CDATA_END, _PARTED) if text.strip() else "…"


def headline_of(text: str) -> str:
    """A text as the title of a diagram."""
    title = text_of(text)
    return title if _LETTERS.search(title) else _ANY.sub(_code, title)


def _code(found: re.Match[str]) -> str:
    return f"<U+{ord(found[0]):04X}>"


def _lines(lines: Sequence[str]) -> str:
    return "\\n".join(map(_indented, lines))


def _indented(line: str) -> str:
    bare = line.lstrip(" ")
    return "\xa0" * (len(line) - len(bare)) + text_of(bare)


class _PlantUml:
    """The grammar of https://plantuml.com/sequence-diagram."""

    longest = _LONGEST

    def opening(self, told: Telling, names: Sequence[tuple[str, Lane]]) -> Iterator[str]:
        yield "@startuml"
        yield _MADE
        yield f"title {headline_of(told.heading)}"
        yield "hide footbox"
        yield "skinparam noteFontName Monospaced"
        for name, lane in names:
            what = "actor" if lane.role == "person" else "participant"
            called = _lines([lane.name, *([lane.second] if lane.second else [])])
            yield f'{what} "{_QUOTES.sub(_code, called)}" as {name}'

    def closing(self) -> Iterator[str]:
        yield "@enduml"

    def message(self, sender: str, receiver: str, kind: str, text: Sequence[str]) -> str:
        return f"{sender} {_ARROWS[kind]} {receiver} : {_lines(text)}"

    def note(self, first: str, last: str, text: Sequence[str], about: About = "fact") -> str:
        over = first if first == last else f"{first}, {last}"
        if about == "payload":
            return f"rnote over {over} : {_lines(text)}"
        return f"note over {over} : {_lines(text)}"

    def band(self, first: str, last: str, text: str) -> Iterator[str]:
        yield f"== {text_of(text)} =="

    def end_band(self) -> Iterator[str]:
        yield from ()

    def frame(self, operator: str, condition: str) -> str:
        return f"{operator} {_DASHES.sub(_code, text_of(condition))}"

    def branch(self, operator: str, condition: str) -> str:
        return f"else {_DASHES.sub(_code, text_of(condition))}"

    def end_frame(self) -> str:
        return "end"
