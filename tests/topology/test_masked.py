"""Texts of descriptions: what is surely a secret is taken out, and prose about tokens stays."""

import json

import pytest

from flowgen.errors import ConfigError
from flowgen.topology import read
from flowgen.topology._masked import masked

SECRET = "zzcanary1234zz"


@pytest.mark.parametrize(
    "text",
    [
        "Bearer by reference", "secret: env", "token in the path ••••", "Bearer ••••, in the file", "password: vault",
        "own token, no passthrough", "key file", "Basic auth", "OAuth 2.1 + PKCE", "--token-file /run/x",
        "MAX_TOKENS=4000", "https://v.example/mcp?tab=key", "uvx x --token --y", "API key: kept in a vault",
        "auth:30000000",
    ],
)  # fmt: skip
def test_prose_stays(text):
    assert masked(text) == text


@pytest.mark.parametrize(
    "text",
    [
        f"https://u:{SECRET}@v.example/mcp", f"v.example/mcp?token={SECRET}&x=1", f"x --api-key {SECRET} -y",
        f"TOKEN={SECRET} x",
        f"Authorization: Bearer {SECRET}", f"POST, Bearer {SECRET}",
        "ghp_" + "aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5",
    ],
)  # fmt: skip
def test_a_secret_does_not(text):
    assert SECRET not in masked(text) and "ghp_" not in masked(text)


def test_descriptions_of_both_forms_show_no_secret():
    short = f"flowgen: topology\nserver a {SECRET}=x: https://u:{SECRET}@v.example/\nclient b:\nflows:\n"
    short += f"  - {{from: b, to: 'a {SECRET}=x', label: [http, 'Bearer {SECRET}']}}\n"
    whole = {"format": "flowgen.topology/1", "title": f"TOKEN={SECRET}",
             "nodes": [{"id": "a", "kind": "server", "title": "a", "lines": [f"x --token {SECRET}"]}]}  # fmt: skip
    told = read([("a.json", json.dumps(whole).encode())]).model_dump_json()
    assert SECRET not in told and "••••" in told
    told = read([("a.yaml", short.replace(f"{SECRET}=x", "x").encode())]).model_dump_json()
    assert SECRET not in told and "••••" in told


def test_what_stands_twice_in_a_description_is_told():
    text = b"flowgen: topology\nserver a: x\nserver a: y\n"
    with pytest.raises(ConfigError, match=r"d.yaml:3: 'server a' stands twice"):
        read([("d.yaml", text)])
    merged = b"flowgen: topology\nserver a: &a {lines: [x], auth: none}\nserver b: {<<: *a, auth: oauth}\n"
    assert [node.auth for node in read([("d.yaml", merged)]).nodes] == ["none", "oauth"]
