"""The shipped annotations: each is drawn where it is true, hangs on its place, and is silent where it is not.

FIRES has a row per note: the id, and the session in which it is drawn. SILENT has a row per condition: the same
kind of message with the place there, but the condition failing.
"""

import json
from importlib import resources

import pytest

from flowgen.flow import read
from flowgen.flow._conditions import as_list
from flowgen.flow._notes import specs

FILE = json.loads(resources.files("flowgen.flow").joinpath("annotations.json").read_text("utf-8"))
IDS = [note["id"] for note in FILE["notes"] if note.get("view") != "architecture"]
META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {"elicitation": {}},
    "io.modelcontextprotocol/clientInfo": {"name": "ide", "version": "2"},
}
OLD, NEW = "2025-11-25", "2026-07-28"


def drawn(trace, level="full"):
    """id → (the message's kind and method, the notes with this id)."""
    found = {}
    for step in read(trace, notes=level, full=True, show=["probe"]).steps:
        for entry in step.rows:
            for note in entry.notes:
                found.setdefault(note.id, ((entry.message.kind, entry.method), []))[1].append(note)
    return found


# ---- sessions ----------------------------------------------------------------------------------------------


def handshake(session, asks=None, offers=None):
    asks = {"elicitation": {}, "sampling": {}, "roots": {}} if asks is None else asks
    offers = {"tools": {"listChanged": True}, "resources": {}, "prompts": {}} if offers is None else offers
    return session(OLD).greeted(asks, offers)


def other_version(session):
    asked = session(OLD).ask("initialize", params={"protocolVersion": OLD, "capabilities": {}})
    return asked.reply({"protocolVersion": "2024-11-05", "capabilities": {}})


def tools(session):
    schema = {"type": "object", "properties": {"a": {}, "b": {"default": 5}}, "required": ["a"]}
    tool = {"name": "t", "title": "T", "description": "d", "inputSchema": schema, "outputSchema": {}}
    call = {"name": "t", "arguments": {"a": "x", "b": 7}}
    content = [{"type": kind} for kind in ("text", "image", "audio", "resource", "resource_link")]
    listed = handshake(session).listed(result={"tools": [tool], "nextCursor": "2"})
    asked = listed.note("approved", "person", "client", method="tools/call", name="t", by="user")
    asked.ask("tools/call", params=call).reply({"content": content, "structuredContent": {}})
    return asked.ask("tools/call", params=call).reply({"content": [], "isError": True})


def worked(session):
    return handshake(session).call(result={"content": [], "isError": False})


def changes(session):
    changed = handshake(session)
    for what in ("tools", "prompts", "resources"):
        changed.listed(what).changed(what).listed(what)
    return changed


def features(session):
    talk = handshake(session).listed("resources").ask("resources/read", params={"uri": "a:b"}).reply()
    talk.listed("prompts").ask("prompts/get").reply({"messages": []}).ask("ping").reply()
    talk.tell("notifications/progress", params={"progressToken": 5, "progress": 1})
    talk.tell("notifications/message", params={"level": "info"})
    return talk.tell("notifications/cancelled", back=False, params={"requestId": 3, "reason": "enough"})


def asked_back(session):
    form = {"message": "Which?", "requestedSchema": {}}
    talk = handshake(session).ask("elicitation/create", 0, back=True, params=form)
    talk.reply({"action": "accept"}, 0, back=False)
    talk.ask("sampling/createMessage", 1, back=True, params={"messages": []})
    return talk.ask("roots/list", 2, back=True)


def stateless(session):
    versions = {"supportedVersions": [NEW], "capabilities": {"tools": {"listChanged": True}}, "ttlMs": 5,
                "cacheScope": "private"}  # fmt: skip
    talk = session(NEW).ask("server/discover", params={"_meta": META}).reply(versions)
    talk.listed(result={"tools": [], "ttlMs": 0, "cacheScope": "public"})
    talk.call(result={"resultType": "complete", "content": []})
    asks = {"resultType": "input_required", "requestState": "s", "inputRequests": {
        "a": {"method": "elicitation/create", "params": {"requestedSchema": {}}},
        "b": {"method": "elicitation/create", "params": {"url": "https://a"}},
        "c": {"method": "roots/list"},
    }}  # fmt: skip
    talk.ask("tools/call", params={"name": "t"}).reply(asks)
    talk.ask("tools/call", params={"name": "t", "inputResponses": {"a": {}}, "requestState": "s"}).reply()
    talk.ask("subscriptions/listen", "l", params={"notifications": {"toolsListChanged": True}})
    talk.tell(
        "notifications/subscriptions/acknowledged", params={"notifications": {"toolsListChanged": True}}
    )
    on = {"_meta": {"io.modelcontextprotocol/subscriptionId": "l"}}
    talk.tell("notifications/tools/list_changed", params=on)
    return talk.tell("notifications/message", params={"level": "debug"})


def probed(session):
    talk = session(NEW).ask("server/discover", params={"_meta": META}).fail(-32000)
    talk.common["revision"] = OLD
    return talk.greeted()


def _posted(session, revision=NEW, **headers):
    pairs = [(name.replace("_", "-"), value) for name, value in headers.items()]
    return session(revision, transport="http"), {
        "http": {"method": "POST", "url": "https://a/mcp", "headers": pairs}
    }


def web(session):
    talk, http = _posted(session, MCP_Protocol_Version=NEW, Mcp_Method="tools/list", Authorization="Bearer •••",
                         Accept="application/json, text/event-stream", Origin="https://a")  # fmt: skip
    talk.ask("tools/list", exchange=1, params={"_meta": META}, **http).reply({"tools": []}, exchange=1)
    _, http = _posted(session, Mcp_Name="t", Mcp_Param_City="x")
    return talk.ask("tools/call", exchange=2, params={"name": "t"}, **http)


def old_web(session):
    asked = session(OLD, transport="http").ask("initialize", exchange=1, params={"protocolVersion": OLD})
    return asked.reply(exchange=1, http={"status": 200, "headers": [("mcp-session-id", "•••")]})


def _http(session, status=None, url="https://a/b", body=None, text=None, headers=(), first=None):
    """A plain HTTP exchange; `first` are the headers of its request, and then the answer is what is looked at."""
    talk = session(NEW, transport="http")
    if status is not None:
        talk.ask("tools/list", exchange=1, http={"method": "POST", "headers": first or []})
        half = {"status": status, "headers": list(headers)}
        return talk.add("http", True, exchange=1, http=half, body=body, text=text)
    return talk.add(
        "http", exchange=1, http={"method": "GET", "url": url, "headers": list(headers)}, body=body, text=text
    )


CHALLENGE = [("WWW-Authenticate", 'Bearer resource_metadata="https://a"')]
SOME_HEAD = [("Accept", "x")]


def challenged(session):
    return _http(session, 401, headers=CHALLENGE, first=SOME_HEAD)


def stepped_up(session):
    return _http(session, 403, headers=[("www-authenticate", 'Bearer error="insufficient_scope"')])


def authorize(session):
    url = "https://as/authorize?client_id=https://me/c.json&code_challenge=x&code_challenge_method=S256&resource=https://a"
    return _http(session, url=url)


def opened(session):
    talk = session(NEW, transport="http").note(
        "opened-browser", "client", "client", url="https://as", reason="authorization"
    )
    return talk.add(
        "http", exchange=1, http={"method": "GET", "url": "https://as/authorize?code_challenge=x"}
    )


def redirected(session):
    return _http(session, 302, headers=[("Location", "http://127.0.0.1/cb?code=•••&iss=https://as")])


def errors(session):
    talk = handshake(session)
    for code in (-32700, -32600, -32601, -32602, -32603, -32002, -32042):
        talk.ask("x").fail(code)
    return talk


def new_errors(session):
    talk = (
        session(NEW)
        .ask("x")
        .fail(-32020)
        .ask("x")
        .fail(-32021, data={"requiredCapabilities": {"sampling": {}}})
    )
    return talk.ask("x").fail(-32022, data={"requested": "1900-01-01", "supported": [NEW]})


def two_servers(session):
    return session(OLD).listed()


FIRES = {
    handshake: """version-negotiation version-requested capability-discovery elicitation-declared
        elicitation-create-accepted sampling-declared roots-declared client-identity version-agreed
        tools-list-changed-declared tools-declared resources-declared prompts-declared server-identity ready
        transport-stdio json-rpc request-id""",
    other_version: "version-other",
    tools: """tool-name tool-title tool-description tool-input-schema tool-name-pattern tool-input-schema-doc
        tool-output-schema call-name call-arguments argument-required argument-optional result-content
        content-type-text content-type content-type-image content-type-audio content-type-resource
        content-type-resource-link structured-content tool-failed approved-by-user next-page""",
    worked: "tool-worked",
    changes: """notification-no-answer notification-declared notification-event-driven tools-listed-again
        prompts-listed-again resources-listed-again why-dynamic why-efficient why-consistent why-live""",
    features: "resources resource-read prompts prompt-messages ping progress log-message cancelled",
    asked_back: "asks-user user-action form-no-secrets-handshake asks-model asks-roots",
    stateless: """no-handshake stateless-meta meta-version meta-capabilities meta-client discover-versions
        discover-capabilities json-rpc-stateless cache-for cache-none cache-private cache-public result-complete
        input-required request-state state-no-credential form-no-secrets url-mode retry retry-state listen acknowledged
        on-subscription deprecated-input deprecated-logging notification-declared-stateless""",
    probed: "probe probe-refused fallback",
    web: """transport-http no-session header-version header-method header-name header-param bearer no-passthrough
        accept-both one-post origin""",
    old_web: "session-id",
    challenged: "challenge",
    stepped_up: "step-up",
    authorize: "client-metadata-document pkce resource-indicator",
    opened: "user-consents",
    redirected: "issuer-returned",
    errors: """error-parse error-invalid-request error-method error-params error-internal error-resource
        error-url""",
    new_errors: "error-header error-capability error-version",
}
DOCUMENTS = {
    "authorization-servers": (200, {"authorization_servers": ["https://as"]}),
    "pkce-announced": (
        200,
        {"code_challenge_methods_supported": ["S256"], "token_endpoint": "https://as/token"},
    ),
    "dynamic-registration": (None, {"redirect_uris": ["http://127.0.0.1/cb"]}),
    "access-token": (200, {"access_token": "•••"}),
}
ROWS = [(id_, make) for make, ids in FIRES.items() for id_ in ids.split()]


@pytest.mark.parametrize(("id_", "make"), ROWS, ids=[id_ for id_, _ in ROWS])
def test_a_note_is_drawn_where_it_is_true(session, id_, make):
    note = next(note for note in FILE["notes"] if note["id"] == id_)
    (kind, method), notes = drawn(make(session).trace())[id_]
    assert note["kind"] is None or kind in as_list(note["kind"])
    assert note["method"] is None or method in as_list(note["method"])
    assert all(one.term.en and one.text.en and one.term.zh and one.text.zh for one in notes)
    assert len(notes) == 1


@pytest.mark.parametrize("id_", DOCUMENTS)
def test_notes_on_documents_of_an_authorization_server(session, id_):
    status, body = DOCUMENTS[id_]
    assert id_ in drawn(_http(session, status, body=body).trace())


def test_a_form_field_is_a_place(session):
    form = "grant_type=authorization_code&code_verifier=%E2%80%A2"
    (note,) = drawn(_http(session, text=form).trace())["code-verifier"][1]
    assert note.path == "form:code_verifier"


def test_the_lists_of_several_servers_are_merged(session):
    servers = [{"id": id_, "role": "server"} for id_ in ("server", "other")]
    assert "merged-by-host" in drawn(two_servers(session).trace(participants=servers))
    assert "merged-by-host" not in drawn(two_servers(session).trace())


def test_every_note_of_the_file_has_a_row_here():
    alone = {*DOCUMENTS, "code-verifier", "merged-by-host"}
    assert {id_ for id_, _ in ROWS} | alone == set(IDS)
    assert [spec.id for spec in specs()] == IDS


# ---- where they are silent ---------------------------------------------------------------------------------


def _initialize(session, **params):
    return session(OLD).ask("initialize", params={"protocolVersion": OLD} | params)


def _offering(session, **capabilities):
    return _initialize(session).reply({"protocolVersion": OLD, "capabilities": capabilities})


def _calling(session, revision=OLD, result=None, **params):
    return session(revision).ask("tools/call", params={"name": "t"} | params).reply(result or {"content": []})


def _answering(session, result, revision=NEW, method="tools/call"):
    return session(revision).ask(method).reply(result)


SCHEMA = {"tools": [{"name": "t", "inputSchema": {"properties": {"a": {}}, "required": ["a"]}}]}

SILENT = [
    ("version-agreed", other_version),
    ("version-other", handshake),
    ("tools-list-changed-declared", lambda s: _offering(s, tools={"listChanged": False})),
    ("ready", lambda s: s(OLD).tell("notifications/initialized", back=False)),
    ("call-name", web),
    ("call-arguments", lambda s: _calling(s, arguments={})),
    ("argument-required", lambda s: s(OLD).listed(result=SCHEMA).call("t", b=1)),
    ("argument-optional", lambda s: s(OLD).listed(result=SCHEMA).call("t", a=1)),
    ("argument-optional", lambda s: s(OLD).call("t", a=1)),
    ("content-type-text", lambda s: _calling(s, result={"content": [{"type": "image"}]})),
    ("content-type-text", lambda s: _calling(s, result={"content": [{"type": "text"}], "isError": True})),
    ("content-type-image", lambda s: _calling(s, result={"content": [{"type": "text"}]})),
    ("content-type-audio", lambda s: _calling(s, result={"content": [{"type": "text"}]})),
    ("content-type-resource", lambda s: _calling(s, result={"content": [{"type": "resource_link"}]})),
    ("content-type-resource-link", lambda s: _calling(s, result={"content": [{"type": "resource"}]})),
    ("notification-no-answer", lambda s: s(OLD).add("notification", True, body={"id": 1, "method": CHANGED})),
    ("notification-declared", lambda s: handshake(s, offers={"tools": {}}).changed()),
    ("notification-declared-stateless", lambda s: s(NEW).changed()),
    ("notification-declared-stateless", lambda s: handshake(s).tell(CHANGED, revision=NEW)),
    ("tools-listed-again", lambda s: s(OLD).listed().listed()),
    ("tools-listed-again", lambda s: s(OLD).changed().listed()),
    ("prompts-listed-again", lambda s: s(OLD).listed("prompts").changed("tools").listed("prompts")),
    ("resources-listed-again", lambda s: s(OLD).listed("resources").listed("resources")),
    ("json-rpc", lambda s: s(OLD).add("request", body={"jsonrpc": "1.0", "method": "x", "id": 1})),
    ("json-rpc-stateless", lambda s: s(NEW).add("request", body={"jsonrpc": 2.0, "method": "x", "id": 1})),
    ("request-id", lambda s: s(OLD).add("request", body={"method": "x", "id": None})),
    ("no-handshake", probed),
    ("probe", stateless),
    ("no-session", lambda s: s(NEW, transport="http").ask("x")),
    ("bearer", lambda s: _posted(s)[0].ask("tools/list", http={"headers": [("Authorization", "Basic x")]})),
    ("no-passthrough", lambda s: _posted(s)[0].ask("x", http={"headers": [("Authorization", "Basic x")]})),
    ("accept-both", lambda s: _posted(s)[0].ask("x", http={"headers": [("Accept", "application/json")]})),
    ("cache-for", lambda s: _answering(s, {"ttlMs": 0})),
    ("cache-none", lambda s: _answering(s, {"ttlMs": 1})),
    ("cache-private", lambda s: _answering(s, {"cacheScope": "public"})),
    ("cache-public", lambda s: _answering(s, {"cacheScope": "private"})),
    ("approved-by-user", lambda s: s(OLD).note("approved", name="t", by="rule").call("t")),
    ("approved-by-user", lambda s: s(OLD).note("approved", name="u", by="user").call("t")),
    ("result-complete", lambda s: _answering(s, {"resultType": "task"})),
    ("result-complete", lambda s: _answering(s, {"resultType": "complete", "isError": True})),
    ("tool-failed", worked),
    ("tool-worked", lambda s: _calling(s, result={"isError": True})),
    ("input-required", lambda s: _answering(s, {"resultType": "complete"})),
    ("request-state", lambda s: _answering(s, {"requestState": "s"})),
    ("state-no-credential", lambda s: _answering(s, {"requestState": "s"})),
    ("probe-refused", lambda s: s(NEW).ask("server/discover").fail(-32000)),
    ("probe-refused", lambda s: s(NEW).ask("server/discover").fail(-32022).ask("initialize")),
    ("fallback", handshake),
    ("challenge", lambda s: _http(s, 401, headers=CHALLENGE, first=[("authorization", "Bearer •••")])),
    ("challenge", lambda s: _http(s, 401, headers=CHALLENGE)),
    ("challenge", lambda s: _http(s, 403, headers=CHALLENGE, first=SOME_HEAD)),
    ("challenge", lambda s: _http(s, 401, headers=[("WWW-Authenticate", "Bearer")], first=SOME_HEAD)),
    ("step-up", lambda s: _http(s, 403, headers=[("WWW-Authenticate", "Bearer")])),
    ("pkce-announced", lambda s: _http(s, 200, body={"code_challenge_methods_supported": ["S256"]})),
    ("client-metadata-document", lambda s: _http(s, url="https://as/authorize?client_id=abc")),
    ("dynamic-registration", lambda s: _http(s, 201, body={"redirect_uris": []})),
    ("dynamic-registration", lambda s: _http(s, body={"redirect_uris": [], "client_id": "x"})),
    ("user-consents", lambda s: _http(s, url="https://as/authorize?code_challenge=x")),
    ("deprecated-input", lambda s: _answering(s, {"inputRequests": {"a": {"method": "elicitation/create"}}})),
    ("error-parse", new_errors),
    ("error-invalid-request", new_errors),
    ("error-method", lambda s: s(NEW).ask("server/discover").fail(-32601).greeted()),
    ("error-params", new_errors),
    ("error-internal", new_errors),
    ("error-resource", lambda s: s(NEW).ask("x").fail(-32002)),
    ("error-url", lambda s: s("2025-06-18").ask("x").fail(-32042)),
    ("error-header", lambda s: s(OLD).ask("x").fail(-32020)),
    ("error-capability", lambda s: s(NEW).ask("x").fail(-32020)),
    ("error-version", errors),
]
CHANGED = "notifications/tools/list_changed"


@pytest.mark.parametrize(("id_", "make"), SILENT, ids=[id_ for id_, _ in SILENT])
def test_a_note_is_silent_where_its_condition_fails(session, id_, make):
    assert id_ not in drawn(make(session).trace())


def test_every_condition_of_the_file_has_a_row_here():
    conditional = {
        note["id"] for note in FILE["notes"] if note["when"] and note.get("view") != "architecture"
    }
    assert conditional <= {id_ for id_, _ in SILENT} | {"merged-by-host"}


UNCONDITIONAL = [
    row for row in ROWS if next(note for note in FILE["notes"] if note["id"] == row[0])["when"] is None
]


@pytest.mark.parametrize(("id_", "make"), UNCONDITIONAL, ids=[id_ for id_, _ in UNCONDITIONAL])
def test_a_note_is_silent_in_an_era_or_a_transport_that_is_not_its_own_and_where_its_place_is_missing(
    session, id_, make
):
    note = next(note for note in FILE["notes"] if note["id"] == id_)
    talk = make(session)
    for message in talk.messages:
        if note["path"].startswith("/"):
            message["body"] = _without(message.get("body"), note["path"].split("/")[1:])
        elif note["path"]:
            message["http"] = {"method": "GET"}
        elif note["transport"] != "any":
            message["transport"] = "sse" if note["transport"] == "stdio" else "stdio"
        else:
            message["kind"] = "stderr"
    assert id_ not in drawn(talk.trace())


def _without(value, names):
    name, *rest = (name.replace("~1", "/") for name in names)
    if isinstance(value, list):
        return [_without(item, [name, *rest]) if name != "*" else _without(item, rest) for item in value]
    if not isinstance(value, dict):
        return value
    if not rest:
        return {} if name == "*" else {key: one for key, one in value.items() if key != name}
    return {key: _without(one, rest) if name in (key, "*") else one for key, one in value.items()}


# ---- the language ------------------------------------------------------------------------------------------

SEED_TOOLS = {"tools": [
    {"name": "weather_current", "title": "Weather Information", "description": "d", "inputSchema": {
        "type": "object",
        "properties": {"location": {"type": "string"}, "units": {"type": "string", "default": "metric"}},
        "required": ["location"],
    }},
]}  # fmt: skip

SEED_NOTES = [
    (1, "client", "协议版本协商", "protocolVersion 确保客户端和服务器使用兼容的协议版本，否则应终止连接。"),
    (1, "client", '"elicitation": {}', "客户端声明它可以处理用户交互请求。"),
    (2, "server", '"listChanged": true', "工具列表变化时可发送 tools/list_changed 通知。"),
    (2, "server", '"resources": {}', "支持 resources/list 和 resources/read。"),
    (3, "client", "就绪", "初始化成功后，客户端通知服务器已准备就绪。"),
    (5, "server", "name", "服务器命名空间内该工具的唯一标识符，是工具执行的主键。"),
    (5, "server", "title", "客户端向用户展示的工具名称。"),
    (5, "server", "description", "对工具功能和何时使用它的详细说明。"),
    (5, "server", "inputSchema", "定义预期输入参数的 JSON Schema，支持类型验证。"),
    (6, "client", "name", "必须与发现响应中的工具名称完全匹配。"),
    (6, "client", "arguments", "由 inputSchema 定义：location 必需，units 可选，默认为 metric。"),
    (7, "server", "content", "内容对象数组，允许丰富的多格式响应（文本、图片、资源等）。"),
    (7, "server", "type", "“text” 表示纯文本内容。"),
    (8, "server", "无需响应", "通知中没有 id 字段，不期望或发送响应。"),
    (8, "server", "基于能力", '仅由声明了 "listChanged": true 的服务器发送。'),
    (9, "client", "循环回步骤 2", "客户端响应性地重新请求工具列表，无需轮询。"),
]


def test_the_brief_notes_of_the_first_picture_are_those_of_its_target(session, told):
    offers = {"tools": {"listChanged": True}, "resources": {}}
    talk = session("2025-06-18").greeted({"elicitation": {}}, offers).listed(result=SEED_TOOLS)
    talk.call("weather_current", location="San Francisco", units="imperial").changed().listed(
        result=SEED_TOOLS
    )
    notes = [
        (entry.number, note.side, note.term.zh, note.text.zh)
        for entry in told.entries(read(talk.trace()))
        for note in entry.notes
    ]
    assert notes == SEED_NOTES


def test_names_of_the_protocol_are_told_from_words(session):
    found = drawn(handshake(session).trace())
    assert found["elicitation-declared"][1][0].code and not found["ready"][1][0].code


def test_a_note_hangs_on_one_place_without_stars(session):
    found = drawn(tools(session).trace()) | {"web": drawn(web(session).trace())}
    assert found["tool-title"][1][0].path == "/result/tools/0/title"
    assert found["argument-optional"][1][0].path == "/params/arguments/b"
    assert found["content-type-audio"][1][0].path == "/result/content/2/type"
    assert found["web"]["header-param"][1][0].path == "header:Mcp-Param-City"
    assert found["web"]["header-param"][1][0].term.en == "Mcp-Param-City"


def test_arguments_are_told_by_what_the_newest_list_says(session):
    (note,) = drawn(tools(session).trace())["call-arguments"][1]
    assert note.text.en == "As the inputSchema defines; required: a; optional: b (default: 5)."
    unknown = session(OLD).call("nobody", x=1)
    assert drawn(unknown.trace())["call-arguments"][1][0].text.en == "As the inputSchema defines."


def test_several_defaults_stand_with_their_names(session):
    properties = {"a": {"default": 1}, "b": {"default": "x"}, "c": {}}
    talk = session(OLD).listed(result={"tools": [{"name": "t", "inputSchema": {"properties": properties}}]})
    (note,) = drawn(talk.call("t", a=2, b=3, c=4).trace())["call-arguments"][1]
    assert note.text.en == "As the inputSchema defines; optional: a, b, c (default: a 1, b x)."
    assert note.text.zh == "由 inputSchema 定义，a、b、c 可选，默认为 a 1、b x。"


def test_the_pages_of_a_list_are_one_list(session):
    page = {"tools": [{"name": "u", "inputSchema": {"required": ["a"]}}]}
    talk = (
        session(OLD)
        .listed(result=SCHEMA)
        .ask("tools/list", params={"cursor": "2"})
        .reply(page)
        .call("t", a=1)
    )
    assert drawn(talk.trace())["call-arguments"][1][0].text.en == "As the inputSchema defines; required: a."


def test_each_is_drawn_for_six_values_and_then_says_how_many_more(session):
    names = [f"n{number}" for number in range(9)]
    talk = session(OLD).listed(result={"tools": [{"name": "t", "inputSchema": {"required": names}}]})
    _, notes = drawn(talk.call("t", **dict.fromkeys(names, 1)).trace())["argument-required"]
    assert [note.term.en for note in notes] == [*names[:6], "…"]
    assert (notes[6].text.en, notes[6].text.zh) == ("3 more", "另有 3 个")


def test_values_are_cut_at_48_characters(session):
    talk = session(OLD).ask("resources/read", params={"uri": "x" * 100})
    (note,) = drawn(talk.trace())["resource-read"][1]
    assert note.text.en == f"The resource to read: {'x' * 47}…."


def test_a_value_is_inserted_once_and_as_it_came(session):
    talk = session(OLD).ask("resources/read", params={"uri": "{value} [[{key}]] \u202e"})
    assert (
        drawn(talk.trace())["resource-read"][1][0].text.en
        == "The resource to read: {value} [[{key}]] \u202e."
    )


def test_a_part_without_a_value_is_left_out(session):
    talk = session(OLD).tell("notifications/cancelled", back=False, params={"requestId": 3})
    assert drawn(talk.trace())["cancelled"][1][0].text.en == "The sender no longer wants request 3."


def test_the_note_of_either_side_stands_with_the_sender(session):
    talk = handshake(session).ask("ping", 0, back=True).ask("sampling/createMessage", 1, back=True)
    found = drawn(talk.fail(-32601, id_=1, back=False).trace())
    assert found["ping"][1][0].side == "server"
    assert found["error-method"][1][0].side == "client"


def test_a_note_is_drawn_on_the_first_message_that_is_shown(session, told):
    talk = (
        session(NEW)
        .ask("server/discover", params={"_meta": META})
        .reply()
        .ask("tools/list", params={"_meta": META})
    )
    (entry,) = told.entries(read(talk.trace(), only=["tools/*"]))
    assert "stateless-meta" in {note.id for note in entry.notes}


def test_brief_is_a_part_of_full_and_none_is_none(session):
    brief, full = drawn(stateless(session).trace(), "brief"), drawn(stateless(session).trace(), "full")
    assert brief.keys() < full.keys()
    assert drawn(stateless(session).trace(), "none") == {}


def test_a_message_without_a_revision_takes_that_of_its_neighbour(session):
    talk = session(None).ask("tools/call").reply({"content": [{"type": "text"}]}).ask("x", revision=OLD)
    assert "content-type-text" in drawn(talk.trace())
    assert "content-type-text" not in drawn(
        session(None).ask("tools/call").reply({"content": [{"type": "text"}]}).trace()
    )


def test_an_initialize_counts_by_its_form_not_by_the_version_it_asks_for(session):
    asked = session(NEW).ask("initialize", params={"protocolVersion": NEW})
    assert "version-negotiation" in drawn(asked.trace())


def test_an_event_of_a_stream_has_the_headers_of_its_answer(session):
    asked = session(OLD, transport="http").ask("initialize", exchange=1)
    head = {"status": 200, "headers": [("Mcp-Session-Id", "•••")]}
    asked.add("http", True, exchange=1, body={"event": "stream-opened"}, http=head)
    assert "session-id" in drawn(asked.reply(exchange=1, transport="sse").trace())
