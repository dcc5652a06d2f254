"""How the rules of authorization are broken, in a session that signs in, calls, and signs in once more for a scope."""

from collections.abc import Callable
from copy import deepcopy

from tests.check.breaking_http import of_exchange, put
from tests.check.tape import Json, Tape
from tests.check.violations import breaks

CHALLENGED, RESOURCE, SERVER, REGISTERED, AUTHORIZED, REDEEMED = 1, 2, 3, 4, 5, 6  # exchanges
REFUSED, AUTHORIZED_AGAIN, REDEEMED_AGAIN = 10, 11, 12
AUTHORIZATION = "/http/headers/authorization"
ELSEWHERE = "http://127.0.0.1:35642"

# the way to a token


@breaks("oauth")
def oauth_metadata_unreachable(tape: Tape) -> None:
    answer = half(tape, RESOURCE, 1)
    answer["http"]["status"] = 404
    del answer["body"]


@breaks("oauth")
def oauth_resource_missing(tape: Tape) -> None:
    cut(half(tape, REDEEMED), "resource")


@breaks("oauth")
def oauth_pkce(tape: Tape) -> None:
    cut(half(tape, AUTHORIZED), "code_challenge")
    cut(half(tape, AUTHORIZED), "code_challenge_method")


@breaks("oauth")
def oauth_pkce_unadvertised(tape: Tape) -> None:
    del half(tape, SERVER, 1)["body"]["code_challenge_methods_supported"]


@breaks("oauth", "oauth-iss-mismatch")
def oauth_issuer_mismatch(tape: Tape) -> None:
    half(tape, SERVER, 1)["body"]["issuer"] = ELSEWHERE


@breaks("oauth")
def oauth_iss_mismatch(tape: Tape) -> None:
    change(half(tape, AUTHORIZED, 1), lambda url: url.replace("35641", "35642"))


@breaks("oauth")
def oauth_state(tape: Tape) -> None:
    half(tape, AUTHORIZED, 1)["fingerprints"]["/http/headers/location/state"] = "00000000"


@breaks("oauth")
def oauth_plain_http(tape: Tape) -> None:
    half(tape, SERVER, 1)["body"]["revocation_endpoint"] = "http://as.example/revoke"


@breaks("oauth")
def oauth_credentials_moved(tape: Tape) -> None:
    half(tape, RESOURCE, 1)["body"]["authorization_servers"].append(ELSEWHERE)
    other = deepcopy(of_exchange(tape, half(tape, SERVER)))
    for message in other:
        message["exchange"] = 99
    other[1]["body"] = {name: value.replace("http://127.0.0.1:35641", ELSEWHERE) if isinstance(value, str) else value
                        for name, value in other[1]["body"].items()}  # fmt: skip
    change(other[0], lambda url: url.replace("35641", "35642"))
    for message in (half(tape, AUTHORIZED_AGAIN), half(tape, AUTHORIZED_AGAIN, 1), half(tape, REDEEMED_AGAIN)):
        change(message, lambda url: url.replace("35641", "35642"))
    tape.after(half(tape, REFUSED, 1), *other)


@breaks("oauth")
def oauth_application_type(tape: Tape) -> None:
    del half(tape, REGISTERED)["body"]["application_type"]


# tokens


@breaks("oauth")
def oauth_token_in_query(tape: Tape) -> None:
    tape.request("tools/list")["http"]["url"] += "?access_token=•••"


@breaks("oauth")
def oauth_bearer_missing(tape: Tape) -> None:
    put(tape.request("tools/list"), "Authorization", None)


@breaks("oauth", "oauth-resource-missing")
def oauth_token_foreign(tape: Tape) -> None:
    change(half(tape, REDEEMED), lambda form: form.replace("39391", "39392"))


@breaks("oauth")
def token_passthrough(tape: Tape) -> None:
    call = tape.request("tools/call")
    tape.document["participants"].append({"id": "api", "role": "api"})
    head = {"method": "GET", "url": "https://api.example/issues", "headers": [["Authorization", "Bearer •••"]]}
    onward = {"kind": "http", "transport": "http", "exchange": 98, "sender": "server", "receiver": "api",
              "redacted": call["redacted"], "fingerprints": call["fingerprints"], "http": head}  # fmt: skip
    tape.after(call, onward)


@breaks("oauth")
def oauth_step_up_scope(tape: Tape) -> None:
    change(half(tape, AUTHORIZED_AGAIN), lambda url: url.replace("issues%3Aread%20", ""))


@breaks("oauth")
def oauth_step_up_loop(tape: Tape) -> None:
    refused = of_exchange(tape, half(tape, REFUSED))
    for exchange in (97, 96, 95):
        again = [{**deepcopy(message), "exchange": exchange} for message in refused]
        tape.after(half(tape, REFUSED, 1), *again)


@breaks("oauth")
def secret_visible(tape: Tape) -> None:
    message = tape.request("tools/list")
    put(message, "Authorization", "Bearer eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhZGEifQ.c2lnbmF0dXJlLW9mLWFkYQ")
    message["redacted"].remove(AUTHORIZATION)
    del message["fingerprints"][AUTHORIZATION]


def half(tape: Tape, exchange: int, place: int = 0) -> Json:
    """What was sent in an exchange, or what came back."""
    return [each for each in tape.messages if each.get("exchange") == exchange][place]


def cut(message: Json, name: str) -> None:
    """Takes a parameter out of a query or a form."""
    change(message, lambda text: "&".join(pair for pair in text.split("&") if pair.split("=")[0] != name))


def change(message: Json, edit: Callable[[str], str]) -> None:
    """Edits the address of a request and what it sends, or where an answer leads."""
    if "text" in message:
        message["text"] = edit(message["text"])
    if "url" in message["http"]:
        message["http"]["url"] = edit(message["http"]["url"])
    message["http"]["headers"] = [[name, edit(value) if name == "location" else value]
                                  for name, value in message["http"]["headers"]]  # fmt: skip
