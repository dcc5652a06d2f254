"""A list asked again, told as a difference."""

import pytest

from flowgen.flow import ListChange, label


def _tools(*names, **changed):
    return [{"name": name, "description": changed.get(name, "plain")} for name in names]


def _changes(told, flow):
    return [(entry.number, entry.change) for entry in told.entries(flow) if entry.change]


def _listed_twice(session, first, second, method="tools/list", member="tools"):
    return session().ask(method).reply({member: first}).ask(method).reply({member: second})


def test_what_came_went_and_became_different(session, told):
    talk = _listed_twice(session, _tools("a", "b", "c"), _tools("c", "d", "a", a="new"))
    flow = talk.read()
    assert _changes(told, flow) == [(4, ListChange(2, ("d",), ("b",), ("a",), 1))]
    answer = told.by_seq(flow)[4]
    assert label(answer).en == "tools/list response: +1 tool, −1 tool, 1 changed"
    assert label(answer).zh == "tools/list 响应：+1 个工具，−1 个工具，1 个有变化"


@pytest.mark.parametrize(
    ("method", "member", "key", "words"),
    [
        ("prompts/list", "prompts", "name", "+2 prompts"),
        ("resources/list", "resources", "uri", "+2 resources"),
        ("resources/templates/list", "resourceTemplates", "uriTemplate", "+2 templates"),
    ],
)
def test_every_list_is_told_so_by_what_tells_its_items_apart(session, told, method, member, key, words):
    flow = _listed_twice(session, [{key: "a"}], [{key: "a"}, {key: "b"}, {key: "c"}], method, member).read()
    assert _changes(told, flow) == [(4, ListChange(2, ("b", "c"), (), (), 1))]
    assert label(told.by_seq(flow)[4]).en == f"{method} response: {words}"


def test_a_list_without_a_difference_is_told_as_the_same(session, told):
    talk = session().ask("tools/list").reply({"tools": _tools("a"), "ttlMs": 1})
    flow = talk.ask("tools/list").reply({"tools": _tools("a"), "ttlMs": 2}).read()
    assert _changes(told, flow) == [(4, ListChange(2, (), (), (), 1))]
    assert label(told.by_seq(flow)[4]).en == "tools/list response: unchanged"


def test_full_draws_the_whole_list(session, told):
    assert not _changes(told, _listed_twice(session, _tools("a"), _tools("b")).read(full=True))


def test_all_pages_are_one_list_and_the_last_one_tells_what_went(session, told):
    talk = session()
    for names in (("a", "b"), ("c", "d")), (("b", "n"), ("c",)):
        talk.ask("tools/list").reply({"tools": _tools(*names[0]), "nextCursor": "2"})
        talk.ask("tools/list", params={"cursor": "2"}).reply({"tools": _tools(*names[1])})
    assert _changes(told, talk.read()) == [
        (6, ListChange(2, ("n",), (), (), 1)),
        (8, ListChange(2, (), ("a", "d"), (), 1)),
    ]


def test_a_list_that_was_not_asked_to_its_end_is_nothing_to_compare_with(session, told):
    talk = session().ask("tools/list").reply({"tools": _tools("a"), "nextCursor": "2"})
    assert not _changes(told, talk.ask("tools/list").reply({"tools": _tools("a", "b")}).read())


def test_what_went_is_told_only_when_the_list_has_ended(session, told):
    talk = session().ask("tools/list").reply({"tools": _tools("a", "b")})
    talk.ask("tools/list").reply({"tools": _tools("b"), "nextCursor": "2"})
    assert _changes(told, talk.read()) == [(4, ListChange(2, (), (), (), 1))]


def test_each_list_is_compared_with_the_one_before_it(session, told):
    talk = session()
    for names in "a", "ab", "b":
        talk.ask("tools/list").reply({"tools": _tools(*names)})
    assert _changes(told, talk.read()) == [
        (4, ListChange(2, ("b",), (), (), 1)),
        (6, ListChange(4, (), ("a",), (), 1)),
    ]


def test_lists_of_two_servers_are_not_compared(session, told):
    talk = session().ask("tools/list").reply({"tools": _tools("a")})
    talk.ask("tools/list", receiver="other").reply({"tools": _tools("b")}, sender="other")
    assert not _changes(told, talk.read())


@pytest.mark.parametrize(
    "items",
    [None, "x", [1], [{}], [{"name": 3}], [{"name": "a"}, {"name": "a"}], {"name": "a"}],
)
def test_what_is_no_list_of_names_is_drawn_as_it_is(session, told, items):
    assert not _changes(told, _listed_twice(session, _tools("a"), items).read())
    assert not _changes(told, _listed_twice(session, items, _tools("a")).read())


def test_what_was_masked_is_not_compared(session, told):
    talk = session().ask("tools/list").reply({"tools": _tools("a")})
    talk.ask("tools/list").reply({"tools": _tools("a", a="•••")}, redacted=["/body/result/tools/0/description"])
    assert not _changes(told, talk.read())


def test_true_is_not_one_but_a_whole_number_is_itself(session, told):
    old = [{"name": "a", "x": 1}, {"name": "b", "x": 1}]
    new = [{"name": "a", "x": 1.0}, {"name": "b", "x": True}]
    assert _changes(told, _listed_twice(session, old, new).read()) == [(4, ListChange(2, (), (), ("b",), 1))]


def test_a_failed_or_second_answer_is_no_list(session, told):
    talk = session().ask("tools/list").reply({"tools": _tools("a")}).reply({"tools": _tools("b")})
    assert not _changes(told, talk.ask("tools/list").fail().read())
