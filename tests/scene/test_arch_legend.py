"""The legend of an architecture picture: it says only what holds for every line of a kind."""

import pytest

from flowgen.scene import Options, Text, architecture, flat
from flowgen.topology import Topology
from tests.scene.topologies import Config


def texts(topology: Topology, style: str = "") -> list[str]:
    shapes = flat(architecture(topology, Options()).shapes)
    return [text.text for text in shapes if isinstance(text, Text) and text.style.startswith(style)]


@pytest.mark.parametrize(
    ("flows", "said"),
    [
        ([("https", "POST", "Bearer ••••")], "HTTPS with Bearer token"), ([("https", "POST")], "HTTPS"),
        ([("https", "POST", "Bearer: placeholder")], "HTTPS"),
        ([("near", "http, loopback", "Bearer ••••")], "HTTP on this machine with Bearer token"),
        ([("near", "http, loopback"), ("https", "POST", "Bearer ••••")], "HTTPS, on this machine HTTP"),
        ([("not told", "POST")], "HTTP, TLS not known"), ([("not told", "POST"), ("https", "POST")], "HTTP(S)"),
    ],
)  # fmt: skip
def test_the_legend_says_of_http_what_holds_for_every_line(flows: list[tuple[str, ...]], said: str) -> None:
    made = Config()
    for number, (way, *label) in enumerate(flows):
        if way == "near":
            node = made.local(f"s{number}", "127.0.0.1", kind="http", label=label[0])
            made.said["flows"][-1]["label"] = label
            assert node
        else:
            tls = True if way == "https" else None
            made.remote(f"s{number}", "a.example", made.vendor("a.example"), label=tuple(label), tls=tls)
    legend = texts(made.document(), "arch.legend")
    assert said in legend and len([text for text in legend if text.startswith("HTTP")]) == 1


@pytest.mark.parametrize(("off", "said"), [
    ("near", "disabled: not started"), ("far", "disabled: not connected"), ("near far", "disabled"),
])  # fmt: skip
def test_the_legend_says_of_what_is_disabled_what_holds_for_all_of_it(off: str, said: str) -> None:
    made = Config()
    for each in off.split():
        if each == "near":
            made.local("a", "npx a", disabled=True)
        else:
            made.remote("b", "b.example", made.vendor("b.example"), disabled=True)
    assert said in texts(made.document(), "arch.legend")


@pytest.mark.parametrize(("label", "said"), [
    ("server's own token", "upstream, own token"), ("own Bearer", "upstream, own token"), ("Bearer ••••", "upstream"),
])  # fmt: skip
def test_a_token_upstream_is_called_the_servers_own_only_where_it_is_told(label: str, said: str) -> None:
    made = Config()
    server = made.remote("a", "a.example", made.vendor("a.example"))
    made.flow(server, made.node("api", "api", "API", "vendor:a.example"), "own-token", label)
    assert said in texts(made.document(), "arch.legend")
