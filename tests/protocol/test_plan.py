"""Plans: what they say, and how a mistake in one is told."""

from pathlib import Path

import jsonschema
import pytest

from flowgen import demo, protocol
from flowgen.errors import ConfigError
from flowgen.protocol import Step, completion, plan_from

EXAMPLE = b"""
title = "A call that asks back"
revision = "2026-07-28"
client = { name = "my-ide", version = "1.4.0", capabilities = { elicitation = {} } }

[[step]]
title = "Discovery"
list = ["tools"]

[[step]]
call = "create_issue"
arguments = { title = "Login fails on Safari" }
approve = true

[[step]]
listen = ["toolsListChanged", "note://todo"]
seconds = 2
"""


def test_the_example_of_the_contract_is_understood():
    plan = plan_from(EXAMPLE, "plan.toml")
    assert (plan.title, plan.revision) == ("A call that asks back", "2026-07-28")
    assert plan.client == protocol.Identity("my-ide", "1.4.0", {}, {"elicitation": {}})
    assert plan.steps == (
        Step("list", ("tools",), title="Discovery"),
        Step("call", "create_issue", arguments={"title": "Login fails on Safari"}, approve=True),
        Step("listen", {"toolsListChanged": True, "resourceSubscriptions": ["note://todo"]}, seconds=2),
    )


def test_parts_of_a_step_may_have_titles_and_so_may_the_opening():
    plan = plan_from(b'opening = "Hello"\n[[step]]\ncall = "a"\ntitles = { question = "Why?", result = "So" }\n', "p")
    assert plan.opening == "Hello" and plan.steps[0].titles == {"question": "Why?", "result": "So"}


@pytest.mark.parametrize(
    ("line", "message", "hint"),
    [
        ('call = "a"\ntitles = { aproval = "" }', "titles`: unknown key `aproval`", "did you mean `approval`?"),
        ('call = "a"\ntitles = { result = 7 }', "step 1: `titles`: `result` is 7", None),
        ('ping = true\ntitles = { result = "x" }', "`titles` does not go with `ping`", "it goes with call, read, get"),
    ],
)
def test_titles_of_parts_are_read_strictly(line, message, hint):
    with pytest.raises(ConfigError, match=message) as raised:
        plan_from(f"[[step]]\n{line}\n".encode(), "p")
    assert raised.value.hint == hint


@pytest.mark.parametrize(
    ("line", "step"),
    [
        ('read = "a://b"', Step("read", "a://b")),
        ('get = "greet"\narguments = { n = "x" }', Step("get", "greet", arguments={"n": "x"})),
        ('complete = "greet:name=A"', Step("complete", completion("greet:name=A", ""))),
        ("ping = true", Step("ping", True)),
        ('set-level = "info"', Step("set-level", "info")),
        ('subscribe = "a://b"', Step("subscribe", "a://b")),
        ('wait = "notifications/message"\nseconds = 1.5', Step("wait", "notifications/message", seconds=1.5)),
        ("wait = 0.2", Step("wait", 0.2)),
        ('change-roots = ["file:///x"]', Step("change-roots", ["file:///x"])),
        ('call = "slow"\nprogress = true\ncancel-after = 0.3', Step("call", "slow", progress=True, cancel_after=0.3)),
        ('listen = []', Step("listen", {})),
        ('notify = "a/b"\narguments = { n = 1 }', Step("notify", "a/b", arguments={"n": 1})),
        ('call = "slow"\ntask = { ttl = 5 }', Step("call", "slow", task={"ttl": 5})),
    ],
)  # fmt: skip
def test_every_action_of_a_step_is_known(line, step):
    assert plan_from(f"[[step]]\n{line}\n".encode(), "p").steps == (step,)


def test_a_plan_may_offer_another_revision_and_keep_answers():
    plan = plan_from(b'offer = "1900-01-01"\ncache = true\n', "p")
    assert (plan.offer, plan.cache) == ("1900-01-01", True)
    assert (plan_from(b"", "p").offer, plan_from(b"", "p").cache) == (None, False)


def test_an_empty_plan_does_nothing_and_finds_out_the_revision():
    assert plan_from(b"", "p") == protocol.Plan(())


@pytest.mark.parametrize(
    ("text", "message", "hint"),
    [
        ("titel = 'x'", "p.toml: unknown key `titel`", "did you mean `title`?"),
        ("revision = '2026-07'", "p.toml: `revision`: unknown value `2026-07`", "did you mean `2026-07-28`?"),
        ("client = { nam = 'x' }", "p.toml: client: unknown key `nam`", "did you mean `name`?"),
        ("title = 3", "p.toml: `title` is 3; a string is expected", None),
        ("step = 3", "p.toml: `step` is 3; a list of tables is expected", "each begins with [[step]]"),
        ("[step]\ncall = 'x'", "p.toml: `step` is {'call': 'x'}; a list of tables is", "each begins with [[step]]"),
        ("[[step]]\nlist = 'tools'", "p.toml: step 1: `list` is 'tools'; a list of strings", 'list = ["tools"]'),
        ("[[step]]\nping = 'true'", "p.toml: step 1: `ping` is 'true'; true or false is expected", "ping = true"),
        ("[[step]]\ncall = 'x'\narguments = 3", "p.toml: step 1: `arguments` is 3", "arguments = { … }"),
        ("[[step]]\nchange-roots = ['/x']", "p.toml: step 1: `change-roots`: `/x` is no URI", "such as file:///x"),
        ("[[step]]\ncall = 'x'\nargumnts = {}", "p.toml: step 1: unknown key `argumnts`", "did you mean `arguments`?"),
        ("[[step]]\ncall = ['x']", "p.toml: step 1: `call` is ['x']; a string is expected", None),
        ("[[step]]\nlist = ['tool']", "p.toml: step 1: `list`: unknown value `tool`", "did you mean `tools`?"),
        (
            "[[step]]\nping = true\n[[step]]\ntitle = 'x'",
            "p.toml: step 2: a step holds exactly one action, it has none", "actions: list, call, read, get, ",
        ),
        (
            "[[step]]\ncall = 'x'\nread = 'y'",
            "p.toml: step 1: a step holds exactly one action, it has call and read", "actions: ",
        ),
        (
            "[[step]]\nread = 'x'\narguments = {}",
            "p.toml: step 1: `arguments` does not go with `read`", "it goes with call, get",
        ),
        ("[[step]]\ncomplete = 'x'", "p.toml: step 1: `complete`: `x` is not REF:ARG=VALUE", "such as "),
        (
            "[[step]]\nlisten = ['tools']",
            "p.toml: step 1: `listen`: unknown kind `tools`", "kinds, beside URIs: toolsListChanged, ",
        ),
        ("[[step]]\nping = false", "p.toml: step 1: `ping` is false", "leave the step out"),
        ("[[step]]\nwait = -1", "p.toml: step 1: `wait` is -1; a string or a number, not below 0 is expected", None),
        ("[[step]]\nwait = inf", "p.toml: step 1: `wait` is inf; ", None),
        ("[[step]\n", "p.toml: not TOML: ", "strings need quotes"),
    ],
)  # fmt: skip
def test_a_mistake_is_told_with_its_place_and_what_was_meant(text, message, hint):
    with pytest.raises(ConfigError) as told:
        plan_from(text.encode(), "p.toml")
    assert str(told.value).startswith(message)
    assert (told.value.hint or "").startswith(hint or "")


def test_bytes_that_are_no_text_are_told():
    with pytest.raises(ConfigError, match="p: not UTF-8 text"):
        plan_from(b"title = '\xff'", "p")


def test_a_byte_order_mark_is_no_trouble():
    assert plan_from(b"\xef\xbb\xbftitle = 'x'", "p").title == "x"


def test_dates_in_arguments_become_text_for_json_has_none():
    plan = plan_from(b"[[step]]\ncall = 'x'\narguments = { day = 2026-07-28, at = [07:30:00] }", "p")
    assert plan.steps[0].arguments == {"day": "2026-07-28", "at": ["07:30:00"]}


@pytest.mark.parametrize(
    ("text", "ref", "argument"),
    [
        ("greet:name=Ad", {"type": "ref/prompt", "name": "greet"}, {"name": "name", "value": "Ad"}),
        ("note://{id}:id=1", {"type": "ref/resource", "uri": "note://{id}"}, {"name": "id", "value": "1"}),
        ("p:a=x:y=z", {"type": "ref/prompt", "name": "p"}, {"name": "a", "value": "x:y=z"}),
        ("p:a=", {"type": "ref/prompt", "name": "p"}, {"name": "a", "value": ""}),
    ],
)
def test_a_completion_names_a_prompt_or_a_template(text, ref, argument):
    assert completion(text, "x") == {"ref": ref, "argument": argument}


# schemas


def test_the_schema_takes_what_the_reader_takes():
    import tomllib

    jsonschema.Draft202012Validator.check_schema(protocol.schema("plan"))
    jsonschema.validate(tomllib.loads(EXAMPLE.decode()), protocol.schema("plan"))


@pytest.mark.parametrize("plan", [{"titel": "x"}, {"step": [{}]}, {"step": [{"call": "x", "read": "y"}]}, {"title": 1}])
def test_the_schema_refuses_what_the_reader_refuses(plan):
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(plan, protocol.schema("plan"))


PLANS = sorted((Path(protocol.__file__).parent / "plans").glob("*.toml"))


@pytest.mark.parametrize("path", PLANS, ids=lambda path: path.stem)
def test_bundled_plans_are_plans(path):
    import tomllib

    assert plan_from(path.read_bytes(), path.name).steps
    jsonschema.validate(tomllib.loads(path.read_text("utf-8")), protocol.schema("plan"))
    answers = demo.answers(path.stem)
    if answers is not None:
        protocol.answers_from(answers, path.name)
        jsonschema.validate(tomllib.loads(answers.decode()), protocol.schema("answers"))
