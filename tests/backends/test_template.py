"""A user's own template: what it is given, what it cannot reach, what its faults are called."""

import re
from pathlib import Path

import pytest

from flowgen import api, flow
from flowgen.backends import filled
from flowgen.errors import TemplateError
from tests import hostile
from tests.traces import SAMPLES, answers, asks, tells, trace_of

SEED = flow.read(api.load(SAMPLES / "seed.json"), notes="none")


def seed(source: str, name: str = "t.md.j2", **how: str) -> str:
    return filled(SEED, source, name, **how)  # type: ignore[arg-type]


def fault(source: str) -> str:
    with pytest.raises(TemplateError) as error:
        seed(source, "own.txt.j2")
    return str(error.value)


def test_a_template_is_given_what_json_is_given():
    text = "{{ format }} {{ lanes|length }} {{ facts.messages }} {{ steps[0].rows[0].message.body.method }}"
    assert seed(text) == "flowgen.flow/1 2 10 initialize"


def test_say_speaks_the_language_asked_for():
    source = "{{ steps[0].title|say }}/{{ none|say }}"
    assert [seed(source, lang=lang) for lang in ("en", "zh", "en+zh")] == [
        "Initialization/", "初始化/", "Initialization · 初始化/",
    ]  # fmt: skip


def test_entries_are_the_messages_of_a_step_however_deep_they_stand():
    calls = [row for n in range(9) for row in (asks("tools/call", n, name="x"), answers(n))]
    story = flow.read(trace_of(*calls))
    assert filled(story, "{{ steps|entries|list|length }}", "t.j2") == "18"


def test_blocks_leave_no_lines_behind():
    source = "{% for step in steps %}\n  {% if step.number > 2 %}\n{{ step.number }}\n  {% endif %}\n{% endfor %}\n"
    assert seed(source) == "3\n4\n"


ESCAPED = [("a.md.j2", "<b>"), ("a.html.j2", "&lt;b&gt;"), ("a.xml", "&lt;b&gt;"), ("j2", "<b>")]


@pytest.mark.parametrize(("name", "text"), ESCAPED)
def test_texts_are_escaped_where_the_name_says_markup(name, text):
    assert filled(flow.read(trace_of(tells("<b>"))), "{{ steps[0].rows[0].method }}", name) == text


def test_what_a_stranger_hides_is_shown():
    source = "{% for e in steps|entries %}{{ e.message.body|default }}{{ e.method|default }}\n{% endfor %}"
    text = filled(flow.read(hostile.trace(), fold=1000), source, "t.j2")
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e\ud800-\udfff]", text) and "U+001B]8" in text
    assert filled(flow.read(trace_of(tells("a\nb"))), "{{ steps[0].rows[0].method|line }}", "t.j2") == "a b"


@pytest.mark.parametrize(
    ("source", "told"),
    [
        ("a\n\n{{ nothing }}", "own.txt.j2:3: 'nothing' is undefined"),
        ("a\n{{ steps[99].title }}", "own.txt.j2:2: list object has no element 99"),
        ("{% if %}", "own.txt.j2:1: Expected an expression, got 'end of statement block'"),
        ("\n{{ lanes|shuffle }}", "own.txt.j2:2: No filter named 'shuffle'."),
        ("\n\n\n{{ 1 // 0 }}", "own.txt.j2:4: integer division or modulo by zero"),
        ("{{ 'x'|say }}", "own.txt.j2:1: say takes a text in both languages, such as step.title or row.label"),
        ("x\n{% include '/etc/passwd' %}", "own.txt.j2:2: a template stands alone: it can neither include nor import"),
        ("{% import 'x' as y %}", "own.txt.j2:1: a template stands alone"),
        ("{% from 'x' import y %}", "own.txt.j2:1: a template stands alone"),
        ("{% extends 'x' %}", "own.txt.j2:1: a template stands alone"),
        ("{{ lanes.__class__ }}", "own.txt.j2:1: access to attribute '__class__' of 'list' object is unsafe."),
        ("{{ ''.__class__.__mro__ }}", "own.txt.j2:1: access to attribute '__class__' of 'str' object is unsafe."),
        ("{{ lanes.append(1) }}", "own.txt.j2:1: access to attribute 'append' of 'list' object is unsafe."),
        ("{{ '%99999999d' % 1 }}", "own.txt.j2:1: % makes more than 1,000,000 characters or digits"),
        ("{{ 'x' * 9999999 }}", "own.txt.j2:1: * makes more than"),
        ("{{ 9 ** 9999999 }}", "own.txt.j2:1: ** makes more than"),
        ("{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}", "own.txt.j2:1: this loop"),
        ("{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}", "own.txt.j2:1: nested or called too deeply"),
        ("{% for a in lanes %}" * 25 + "{% endfor %}" * 25, "own.txt.j2: nested or called too deeply"),
        ("{{ " + "(" * 5000 + "1" + ")" * 5000 + " }}", "own.txt.j2: nested or called too deeply"),
        ("{{ lipsum(n=99999999) }}", "own.txt.j2:1: 'lipsum' is undefined"),
        ("{{ range(1000000)|list }}", "own.txt.j2:1: Range too big"),
    ],
)
def test_faults_name_the_line(source, told):
    assert fault(source).startswith(told)


GROWN = "{% for n in range(16) %}{% set made.a = made.a ~ made.a %}{% endfor %}{{ made.a|length }}"


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="the system does not tell of its memory")
def test_a_template_has_its_share_of_the_memory_and_no_more():
    assert fault("{% set made = namespace(a='x' * 1000000) %}" + GROWN) == "own.txt.j2:1: more than the memory holds"
    assert fault("{{ ('a' * 1000000)|replace('a', 'b' * 1000000) }}") == "own.txt.j2:1: more than the memory holds"
    assert len(bytes(3 << 30)) == 3 << 30
