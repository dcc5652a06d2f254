"""Lists, resources, prompts, completion, logging: each in both eras where both have it."""

import pytest

STATELESS = "2026-07-28"
HANDSHAKE = "2025-11-25"
BOTH = [HANDSHAKE, STATELESS]
LISTS = {
    "tools/list": ("tools", {"name", "inputSchema"}),
    "resources/list": ("resources", {"uri", "name"}),
    "resources/templates/list": ("resourceTemplates", {"uriTemplate", "name"}),
    "prompts/list": ("prompts", {"name"}),
}


@pytest.fixture(params=BOTH)
def server(request, talk):
    return talk("full", request.param)


@pytest.mark.parametrize("method", LISTS)
def test_every_list_has_items_of_its_form(server, method):
    member, required = LISTS[method]
    items = server.result(method)[member]
    assert items
    assert all(required <= item.keys() for item in items)
    assert all("hidden" not in item and "step" not in item for item in items)


def test_a_long_list_comes_in_pages(server):
    first = server.result("tools/list")
    second = server.result("tools/list", cursor=first["nextCursor"])
    assert len(first["tools"]) == 8
    assert "nextCursor" not in second
    names = [tool["name"] for tool in first["tools"] + second["tools"]]
    assert len(names) == len(set(names)) == 15


@pytest.mark.parametrize("cursor", ["", "zzz", "dG9vbHM6OQ", 8, None, []])
def test_a_cursor_that_was_never_given_out_is_refused(server, cursor):
    first = server.result("tools/list")["nextCursor"]
    assert server.error("resources/list", cursor=first)["code"] == -32602
    if cursor is not None:
        assert server.error("tools/list", cursor=cursor)["code"] == -32602


def test_a_resource_is_read(server):
    result = server.result("resources/read", uri="note://todo")
    assert result["contents"] == [
        {"uri": "note://todo", "mimeType": "text/plain", "text": "- buy milk\n- call the plumber\n- return the book\n"}
    ]
    assert server.result("resources/read", uri="note://dot")["contents"][0]["blob"].startswith("iVBOR")


def test_a_template_is_read_with_the_values_of_its_names(server):
    contents = server.result("resources/read", uri="note://2026/m%C3%A4rz")["contents"]
    assert contents == [
        {"uri": "note://2026/m%C3%A4rz", "mimeType": "text/plain", "text": "Nothing was written in märz 2026"}
    ]


def test_a_resource_that_is_not_there_has_the_code_of_its_era(server):
    error = server.error("resources/read", uri="note://none")
    assert error["code"] == (-32602 if server.revision == STATELESS else -32002)
    assert error["data"] == {"uri": "note://none"}
    assert server.error("resources/read")["code"] == -32602
    assert server.error("resources/read", uri=5)["code"] == -32602


def test_a_prompt_is_filled_in(server):
    result = server.result("prompts/get", name="review", arguments={"tone": "frank"})
    text = "Review my list note://todo. Be frank. "
    assert result["messages"] == [{"role": "user", "content": {"type": "text", "text": text}}]


@pytest.mark.parametrize(
    "params",
    [{"name": "nope"}, {}, {"name": "review"}, {"name": "review", "arguments": {"tone": 5}},
     {"name": "review", "arguments": []}, {"name": "weekly_review"}],
)  # fmt: skip
def test_a_prompt_that_is_not_there_or_lacks_an_argument_is_refused(server, params):
    assert server.error("prompts/get", **params)["code"] == -32602


def test_completion_offers_what_begins_with_what_was_typed(server):
    ref = {"type": "ref/prompt", "name": "review"}
    result = server.result("completion/complete", ref=ref, argument={"name": "tone", "value": "F"})
    assert result["completion"] == {"values": ["friendly", "formal", "frank"], "total": 3, "hasMore": False}
    result = server.result("completion/complete", ref=ref, argument={"name": "tone", "value": "fr"})
    assert result["completion"]["values"] == ["friendly", "frank"]


def test_completion_heeds_the_arguments_that_are_known_already(server):
    params = {"ref": {"type": "ref/prompt", "name": "review"}, "argument": {"name": "length", "value": "in"}}
    assert server.result("completion/complete", **params)["completion"]["values"] == ["in one line", "in one page"]
    params["context"] = {"arguments": {"tone": "frank"}}
    assert server.result("completion/complete", **params)["completion"]["values"] == ["in three words", "in one line"]


def test_completion_of_a_template_and_of_a_name_without_values(server):
    ref = {"type": "ref/resource", "uri": "note://{year}/{month}"}
    result = server.result("completion/complete", ref=ref, argument={"name": "month", "value": "j"})
    assert result["completion"]["values"] == ["january", "june", "july"]
    result = server.result("completion/complete", ref=ref, argument={"name": "year", "value": "2"})
    assert result["completion"]["values"] == []


@pytest.mark.parametrize(
    "params",
    [
        {},
        {"ref": {"type": "ref/prompt", "name": "nope"}, "argument": {"name": "tone", "value": ""}},
        {"ref": {"type": "ref/prompt", "name": "review"}, "argument": {"name": "nope", "value": ""}},
        {"ref": {"type": "ref/prompt", "name": "review"}, "argument": {"name": "tone"}},
        {"ref": {"type": "ref/prompt", "name": ["review"]}, "argument": {"name": ["tone"], "value": ""}},
        {"ref": {"type": "ref/thing"}, "argument": {"name": "tone", "value": ""}},
    ],
)
def test_completion_of_nothing_known_is_refused(server, params):
    assert server.error("completion/complete", **params)["code"] == -32602


def test_at_most_a_hundred_values_are_offered(talk):
    values = ", ".join(f'"v{number}"' for number in range(130))
    server = talk(
        f"""
server = {{ name = "many", version = "1" }}
[[prompt]]
name = "p"
arguments = [{{ name = "a" }}]
messages = [{{ role = "user", text = "{{a}}" }}]
[[completion]]
prompt = "p"
argument = "a"
values = [{values}]
""",
        STATELESS,
    )
    ref = {"type": "ref/prompt", "name": "p"}
    completion = server.result("completion/complete", ref=ref, argument={"name": "a", "value": ""})["completion"]
    assert (len(completion["values"]), completion["total"], completion["hasMore"]) == (100, 130, True)


def test_results_say_how_long_they_stay_fresh(talk):
    server = talk("full", STATELESS)
    hints = [(r["ttlMs"], r["cacheScope"]) for r in (
        server.result("server/discover"), server.result("tools/list"), server.result("resources/read", uri="note://todo"),
    )]  # fmt: skip
    assert hints == [(300000, "public"), (60000, "private"), (0, "private")]


# Logging


def levels(server):
    return [params["level"] for params in server.said("notifications/message")]


def test_the_handshake_era_logs_from_the_level_that_was_set(talk):
    server = talk("full", HANDSHAKE)
    server.call("check_spelling")
    assert levels(server) == ["info", "warning", "error"]
    assert server.said("notifications/message")[1] == {
        "level": "warning", "logger": "spelling", "data": {"word": "recieve", "meant": "receive"},
    }  # fmt: skip
    server.heard.clear()
    assert server.result("logging/setLevel", level="error") == {}
    server.call("check_spelling")
    assert levels(server) == ["error"]
    assert server.error("logging/setLevel", level="loud")["code"] == -32602
    assert server.error("logging/setLevel")["code"] == -32602


def test_the_stateless_era_logs_only_for_a_request_that_asks_for_it(talk):
    server = talk("full", STATELESS)
    server.call("check_spelling")
    assert server.heard == []
    server.level = "warning"
    server.call("check_spelling")
    assert levels(server) == ["warning", "error"]
    server.heard.clear()
    server.level = None
    server.call("check_spelling")
    assert server.heard == []


# Subscriptions of the handshake era


def test_a_subscriber_is_told_of_updates_until_it_unsubscribes(talk):
    server = talk("full", HANDSHAKE)
    server.call("edit_note", text="one")
    assert server.heard == []
    assert server.result("resources/subscribe", uri="note://todo") == {}
    server.call("edit_note", text="two")
    assert server.said("notifications/resources/updated") == [{"uri": "note://todo"}]
    assert server.result("resources/read", uri="note://todo")["contents"][0]["text"] == "two"
    assert server.result("resources/unsubscribe", uri="note://todo") == {}
    server.heard.clear()
    server.call("edit_note", text="three")
    assert server.heard == []
    assert server.error("resources/subscribe", uri="note://none")["code"] == -32002
    assert server.error("resources/subscribe", uri=[])["code"] == -32602
