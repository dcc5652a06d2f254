import codecs
import json
import os
import stat

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flowgen.errors import TraceError
from flowgen.trace import Mask, Trace, document_bytes, lines, load, save
from flowgen.wire import LineReader
from tests.costs import instructions

DOCUMENT = {
    "format": "flowgen.trace/1",
    "recorded_at": "2026-11-30T10:00:00.000Z",
    "recorder": "flowgen record 1.0",
    "command": ["python3", "server.py", "é"],
    "participants": [{"id": "client", "role": "client"}, {"id": "server", "role": "server", "title": "demo 1.0 …"}],
    "messages": [
        {"seq": 1, "at": 0.031, "sender": "client", "receiver": "server", "kind": "request", "transport": "stdio",
         "body": {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}, "problems": [], "later": {"field": True}},
        {"seq": 2, "at": 0.04, "sender": "server", "receiver": "client", "kind": "noise", "transport": "stdio",
         "text": "\ud83d ü \u2028 \0", "problems": [{"code": "not-json", "message": "No JSON."}]},
        {"seq": 3, "at": 0.05, "sender": "server", "receiver": "client", "kind": "http", "transport": "http",
         "http": {"status": 401, "headers": [["A", "1"], ["a", "2"]]}},
    ],
    "outcome": {"complete": True, "reason": "done", "exit_code": 0},
}  # fmt: skip
WHOLE = document_bytes(DOCUMENT)
ROWS = list(lines(DOCUMENT))


def changed(**members):
    return json.dumps({**DOCUMENT, **members}).encode()


def first(**fields):
    return changed(messages=[{**DOCUMENT["messages"][0], **fields}])


def told(data, name="trace.json"):
    with pytest.raises(TraceError) as caught:
        load(data, name)
    assert "\n" not in str(caught.value)
    assert caught.value.hint
    return str(caught.value)


def dumped(trace):
    return trace.model_dump(exclude_unset=True)


def test_a_document_comes_back_as_it_was_written_with_fields_nobody_knows():
    trace = load(WHOLE)
    assert isinstance(trace, Trace)
    assert json.loads(json.dumps(dumped(trace))) == DOCUMENT


def test_a_document_has_a_message_on_a_line():
    assert len(WHOLE.splitlines()) == len(DOCUMENT) + len(DOCUMENT["messages"]) + 3
    assert json.loads(WHOLE) == DOCUMENT


def test_both_layouts_hold_the_same():
    assert load(b"".join(ROWS)) == load(WHOLE)


@pytest.mark.parametrize("bom", [codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE])
@pytest.mark.parametrize("data", [WHOLE, b"".join(ROWS)], ids=["document", "lines"])
def test_what_powershell_makes_of_it_is_read(bom, data):
    encoding = {codecs.BOM_UTF8: "utf-8", codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}[bom]
    text = data.decode().replace("\n", "\r\n")
    assert load(bom + text.encode(encoding)) == load(WHOLE)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_lines_cut_anywhere_after_the_first_load_up_to_the_cut(encoding):
    data = b"".join(ROWS).decode().encode(encoding)
    first = len(ROWS[0].decode().encode(encoding))
    full = load(data)
    for length in range(first, len(data)):
        trace = load(data[:length])
        assert trace.messages == full.messages[: len(trace.messages)]
        if trace.outcome != full.outcome:
            assert dumped(trace)["outcome"] == {"complete": False, "reason": "cut"}
    assert len(load(data[:first]).messages) == 0


def test_problems_known_late_are_put_back_on_their_messages():
    outcome = {"complete": False, "reason": "timed-out"}
    late = {"outcome": outcome, "problems": {"1": [{"code": "unanswered", "message": "x"}]}}
    trace = load(b"".join([*ROWS[:-1], json.dumps(late).encode()]))
    assert [message.codes for message in trace.messages] == [["unanswered"], ["not-json"], []]


def test_numbers_that_json_has_not_are_read_as_null():
    data = WHOLE.replace(b'"tools/list"', b'"tools/list", "params": [NaN, 1e999, ' + b"7" * 5000 + b"]")
    assert load(data).messages[0].body["params"] == [None, None, None]


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"", "trace.json: the file is empty"),
        (b"[]", "trace.json: expected an object, found a list"),
        (b"{}", 'trace.json: format: expected "flowgen.trace/1", found nothing'),
        (changed(format="other/1"), 'trace.json: format: expected "flowgen.trace/1", found "other/1"'),
        (changed(format="flowgen.trace/2"), "flowgen.trace/2 is newer than flowgen.trace/1"),
        (b'{"format": "flowgen.trace/2", "entries": []}', "flowgen.trace/2 is newer than flowgen.trace/1"),
        (first(kind="a"), "messages.0.kind: expected 'request', 'resp"),
        (changed(messages=[{"seq": 1}]), "trace.json: messages.0.sender: is missing"),
        (changed(messages=5), "trace.json: messages: expected a list, found 5"),
        (first(seq="1"), 'messages.0.seq: expected a whole number, found "1"'),
        (first(seq=True), "messages.0.seq: expected a whole number, found true"),
        (first(seq=1.5), "messages.0.seq: expected a whole number, found 1.5"),
        (first(at="inf"), 'messages.0.at: expected a number, found "inf"'),
        (changed(messages=DOCUMENT["messages"] * 2), "trace.json: messages.3.seq: 1 is that of messages.0 already"),
        (first(http=[]), "messages.0.http: expected an object, found a list"),
        (changed(outcome={"complete": "yes", "reason": "done"}), 'complete: expected true or false, found "yes"'),
        (changed(participants=[{"id": "a", "role": "boss\n\u202e"}]), "participants.0.role: expected 'client',"),
        (changed(outcome=None), "trace.json: outcome: "),
        (WHOLE[:400], "trace.json: line "),
        (b"\xff\xfe\x00", "trace.json: the file is empty"),
        (b"caf\xe9 au lait", "trace.json: byte 3 is not UTF-8"),
        (ROWS[0] + b"nonsense\n" + ROWS[1], "trace.json: line 2: column 1: no JSON"),
        (ROWS[0] + b"7\n", "trace.json: line 2: expected an object, found 7"),
        (b"".join(ROWS * 2), "trace.json: line 6: a second recording begins here"),
        (changed() + b"\n" + changed(), "trace.json: line 2: a second recording begins here"),
        (changed() + b"\n" + ROWS[1], "trace.json: line 2: a second recording begins here"),
        (b"".join(ROWS) + b'{"outcome": null, "problems": {"9": []}}', "problems.9: expected a list"),
        (WHOLE.replace(b'"tools/list"', b"[" * 999 + b"]" * 999), "nested deeper than"),
    ],
)  # fmt: skip
def test_an_error_names_the_file_the_field_and_what_was_expected(data, text):
    assert text in told(data)


def test_a_document_cut_off_says_what_would_have_helped():
    with pytest.raises(TraceError) as caught:
        load(WHOLE[:300])
    assert "jsonl" in str(caught.value.hint)


WORDS = st.text(max_size=5) | st.just("\ud800")
JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | WORDS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=3),
    max_leaves=6,
)
FIELDS = st.sampled_from(["seq", "at", "kind", "http", "sse", "head", "problems", "text", "step", "\ud800"])
FILES = st.one_of(
    st.binary(max_size=60),
    st.builds(bytes.__add__, st.sampled_from([codecs.BOM_UTF16_LE, codecs.BOM_UTF8]), st.binary()),
    st.builds(lambda at, junk: WHOLE[:at] + junk + WHOLE[at:], st.integers(0, len(WHOLE)), st.binary(max_size=3)),
    st.builds(lambda at, junk: b"".join(ROWS[:at]) + junk, st.integers(0, 5), st.binary(max_size=9)),
    st.dictionaries(st.sampled_from(list(DOCUMENT)), JUNK).map(lambda junk: changed(**junk)),
    st.dictionaries(FIELDS, JUNK).map(lambda junk: first(**junk)),
)


@settings(max_examples=200, deadline=None)
@given(FILES)
def test_every_hostile_file_is_a_trace_or_a_trace_error(data):
    try:
        load(data)
    except TraceError as problem:
        assert "\n" not in str(problem)


ODDITIES = st.sampled_from([b'{"id":1,"result":NaN}', b'{"id":1,"result":"\\ud83d"}', b"\xff", b"[", b"\n"])


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=200) | st.lists(ODDITIES).map(b"".join))
def test_whatever_a_server_writes_can_be_recorded_masked_saved_and_loaded(stream):
    reader, mask = LineReader(), Mask()
    sent = {"at": 0.5, "sender": "server", "receiver": "client"}
    seen = enumerate(reader.feed(stream) + reader.end(), 1)
    parts = [mask.message({"seq": seq, **sent, **part}) for seq, part in seen]
    trace = load(document_bytes({**DOCUMENT, "messages": parts}))
    assert json.loads(json.dumps(dumped(trace)["messages"])) == json.loads(json.dumps(parts))


def test_to_load_a_trace_costs_as_much_as_it_has_messages():
    body = {"jsonrpc": "2.0", "id": 1, "result": {str(number): "x" * 20 for number in range(12)}}
    messages = [{**DOCUMENT["messages"][0], "seq": seq + 1, "body": body} for seq in range(2000)]
    small, large = (document_bytes({**DOCUMENT, "messages": messages[:count]}) for count in (500, 2000))
    load(small)
    assert instructions(lambda: load(large)) < 5 * instructions(lambda: load(small))


def test_a_file_is_its_owners_only_and_takes_the_place_of_the_old_one(tmp_path):
    path = tmp_path / "trace.json"
    path.write_text("old")
    path.chmod(0o644)
    save(DOCUMENT, str(path))
    assert path.read_bytes() == WHOLE
    assert os.name != "posix" or stat.S_IMODE(path.stat().st_mode) == 0o600
    assert list(tmp_path.iterdir()) == [path]


def test_the_suffix_jsonl_asks_for_lines(tmp_path):
    save(DOCUMENT, str(tmp_path / "trace.jsonl"))
    assert (tmp_path / "trace.jsonl").read_bytes() == b"".join(ROWS)


def test_a_link_stays_a_link(tmp_path):
    (tmp_path / "link.json").symlink_to(tmp_path / "real.json")
    (tmp_path / "real.json").write_text("old")
    save(DOCUMENT, str(tmp_path / "link.json"))
    assert (tmp_path / "link.json").is_symlink()
    assert (tmp_path / "real.json").read_bytes() == WHOLE


def test_when_writing_fails_the_old_file_is_still_there(tmp_path):
    path = tmp_path / "trace.json"
    path.write_text("old")
    with pytest.raises(TypeError):
        save({**DOCUMENT, "messages": [{"body": object()}]}, str(path))
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_place_that_cannot_be_written_is_named(tmp_path):
    with pytest.raises(TraceError, match=r"nowhere/trace\.json: cannot be written: No such file"):
        save(DOCUMENT, str(tmp_path / "nowhere" / "trace.json"))


def test_a_dash_is_stdout(capfdbinary):
    save(DOCUMENT, "-")
    assert capfdbinary.readouterr().out == WHOLE


def test_what_is_no_file_is_written_to_in_place():
    save(DOCUMENT, os.devnull)
    assert not os.path.isfile(os.devnull)
