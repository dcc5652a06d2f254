"""The authorization server of the demo, by hand: what it tells, what it gives out, and everything that it refuses."""

import base64
import hashlib
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

DEADLINE = 20.0
CALLBACK = "http://127.0.0.1:5/callback"
VERIFIER = "v" * 50
CHALLENGE = base64.urlsafe_b64encode(hashlib.sha256(VERIFIER.encode()).digest()).decode().rstrip("=")

SCENARIO = """
[server]
name = "x"
version = "1"

[auth]
scopes = ["a:read", "a:write"]
needs = ["a:read"]
grants = ["authorization_code", "refresh_token", "client_credentials"]
{switches}

[[auth.client]]
id = "cli"
redirects = ["http://127.0.0.1/callback", "https://app.example/back?x=1"]

[[auth.client]]
id = "robot"
secret = "s3cret"

[[tool]]
name = "write"
scopes = ["a:write"]
result = {{ text = "written" }}
"""


def http(verb, url, **more):
    """One exchange; redirects are looked at, not followed."""
    return httpx.request(verb, url, verify=False, timeout=DEADLINE, **more)


class Demo:
    """The two servers; `ask` goes to the MCP endpoint, the rest to the authorization server."""

    def __init__(self, served, switches="", scenario=SCENARIO):
        self.url = served(scenario.format(switches=switches) if "\n" in scenario else scenario)
        self.resource_metadata = self.url.replace("/mcp", "/.well-known/oauth-protected-resource/mcp")
        self.origin = http("GET", self.resource_metadata).json()["authorization_servers"][0]

    def ask(self, method="tools/list", token=None, id=1, **params):
        meta = {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": {},
        }
        head = {"accept": "*/*", "mcp-protocol-version": "2026-07-28", "mcp-method": method}
        head |= {"mcp-name": params["name"]} if "name" in params else {}
        head |= {"authorization": f"Bearer {token}"} if token is not None else {}
        body = {"jsonrpc": "2.0", "id": id, "method": method, "params": {**params, "_meta": meta}}
        return http("POST", self.url, json=body, headers=head)

    def authorize(self, **changes):
        asked = {
            "response_type": "code", "client_id": "cli", "redirect_uri": CALLBACK, "state": "st te",
            "code_challenge": CHALLENGE, "code_challenge_method": "S256", "resource": self.url, "scope": "a:read",
        }  # fmt: skip
        return http("GET", f"{self.origin}/authorize", params=changed(asked, changes))

    def back(self, **changes):
        """What the redirect tells."""
        response = self.authorize(**changes)
        assert response.status_code == 302, response.text
        return {
            key: value for key, (value,) in parse_qs(urlsplit(response.headers["location"]).query).items()
        }

    def token(self, auth=None, **changes):
        form = {
            "grant_type": "authorization_code", "client_id": "cli", "redirect_uri": CALLBACK,
            "code_verifier": VERIFIER, "resource": self.url,
        }  # fmt: skip
        return http("POST", f"{self.origin}/token", data=changed(form, changes), auth=auth)

    def own(self, auth=("robot", "s3cret"), **changes):
        form = {"grant_type": "client_credentials", "resource": self.url}
        return http("POST", f"{self.origin}/token", data=changed(form, changes), auth=auth)

    def tokens(self, **asked):
        return self.token(code=self.back(**asked)["code"]).json()

    def register(self, **told):
        return http("POST", f"{self.origin}/register", json=told)


def changed(known, changes):
    return {key: value for key, value in {**known, **changes}.items() if value is not None}


@pytest.fixture
def demo(served):
    return Demo(served)


# The MCP server as a resource ----------------------------------------------------------------------------------


def test_a_request_without_a_token_is_told_where_to_get_one(demo):
    response = demo.ask()
    assert response.status_code == 401
    assert response.headers["www-authenticate"] == (
        f'Bearer scope="a:read", resource_metadata="{demo.resource_metadata}"'
    )
    assert http("GET", demo.resource_metadata).json() == {
        "resource": demo.url,
        "authorization_servers": [demo.origin],
        "scopes_supported": ["a:read", "a:write"],
        "bearer_methods_supported": ["header"],
    }


def test_a_token_opens_the_server_and_more_rights_are_asked_for_by_name(demo):
    token = demo.tokens()["access_token"]
    assert demo.ask(token=token).status_code == 200
    response = demo.ask("tools/call", token, name="write")
    assert (response.status_code, response.json()["error"]) == (403, "insufficient_scope")
    challenge = response.headers["www-authenticate"]
    assert challenge.startswith(
        'Bearer error="insufficient_scope", error_description="this needs a:read a:write"'
    )
    assert 'scope="a:read a:write", resource_metadata="' in challenge
    more = demo.tokens(scope="a:write a:read")["access_token"]
    assert demo.ask("tools/call", more, name="write").status_code == 200


@pytest.mark.parametrize("told", ["Bearer", "Bearer x", "Bearer café", "Basic eDp4", "x"])
def test_a_token_that_nobody_gave_out_is_refused(demo, told):
    response = http("POST", demo.url, json={}, headers={"accept": "*/*", "authorization": told.encode()})
    assert response.status_code == 401
    assert ('error="invalid_token"' in response.headers["www-authenticate"]) == (" " in told)


def test_get_delete_and_http_sse_are_guarded_too(demo):
    for verb, url in (("GET", demo.url), ("DELETE", demo.url), ("GET", demo.url.replace("/mcp", "/sse"))):
        assert http(verb, url, headers={"accept": "text/event-stream"}).status_code == 401
    response = http("GET", demo.url.replace("/mcp", "/sse"))
    assert response.headers["www-authenticate"].endswith('/.well-known/oauth-protected-resource/sse"')


def test_by_another_name_of_this_machine_the_metadata_name_that(demo):
    other = demo.resource_metadata.replace("127.0.0.1", "localhost")
    assert http("GET", other).json()["resource"] == demo.url.replace("127.0.0.1", "localhost")
    assert "code" in demo.back(resource=demo.url.replace("127.0.0.1", "localhost"))


@pytest.mark.parametrize(
    ("switches", "challenge", "path", "root"),
    [
        ('challenge = "bare"', "Bearer", 200, 404),
        ('challenge = "none"', None, 200, 404),
        ('metadata = "none"', 'Bearer scope="a:read"', 404, 404),
        ('metadata = "root"', 'Bearer scope="a:read", resource_metadata="{}"', 404, 200),
        ("scopes_told = []", 'Bearer resource_metadata="{}/mcp"', 200, 404),
    ],
)
def test_the_challenge_and_the_place_of_the_metadata_can_be_switched(served, switches, challenge, path, root):
    url = served(SCENARIO.format(switches=switches))
    base = url.replace("/mcp", "/.well-known/oauth-protected-resource")
    response = http("POST", url, json={}, headers={"accept": "*/*"})
    assert response.headers.get("www-authenticate") == (challenge.format(base) if challenge else None)
    assert (http("GET", base + "/mcp").status_code, http("GET", base).status_code) == (path, root)


def test_a_token_may_be_good_for_some_requests_only(served):
    demo = Demo(served, "uses = 2")
    token = demo.tokens()["access_token"]
    assert [demo.ask(token=token).status_code for _ in range(3)] == [200, 200, 401]


# The authorization server --------------------------------------------------------------------------------------


def test_its_metadata_tell_everything_it_can_do(demo):
    assert http("GET", f"{demo.origin}/.well-known/oauth-authorization-server").json() == {
        "issuer": demo.origin,
        "authorization_endpoint": f"{demo.origin}/authorize",
        "token_endpoint": f"{demo.origin}/token",
        "registration_endpoint": f"{demo.origin}/register",
        "scopes_supported": ["a:read", "a:write"],
        "response_types_supported": ["code"],
        "grant_types_supported": ["authorization_code", "refresh_token", "client_credentials"],
        "token_endpoint_auth_methods_supported": ["none", "client_secret_basic", "client_secret_post"],
        "code_challenge_methods_supported": ["S256"],
        "authorization_response_iss_parameter_supported": True,
        "client_id_metadata_document_supported": True,
    }
    assert http("GET", f"{demo.origin}/.well-known/openid-configuration").status_code == 404


def test_what_it_cannot_do_it_does_not_announce(served):
    demo = Demo(served, "pkce = false\niss = false\nregistration = []\nscopes_told = []")
    told = http("GET", f"{demo.origin}/.well-known/oauth-authorization-server").json()
    missing = {
        "registration_endpoint",
        "code_challenge_methods_supported",
        "client_id_metadata_document_supported",
    }
    missing |= {"authorization_response_iss_parameter_supported", "scopes_supported"}
    assert not missing & told.keys()
    assert demo.register(redirect_uris=[CALLBACK]).status_code == 404
    assert demo.back().keys() == {"code", "state"}


def test_the_user_is_asked_and_sent_back_at_once(demo):
    response = demo.authorize(redirect_uri="https://app.example/back?x=1")
    assert response.status_code == 302
    location = response.headers["location"]
    assert location.startswith("https://app.example/back?x=1&code=")
    assert parse_qs(urlsplit(location).query)["iss"] == [demo.origin]
    assert location.replace("&", "&amp;") in response.text
    assert demo.back()["state"] == "st te"
    assert "state" not in demo.back(state=None)


WRONG = {
    "another response type": ({"response_type": "token"}, "unsupported_response_type"),
    "no challenge": ({"code_challenge": None}, "invalid_request"),
    "a plain challenge": ({"code_challenge_method": "plain"}, "invalid_request"),
    "no method": ({"code_challenge_method": None}, "invalid_request"),
    "an unknown scope": ({"scope": "a:read a:none"}, "invalid_scope"),
    "no resource": ({"resource": None}, "invalid_target"),
    "another resource": ({"resource": "https://mcp.example/mcp"}, "invalid_target"),
    "a resource at a bad port": ({"resource": "http://127.0.0.1:x/mcp"}, "invalid_target"),
}


@pytest.mark.parametrize("case", WRONG)
def test_a_wrong_request_is_told_by_the_redirect(demo, case):
    changes, code = WRONG[case]
    back = demo.back(**changes)
    assert (back["error"], back["state"], back["iss"]) == (code, "st te", demo.origin)
    assert "code" not in back


@pytest.mark.parametrize(
    "changes",
    [
        {"client_id": "nobody"},
        {"client_id": None},
        {"redirect_uri": "http://127.0.0.1:5/other"},
        {"redirect_uri": "http://127.0.0.1.evil.example/callback"},
        {"redirect_uri": "https://127.0.0.1/callback"},
        {"redirect_uri": "http://["},
        {"redirect_uri": None},
    ],
)
def test_nobody_is_sent_where_the_client_is_not_known_to_be(demo, changes):
    response = demo.authorize(**changes)
    assert (response.status_code, "location" in response.headers) == (400, False)


def test_a_user_may_refuse(served):
    assert Demo(served, 'consent = "deny"').back()["error"] == "access_denied"


def test_a_token_is_given_once_for_a_code(demo):
    code = demo.back()["code"]
    response = demo.token(code=code)
    assert response.headers["cache-control"] == "no-store"
    told = response.json()
    assert told.keys() == {"access_token", "token_type", "expires_in", "refresh_token", "scope"}
    assert (told["token_type"], told["expires_in"], told["scope"]) == ("Bearer", 3600, "a:read")
    assert demo.token(code=code).json()["error"] == "invalid_grant"


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"code_verifier": "w" * 50}, "invalid_grant"),
        ({"code_verifier": None}, "invalid_grant"),
        ({"redirect_uri": "http://127.0.0.1:6/callback"}, "invalid_grant"),
        ({"resource": None}, "invalid_target"),
        ({"client_id": "nobody"}, "invalid_client"),
        ({"client_id": "robot", "client_secret": "s3cret"}, "invalid_grant"),
        ({"grant_type": "password"}, "unsupported_grant_type"),
        ({"code": "x"}, "invalid_grant"),
    ],
)
def test_a_code_is_redeemed_only_as_it_was_asked_for(demo, changes, error):
    response = demo.token(**{"code": demo.back()["code"], **changes})
    assert (response.status_code, response.json()["error"]) == (
        401 if error == "invalid_client" else 400,
        error,
    )


def test_a_refresh_token_is_replaced_with_each_use(demo):
    first = demo.tokens(scope="a:read a:write")
    again = {"grant_type": "refresh_token", "code_verifier": None, "redirect_uri": None}
    second = demo.token(**again, refresh_token=first["refresh_token"], resource=None).json()
    assert second["scope"] == "a:read a:write" and second["access_token"] != first["access_token"]
    assert demo.token(**again, refresh_token=first["refresh_token"]).json()["error"] == "invalid_grant"
    less = demo.token(**again, refresh_token=second["refresh_token"], scope="a:read").json()
    assert less["scope"] == "a:read"
    more = demo.token(**again, refresh_token=less["refresh_token"], scope="a:read a:write")
    assert more.json()["error"] == "invalid_scope"


def test_a_client_with_a_secret_gets_a_token_of_its_own_by_either_way(demo):
    by_post = {"client_id": "robot", "client_secret": "s3cret"}
    for response in (demo.own(), demo.own(auth=None, **by_post), demo.own(scope="a:write a:read")):
        assert response.status_code == 200 and "refresh_token" not in response.json()
        assert demo.ask(token=response.json()["access_token"]).status_code == 200


@pytest.mark.parametrize(
    ("auth", "changes", "error"),
    [
        (("robot", "wrong"), {}, "invalid_client"),
        (("robot", "s3cret"), {"client_secret": "s3cret"}, "invalid_client"),
        (("robot", "s3cret"), {"client_id": "cli"}, "invalid_client"),
        (None, {"client_id": "robot"}, "invalid_client"),
        (None, {"client_id": "cli"}, "unauthorized_client"),
        (None, {}, "invalid_client"),
        (("robot", "s3cret"), {"resource": None}, "invalid_target"),
    ],
)
def test_a_client_proves_itself_as_it_is_registered(demo, auth, changes, error):
    response = demo.own(auth=auth, **changes)
    assert response.json()["error"] == error
    assert ("www-authenticate" in response.headers) == (error == "invalid_client")


def test_the_token_endpoint_takes_a_form_with_each_name_once(demo):
    url = f"{demo.origin}/token"
    assert http("POST", url, json={}).status_code == 415
    head = {"content-type": "application/x-www-form-urlencoded"}
    assert http("POST", url, content=b"code=1&code=2", headers=head).json()["error"] == "invalid_request"
    assert (
        http("POST", url, content=b"\xff=%ff&&", headers={**head, "authorization": "Basic %"}).status_code
        == 401
    )


def test_the_authorization_server_is_for_this_machine_only(demo):
    assert http("GET", f"{demo.origin}/authorize", headers={"host": "evil.example"}).status_code == 421


# Registration --------------------------------------------------------------------------------------------------


def test_a_client_may_register_itself(demo):
    response = demo.register(redirect_uris=[CALLBACK], client_name="test", token_endpoint_auth_method="none")
    assert response.status_code == 201
    told = response.json()
    assert told["client_name"] == "test" and "client_secret" not in told
    assert "code" in demo.back(client_id=told["client_id"])
    other = demo.register(redirect_uris=[CALLBACK]).json()
    assert other["token_endpoint_auth_method"] == "client_secret_basic" and len(other["client_secret"]) == 43
    assert other["client_id"] != told["client_id"]
    code = demo.back(client_id=other["client_id"])["code"]
    assert (
        demo.token((other["client_id"], other["client_secret"]), client_id=None, code=code).status_code == 200
    )


@pytest.mark.parametrize(
    "redirects", [None, [], ["http://app.example/x"], ["javascript:x"], [1], "x", ["https://"]]
)
def test_a_client_that_cannot_be_sent_back_to_is_not_registered(demo, redirects):
    assert demo.register(redirect_uris=redirects).json()["error"] == "invalid_redirect_uri"


def test_two_runs_give_out_the_same(served):
    first, second = Demo(served), Demo(served)
    assert first.register(redirect_uris=[CALLBACK]).json() == second.register(redirect_uris=[CALLBACK]).json()
    assert first.tokens() == second.tokens()


@pytest.fixture
def document():
    """A server with one document at /client.json; `answers` holds what it says, `asked` who asked."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            server.asked.append(self.path)
            status, body = server.answers
            self.send_response(status)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    server.asked, server.url = [], f"http://127.0.0.1:{server.server_address[1]}/client.json"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    yield server
    server.shutdown()
    thread.join(DEADLINE)
    server.server_close()


def test_a_metadata_document_on_this_machine_is_read(demo, document):
    document.answers = (
        200,
        httpx.Request(
            "POST",
            "http://x",
            json={"client_id": document.url, "redirect_uris": [CALLBACK], "client_name": "test"},
        ).content,
    )
    code = demo.back(client_id=document.url)["code"]
    assert document.asked == ["/client.json"]
    assert demo.token(client_id=document.url, code=code).status_code == 200


@pytest.mark.parametrize(
    ("status", "body"),
    [
        (404, b"{}"),
        (302, b"{}"),
        (200, b"{oops"),
        (200, b"[]"),
        (200, b'{"client_id": "http://127.0.0.1/other", "redirect_uris": ["http://127.0.0.1/callback"]}'),
        (200, b'{"client_id": "URL", "redirect_uris": ["http://127.0.0.1/elsewhere"]}'),
        (200, b'{"client_id": "URL"}'),
        (200, b" " * 70_000 + b"{}"),
    ],
)
def test_a_metadata_document_that_does_not_fit_is_refused(demo, document, status, body):
    document.answers = status, body.replace(b"URL", document.url.encode())
    response = demo.authorize(client_id=document.url)
    assert (response.status_code, "location" in response.headers) == (400, False)


@pytest.mark.parametrize(
    "url", ["https://app.example/client.json", "http://127.0.0.1:1/", "http://127.0.0.1:1/x"]
)
def test_nothing_outside_of_this_machine_is_asked_for(demo, url):
    assert demo.authorize(client_id=url).json()["error"] == "invalid_client"


# Hostile input -------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def open_demo():
    from flowgen.demo._running import Threaded
    from flowgen.demo._scenario import read

    with Threaded(read(SCENARIO.format(switches=""))) as url:
        yield Demo(lambda _: url)


words = st.text(max_size=12) | st.sampled_from(
    ["cli", "robot", CALLBACK, "S256", "code", "http://127.0.0.1:1/x"]
)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.dictionaries(
        st.sampled_from(["client_id", "redirect_uri", "scope", "resource", "state", "code"]), words
    )
)
def test_no_parameters_break_it(open_demo, changes):
    assert open_demo.authorize(**changes).status_code in (302, 400)
    assert open_demo.token(**changes).status_code in (400, 401)


@settings(max_examples=30, deadline=None)
@given(st.recursive(st.none() | st.integers() | st.text(max_size=5), st.lists, max_leaves=5), words)
def test_no_registration_and_no_token_break_it(open_demo, value, word):
    told = {"redirect_uris": value, "token_endpoint_auth_method": value}
    for body in ([value], told):
        assert http("POST", f"{open_demo.origin}/register", json=body).status_code == 400
    if word.strip() and word.isascii() and word.isprintable():
        head = {"accept": "*/*", "authorization": f"Bearer {word}x".encode()}
        assert http("POST", open_demo.url, json={}, headers=head).status_code == 401
