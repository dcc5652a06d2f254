"""The official SDK's OAuth client against the demo: every way to the token that the scenario can be switched to."""

from urllib.parse import parse_qs, urlsplit

import anyio
import httpx
import httpx2
import pytest
from mcp import Client
from mcp.client.auth import AuthorizationCodeResult, OAuthClientProvider, OAuthFlowError
from mcp.client.auth.extensions.client_credentials import ClientCredentialsOAuthProvider
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import OAuthClientInformationFull, OAuthClientMetadata
from mcp.types import ElicitResult

DEADLINE = 30
CALLBACK = "http://127.0.0.1:49152/callback"

SCENARIO = """
[server]
name = "x"
version = "1"

[auth]
scopes = ["a:read", "a:write"]
needs = ["a:read"]
{switches}

[[tool]]
name = "read"
result = {{ text = "read" }}

[[tool]]
name = "write"
scopes = ["a:write"]
result = {{ text = "written" }}
"""


class Wallet:
    """Holds tokens and the client's registration, in memory."""

    def __init__(self, client=None):
        self.tokens, self.client = None, client

    async def get_tokens(self):
        return self.tokens

    async def set_tokens(self, tokens):
        self.tokens = tokens

    async def get_client_info(self):
        return self.client

    async def set_client_info(self, client):
        self.client = client


class Person:
    """A browser that goes where it is sent, as far as the client's own address."""

    def __init__(self):
        self.asked = []

    async def go(self, url):
        self.asked.append({name: value for name, (value,) in parse_qs(urlsplit(url).query).items()})
        response = httpx.get(url, verify=False)
        assert response.status_code == 302, response.text
        self.back = {
            key: value for key, (value,) in parse_qs(urlsplit(response.headers["location"]).query).items()
        }

    async def come_back(self):
        if "error" in self.back:
            raise OAuthFlowError(self.back["error"])
        return AuthorizationCodeResult(**self.back)


def authorized(url, play, wallet=None, mode="auto", document=None, person=None):
    """Play something with a client that gets its token on the way; who was asked what."""
    person = person or Person()
    told = OAuthClientMetadata(redirect_uris=[CALLBACK], client_name="test")
    provider = OAuthClientProvider(
        url, told, wallet or Wallet(), person.go, person.come_back, client_metadata_url=document
    )
    run(url, play, provider, mode)
    return person


def run(url, play, provider, mode="auto"):
    async def elicit(context, params):
        return ElicitResult(action="accept", content={"key": "WEB"})

    async def main():
        with anyio.fail_after(DEADLINE):
            async with httpx2.AsyncClient(auth=provider, verify=False) as http:
                server = streamable_http_client(url, http_client=http)
                async with Client(server, mode=mode, elicitation_callback=elicit) as client:
                    await play(client)

    anyio.run(main)


async def read(client):
    assert (await client.call_tool("read")).content[0].text == "read"


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_the_demo_is_played_through_with_a_step_up(served, mode):
    async def play(client):
        await client.call_tool("search_issues", {"query": "Safari"})
        result = await client.call_tool("create_issue", {"title": "Login fails on Safari"})
        assert result.content[0].text == "Created issue WEB-482"

    wallet = Wallet()
    person = authorized(served("oauth"), play, wallet, mode)
    assert [asked["scope"] for asked in person.asked] == ["issues:read", "issues:read issues:write"]
    assert all(asked["resource"].endswith("/mcp") for asked in person.asked)
    assert wallet.client.client_id.startswith("client-") and len(wallet.tokens.access_token) == 43


SWITCHES = {
    "a bare challenge": 'challenge = "bare"',
    "no challenge": 'challenge = "none"',
    "metadata at the root": 'metadata = "root"\nchallenge = "bare"',
    "an issuer with a path": 'issuer = "/tenant"',
    "OpenID's place": 'issuer_metadata = "openid"',
    "OpenID's place with a path": 'issuer = "/tenant"\nissuer_metadata = "openid"',
    "OpenID's place behind the path": 'issuer = "/tenant"\nissuer_metadata = "openid-path"',
    "no iss": "iss = false",
    "public clients only": 'methods = ["none"]',
    "secrets by post": 'methods = ["client_secret_post"]',
    "secrets by basic": 'methods = ["client_secret_basic"]',
    "scopes in the metadata": 'scopes_told = ["metadata"]',
    "scopes nowhere": "scopes_told = []",
    "no refresh tokens": 'grants = ["authorization_code"]',
}


@pytest.mark.parametrize("switch", SWITCHES)
def test_every_switch_leads_to_a_token(served, switch):
    person = authorized(served(SCENARIO.format(switches=SWITCHES[switch])), read)
    wanted = {
        "scopes in the metadata": "a:read a:write",
        "scopes nowhere": None,
        "no challenge": "a:read a:write",
    }
    wanted["a bare challenge"] = wanted["metadata at the root"] = "a:read a:write"
    assert person.asked[0].get("scope") == wanted.get(switch, "a:read")
    assert ("iss" in person.back) == (switch != "no iss")


def test_a_metadata_document_makes_registration_unnecessary(served):
    document = "https://my-ide.example/client.json"
    known = f'[[auth.document]]\nurl = "{document}"\nredirects = ["http://127.0.0.1/callback"]'
    person = authorized(served(SCENARIO.format(switches=known)), read, document=document)
    assert person.asked[0]["client_id"] == document


def test_a_client_may_be_registered_already(served):
    known = '[[auth.client]]\nid = "cli"\nsecret = "s3 cr:et/+"\nredirects = ["http://127.0.0.1/callback"]'
    client = OAuthClientInformationFull(
        client_id="cli", client_secret="s3 cr:et/+", redirect_uris=[CALLBACK],
        token_endpoint_auth_method="client_secret_basic",
    )  # fmt: skip
    url = served(SCENARIO.format(switches="registration = []\n" + known))
    assert authorized(url, read, Wallet(client)).asked[0]["client_id"] == "cli"


def test_a_token_that_is_over_is_renewed_without_asking_anybody(served):
    wallet = Wallet()

    async def play(client):
        await read(client)
        first = wallet.tokens
        while wallet.tokens is first:
            await read(client)
        assert wallet.tokens.refresh_token != first.refresh_token

    person = authorized(served(SCENARIO.format(switches="expires_in = 1")), play, wallet)
    assert len(person.asked) == 1


def test_a_user_may_refuse(served):
    with pytest.raises(BaseExceptionGroup) as caught:
        authorized(served(SCENARIO.format(switches='consent = "deny"')), read)
    assert caught.group_contains(OAuthFlowError, match="access_denied")


def test_a_machine_gets_a_token_for_its_secret(served):
    switches = 'grants = ["client_credentials"]\n[[auth.client]]\nid = "robot"\nsecret = "s"'
    url = served(SCENARIO.format(switches=switches))
    place = url.replace("/mcp", "/.well-known/oauth-protected-resource/mcp")
    (issuer,) = httpx.get(place, verify=False).json()["authorization_servers"]
    run(
        url,
        read,
        ClientCredentialsOAuthProvider(url, Wallet(), client_id="robot", client_secret="s", issuer=issuer),
    )
