"""A user's own text format: a Jinja2 template filled with the Flow as data.

The template runs in a sandbox: it reaches the data and nothing else, no file and no other template. What it prints
of a trace is cleaned first. Endless loops end with an error, as does a name that there is not.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from types import CodeType
from typing import Any

from jinja2 import StrictUndefined, Template, TemplateSyntaxError, UndefinedError, nodes
from jinja2.exceptions import TemplateError as JinjaError
from jinja2.runtime import Context
from jinja2.sandbox import ImmutableSandboxedEnvironment
from markupsafe import Markup

from flowgen.errors import TemplateError
from flowgen.flow import Flow, as_data
from flowgen.scene import Lang, clean, clean_line

from ._bounds import bounded

_ROUNDS = 1_000_000  # of loops and calls, and for each message of the trace
_ROUNDS_EACH = 100
_LARGEST = 1_000_000  # characters or digits that an operator may make
_OUTPUT = 200_000_000  # characters
_MEMORY = 2 << 30  # bytes, beside what the process has already
_LINE = 400  # characters of a text on one line
_ESCAPED = (".html", ".htm", ".xhtml", ".xml", ".svg")
_SUFFIX = re.compile(r"\.(j2|jinja2?)$", re.IGNORECASE)
_WIDE = re.compile(r"%[^a-zA-Z%]*(?:\d{5}|\*)")
_NAMES = "the names are those of flowgen render -f json; say {{ x|default('') }} for what may be missing"
_OTHER_FILES = (nodes.Include, nodes.Import, nodes.FromImport, nodes.Extends)


def filled(flow: Flow, source: str, name: str, lang: Lang = "en") -> str:
    """The template `source`, called `name` in errors, filled with `as_data(flow)`.

    Beside Jinja2's filters there are `say` (a text in the language asked for), `line` (a text on one line) and
    `entries` (the messages of a step, a run or a group). Raises TemplateError.
    """
    box = _Box(lang, _ROUNDS + _ROUNDS_EACH * flow.facts.messages, autoescape=_is_markup(name))
    try:
        template = Template.from_code(box, _compiled(box, source, name), box.globals)
        data = as_data(flow)
        with bounded(_MEMORY):
            return "".join(_limited(template.generate(data)))
    except TemplateSyntaxError as problem:
        raise _error(name, problem.lineno, problem.message or "syntax error") from None
    except UndefinedError as problem:
        raise _error(name, _line_of(problem, name), str(problem), _NAMES) from None
    except (SyntaxError, RecursionError) as problem:
        raise _error(name, _line_of(problem, name), "nested or called too deeply") from None
    except (_Endless, JinjaError, ArithmeticError, LookupError, TypeError, ValueError, RuntimeError) as problem:
        raise _error(name, _line_of(problem, name), str(problem) or type(problem).__name__) from None
    except MemoryError as problem:
        raise _error(name, _line_of(problem, name), "more than the memory holds") from None


def _is_markup(name: str) -> bool:
    """Whether what a template makes is markup by its name, so that texts are escaped: `page.html.j2`."""
    return _SUFFIX.sub("", name).lower().endswith(_ESCAPED)


class _Endless(RuntimeError):
    """More rounds or letters than any text needs."""


class _Box(ImmutableSandboxedEnvironment):
    """The sandbox of one template; it counts the rounds of loops and the calls."""

    intercepted_binops = frozenset(["*", "**", "%"])

    def __init__(self, lang: Lang, rounds: int, autoescape: bool) -> None:
        super().__init__(
            autoescape=autoescape, undefined=StrictUndefined, finalize=_cleaned,
            trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True,
        )  # fmt: skip
        self.rounds = rounds
        self.filters |= {"say": _saying(lang), "line": _on_a_line, "entries": self.entries, "counted": self.counted}
        del self.globals["lipsum"]  # makes as much as it is told, of nothing

    def spend(self) -> None:
        """One round or call more."""
        self.rounds -= 1
        if self.rounds < 0:
            raise _Endless("this loop or call does not end")

    def counted(self, items: Iterable[Any]) -> Iterator[Any]:
        """The items of a loop."""
        for item in items:
            self.spend()
            yield item

    def entries(self, row: Any) -> Iterator[dict[str, Any]]:
        """The messages in a step, a row or a list of rows, however deep they stand."""
        self.spend()
        match row:
            case list() | tuple():
                for each in row:
                    yield from self.entries(each)
            case {"message": _}:
                yield row
            case {"rows": rows} | {"entries": rows} | {"branches": rows}:
                yield from self.entries(rows)

    def call(__self, __context: Context, __obj: Any, *args: Any, **kwargs: Any) -> Any:
        """A call; its arguments may have any names."""
        __self.spend()
        return super().call(__context, __obj, *args, **kwargs)

    def call_binop(self, context: Context, operator: str, left: Any, right: Any) -> Any:
        """An operator that could make more than the memory holds."""
        if _size(operator, left, right) > _LARGEST:
            raise _Endless(f"{operator} makes more than {_LARGEST:,} characters or digits")
        return super().call_binop(context, operator, left, right)


def _size(operator: str, left: Any, right: Any) -> int:
    """Characters, items or bits of a result, about."""
    if operator == "%":
        return _LARGEST + 1 if isinstance(left, str) and _WIDE.search(left) else 0
    if isinstance(left, int) and isinstance(right, int):
        return left.bit_length() * max(right, 0) if operator == "**" else left.bit_length() + right.bit_length()
    for one, other in ((left, right), (right, left)):
        if isinstance(one, str | list | tuple | bytes) and isinstance(other, int):
            return len(one) * max(other, 0)
    return 0


def _compiled(box: _Box, source: str, name: str) -> CodeType:
    """The template's code, its loops counted. Raises TemplateSyntaxError."""
    tree = box.parse(source, name, name)
    for node in tree.find_all(_OTHER_FILES):
        raise TemplateSyntaxError("a template stands alone: it can neither include nor import another one", node.lineno)
    for loop in tree.find_all(nodes.For):
        loop.iter = nodes.Filter(loop.iter, "counted", [], [], None, None, lineno=loop.lineno, environment=box)
    return box.compile(tree, name, name)


def _limited(parts: Iterable[str]) -> Iterator[str]:
    made = 0
    for part in parts:
        made += len(part)
        if made > _OUTPUT:
            raise _Endless(f"the text has more than {_OUTPUT:,} characters")
        yield part


# Filters


def _cleaned(value: Any) -> Any:
    """What is printed, without signs that would act or hide."""
    if isinstance(value, Markup):
        return Markup(clean(value))
    return clean(value) if isinstance(value, str) else value


def _saying(lang: Lang) -> Callable[[Any], str]:
    def say(said: Any) -> str:
        if said is None:
            return ""
        if not isinstance(said, Mapping) or not {"en", "zh"} <= said.keys():
            raise TypeError("say takes a text in both languages, such as step.title or row.label")
        texts = [str(said[each]) for each in lang.split("+")]
        return " · ".join(dict.fromkeys(texts))

    return say


def _on_a_line(value: Any, most: int = _LINE) -> str:
    return clean_line(str(value), most)


# Errors


def _line_of(problem: BaseException, name: str) -> int | None:
    """The line of the template that an error comes from; Jinja2 puts it into the traceback."""
    line, step = None, problem.__traceback__
    while step is not None:
        if step.tb_frame.f_code.co_filename == name:
            line = step.tb_lineno
        step = step.tb_next
    return line


def _error(name: str, line: int | None, problem: str, hint: str | None = None) -> TemplateError:
    place = f"{name}:{line}" if line else name
    return TemplateError(f"{place}: {clean_line(problem, 300)}", hint)
