"""From a trace to another format and back: the same messages in order, with directions, ids and bodies."""

import pytest

from flowgen import api
from tests.foreign.cases_of import CASES, case, spoken
from tests.traces import SAMPLES

OURS = [SAMPLES / name for name in ("seed.json", "everything.json", "oauth/trace.json")]
RECORDINGS = [*sorted(CASES.iterdir()), *OURS]
OVER_HTTP = [case(".har"), SAMPLES / "oauth/trace.json", SAMPLES / "http-2026-07-28/trace.json"]


def shown(trace):
    """The messages; fingerprints are of one run only."""
    return [message.model_copy(update={"fingerprints": {}}) for message in trace.messages]


def heads(messages):
    return [message.http.headers for message in messages if message.http and message.http.status]


@pytest.mark.parametrize("path", RECORDINGS, ids=lambda path: path.name)
def test_lines_and_documents_of_ours_hold_everything(path, tmp_path):
    trace = api.load(path)
    for form in ("json", "jsonl"):
        assert api.convert(path, tmp_path / "out", to=form) == []
        again = api.load(tmp_path / "out")
        assert shown(again) == shown(trace)
        assert (again.participants, again.outcome, again.missing) == (trace.participants, trace.outcome, trace.missing)


@pytest.mark.parametrize("path", [path for path in RECORDINGS if "otlp" not in path.name], ids=lambda path: path.name)
def test_mcpsnoop_holds_every_message(path, tmp_path):
    api.convert(path, tmp_path / "out.mcpsnoop.jsonl")
    assert spoken(api.load(tmp_path / "out.mcpsnoop.jsonl")) == spoken(api.load(path))


@pytest.mark.parametrize("path", RECORDINGS, ids=lambda path: path.name)
def test_otlp_holds_every_message_that_has_its_request(path, tmp_path):
    lost = api.convert(path, tmp_path / "spans.otlp.json")
    told = next((int(text.split()[0]) for text in lost if text.endswith("without a request")), 0)
    before, after = spoken(api.load(path)), spoken(api.load(tmp_path / "spans.otlp.json"))
    assert len(after) == len(before) - told
    assert after == [each for each in before if each in after]


@pytest.mark.parametrize("path", OVER_HTTP, ids=lambda path: path.parent.name)
def test_har_holds_exchanges_whole_with_their_order_and_their_times(path, tmp_path):
    assert not [text for text in api.convert(path, tmp_path / "out.har") if "outside" in text]
    before, after = api.load(path), api.load(tmp_path / "out.har")
    assert spoken(after) == spoken(before)
    kept = [message for message in before.messages if message.exchange is not None]
    assert [message.kind for message in after.messages] == [message.kind for message in kept]
    assert heads(after.messages) == heads(kept)


def test_what_a_format_cannot_hold_is_told(tmp_path):
    assert api.convert(case("tides"), tmp_path / "a.otlp.json") == [
        "4 messages of the recorder", "9 messages of stderr",
    ]  # fmt: skip
    assert api.convert(case("both"), tmp_path / "a.mcpsnoop.jsonl")[-1] == "HTTP heads"
