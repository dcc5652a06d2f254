"""A snippet of Markdown: the picture in light and dark, and its messages as a list for who reads or searches text.

Texts of strangers stay text: Markdown's signs are escaped, and addresses, `@names` and `#numbers`, of which forges
make links by themselves, are parted by an empty comment.
"""

import html
import re
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath
from urllib.parse import quote

from flowgen.flow import Entry, Flow, Group, Remark, Row, Run
from flowgen.scene import Options, Telling, telling

_MADE = "<!-- Made by flowgen from a recorded MCP session; make it anew with: flowgen render TRACE -f md -o FILE.md -->"
_ACTING = re.compile(r"[\\`*_\[\]<>|~&$!{}]")
_LINKING = re.compile(r"(@|#|://|www\.|(?i:gh)-(?=\d)|(?i:mailto|xmpp):)")
_PART = "<!-- -->"
_ADDRESS = "/:?&=%#+;~!*'()@"  # signs of an address that stay what they are
_NO_BRACKETS = str.maketrans("", "", "()")


def markdown(flow: Flow, options: Options, image: str) -> str:
    """The snippet; it refers to the pictures `image` and, for dark pages, `dark_of(image)`."""
    told = telling(flow, options)
    return "\n".join([_MADE, *pictured(image, told.description), "", *_steps(told)]) + "\n"


def listed(flow: Flow, options: Options) -> str:
    """The steps as a numbered list, each with its messages."""
    return "\n".join(_steps(telling(flow, options)))


def pictured(image: str, said: str, width: str | None = None) -> Iterator[str]:
    """The lines that show a picture, on dark pages `dark_of(image)`; `said` is for who cannot see it."""
    yield "<picture>"
    yield f'  <source media="(prefers-color-scheme: dark)" srcset="{_address(dark_of(image))}">'
    yield f"  {alone(image, said, width)}"
    yield "</picture>"


def alone(image: str, said: str, width: str | None = None) -> str:
    """The line that shows a picture, the same on light and dark pages."""
    size = f' width="{html.escape(width)}"' if width else ""
    return f'<img alt="{html.escape(said)}" src="{_address(image)}"{size}>'


def linked(image: str, said: str) -> str:
    """The same without HTML, for Markdown that is none (MDX)."""
    return f"![{text_of(said)}]({quote(image, safe=_ADDRESS.translate(_NO_BRACKETS))})"


def dark_of(image: str) -> str:
    """`flow.svg` → `flow-dark.svg`, whatever stands before or behind it."""
    path, sign, query = image.partition("?")
    place = PurePosixPath(path)
    cut = len(path) - len(place.suffix)
    return f"{path[:cut]}-dark{place.suffix}{sign}{query}"


def _address(name: str) -> str:
    """As an attribute; a comma or a space would end an address in `srcset`."""
    return html.escape(quote(name, safe=_ADDRESS if "://" in name else "/"))


def text_of(text: str) -> str:
    """A text of strangers that stays text, on one line of Markdown."""
    safe = _ACTING.sub(r"\\\g<0>", text)
    return _LINKING.sub(lambda found: f"{found[0]}{_PART}" if found[0] != "://" else f":{_PART}//", safe)


def _steps(told: Telling) -> Iterator[str]:
    last = 0
    for step in told.flow.steps:
        if step.number is None:
            yield from _rows(told, step.rows, 0)
            continue
        if last and step.number != last + 1:
            yield _PART  # else a list counts on by itself
        yield f"{step.number}. **{text_of(told.say(step.title)) or '…'}**"
        yield from _rows(told, step.rows, len(f"{step.number}. "))
        last = step.number
    if outcome := told.outcome:
        yield f"\n{text_of(outcome)}"
    for number, line in enumerate(told.verdict):
        yield _item(0, text_of(line)) if number else f"\n**{text_of(line)}**\n"


def _rows(told: Telling, rows: Sequence[Row], indent: int) -> Iterator[str]:
    for row in rows:
        match row:
            case Group():
                yield from _group(told, row, indent)
            case Remark(text=text):
                yield _item(indent, text_of(told.say(text, 600)))
            case Run(kind="pairs"):
                yield _item(indent, text_of(told.title(row)))
            case Run() | Entry():
                yield from _message(told, row, indent)


def _message(told: Telling, row: Run | Entry, indent: int) -> Iterator[str]:
    entry = row.entries[0] if isinstance(row, Run) else row
    number = f"**{number}** " if (number := told.number(row)) else ""
    words = told.look.words
    facts, colon = " · ".join(told.chips(row)), words("spoken.colon")
    label = " ".join(filter(None, [told.word(entry), told.title(row)]))
    label += words("spoken.facts", facts=facts) if facts else ""
    yield _item(indent, f"{number}{text_of(_way(told, entry))}{colon}{text_of(label.strip())}")
    for term, text in told.notes(entry):
        yield _item(indent + 2, f"*{text_of(term)}*{colon}{text_of(text)}")


def _way(told: Telling, entry: Entry) -> str:
    """Who tells whom."""
    message = entry.message
    if told.passes(entry):
        return f"{told.name(message.sender)} → {told.name(message.receiver)}"
    return told.name(told.process(entry) if message.kind == "process" else message.sender)


def _group(told: Telling, group: Group, indent: int) -> Iterator[str]:
    for number, branch in enumerate(group.branches):
        operator = group.operator if not number else "and" if group.operator == "par" else "else"
        yield _item(indent, f"*{told.words(f'group.{operator}')}* {text_of(told.say(branch.condition))}".rstrip())
        yield from _rows(told, branch.rows, indent + 2)


def _item(indent: int, text: str) -> str:
    return f"{' ' * indent}- {text}"
