import re
import tomllib
from pathlib import Path

import pytest

from flowgen.errors import ThemeError
from flowgen.scene._found import theme_file
from flowgen.scene._text import has_cjk
from flowgen.scene._words import LANGUAGES, words

_SOURCES = Path(__file__).parents[2] / "flowgen"


def _texts(lang: str) -> dict[str, str]:
    return {key: text for key, text in _file(lang).items() if key != "second"}


def _file(lang: str) -> dict[str, str]:
    return tomllib.loads(theme_file(f"lang/{lang}.toml").read_text("utf-8"))


def _holes(text: str) -> set[str]:
    return set(re.findall(r"\{(\w+)", text))


def test_both_languages_have_the_same_keys_in_the_same_order() -> None:
    assert list(_texts("en")) == list(_texts("zh"))


def test_what_is_said_beside_a_word_belongs_to_a_known_key() -> None:
    assert set(_file("zh")["second"]) <= set(_texts("en"))


@pytest.mark.parametrize("key", _texts("en"))
def test_both_languages_ask_for_the_same_values(key: str) -> None:
    assert _holes(_texts("en")[key]) == _holes(_texts("zh")[key])


def test_english_holds_no_chinese() -> None:
    assert not [key for key, text in _texts("en").items() if has_cjk(text)]


def test_the_pictures_title_is_the_same_in_all_languages() -> None:
    titles = {words(lang)("title.flow") for lang in LANGUAGES}
    assert titles == {"MCP Architecture - Client-Server Interaction Flow"}


def test_one_language_says_nothing_beside() -> None:
    assert words("en").second("lane.client") is None
    assert words("zh").second("lane.client") is None


def test_english_with_chinese_beside_it_says_both_as_in_the_target() -> None:
    both = words("en+zh")
    assert (both("lane.client"), both.second("lane.client")) == ("MCP Client", "客户端")
    assert (both("legend.ntf"), both.second("legend.ntf")) == ("Notification", "通知 · 虚线")
    assert (both("legend.lane.client"), both.second("legend.lane.client")) == ("Client", None)


def test_chinese_keeps_client_and_server_in_latin_letters() -> None:
    assert words("zh")("lane.server") == "MCP Server（服务器）"
    assert [words("zh")(f"pill.{kind}") for kind in ("request", "response", "notification")] == [
        "请求",
        "响应",
        "通知",
    ]


def test_where_there_is_little_room_chinese_names_are_chinese_only() -> None:
    said = [words(lang).short(f"lane.{role}") for lang in LANGUAGES for role in ("client", "auth")]
    assert said == ["MCP Client", "Auth Server", "客户端", "授权服务器", "MCP Client", "Auth Server"]


def test_counts_choose_the_right_word() -> None:
    say = words("en")
    assert say("subtitle.messages", n=1) == "1 message"
    assert say("subtitle.messages", n=9) == "9 messages"
    assert say("json.lines", n=1) == "… 1 more line"


def test_a_part_without_its_value_is_left_out() -> None:
    say = words("en")
    who = {"messages": 9, "left": "MCP Client", "right": "MCP Server"}
    assert say("desc", steps=4, **who) == "4 steps, 9 messages between MCP Client and MCP Server."
    assert say("desc", steps=0, **who) == "9 messages between MCP Client and MCP Server."


def test_braces_in_a_value_stay_what_they_are() -> None:
    assert words("en")("pause", time="{n} [[x]]") == "pause {n} [[x]]"


def test_an_unknown_key_or_a_missing_value_is_a_mistake_of_ours() -> None:
    with pytest.raises(KeyError):
        words("en")("no.such.key")
    with pytest.raises(KeyError):
        words("en")("pause")


def test_a_file_that_was_not_shipped_is_said_so() -> None:
    with pytest.raises(ThemeError, match=r"lang/xx\.toml"):
        theme_file("lang/xx.toml")


def test_every_word_is_used_somewhere() -> None:
    """A key stands whole in the code, or begins with a literal that the code completes (`lane.{role}`)."""
    files = [path for kind in ("py", "js", "j2") for path in _SOURCES.rglob(f"*.{kind}")]
    code = "\n".join(path.read_text("utf-8") for path in files)
    begins = tuple(re.findall(r"""(?:f["']|`)([a-z.-]+\.)\$?\{""", code))
    unused = [key for key in _texts("en") if f'"{key}"' not in code and f"'{key}'" not in code]
    assert [key for key in unused if not key.startswith(begins)] == []
