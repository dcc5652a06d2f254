"""Changes and who is told of them: unasked in the handshake era, by `subscriptions/listen` in the stateless one."""

STATELESS = "2026-07-28"
SUBSCRIPTION = "io.modelcontextprotocol/subscriptionId"
EVERYTHING = {
    "toolsListChanged": True,
    "promptsListChanged": True,
    "resourcesListChanged": True,
    "resourceSubscriptions": ["note://todo", "note://none", "note://2026/may"],
}


def names(server):
    pages = [server.result("tools/list")]
    while "nextCursor" in pages[-1]:
        pages.append(server.result("tools/list", cursor=pages[-1]["nextCursor"]))
    return {tool["name"] for page in pages for tool in page["tools"]}


def test_the_handshake_era_is_told_unasked_after_the_answer(talk):
    server = talk("full", "2025-06-18")
    before = names(server)
    server.call("enable_search")
    assert server.next() == {"jsonrpc": "2.0", "method": "notifications/tools/list_changed"}
    assert names(server) - before == {"search_notes"}
    assert server.call("search_notes", word="milk")["content"][0]["text"] == "note://todo"
    server.call("add_prompt")
    assert server.next() == {"jsonrpc": "2.0", "method": "notifications/prompts/list_changed"}
    assert "weekly_review" in [prompt["name"] for prompt in server.result("prompts/list")["prompts"]]


def test_nothing_is_announced_before_the_session_is_initialized(talk):
    server = talk("full")
    server.revision = "2025-06-18"
    server.initialize()
    server.call("enable_search")
    assert server.quiet() == []


def test_the_stateless_era_is_not_told_unasked(talk):
    server = talk("full", STATELESS)
    server.call("enable_search")
    assert server.quiet() == []
    assert "search_notes" in names(server)


def test_a_listener_is_granted_what_there_is_and_told_with_its_own_id(talk):
    server = talk("full", STATELESS)
    id = server.begin("subscriptions/listen", id="listen-1", notifications=EVERYTHING)
    assert server.next() == {
        "jsonrpc": "2.0",
        "method": "notifications/subscriptions/acknowledged",
        "params": {
            "notifications": {**EVERYTHING, "resourceSubscriptions": ["note://todo", "note://2026/may"]},
            "_meta": {SUBSCRIPTION: id},
        },
    }
    server.call("edit_note", text="new")
    assert server.said("notifications/resources/updated") == [{"uri": "note://todo", "_meta": {SUBSCRIPTION: id}}]
    server.call("enable_search")
    assert server.next()["params"] == {"_meta": {SUBSCRIPTION: id}}


def test_a_listener_is_told_only_of_what_it_asked_for(talk):
    server = talk("full", STATELESS)
    server.begin("subscriptions/listen", id=5, notifications={"promptsListChanged": True, "toolsListChanged": False})
    assert server.next()["params"]["notifications"] == {"promptsListChanged": True}
    server.level = "debug"
    server.call("enable_search")
    server.call("edit_note", text="new")
    assert server.quiet() == []


def test_what_a_server_does_not_announce_is_not_granted(talk):
    server = talk("seed", STATELESS)
    server.begin("subscriptions/listen", notifications=EVERYTHING)
    assert server.next()["params"]["notifications"] == {"toolsListChanged": True}


def test_a_listen_without_a_filter_is_refused(talk):
    server = talk("seed", STATELESS)
    assert server.error("subscriptions/listen")["code"] == -32602
    assert server.error("subscriptions/listen", notifications=["tools"])["code"] == -32602


def test_a_cancelled_listen_ends_in_silence(talk):
    server = talk("seed", STATELESS)
    id = server.begin("subscriptions/listen", notifications={"toolsListChanged": True})
    server.next()
    server.tell("notifications/cancelled", requestId=id)
    server.call("weather_current", location="Ulm")
    assert server.quiet() == []
    assert server.close() == (0, [], "")


def test_the_end_of_stdin_ends_every_subscription_with_its_result(talk):
    server = talk("seed", STATELESS)
    ids = [server.begin("subscriptions/listen", id=id, notifications={"toolsListChanged": True}) for id in (5, "5")]
    code, rest, _ = server.close()
    answers = [message for message in rest if "result" in message]
    assert code == 0 and [answer["id"] for answer in answers] == ids
    for answer in answers:
        assert answer["result"]["resultType"] == "complete"
        assert answer["result"]["_meta"][SUBSCRIPTION] == answer["id"]


def test_a_server_may_end_its_subscriptions_itself(talk):
    server = talk(
        """
server = { name = "ends", version = "1" }
[[tool]]
name = "hang_up"
[[tool.step]]
end_listen = true
""",
        STATELESS,
    )
    id = server.begin("subscriptions/listen", notifications={})
    server.next()
    server.call("hang_up")
    assert [message["id"] for message in server.heard] == [id]
    server.heard.clear()
    server.call("hang_up")
    assert server.heard == []


def test_a_listener_of_the_tracker_learns_that_there_is_one_tool_more(talk):
    server = talk("create-issue", STATELESS)
    assert names(server) == {"create_issue", "search_issues"}
    server.begin("subscriptions/listen", notifications={"toolsListChanged": True})
    assert [server.next()["method"] for _ in range(2)] == [
        "notifications/subscriptions/acknowledged", "notifications/tools/list_changed",
    ]  # fmt: skip
    assert names(server) == {"create_issue", "search_issues", "add_comment"}
