"""Scenario files: what they hold, and how mistakes are told."""

import re
from importlib.resources import files

import pytest

from flowgen.demo import scenario_schema
from flowgen.demo._scenario import load, read, scenario_names
from flowgen.errors import ConfigError

HEAD = 'server = { name = "x", version = "1" }\n'


@pytest.mark.parametrize("name", scenario_names())
def test_every_bundled_scenario_reads_and_says_what_it_is_about(name):
    about = load(name).about
    assert about and "\n" not in about and len(about) < 110


def test_capabilities_follow_from_what_the_scenario_holds():
    scenario = read(
        HEAD
        + """
[[tool]]
name = "t"
[[tool.step]]
log = "x"
[[tool.step]]
change = ["tools", "prompts"]
[[tool.step]]
update = "a://b"
[[resource]]
uri = "a://b"
name = "b"
text = "x"
"""
    )
    assert scenario.capabilities == {"tools": {"listChanged": True}, "resources": {"subscribe": True}, "logging": {}}
    assert read(HEAD).capabilities == {}
    assert read(HEAD + "capabilities = { tools = {} }").capabilities == {"tools": {}}


def test_revisions_are_all_unless_the_scenario_says_which():
    assert len(read(HEAD).revisions) == 5
    scenario = read('revisions = ["2026-07-28", "2025-06-18"]\n' + HEAD)
    assert (scenario.handshakes, scenario.stateless) == (("2025-06-18",), True)


TOOL = HEAD + '[[tool]]\nname = "t"\n'
STEP = TOOL + "[[tool.step]]\n"
MISTAKES = {
    "no TOML": ("x =", "x.toml: not TOML: ", None),
    "no server": ("about = 'x'", 'x.toml: "server" is missing', None),
    "unknown key": (HEAD + "[[tol]]", 'x.toml: unknown key "tol"', 'did you mean "tool"?'),
    "unknown key deep inside": (
        STEP + "progres = 1",
        'x.toml: tool[0].step[0]: unknown key "progres"',
        'did you mean "progress"?',
    ),
    "a wrong type": (STEP + "wait = 'long'", "x.toml: tool[0].step[0].wait: must be number", None),
    "a wrong word": (HEAD + "revisions = ['2025']", "x.toml: revisions[0]: must be one of 2024-11-05", None),
    "no action": (STEP + "when = {}", "a step is one action, this one holds no action", "actions: wait, progress"),
    "two actions": (STEP + "wait = 1\nlog = 'x'", "a step is one action, this one holds wait and log", None),
    "a modifier of another action": (STEP + "wait = 1\ntotal = 2", '"total" does not go with wait', None),
    "an unknown placeholder": (
        TOOL + "[tool.inputSchema.properties.location]\n[[tool.step]]\nlog = 'in {locatoin}'",
        "x.toml: tool[0].step[0]: nothing is called {locatoin} here",
        'did you mean "{location}"?',
    ),
    "an unknown name in a condition": (
        STEP + "log = 'x'\nwhen = { a = 1 }",
        'step[0].when: nothing is called "a" here',
        None,
    ),
    "an argument and an answer of one name": (
        TOOL + "[tool.inputSchema.properties.a]\n[[tool.step]]\nask = { a = { method = 'roots/list' } }",
        '"a" is already the name of an argument',
        None,
    ),
    "a part of another answer": (
        STEP + "result = { messages = [] }",
        '"messages" is no part of the answer to a tool',
        None,
    ),
    "an unknown tool to show": (
        STEP + "change = 'tools'\nshow = ['tt']",
        'step[0].show: nothing is called "tt" here',
        'did you mean "t"?',
    ),
    "an unknown resource": (STEP + "update = 'a://b'", 'update: nothing is called "a://b" here', None),
    "a name twice": (TOOL + '[[tool]]\nname = "t"', 'x.toml: tool[1].name: "t" stands there twice', None),
    "a date": (
        STEP + "result = { structuredContent = { day = 2026-01-01 } }",
        "day: JSON has no dates",
        "quotation marks",
    ),
    "infinity": (STEP + "result = { structuredContent = { x = inf } }", "x: JSON has no such number", None),
    "a completion of nothing": (
        HEAD + "[[completion]]\nargument='a'\nvalues=[]",
        "needs either prompt or template",
        None,
    ),
    "a completion of an unknown prompt": (
        HEAD + "[[completion]]\nprompt='p'\nargument='a'\nvalues=[]",
        'completion[0].prompt: nothing is called "p" here',
        None,
    ),
    "a question of another kind": (
        STEP + "ask = { a = { method = 'tools/call' } }",
        "ask.a.method: must be one of elicitation/create",
        None,
    ),
}


@pytest.mark.parametrize("case", MISTAKES)
def test_a_mistake_is_told_in_one_line_with_its_place(case):
    text, message, hint = MISTAKES[case]
    with pytest.raises(ConfigError) as caught:
        read(text, "x.toml")
    assert message in str(caught.value) and "\n" not in str(caught.value)
    assert hint is None or hint in (caught.value.hint or "")


def test_a_scenario_that_is_not_there_is_told_with_the_nearest(tmp_path):
    with pytest.raises(ConfigError, match='no demo is called "sed"') as caught:
        load("sed")
    assert caught.value.hint == 'did you mean "seed"?'
    with pytest.raises(ConfigError, match="cannot be read: No such file"):
        load(str(tmp_path / "none.toml"))
    latin = tmp_path / "latin.toml"
    latin.write_bytes(b"about = '\xe9'")
    with pytest.raises(ConfigError, match="it is not UTF-8"):
        load(str(latin))


def test_every_key_of_the_schema_is_explained_in_the_pages_beside_the_scenarios():
    page = files("flowgen.demo").joinpath("scenarios", "README.md").read_text(encoding="utf-8")
    page = re.sub("```.*?```", "", page, flags=re.DOTALL)
    explained = {word for code in re.findall("`([^`]+)`", page) for word in re.findall(r"\w+", code)}
    schema = scenario_schema()
    tables = [schema, *(part for part in schema["$defs"].values() if "properties" in part)]
    assert {key for table in tables for key in table["properties"]} - explained == set()
