"""Converting: the target is told by its name, a file is whole and its owner's, one server is chosen."""

import stat
from io import BytesIO
from pathlib import Path

import pytest

from flowgen import api
from flowgen.errors import TraceError, UsageError
from tests.traces import SAMPLES

LOG = Path(__file__).parents[1] / "foreign" / "cases" / "two-servers-mcp.log"


@pytest.mark.parametrize(
    ("name", "begins"),
    [("a.json", b'{\n "format": "flowgen.trace/1"'), ("a.jsonl", b'{"format": "flowgen.trace/1"'),
     ("a.mcpsnoop.jsonl", b'{"session_id"'), ("a.otlp.json", b'{\n "resourceSpans"')],
)  # fmt: skip
def test_the_name_tells_the_format(tmp_path, name, begins):
    api.convert(LOG, tmp_path / name)
    assert (tmp_path / name).read_bytes().startswith(begins)
    assert stat.S_IMODE((tmp_path / name).stat().st_mode) == 0o600


def test_a_name_that_tells_nothing_is_refused_and_nothing_is_written(tmp_path):
    with pytest.raises(UsageError, match="the name does not tell the format"):
        api.convert(LOG, tmp_path / "out")
    with pytest.raises(UsageError, match="--to pcap: no such format"):
        api.convert(LOG, tmp_path / "out", to="pcap")
    with pytest.raises(TraceError, match="a HAR holds exchanges over HTTP"):
        api.convert(LOG, tmp_path / "out.har")
    assert not list(tmp_path.iterdir())


def test_open_files_and_one_server_of_several(tmp_path):
    out = BytesIO()
    api.convert(BytesIO(LOG.read_bytes()), out, server="ledger", name="stdin")
    trace = api.load(out.getvalue(), view="flow")
    assert {who.id for who in trace.participants} == {"client-ledger", "server-ledger"}


def test_our_own_trace_comes_out_as_it_went_in(tmp_path):
    api.convert(SAMPLES / "seed.json", tmp_path / "again.json")
    assert (tmp_path / "again.json").read_bytes() == (SAMPLES / "seed.json").read_bytes()
