"""The line over an arrow: what its pill and chips say, and that they leave room for each other."""

from typing import Any

import pytest

from flowgen import api
from flowgen.scene import Code, Line, Rect, Text, columns, flat, has_cjk, width
from flowgen.scene._headline import headline
from flowgen.scene._parts import Chip, chips_width
from flowgen.trace import Trace
from tests.traces import Message, answers, asks, text_message, trace_of

LONG = ["response-to-notification", "wrong-content-type", "id-type-changed", "中" * 60, "x" * 999]


def with_problems(message: Message, *codes: str) -> Message:
    return {**message, "problems": [{"code": code} for code in codes]}


def half(sender: str, http: dict[str, Any], **fields: Any) -> Message:
    receiver = "server" if sender == "client" else "client"
    return {"sender": sender, "receiver": receiver, "kind": "http", "http": http, **fields}


def texts(trace: Trace, style: str, **options: Any) -> list[str]:
    shapes = flat(api.drawing(trace, **options).scene.shapes)
    return [shape.text for shape in shapes if isinstance(shape, Text) and shape.style == style]


@pytest.mark.parametrize(
    ("value", "chip"),
    [
        (True, "id true"), (None, "id null"), (1.5, "id 1.5"), ({"a": [1]}, 'id {"a":[1]}'), (["é"], 'id ["é"]'),
        ("1", 'id "1"'), (10**40, "id 10000000000000000…"),
        ("中" * 30, 'id "中中中中中中中…'), ("\u202e", 'id "U+202E"'),
    ],
)  # fmt: skip
def test_an_id_is_shown_as_json_and_never_wider_than_its_place(value: object, chip: str) -> None:
    assert chip in texts(trace_of(asks("ping", value)), "chip.text")


@pytest.mark.parametrize("state", ["answered", "unanswered"])
@pytest.mark.parametrize("codes", [LONG[:1], LONG[:2], LONG[:3], LONG[3:], LONG])
def test_chips_leave_room_for_pill_and_title(codes: list[str], state: str) -> None:
    request = with_problems(asks("tools/call", "an-id-of-twenty-four-xxx", name="n"), *codes)
    answer = [with_problems(answers("an-id-of-twenty-four-xxx"), *codes)] if state == "answered" else []
    shapes = list(flat(api.drawing(trace_of(request, *answer), times="latency").scene.shapes))
    chips = [shape for shape in shapes if isinstance(shape, Rect) and shape.style.startswith("chip")]
    pills = [shape for shape in shapes if isinstance(shape, Rect) and shape.style.startswith("pill")]
    assert min(chip.x for chip in chips) > max(pill.x + pill.width for pill in pills) + 60


def test_problems_that_find_no_room_are_counted() -> None:
    request = with_problems(asks("ping", "a-long-id"), *LONG[:3])
    assert texts(trace_of(request, answers("other")), "chip.problem.text") == [LONG[0], "+2", "no answer"]


@pytest.mark.parametrize(
    ("http", "word"),
    [
        ({"method": "DELETE", "url": "/mcp"}, "DELETE"), ({"method": "G\0ET"}, "GU+0000…"),
        ({"method": "VERYLONGMETHOD"}, "VERYLON…"), ({"status": 10**30}, "1000000…"), ({}, "HTTP"),
    ],
)  # fmt: skip
def test_the_pill_of_an_http_half_is_short_and_clean(http: dict[str, Any], word: str) -> None:
    trace = trace_of(half("client", http))
    pills = [text for kind in ("req", "res", "err") for text in texts(trace, f"pill.{kind}.text")]
    assert pills == [word]


def test_a_stream_that_closes_is_no_request() -> None:
    closed = half("server", {}, body={"event": "stream-closed", "by": "server"}, exchange=1)
    trace = trace_of({**asks("ping"), "exchange": 1}, with_problems(closed, "stream-closed"))
    assert texts(trace, "pill.loc.text") == ["HTTP"]
    assert "the server closes the stream" in texts(trace, "label")


@pytest.mark.parametrize(("size", "chip"), [(5, "5 B"), (70_000, "68 KB"), (10**12, "953,674 MB"), (10**300, "…")])
def test_noise_says_how_many_bytes_it_was(size: int, chip: str) -> None:
    assert chip in texts(trace_of({**text_message("noise", "x"), "size": size}), "chip.text")


@pytest.mark.parametrize("method", ["m" * 2000, "a b " * 500, "中" * 2000, "\u202e" * 400, "👩‍👩‍👧" * 300])
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_folded_run_of_a_long_method_still_says_how_many_and_what_became_of_them(method: str, lang: str) -> None:
    calls = [message for number in range(1, 9) for message in (asks(method, number), answers(number, a=number))]
    drawing = api.drawing(trace_of(*calls), lang=lang)
    run = texts(trace_of(*calls), "run.text", lang=lang)
    assert "6" in run[0] and run[-1].endswith("all answered" if lang == "en" else "全部已响应")
    drawn = [shape for shape in flat(drawing.scene.shapes) if isinstance(shape, Rect) and shape.style == "run"]
    (pill,) = [shape for shape in drawn if shape.height >= 28]  # the legend's is lower
    assert 320 <= pill.x and pill.x + pill.width <= 960


def test_noise_that_is_no_text_is_counted_in_its_own_bytes() -> None:
    noise = {**text_message("noise", "/////w=="), "encoding": "base64"}
    assert "4 B" in texts(trace_of(noise), "chip.text")


def test_json_that_is_no_message_is_not_called_no_json_and_is_drawn() -> None:
    odd = {"sender": "server", "receiver": "client", "kind": "noise", "body": [1, "x"]}
    trace = trace_of(with_problems(odd, "not-json-rpc"))
    assert texts(trace, "pill.warn.text") == ["NOT JSON-RPC"]
    assert "7 B" in texts(trace, "chip.text")
    codes = [shape for shape in flat(api.drawing(trace).scene.shapes) if isinstance(shape, Code)]
    assert ["".join(token[2] for token in code.tokens) for code in codes] == ['[1,"x"]']


def test_a_message_too_large_to_keep_says_how_large_it_was() -> None:
    large = {**answers(9), "size": 9 << 20, "head": {"id": 9}, "text": '{"jsonrpc":"2.0","id":9,'}
    del large["body"]
    assert {"9 MB", "id 9"} <= set(texts(trace_of(with_problems(large, "too-large")), "chip.text"))


@pytest.mark.parametrize("text", ["id 7", "无 id", 'id "中文"', 'id "WWWW中"', "无响应", "é", "👩‍👩‍👧", "→中"])
def test_a_chip_is_as_wide_as_its_letters_in_either_font(text: str) -> None:
    chip = Chip(text)
    assert width(text, 11) + 14 <= chip.width or not has_cjk(text)
    assert columns(text) * 6.62 + 14 <= chip.width + 0.1


@pytest.mark.parametrize(("kind", "chips"), [("text/html", ["12 B"]), ("application/x-www-form-urlencoded", [])])
def test_a_page_where_json_was_expected_says_how_large_it_is(kind: str, chips: list[str]) -> None:
    page = half("server", {"status": 502, "headers": [["Content-Type", kind]]}, text="grant_type=x")
    assert texts(trace_of(page), "chip.text") == chips


@pytest.mark.parametrize("form", ["duo", "ledger"])
def test_the_legend_shows_http_alone_in_a_colour_that_occurs(form: Any) -> None:
    def thin(trace: Trace) -> set[str]:
        shapes = flat(api.drawing(trace, form=form).scene.shapes)
        return {shape.style for shape in shapes if isinstance(shape, Line) and shape.style.endswith(".thin")}

    post = {**asks("ping"), "transport": "http", "exchange": 1, "http": {"method": "POST", "url": "http://a/mcp"}}
    denied, fine = (half("server", {"status": status}, exchange=1, transport="http") for status in (401, 204))
    assert thin(trace_of(post, denied)) == {"line.err.thin"}
    assert thin(trace_of(post, denied, {**post, "exchange": 2}, {**fine, "exchange": 2})) >= {"line.res.thin"}


def test_a_long_title_ends_before_its_chips_in_the_widest_of_the_usual_fonts():
    chips = [Chip("id 3")]
    shapes = flat(list(headline(0, 500, 0, "REQUEST", "req", "addArguments " * 20, chips)))
    title = next(shape for shape in shapes if isinstance(shape, Text) and shape.text.startswith("addArg"))
    assert title.x + width(title.text, 14.5, 700) / 0.96 < 500 - chips_width(chips)
