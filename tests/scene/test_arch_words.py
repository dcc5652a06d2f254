"""The words of an architecture picture in its language, and its colours."""

import pytest

from flowgen.check._rules import rules
from flowgen.scene import Options, Text, architecture, flat, theme, theme_names
from flowgen.scene._arch_said import said
from flowgen.scene._arch_styles import LINES, NODES, SEVERITIES, TONES, ZONES
from flowgen.scene._arch_words import zone_title
from flowgen.scene._styles import STYLES
from flowgen.scene._words import words
from flowgen.topology import Topology, Zone
from tests.scene.test_theme import contrast
from tests.scene.topologies import Config, nine, three, two_hosts


def texts(topology: Topology, **options: object) -> set[str]:
    scene = architecture(topology, Options(**options))  # type: ignore[arg-type]
    return {text.text for text in flat(scene.shapes) if isinstance(text, Text)}


def test_a_chinese_picture_says_in_chinese_what_flowgen_wrote() -> None:
    told = texts(nine(), lang="zh")
    assert {"开发者", "审批调用", "模型", "沙箱：容器", "供应商：boards.example", "文件中无令牌"} <= told
    assert {"未固定版本", "按需 OAuth", "运行时发现", "files：可读取整个主目录或磁盘", "由宿主转发的工具调用"} <= told
    assert "一个服务器，两个宿主" in texts(two_hosts(), lang="zh")


def test_names_of_a_file_stay_as_they_are() -> None:
    made = Config()
    made.local("Model", "uvx upstream", "1 folder", call="approval")
    assert {"Model", "uvx upstream", "approval"} <= texts(made.document(), lang="zh")


def test_no_english_sentence_is_left_in_a_chinese_picture() -> None:
    made = {text for name in (nine, three, two_hosts) for text in texts(name(), lang="zh")}
    left = {
        text
        for text in made
        if text.count(" ") > 2 and text.isascii() and "example" not in text and "json" not in text
    }
    assert left <= {"MCP architecture with trust boundaries", "OAuth 2.1 + PKCE"}


def test_texts_are_known_by_their_exact_words() -> None:
    how = words("zh")
    assert (
        said("Bearer by reference", how) == "Bearer，引用"
        and said("X-Key: placeholder", how) == "X-Key：占位符"
    )
    assert said("OAuth for all", how) == "OAuth for all" and said("no auth", words("en")) == "no auth"


@pytest.mark.parametrize(
    ("kind", "title", "shown"),
    [
        ("vendor", "a.example", "Vendor: a.example"), ("vendor", "Vendor: a.example", "Vendor: a.example"),
        ("unknown", "address is a variable", "? address is a variable"), ("machine", "Laptop", "Laptop"),
        ("sandbox", "Sandbox: container", "Sandbox: container"),
        ("idp", "idp.example", "Identity provider: idp.example"),
    ],
)  # fmt: skip
def test_a_frame_says_its_kind_once(kind: str, title: str, shown: str) -> None:
    assert zone_title(Zone.model_validate({"id": "z", "kind": kind, "title": title}), words("en")) == shown


@pytest.mark.parametrize("mode", ["light", "dark"])
@pytest.mark.parametrize("name", theme_names())
def test_everything_can_be_read_in_every_theme(name: str, mode: str) -> None:
    found = theme(f"{name}:{mode}")
    colours, least = found.light if mode == "light" else found.dark, 7 if name == "high-contrast" else 4.5
    pairs = [("title", f"arch.node.{kind}.fill") for kind in NODES] + [
        ("mut", f"arch.node.{kind}.fill") for kind in NODES
    ]
    pairs += [(f"arch.zone.{kind}.title", f"arch.zone.{kind}.fill") for kind in ZONES]
    pairs += [(role, "card") for role in {STYLES[f"arch.label.{kind}.text"].fill or "" for kind in LINES}]
    pairs += [(f"arch.badge.{tone}.text", f"arch.badge.{tone}.fill") for tone in TONES]
    pairs += [("bg", f"arch.mark.{severity}") for severity in SEVERITIES] + [
        (f"arch.mark.{each}", "box") for each in SEVERITIES
    ]
    assert not [
        (a, b, contrast(colours[a], colours[b])) for a, b in pairs if contrast(colours[a], colours[b]) < least
    ]


@pytest.mark.parametrize("mode", ["light", "dark"])
@pytest.mark.parametrize("name", theme_names())
def test_every_line_and_frame_can_be_seen_in_every_theme(name: str, mode: str) -> None:
    found = theme(f"{name}:{mode}")
    colours = found.light if mode == "light" else found.dark
    lines = {STYLES[f"arch.line.{kind}"].stroke or "" for kind in LINES}
    edges = [
        *(f"arch.zone.{kind}.stroke" for kind in ZONES),
        *(f"arch.node.{kind}.stroke" for kind in NODES),
        *lines,
    ]
    assert not [
        (role, contrast(colours[role], colours["bg"]))
        for role in edges
        if contrast(colours[role], colours["bg"]) < 3
    ]
    assert not [role for role in lines if contrast(colours[role], colours["arch.zone.machine.fill"]) < 3]


def test_findings_are_said_in_chinese_with_the_names_that_they_tell() -> None:
    made = Config()
    made.local("files", "npx", call="read")
    made.found("home-directory-access", "high", "files", "may read a whole home or drive: ~, /mnt/c")
    made.found("unpinned-package", "medium", "files", "the bridge's package mcp-remote is not pinned to a version")
    made.found("secret-in-file", "high", "files", "secret written in the file: A, B, C, D and 2 more")
    made.found("my-own", "low", "files", "my own words")
    told = texts(made.document(), lang="zh")
    assert {"files：可读取整个主目录或磁盘：~, /mnt/c", "files：桥接的软件包 mcp-remote 未固定版本"} <= told
    assert {"files：密钥写在文件中：A, B, C, D 及另外 2 项", "files：my own words"} <= told


def test_every_rule_has_its_sentences_and_its_advice_in_both_languages() -> None:
    for name, rule in rules().items():
        for case, text in rule.sentences.items():
            key = f"arch.finding.{name}" + ("" if case == "message" else f".{case}")
            assert words("en").main[key] == text and key in words("zh").main
        assert words("en").main[f"arch.advice.{name}"] == rule.advice
