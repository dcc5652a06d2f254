"""Which revision a request belongs to, as a client meets it."""

import pytest

STATELESS = "2026-07-28"
HANDSHAKES = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"]
VERSION = "io.modelcontextprotocol/protocolVersion"
CAPABILITIES = "io.modelcontextprotocol/clientCapabilities"
ONLY_HANDSHAKE = """
revisions = ["2024-11-05", "2025-06-18"]
server = { name = "old", version = "1" }
[[tool]]
name = "hello"
result = { text = "Hello" }
"""


def test_discover_names_the_stateless_revision_the_capabilities_and_the_server(talk):
    result = talk("seed", STATELESS).result("server/discover")
    assert result["resultType"] == "complete"
    assert result["supportedVersions"] == [STATELESS]
    assert result["capabilities"] == {"tools": {"listChanged": True}, "resources": {}}
    assert (result["ttlMs"], result["cacheScope"]) == (0, "private")
    assert result["_meta"]["io.modelcontextprotocol/serverInfo"] == {"name": "example-server", "version": "1.0.0"}


@pytest.mark.parametrize("revision", HANDSHAKES)
def test_initialize_is_answered_in_the_revision_that_was_asked_for(talk, revision):
    server = talk("seed", revision)
    assert server.opened["result"]["protocolVersion"] == revision
    assert "_meta" not in server.result("tools/list")


def test_an_unknown_revision_is_answered_with_the_newest_handshake(talk):
    assert talk("seed", "1999-01-01").opened["result"]["protocolVersion"] == "2025-11-25"
    assert talk(ONLY_HANDSHAKE, "2025-11-25").opened["result"]["protocolVersion"] == "2025-06-18"


def test_a_second_initialize_is_refused(talk):
    server = talk("seed", "2025-06-18")
    assert server.initialize()["error"]["code"] == -32600


@pytest.mark.parametrize(
    "params",
    [{}, {"protocolVersion": 1, "capabilities": {}, "clientInfo": {}}, {"protocolVersion": "2025-06-18"},
     {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": "me"}],
)  # fmt: skip
def test_initialize_without_its_params_is_refused_and_may_be_tried_again(talk, params):
    server = talk("seed")
    assert server.error("initialize", **params)["code"] == -32602
    server.revision = "2025-06-18"
    assert "result" in server.initialize()


def test_a_request_without_meta_lacks_what_it_needs(talk):
    server = talk("seed")
    error = server.error("tools/list")
    assert error["code"] == -32602 and VERSION in error["message"]
    error = server.error("tools/list", _meta={VERSION: STATELESS})
    assert error["code"] == -32602 and CAPABILITIES in error["message"]


@pytest.mark.parametrize(
    "meta",
    [
        {VERSION: 7, CAPABILITIES: {}},
        {VERSION: STATELESS, CAPABILITIES: []},
        {VERSION: STATELESS, CAPABILITIES: {}, "io.modelcontextprotocol/clientInfo": "me"},
        {VERSION: STATELESS, CAPABILITIES: {}, "io.modelcontextprotocol/logLevel": "loud"},
        "nothing",
    ],
)
def test_meta_of_the_wrong_form_is_refused(talk, meta):
    assert talk("seed").error("tools/list", _meta=meta)["code"] == -32602


@pytest.mark.parametrize("version", ["1900-01-01", "2025-11-25"])
def test_another_version_in_meta_is_refused_with_those_that_are_supported(talk, version):
    error = talk("seed").error("tools/list", _meta={VERSION: version, CAPABILITIES: {}})
    assert error["code"] == -32022
    assert error["data"] == {"supported": [STATELESS], "requested": version}


def test_client_info_may_be_left_out(talk):
    answer = talk("seed").ask("tools/list", _meta={VERSION: STATELESS, CAPABILITIES: {}})
    assert answer["result"]["resultType"] == "complete"


@pytest.mark.parametrize(
    "method", ["ping", "logging/setLevel", "resources/subscribe", "resources/unsubscribe", "tasks/get", "foo/bar"]
)
def test_what_the_stateless_revision_lacks_is_an_unknown_method(talk, method):
    assert talk("full", STATELESS).error(method)["code"] == -32601


@pytest.mark.parametrize("method", ["server/discover", "subscriptions/listen", "foo/bar", "tasks/list"])
def test_what_the_handshake_revisions_lack_is_an_unknown_method(talk, method):
    assert talk("full", "2025-11-25").error(method)["code"] == -32601


def test_a_probe_of_a_server_with_a_handshake_only_is_an_unknown_method(talk):
    server = talk(ONLY_HANDSHAKE)
    meta = {VERSION: STATELESS, CAPABILITIES: {}}
    assert server.error("server/discover", _meta=meta)["code"] == -32601
    assert server.error("tools/list")["code"] == -32600
    server.revision = "2025-06-18"
    server.initialize()
    assert server.call("hello")["content"] == [{"type": "text", "text": "Hello"}]


def test_a_stateless_server_names_its_versions_to_whoever_initializes(talk):
    server = talk("create-issue")
    server.revision = "2025-11-25"
    error = server.initialize()["error"]
    assert error["code"] == -32022
    assert error["data"] == {"supported": [STATELESS], "requested": "2025-11-25"}


def test_a_probe_does_not_keep_the_client_from_a_handshake(talk):
    server = talk("seed", STATELESS)
    server.result("server/discover")
    server.revision = "2025-06-18"
    assert server.initialize()["result"]["protocolVersion"] == "2025-06-18"


def test_ping_may_come_before_the_handshake(talk):
    server = talk("seed")
    assert server.result("ping") == {}
    assert talk("seed", "2025-03-26").result("ping") == {}


def test_a_method_whose_capability_is_not_declared_is_unknown(talk):
    for revision in ("2025-06-18", STATELESS):
        server = talk("seed", revision)
        assert server.error("prompts/list")["code"] == -32601
        assert server.error("completion/complete")["code"] == -32601
        assert server.result("resources/list")["resources"] == []
    assert talk("seed", "2025-06-18").error("resources/subscribe", uri="a://b")["code"] == -32601


MEMBERS = {
    "2024-11-05": {"name", "description", "inputSchema"},
    "2025-03-26": {"name", "description", "inputSchema", "annotations"},
    "2025-06-18": {"name", "title", "description", "inputSchema", "outputSchema", "annotations"},
    "2025-11-25": {"name", "title", "description", "inputSchema", "outputSchema", "annotations"},
    STATELESS: {"name", "title", "description", "inputSchema", "outputSchema", "annotations"},
}


@pytest.mark.parametrize("revision", MEMBERS)
def test_a_tool_is_listed_with_the_members_of_its_revision(talk, revision):
    server = talk("full", revision)
    tool = server.result("tools/list")["tools"][0]
    assert tool.keys() == MEMBERS[revision]
    result = server.call("calculator_arithmetic", expression="6 * 7")
    assert ("structuredContent" in result) == (revision >= "2025-06-18")


@pytest.mark.parametrize("revision", HANDSHAKES)
def test_capabilities_and_server_info_have_the_members_of_their_revision(talk, revision):
    opened = talk("full", revision).opened["result"]
    assert ("completions" in opened["capabilities"]) == (revision >= "2025-03-26")
    assert ("title" in opened["serverInfo"]) == (revision >= "2025-06-18")
    assert opened["instructions"].startswith("A small notebook")


def test_contents_that_a_revision_lacks_become_text(talk):
    kinds = [block["type"] for block in talk("full", "2025-03-26").call("show_sketch")["content"]]
    assert kinds == ["text", "image", "text"]
    kinds = [block["type"] for block in talk("full", "2025-06-18").call("show_sketch")["content"]]
    assert kinds == ["text", "image", "resource_link"]
