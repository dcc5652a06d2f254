import base64
import html
import json
from pathlib import Path
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flowgen.trace import Mask, env_secrets, secret_name
from tests.costs import instructions

GITHUB = "ghp_Zq7Wm2Xc9Vb4Nl6Kj8Hg1Fd3Sa5Po0Iu2Yt4"
KEY = "sk-live-0123456789abcdef0123"


def call(**arguments):
    return {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "login", "arguments": arguments}}


def message(body=None, **fields):
    parts = {} if body is None else {"body": body}
    return {"seq": 1, "at": 0.5, "sender": "client", "receiver": "server", "kind": "request", **parts, **fields}


def masked(body, mask=None):
    return (mask or Mask()).message(message(body))


def at(value, pointer):
    for part in pointer.split("/")[1:]:
        name = part.replace("~1", "/").replace("~0", "~")
        value = value[int(name)] if isinstance(value, list) else value[name]
    return value


def test_an_argument_under_a_secret_name_is_masked_and_named():
    found = masked(call(user="mia", password="correct-horse-battery-7Q", nested=[{"api_key": 12345}]))
    assert found["body"]["params"]["arguments"] == {"user": "mia", "password": "•••", "nested": [{"api_key": "•••"}]}
    assert found["redacted"] == ["/body/params/arguments/password", "/body/params/arguments/nested/0/api_key"]
    assert set(found["fingerprints"]) == set(found["redacted"])
    assert all(len(digits) == 8 and int(digits, 16) >= 0 for digits in found["fingerprints"].values())


def test_a_token_within_a_text_is_masked_alone():
    found = masked({"result": {"content": [{"type": "text", "text": f"use {GITHUB} from now on"}]}})
    assert found["body"]["result"]["content"][0]["text"] == "use ••• from now on"
    assert found["redacted"] == ["/body/result/content/0/text"]


def test_what_is_no_secret_is_left_as_it_is_without_a_trace():
    clean = message(call(city="Zürich"), raw="{ }", problems=[{"code": "bom", "message": "A mark."}])
    assert Mask().message(clean) == clean


def test_raw_is_left_out_once_anything_was_masked():
    found = Mask().message(message(call(password="x"), raw='{"password": "x"}', raw_encoding="base64"))
    assert not {"raw", "raw_encoding"} & found.keys()


def test_a_secret_in_the_bytes_alone_takes_raw_away():
    found = Mask().message(message({"a": 1}, raw=f'{{"a":"{KEY}","a":1}}'))
    assert "raw" not in found
    assert found["redacted"] == ["/raw"]


def test_the_message_given_is_not_changed():
    given_message = message(call(password="x", list=[{"token": "y"}]))
    before = json.dumps(given_message)
    Mask().message(given_message)
    assert json.dumps(given_message) == before


def test_switched_off_everything_is_given_back_as_it_is():
    mask, body = Mask(["secret-value-1"], on=False), call(password="secret-value-1")
    assert mask.message(message(body)) == message(body)
    assert mask.text(KEY) == KEY
    assert mask.argv(["--token=abc"]) == ["--token=abc"]
    assert mask.url("http://u:p@h/?a=b") == "http://u:p@h/?a=b"


def test_fields_of_the_protocol_are_never_touched():
    body = {
        "jsonrpc": "2.0", "id": GITHUB, "method": "notifications/progress",
        "params": {"name": "get_password", "progressToken": GITHUB, "cursor": KEY, "requestId": KEY,
                   "_meta": {"progressToken": KEY, "io.modelcontextprotocol/subscriptionId": KEY}},
        "result": {"nextCursor": KEY, "resultType": "complete"},
        "error": {"code": -32000, "message": "no"},
    }  # fmt: skip
    mask = Mask(["get_password", "notifications/progress", "-32000", "complete"])
    assert mask.message(message(body)) == message(body)


def test_a_progress_token_is_no_secret_wherever_it_stands():
    body = {"params": {"arguments": {"progressToken": "abc-123-def", "nextPageToken": "q1w2e3r4", "maxTokens": 100}}}
    assert masked(body) == message(body)


def test_the_definitions_of_a_tools_arguments_are_left_alone():
    schema = {
        "type": "object", "required": ["password", "token"], "dependentRequired": {"token": ["password"]},
        "properties": {"password": {"type": "string", "description": "your password"}, "token": {"type": "string"},
                       "secret": True, "api_key": {"type": ["string", "null"]}},
    }  # fmt: skip
    body = {"result": {"tools": [{"name": "login", "inputSchema": schema}]}}
    assert masked(body) == message(body)


def test_under_a_key_of_the_user_a_schema_keeps_its_words_and_hides_its_values():
    schema = {"properties": {"pin": {"type": "string", "title": "PIN", "default": "4711", "enum": ["4711", "4712"]}}}
    found = masked({"result": {"tools": [{"inputSchema": schema}]}}, Mask(keys=["pin"]))
    shown = found["body"]["result"]["tools"][0]["inputSchema"]["properties"]["pin"]
    assert shown == {"type": "string", "title": "PIN", "default": "•••", "enum": ["•••", "•••"]}
    data = masked({"result": {"properties": {"pin": {"type": "4711"}}}}, Mask(keys=["pin"]))
    assert data["body"]["result"]["properties"]["pin"] == {"type": "•••"}


def test_request_state_is_masked_after_its_version_and_recognised_by_its_fingerprint():
    mask = Mask()
    asked = mask.message(message({"result": {"resultType": "input_required", "requestState": "v1.rV5wdwpC8I6Q"}}))
    retry = mask.message(message({"params": {"requestState": "v1.rV5wdwpC8I6Q"}}))
    other = mask.message(message({"params": {"requestState": "v1.rV5wdwpC8I6R"}}))
    assert asked["body"]["result"]["requestState"] == "v1.•••"
    prints = [next(iter(found["fingerprints"].values())) for found in (asked, retry, other)]
    assert prints[0] == prints[1] != prints[2]


def test_the_same_secret_has_another_fingerprint_in_another_run():
    assert masked(call(password="x"))["fingerprints"] != masked(call(password="x"))["fingerprints"]


def test_a_secret_found_by_its_name_is_masked_wherever_it_stands_afterwards_and_before_in_the_same_message():
    mask = Mask()
    body = {"result": {"text": "you gave hunter-2-hunter", "z": {"password": "hunter-2-hunter"}}}
    assert "hunter-2" not in json.dumps(masked(body, mask))
    assert mask.text("password was hunter-2-hunter!") == "password was •••!"


def test_ordinary_words_are_not_learnt():
    mask = Mask()
    masked(call(password="string", token="Required"), mask)
    assert mask.text("a string is Required") == "a string is Required"


def test_a_known_secret_is_found_in_other_spellings():
    secret = 'p@ss/"word" é1'
    mask = Mask([secret])
    spellings = [secret, quote(secret, safe=""), json.dumps(secret), json.dumps(secret, ensure_ascii=False)]
    spellings += [base64.b64encode(before + secret.encode() + b"!").decode() for before in (b"", b"a", b"user:")]
    spellings += [quote(secret), quote_plus(secret), quote(secret, safe="").lower(), quote(quote(secret, safe=""))]
    spellings += [html.escape(secret)]
    for text in spellings:
        assert "•••" in mask.text(text), text


def test_a_secret_with_signs_that_no_encoding_takes_is_none_the_less_one():
    assert Mask(["half \ud83d of a sign"]).text("half \ud83d of a sign") == "•••"


def test_a_short_secret_is_masked_as_a_word_only():
    assert Mask(["abcd"]).text("abcd abcde xabcd 'abcd'") == "••• abcde xabcd '•••'"


def test_numbers_are_masked_only_where_they_are_the_secret():
    assert masked({"a": 12345678, "b": 123456789, "c": 1.5}, Mask(["12345678"]))["body"] == {
        "a": "•••", "b": 123456789, "c": 1.5,
    }  # fmt: skip


def test_names_given_by_the_user_mask_all_that_stands_under_them():
    found = masked(call(Payload={"a": "x", "b": [1, {"c": "y"}], "d": None}), Mask(keys=["pay_load"]))
    assert found["body"]["params"]["arguments"]["Payload"] == {"a": "•••", "b": ["•••", {"c": "•••"}], "d": None}


def test_pairs_of_name_and_value_are_understood():
    body = {"env": [{"name": "API_KEY", "value": "x"}, {"name": "PORT", "value": "3000"}]}
    assert masked(body)["body"]["env"] == [{"name": "API_KEY", "value": "•••"}, {"name": "PORT", "value": "3000"}]


def test_a_secret_that_is_a_name_is_masked_and_no_member_is_lost():
    found = masked({GITHUB: 1, KEY: 2})
    assert sorted(found["body"].values()) == [1, 2]
    assert GITHUB not in json.dumps(found)


def test_headers_are_masked_by_their_names():
    headers = [
        ["Authorization", "Bearer abc"], ["X-Api-Key", "k"], ["Cookie", "a=b"], ["Mcp-Session-Id", "1-2"],
        ["Content-Type", "application/json"], ["Location", "http://h/cb?code=abc&state=def&x=1"],
        ["WWW-Authenticate", 'Bearer error="invalid_token", resource_metadata="http://h/x"'],
    ]  # fmt: skip
    found = Mask().message(message(http={"method": "POST", "url": "http://h/", "headers": headers}))
    assert [value for _, value in found["http"]["headers"]] == [
        "Bearer •••", "•••", "•••", "•••", "application/json", "http://h/cb?code=•••&state=•••&x=1", headers[-1][1],
    ]  # fmt: skip
    assert found["redacted"][0] == "/http/headers/authorization"


def test_an_argument_masked_in_the_body_is_masked_in_its_header_too():
    header = "=?base64?" + base64.b64encode("geheim ü".encode()).decode() + "?="
    found = Mask().message(message(call(password="geheim ü"), http={"headers": [["Mcp-Param-Word", header]]}))
    assert found["http"]["headers"] == [["Mcp-Param-Word", "•••"]]


@pytest.mark.parametrize(
    ("address", "wanted"),
    [
        ("/next?session=abc&code=def&page=2", "/next?session=•••&code=•••&page=2"),
        ("//ada:abc@h/x?sid=def", "//•••@h/x?sid=•••"),
        ("https://ada:abc@h/x?key=def#id_token=ghi", "https://•••@h/x?key=•••#id_token=•••"),
        ("?Session_State=abc", "?Session_State=•••"),
        ("https://h/authorize?resource=a&scope=b&iss=c", "https://h/authorize?resource=a&scope=b&iss=c"),
    ],
)
def test_where_a_redirect_leads_is_shown_without_its_secrets(address, wanted):
    found = Mask().message(message({}, http={"status": 302, "headers": [["Location", address]]}))
    assert found["http"]["headers"] == [["Location", wanted]]


def test_text_in_base64_is_masked_in_its_bytes():
    text = base64.b64encode(b"\xff API_KEY=" + KEY.encode()).decode()
    found = Mask().message(message(text=text, encoding="base64"))
    assert base64.b64decode(found["text"]) == b"\xff API_KEY=" + "•••".encode()
    assert found["redacted"] == ["/text"]


def test_the_argv_of_a_process_is_masked_argument_by_argument():
    body = {"event": "started", "argv": ["server", "--token", "abc", "--port", "80", "API_KEY=x"]}
    found = masked(body)
    assert found["body"]["argv"] == ["server", "--token", "•••", "--port", "80", "API_KEY=•••"]
    assert found["redacted"] == ["/body/argv/2", "/body/argv/5"]


def test_the_address_of_an_elicitation_keeps_only_where_it_leads():
    body = {"params": {"mode": "url", "url": "https://u:p@bank.example/pay?session=abc#top", "message": "Pay"}}
    assert masked(body)["body"]["params"]["url"] == "https://•••@bank.example/pay?session=•••#•••"


@pytest.mark.parametrize(
    ("argument", "wanted"),
    [
        (["--token=abc"], ["--token=•••"]),
        (["--api-key", "abc"], ["--api-key", "•••"]),
        (["--token", "--verbose"], ["--token", "--verbose"]),
        (["PASSWORD=a b"], ["PASSWORD=•••"]),
        (["PORT=3000"], ["PORT=3000"]),
        (["-H", "Authorization: Bearer abc"], ["-H", "Authorization: Bearer •••"]),
        (["-e", "GITHUB_TOKEN=abc"], ["-e", "GITHUB_TOKEN=•••"]),
        (["postgres://user:pw@db/x?sslmode=on"], ["postgres://•••@db/x?sslmode=on"]),
        (["https://h/mcp?api_key=abc&v=1"], ["https://h/mcp?api_key=•••&v=1"]),
        (["node", "server.js", KEY], ["node", "server.js", "•••"]),
    ],
)
def test_command_lines_are_masked(argument, wanted):
    assert Mask().argv(argument) == wanted


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (f"KeyError: 'DATABASE_URL' (API_KEY={KEY})", "KeyError: 'DATABASE_URL' (API_KEY=•••)"),
        ("curl -H 'Authorization: Bearer abc.def' x", "curl -H 'Authorization: Bearer •••' x"),
        ("authorization: Basic dXNlcjpwYXNz", "authorization: Basic •••"),
        ('{"password": "hun\\"ter2", "a": 1}', '{"password": "•••", "a": 1}'),
        ('{\\"api_key\\":\\"abcde\\"}', '{\\"api_key\\":\\"•••\\"}'),
        ("{'token': 'x'}", "{'token': '•••'}"),
        ("password=a(b", "password=•••(b"),
        ("PASSWORD='hunter two'", "PASSWORD='•••'"),
        ("client_secret: test-client-secret", "client_secret: •••"),
        ("Set-Cookie: sid=abc; Path=/\nDate: now", "Set-Cookie: •••\nDate: now"),
        ("https://h/#access_token=abc&x=1", "https://h/#access_token=•••&x=1"),
        ("grant_type=a&code=xyz&code_verifier=ab~c", "grant_type=a&code=•••&code_verifier=•••"),
        ('<a href="http://h/cb?code=a&amp;state=b">', '<a href="http://h/cb?code=•••&amp;state=•••">'),
        ("eyJhbGciOiJI.eyJzdWIiOiIx.abc-_9 expired", "••• expired"),
        ("use Bearer abcdef123456 now", "use Bearer ••• now"),
        ("requestState=v1.abcdef", "requestState=v1.•••"),
        ("-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY-----",
         "-----BEGIN RSA PRIVATE KEY-----•••-----END RSA PRIVATE KEY-----"),
        *((token, "•••") for token in (
            "AKIAIOSFODNN7EXAMPLE", "AIzaSyA-0123456789abcdefghijklmnopqrstu", "xoxb-123456789012-abcdef",
            "glpat-abcdefghij0123456789", "github_pat_11ABCDEFG0123456789_abcdefghij", GITHUB, KEY,
            "sk-proj-SECRETSECRET12",
            "npm_" + "a1" * 18, "hf_" + "aB" * 17, "sk_live_0123456789abcdef",
        )),
    ],
)  # fmt: skip
def test_secrets_are_told_by_their_surroundings_and_their_shape(text, wanted):
    assert Mask().text(text) == wanted


@pytest.mark.parametrize(
    "text",
    [
        "Invalid or expired requestState", "Missing Authorization header", "token: invalid", "password: must be set",
        "Unexpected token 'w', \"watering\" is not valid JSON", "max_tokens=100 tokens: 5", "Bearer token required",
        'Bearer error="invalid_token", error_description="x"', "https://shop.example/?state=CA&page=2",
        "error code=5&x=2", "sk-learn-is-a-nice-package-to-have", "nextPageToken=abc123xyz", "token_type=Bearer",
        "Basic authentication is off", "git@github.com:x/y", "--token-file /x/y1", 'the "password" field',
        '"token": {"type": "string"}', '{"required": ["password"]}', "task-0123456789abcdef01234", "password=",
        '"token":null', "token = make_token(1)", "a basic key-value store", "session_token=None",
    ],
)  # fmt: skip
def test_what_only_speaks_of_secrets_is_left_alone(text):
    assert Mask().text(text) == text


@pytest.mark.parametrize(
    "text",
    [
        "a token goes in with --bearer env:NAME",
        "--client-id ID with --client-secret env:NAME signs in",
        "--header 'Authorization: env:NAME' sends any other credentials",
        "--header 'Authorization: Bearer env:MY_TOKEN_2'",
    ],
)
def test_where_a_secret_is_to_be_found_is_none(text):
    assert Mask().text(text) == text


def test_a_known_secret_is_masked_even_if_it_looks_like_a_place():
    assert Mask(["env:TOKEN99"]).text("api_key=env:TOKEN99") == "api_key=•••"
    assert Mask().text("api_key=env:x9/abcdef") == "api_key=•••"


def test_masking_what_is_masked_changes_nothing():
    mask = Mask()
    once = mask.message(message(call(password="x", text=f"API_KEY={KEY} Bearer {GITHUB}"), text="token=•••"))
    assert mask.message(once) == once


def test_env_values_count_when_they_are_long_or_their_name_is_a_secrets():
    env = {"PORT": "3000", "REGION": "eu-central-1", "TOKEN": "abcd", "USE_TOKEN": "1", "NO_PASSWORD": "true", "A": ""}
    assert env_secrets(env) == {"eu-central-1", "abcd"}


def test_names_of_secrets_are_known_in_every_spelling():
    secrets = ["API_KEY", "apiKey", "X-Api-Key", "PGPASSWORD", "clientSecret", "Set-Cookie", "id_token", "requestState"]
    others = ["progressToken", "maxTokens", "token_type", "PWD", "cursor", "author", "key", "code", "state", "id"]
    assert all(map(secret_name, secrets))
    assert not any(map(secret_name, others))


def test_the_secrets_of_an_oauth_session_are_nowhere():
    secrets = [
        "test-token-1796033276118", "test-client-secret", "test-auth-code",
        "qn_wVWYay.OI-CL78lJNGW9ZFurgabEmU6zOGCrRJ1WJa6pnxL1mdxKMgGmj0efOAk57NiyttQnU1uL~4sdxJGjhcZv5aWRDX7gxnx0q8NzqT42En~fjoi5t0Lia0ldu",
    ]  # fmt: skip
    mask, prints = Mask(), {}
    for row in (Path(__file__).parent / "oauth.jsonl").read_text().splitlines():
        seen = json.loads(row)
        try:
            part = {"body": json.loads(seen["raw"] or "null")}
        except ValueError:
            part = {"text": seen["raw"]}
        found = mask.message(message(**part, http={"url": seen["start_line"], "headers": seen["headers"]}))
        everything = json.dumps(found, ensure_ascii=False)
        for secret in secrets:
            assert secret not in everything
            assert quote(secret, safe="") not in everything
        prints |= {(seen["exchange"], pointer): digits for pointer, digits in found.get("fingerprints", {}).items()}
    assert prints[6, "/body/access_token"] == prints[7, "/http/headers/authorization"]


LEAVES = st.none() | st.booleans() | st.integers() | st.text(max_size=8) | st.sampled_from([KEY, GITHUB, "token=x"])
NAMES = st.sampled_from(["password", "token", "name", "value", "text", "url", "mode", "a/b~c", GITHUB])
VALUES = st.recursive(
    LEAVES, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3), max_leaves=8
)


@settings(max_examples=150, deadline=None)
@given(VALUES)
def test_masking_keeps_the_shape_of_any_value_and_names_every_place(value):
    found = masked({"result": value})
    everything = json.dumps(found)
    assert KEY not in everything
    assert GITHUB not in everything
    assert bool(found.get("redacted")) == (found["body"] != {"result": value})
    for pointer in found.get("redacted", ()):
        place = at(found, pointer)
        assert "•••" in pointer or "•••" in place


@settings(max_examples=60, deadline=None)
@given(VALUES, VALUES)
def test_a_mask_that_has_seen_a_message_before_masks_the_next_one_no_less(before, value):
    used = Mask()
    used.message(message({"result": before}))
    found, again = (used.message(message({"result": value})) for _ in range(2))
    assert found == again
    assert set(found.get("redacted", ())) >= set(masked({"result": value}).get("redacted", ()))


def test_what_was_harmless_is_masked_once_it_is_known_as_a_secret():
    mask = Mask()
    door = "pale blue door"
    ask = message({"method": "m", "params": {"note": door, "list": [door], door: 1}})
    assert "redacted" not in mask.message(ask)
    mask.remember(door)
    assert set(mask.message(ask)["redacted"]) == {"/body/params/note", "/body/params/list/0", "/body/params/•••"}


def test_deep_and_wide_values_are_no_matter():
    deep = {"token": "x"}
    for _ in range(20_000):
        deep = {"a": [deep]}
    found = Mask().message(message(deep))
    assert len(found["redacted"]) == 1
    assert "redacted" in Mask().message(message([{"token": "x"}] * 2000))


@pytest.mark.parametrize(
    "part",
    ["a", "=a", "sk-", "eyJ-", "a=b&", "token=", 'token="', "ab://x:y", "bearer ", "cookie ", "-----BEGIN A ", "\\",
     'password=\\"', "--token ", "code=a&state=b&", "authorization: ", '{"password": "aaa", "b": [1]},'],
)  # fmt: skip
def test_hostile_text_costs_as_much_as_it_is_long(part):
    mask = Mask(["abcdefghijk"])
    short, long, huge = (part * (length // len(part)) for length in (4_000, 16_000, 400_000))
    mask.text(huge)  # what goes back and forth in it takes minutes
    assert instructions(lambda: mask.text(long)) < 5 * instructions(lambda: mask.text(short))


def test_a_code_and_a_state_are_recognised_on_their_own_beside_other_secrets():
    """Whether the state that came back is the one that was sent can be told, though both are masked."""
    mask, exchange = Mask(), {"kind": "http", "transport": "http", "exchange": 1}
    sent = mask.message({**exchange, "http": {"method": "GET", "url": "https://as.example/authorize?state=Ab1cD2eF3gH4"}})
    back = "http://127.0.0.1:3000/callback?code=Zz9yX8wV7uT6&state=Ab1cD2eF3gH4"
    came = mask.message({**exchange, "http": {"status": 302, "headers": [["Location", back]]}})
    form = mask.message({**exchange, "text": "code=Zz9yX8wV7uT6&code_verifier=Qq5rS4tU3vW2&client_id=me"})
    assert came["http"]["headers"] == [["Location", "http://127.0.0.1:3000/callback?code=•••&state=•••"]]
    assert came["fingerprints"]["/http/headers/location/state"] == sent["fingerprints"]["/http/url"]
    assert came["fingerprints"]["/http/headers/location/code"] == form["fingerprints"]["/text/code"]


def test_what_a_session_id_may_not_hold_stays_to_be_seen():
    headers = [["Mcp-Session-Id", "Ab1cD2eF\x07 3gH4"], ["mcp-session-id", "x"]]
    head = {"kind": "http", "http": {"status": 200, "headers": headers}}
    found = Mask().message(head)
    assert [value for _, value in found["http"]["headers"]] == ["•••\x07 •••", "•••"]
    assert Mask().message(found) == found
