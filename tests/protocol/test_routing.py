"""Whom a step is for, where there are several servers."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flowgen.protocol import Step, completion, merged, routed
from flowgen.protocol._routing import by_turns, unlisted

LISTED = {
    "git hub": {
        "tools": [{"name": "create"}, {"name": "stars"}], "prompts": [{"name": "greet"}],
        "resources": [{"uri": "note://todo"}], "templates": [{"uriTemplate": "repo://{owner}/{name}"}],
    },
    "jira": {"tools": [{"name": "create"}, {"name": "create"}, {"name": 7}, {}], "prompts": [{"name": "greet"}],
             "resources": [{"uri": "note://todo"}, {"uri": "board://1"}]},
    "broken": {},
}  # fmt: skip
ALL = tuple(LISTED)


def whom(step, before=ALL):
    found = routed(step, LISTED, before)
    return found.servers, found.step.target


def test_names_that_two_servers_have_get_the_servers_before_them():
    assert [offer.name for offer in merged("tools", LISTED)] == ["git-hub__create", "stars", "jira__create"]


@pytest.mark.parametrize(
    ("step", "server", "own"),
    [
        (Step("call", "stars"), "git hub", "stars"),
        (Step("call", "git-hub__create"), "git hub", "create"),
        (Step("call", "jira__create"), "jira", "create"),
        (Step("call", "git-hub__stars"), "git hub", "stars"),
        (Step("get", "jira__greet"), "jira", "greet"),
        (Step("read", "board://1"), "jira", "board://1"),
        (Step("subscribe", "git-hub__note://todo"), "git hub", "note://todo"),
        (Step("read", "repo://ada/engine"), "git hub", "repo://ada/engine"),
        (Step("read", "git-hub__repo://ada/engine"), "git hub", "repo://ada/engine"),
    ],
)
def test_a_step_goes_to_the_one_that_lists_its_name(step, server, own):
    assert whom(step) == ((server,), own)


def test_a_completion_goes_where_its_prompt_or_template_is():
    found = routed(Step("complete", completion("jira__greet:who=A", "")), LISTED, ALL)
    assert found.servers == ("jira",) and found.step.target["ref"] == {"type": "ref/prompt", "name": "greet"}
    template = Step("complete", completion("repo://{owner}/{name}:owner=A", ""))
    assert routed(template, LISTED, ALL).servers == ("git hub",)


@pytest.mark.parametrize("step", [Step("list", ("tools",)), Step("ping", True), Step("wait", 1.0), Step("listen", {})])
def test_what_has_no_name_is_for_all(step):
    assert routed(step, LISTED, ALL).servers == ALL


def test_waiting_is_for_whom_the_step_before_was():
    assert whom(Step("wait", "notifications/message"), ("jira",))[0] == ("jira",)


@pytest.mark.parametrize(
    ("step", "problem"),
    [
        (Step("call", "create"), "`create` is a tool of git hub and of jira: write `git-hub__create` or `jira__"),
        (Step("call", "star"), "`star` is no tool of any server; the nearest is `stars`; broken told none"),
        (Step("get", "xyz"), "`xyz` is no prompt of any server; broken told none"),
        (Step("read", "repo:/x"), "`repo:/x` is no resource of any server"),
    ],
)
def test_a_name_of_nobody_or_of_several_is_for_nobody(step, problem):
    found = routed(step, LISTED, ALL)
    assert found.servers == () and found.problem.startswith(problem)


def test_lists_that_tell_whom_a_step_is_for_are_read_before_it():
    tools, call = Step("list", ("tools",)), Step("call", "a")
    assert unlisted([call, tools]) == ("tools",) and unlisted([tools, call]) == ()
    assert unlisted([Step("read", "a://b")]) == ("resources", "templates")
    assert not by_turns([tools]) and by_turns([call]) and by_turns([tools._replace(title="x")])


ITEMS = st.lists(st.dictionaries(st.sampled_from(["name", "uri", "uriTemplate"]), st.text(max_size=9) | st.integers()))


SERVERS = st.dictionaries(st.text(max_size=5), st.fixed_dictionaries({"tools": ITEMS, "templates": ITEMS}), max_size=3)


@given(st.text(max_size=9), SERVERS)
@settings(max_examples=60, deadline=None)
def test_whatever_servers_list_every_name_is_for_one_or_for_nobody(name, listed):
    for action in ("call", "read"):
        found = routed(Step(action, name), listed, tuple(listed))
        assert (len(found.servers) == 1) != bool(found.problem)
