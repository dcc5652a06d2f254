"""The demo under a public name: over TLS, with its authorization server, reached by `--connect-to`."""

import importlib.util
import json
from pathlib import Path

import pytest

from flowgen.demo.__main__ import main

SAMPLES = Path(__file__).parents[2] / "samples"


def staged():
    spec = importlib.util.spec_from_file_location("staged", SAMPLES / "staged.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_servers_of_a_config_are_recorded_under_the_names_of_their_vendor():
    pytest.importorskip("cryptography")
    trace = json.loads(staged().recorded(SAMPLES / "architecture"))
    urls = {message["http"]["url"] for message in trace["messages"] if "url" in message.get("http", {})}
    told = {url.partition("?")[0] for url in urls if not url.startswith("/")}
    assert {"https://mcp.tracker.example/mcp", "https://auth.tracker.example/token"} <= told
    assert trace["outcome"]["complete"] and "--connect-to" in trace["command"]


@pytest.mark.parametrize("options", [
    ["--origin", "https://a.example"], ["--http", "0", "--origin", "https://a.example"],
    ["--http", "0", "--certificate", __file__], ["--http", "0", "--auth-origin", "https://a.example"],
])  # fmt: skip
def test_a_public_name_needs_a_certificate(options, capsys):
    assert main(options) == 2 and "hint:" in capsys.readouterr().err
