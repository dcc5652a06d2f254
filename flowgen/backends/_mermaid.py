"""A flow as a Mermaid sequence diagram, for Markdown that draws it.

Texts of strangers are written so that they are text there: what Mermaid, HTML or a Markdown fence would act on is
an entity (`#59;` is a semicolon), and no text begins a line.
"""

import re
import warnings
from collections.abc import Iterator, Sequence

from flowgen.flow import Flow
from flowgen.scene import Lane, Options, Telling

from ._notation import About, written

_ARROWS = {"req": "->>", "res": "-->>", "err": "-->>", "ntf": "--)", "warn": "--x", "loc": "->>"}
LONGEST = 50_000  # characters that Mermaid reads unless it is told otherwise (maxTextSize)
_MADE = "%% Made by flowgen from a recorded MCP session; make it anew with: flowgen render TRACE -f mermaid"
# Notes are as wide as their letters only where those are measured and drawn in one font, and beside the lanes; notes
# over two lanes are as wide as the lanes are apart.
_CONFIG = ("---", "config:", "  fontFamily: monospace", "  sequence:", "    noteAlign: left")
_MARGIN = 240  # px between two lanes with payloads over them
_BAND = "rgba(100, 116, 139, 0.10)"

# `#` begins an entity or a comment, `;` ends a statement, `%%` begins a comment or a directive, `$$` a formula,
# a backtick ends a fence; the last two stand for `&` and `;` while Mermaid works.
_ACTING = re.compile(r"[#;%<>&$`\\~\uFB02\xb6]")
# Lines with these words lose their last semicolon, with that of an entity, before they are read.
_WORDS = re.compile("style|classDef")
_WRAP = re.compile(r"(?i)^(\s*:?(?:no)?wrap):")


def mermaid(flow: Flow, options: Options) -> str:
    """The diagram, ending in a newline."""
    text = written(flow, options, _Mermaid(len(flow.lanes)))
    if len(text) > LONGEST:
        told = f"the diagram has {len(text):,} characters, Mermaid reads {LONGEST:,} unless maxTextSize is raised"
        warnings.warn(f"{told}; --steps or --only make it shorter", stacklevel=2)
    return text


def text_of(text: str) -> str:
    """A text in which nothing acts; never empty, always one line."""
    safe = _ACTING.sub(lambda found: f"#{ord(found[0])};", text.replace("\n", " "))
    safe = _WORDS.sub(lambda found: f"#{ord(found[0][0])};{found[0][1:]}", safe)
    return _WRAP.sub(r"\1#58;", safe) if safe.strip() else "…"


def _lines(lines: Sequence[str]) -> str:
    """Lines of a label or a note; spaces at their beginnings are kept."""
    return "<br/>".join(text_of(_indented(line)) for line in lines)


def _indented(line: str) -> str:
    bare = line.lstrip(" ")
    return "\xa0" * (len(line) - len(bare)) + bare


class _Mermaid:
    """The grammar of https://mermaid.js.org/syntax/sequenceDiagram.html."""

    longest = LONGEST

    def __init__(self, lanes: int) -> None:
        self.beside = None if lanes == 2 else f"p{lanes}"

    def opening(self, told: Telling, names: Sequence[tuple[str, Lane]]) -> Iterator[str]:
        yield from _CONFIG
        if self.beside is None:
            yield f"    actorMargin: {_MARGIN}"
        yield "---"
        yield _MADE
        yield "sequenceDiagram"
        yield f"title {text_of(told.heading)}"
        for name, lane in names:
            what = "actor" if lane.role == "person" else "participant"
            yield f"{what} {name} as {_lines([lane.name, *([lane.second] if lane.second else [])])}"

    def closing(self) -> Iterator[str]:
        yield from ()

    def message(self, sender: str, receiver: str, kind: str, text: Sequence[str]) -> str:
        return f"{sender}{_ARROWS[kind]}{receiver}: {_lines(text)}"

    def note(self, first: str, last: str, text: Sequence[str], about: About = "fact") -> str:
        if about != "fact" and self.beside:
            return f"Note right of {self.beside}: {_lines(text)}"
        return f"Note over {first if first == last else f'{first},{last}'}: {_lines(text)}"

    def band(self, first: str, last: str, text: str) -> Iterator[str]:
        yield f"rect {_BAND}"
        yield self.note(first, last, [text])

    def end_band(self) -> Iterator[str]:
        yield "end"

    def frame(self, operator: str, condition: str) -> str:
        return f"{operator} {text_of(condition)}"

    def branch(self, operator: str, condition: str) -> str:
        return f"{'and' if operator == 'par' else 'else'} {text_of(condition)}"

    def end_frame(self) -> str:
        return "end"
