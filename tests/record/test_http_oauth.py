"""Signing in while recording: every exchange in its place, secrets nowhere, and nobody waits who need not."""

import base64
import json
import os
import stat
import threading
import urllib.request

import pytest

from flowgen import api
from flowgen.errors import ConfigError, UsageError
from flowgen.record import OAuth, Site, Watch, _browse, _tokens, check_site
from flowgen.trace import document_bytes
from tests.record.conftest import CALL, visited
from tests.record.servers.web import CODE, SECRET, TOKEN, served

DEMO = OAuth(interactive=True, browser="demo")


def lanes(seen):
    return [(message["sender"], message["receiver"]) for message in seen.messages]


def events(seen):
    return [message["body"]["event"] for message in seen.of("note")]


def test_the_whole_way_from_a_401_to_the_answer_is_kept_between_its_participants():
    with served("oauth") as web:
        seen = visited(Site(web.url, oauth=DEMO))
    assert seen.exit_code == 0, seen.recording.verdict
    assert [(p["id"], p["role"]) for p in seen.document["participants"]] == [
        ("browser", "browser"), ("client", "client"), ("server", "server"), ("auth", "auth"),
    ]  # fmt: skip
    assert seen.document["participants"][-1]["title"] == web.origin.removeprefix("http://")
    assert events(seen) == [
        "chose-issuer", "chose-registration", "chose-scopes", "opened-browser", "callback-received",
    ]  # fmt: skip
    steps = [message["http"]["url"].partition("?")[0].removeprefix(web.origin) for message in seen.of("http")
             if "url" in message.get("http", {})]  # fmt: skip
    assert steps == [
        "/.well-known/oauth-protected-resource/mcp", "/.well-known/oauth-authorization-server", "/register",
        "/authorize", "/token",
    ]  # fmt: skip
    assert ("browser", "auth") in lanes(seen) and ("auth", "browser") in lanes(seen)


def test_what_was_denied_is_sent_again_under_its_id_and_the_token_goes_with_everything_from_then_on():
    with served("oauth") as web:
        seen = visited(Site(web.url, oauth=DEMO))
    posts = [request for request in web.asked if request[1] == "/mcp"]
    assert [json.loads(body)["id"] for *_, body in posts] == [1, 1, 2, 3]
    assert [headers.get("authorization") for _, _, headers, _ in posts] == [None, *[f"Bearer {TOKEN}"] * 3]
    assert "duplicate-id" not in seen.codes() and "unanswered" not in seen.codes()
    first, again = seen.of("request", method="server/discover")
    assert first["exchange"] != again["exchange"] and seen.statuses()[0] == 401


def test_a_form_stands_in_the_trace_as_it_was_sent_but_for_its_secrets():
    with served("oauth") as web:
        seen = visited(Site(web.url, oauth=DEMO))
    form = next(message["text"] for message in seen.of("http") if message.get("text", "").startswith("grant_type"))
    assert "grant_type=authorization_code" in form and "code=•••" in form and "code_verifier=•••" in form
    assert web.memory["form"]["code"] == CODE and web.memory["form"]["client_secret"] == SECRET


def test_documents_of_the_authorization_server_are_asked_for_without_anything_of_ours():
    with served("oauth") as web:
        visited(Site(web.url, (("X-Own", "own-header-1234"),), oauth=DEMO))
    others = [headers for _, path, headers, _ in web.asked if path != "/mcp"]
    assert len(others) == 5 and all("x-own" not in headers and "cookie" not in headers for headers in others)


def test_where_nobody_is_there_to_sign_in_the_recording_ends_at_once():
    with served("oauth") as web:
        seen = visited(Site(web.url), revision="auto")
    assert (seen.exit_code, seen.outcome["reason"]) == (3, "connect-failed")
    assert "--bearer" in seen.recording.verdict[-1] and "/authorize" not in {path for _, path, _, _ in web.asked}


def test_a_credential_of_the_user_is_never_replaced():
    with served("oauth") as web:
        seen = visited(Site(web.url, (("Authorization", "Bearer given-token-123"),), oauth=DEMO))
    assert seen.exit_code == 3 and len(web.asked) == 1


# a person's browser


def test_a_person_signs_in_at_an_address_that_is_shown_in_full():
    shown = []

    def browse(url):
        shown.append(url)
        threading.Thread(target=lambda: urllib.request.urlopen(url, timeout=10).read()).start()

    with served("oauth") as web:
        site = Site(web.url, oauth=OAuth(interactive=True, opens=False))
        seen = visited(site, watch=Watch(show=browse))
    assert seen.exit_code == 0, seen.recording.verdict
    assert shown[0].startswith(f"{web.origin}/authorize?") and "code_challenge=" in shown[0]
    assert events(seen)[-2:] == ["opened-browser", "callback-received"]
    assert ("browser", "auth") not in lanes(seen)  # what a real browser does nobody sees
    assert web.memory["authorize"]["redirect_uri"].startswith("http://127.0.0.1:")
    # who sent the browser back (RFC 9207) is no secret: it stands in every address
    assert all(
        message["http"]["url"].startswith(web.origin) for message in seen.messages if "url" in message.get("http", {})
    )


def test_who_never_comes_back_is_not_waited_for_for_ever(monkeypatch):
    monkeypatch.setattr(_browse, "SIGN_IN_SECONDS", 0.3)
    with served("oauth") as web:
        seen = visited(Site(web.url, oauth=OAuth(interactive=True, opens=False)))
    assert seen.exit_code == 3 and "did not come back" in seen.recording.verdict[0]


# the token store


def test_a_token_store_is_for_its_owner_alone_and_saves_the_next_sign_in(tmp_path):
    store = tmp_path / "tokens.json"
    site = DEMO._replace(token_store=str(store))
    with served("oauth") as web:
        visited(Site(web.url, oauth=site))
        assert TOKEN in store.read_text()
        if os.name == "posix":
            assert stat.S_IMODE(store.stat().st_mode) == 0o600
        before = len(web.asked)
        seen = visited(Site(web.url, oauth=site))
    assert seen.exit_code == 0 and len(web.asked) - before == 3 and TOKEN not in json.dumps(seen.document)
    assert list(tmp_path.iterdir()) == [store]


def test_without_one_nothing_is_written_anywhere(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    with served("oauth") as web:
        visited(Site(web.url, oauth=DEMO))
    assert list(tmp_path.iterdir()) == []


def test_a_token_store_that_cannot_be_written_costs_the_tokens_and_not_the_recording(tmp_path, monkeypatch):
    def refused(*arguments):
        raise OSError(28, "No space left on device")

    warnings = []
    monkeypatch.setattr(_tokens.os, "replace", refused)
    with served("oauth") as web:
        site = Site(web.url, oauth=DEMO._replace(token_store=str(tmp_path / "tokens.json")))
        seen = visited(site, watch=Watch(warn=warnings.append))
    assert seen.exit_code == 0 and "No space left" in warnings[0] and list(tmp_path.iterdir()) == []


def test_a_token_store_in_no_folder_is_told_before_anything_is_sent(tmp_path):
    with pytest.raises(ConfigError, match="its folder is not there"):
        check_site(Site("https://host/mcp", oauth=OAuth(token_store=str(tmp_path / "no" / "tokens.json"))))


def test_a_file_that_is_no_token_store_is_told_before_anything_is_sent(tmp_path):
    store = tmp_path / "tokens.json"
    store.write_text("no")
    with pytest.raises(ConfigError, match="no JSON"):
        check_site(Site("https://host/mcp", oauth=OAuth(token_store=str(store))))


def test_options_that_do_not_go_together_are_told_before_anything_is_sent():
    with pytest.raises(UsageError, match="without a client id"):
        check_site(Site("https://host/mcp", oauth=OAuth(client_secret="x")))


# secrets


def test_what_a_library_says_of_a_wrong_head_holds_no_secret():
    with served("wrong_head") as web:
        seen = visited(Site(web.url, (("Authorization", "Bearer given-token-123"),)))
    assert seen.exit_code == 3 and "illegal header line" in json.dumps(seen.document)
    assert "given-token-123" not in json.dumps([seen.document, seen.recording.verdict])


@pytest.mark.parametrize("watched", [True, False])
def test_a_secret_planted_anywhere_is_found_in_no_trace_no_picture_and_no_line(watched):
    """Header, query, cookie, form, redirect, body, code, tokens; said again by the server where it can."""
    planted = {
        "header": "hdr-secret-112233", "query": "qry-secret-445566",
        "cookie": "cookie-secret-246", "secret": SECRET, "code": CODE, "token": TOKEN,
    }  # fmt: skip
    lines = []
    with served("oauth+echoes_secrets") as web:
        url = f"{web.url}?key={planted['query']}"
        headers = (("X-Api-Key", planted["header"]), ("X-Other", "plain"))
        seen = visited(
            Site(url, headers, oauth=DEMO), (CALL, CALL),
            watch=Watch(*[lambda message: lines.append(json.dumps(message))] * watched, warn=lines.append),
        )  # fmt: skip
        planted |= {name: web.memory["form"][name] for name in ("code_verifier",)}
        planted["state"] = web.memory["authorize"]["state"]
    assert seen.exit_code == 0, seen.recording.verdict
    svg = api.drawing(api.load(document_bytes(seen.document))).svg
    everything = "\n".join([json.dumps(seen.document, ensure_ascii=False), svg, *lines, *seen.recording.verdict])
    spelt = {name: (secret, base64.b64encode(secret.encode()).decode()) for name, secret in planted.items()}
    assert {name for name, ways in spelt.items() if any(way in everything for way in ways)} == set()
    assert "plain" in everything and "Bearer •••" in everything


def test_user_info_of_an_address_is_sent_as_basic_credentials_and_shown_nowhere():
    with served("echoes_secrets") as web:
        seen = visited(web.url.replace("http://", "http://me:usr-secret-778899@"))
    basic = base64.b64encode(b"me:usr-secret-778899").decode()
    assert web.asked[-1][2]["authorization"] == f"Basic {basic}" and seen.exit_code == 0
    everything = json.dumps(seen.document)
    assert "usr-secret" not in everything and basic not in everything
    assert seen.document["url"] == web.url.replace("http://", "http://•••@")
