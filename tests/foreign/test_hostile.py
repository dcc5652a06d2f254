"""Whatever stands behind a format's head: a trace that can be drawn, or one clear line."""

import json
import re
import warnings
import xml.etree.ElementTree as ET
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from flowgen import api, foreign
from flowgen.errors import FlowgenError
from flowgen.foreign._parts import of_text
from tests.foreign.cases_of import CASES

FILES = sorted(CASES.iterdir())
json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**25), 10**25) | st.floats(allow_nan=False) | st.text(max_size=6)
    | st.sampled_from(
        ["1969-01-01", "9999-12-31T23:59:59-12:00", "0001-01-01T00:00:00+12:00", "\udc80", "\ud800", "2.0"]
    ),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["id", "method", "key", "x"]), inner),
    max_leaves=4,
)  # fmt: skip


@st.composite
def broken(draw: st.DrawFn, data: bytes) -> bytes:
    """Bytes with pieces cut out, put in, or doubled."""
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, len(data)))
        end = min(at + draw(st.integers(0, 40)), len(data))
        signs = [data[at:end] * 2, b"\n", b"\r", b"]", b"{", b'"', b"\xff"]
        piece = draw(st.binary(max_size=6) | st.sampled_from(signs))
        data = data[:at] + piece + data[end:]
    return data


@st.composite
def turned(draw: st.DrawFn, value: Any) -> Any:
    """A JSON value in which members are gone or others."""
    if draw(st.integers(0, 30)) == 0:
        return draw(json_values)
    if isinstance(value, dict):
        kept = [name for name in value if draw(st.integers(0, 25))]
        return {name: draw(turned(value[name])) for name in kept}
    if isinstance(value, list):
        return [draw(turned(each)) for each in value[:4]]
    return value


def read(data: bytes, name: str, form: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            trace = api.load(data, name, view="flow", source_format=form)
        except FlowgenError as told:
            assert re.fullmatch(r"[^\n]+", str(told))
            assert told.hint
            return
    assert [message.seq for message in trace.messages] == list(range(1, len(trace.messages) + 1))
    ET.fromstring(api.drawing(trace, notes="none").svg)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
@settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_any_bytes_in_a_file_of_a_format(path, data):
    whole = path.read_bytes()[:6000]
    form = foreign.told(whole)
    assert form is not None
    read(data.draw(broken(whole)), path.name, form.name)


@pytest.mark.parametrize("path", [path for path in FILES if path.suffix != ".log"], ids=lambda path: path.name)
@settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_any_values_in_a_file_of_a_format(path, data):
    text = path.read_text()
    form = foreign.told(text.encode())
    assert form is not None
    documents = [json.loads(line) for line in text.splitlines()] if path.suffix == ".jsonl" else [json.loads(text)]
    lines = [json.dumps(data.draw(turned(each))) for each in documents[:6]]
    read("\n".join(lines).encode(), path.name, form.name)


@pytest.mark.parametrize("form", [form.name for form in foreign.FORMATS])
@pytest.mark.parametrize(
    "data", [b"", b"\n\n", b"{}", b"[]", b"\x00\xff", b"[" * 100_000, b'{"a":' * 50_000, b"null", b"\xff\xfe["]
)
def test_files_that_are_none_of_a_format(form, data):
    with pytest.raises(FlowgenError) as told:
        api.load(data, "x", source_format=form)
    assert "\n" not in str(told.value)
    assert told.value.hint


def test_half_a_pair_of_surrogates_is_kept_as_it_can_be():
    assert [part["kind"] for part in of_text("\ud800")] == ["noise"]
    har = {"log": {"version": "1.2", "entries": [{
        "startedDateTime": "2026-01-01T00:00:00Z", "response": {"status": 200},
        "request": {"method": "POST", "url": "https://a.example/token", "headers": [],
                    "postData": {"params": [{"name": "\ud800", "value": "\ud800"}]}},
    }]}}  # fmt: skip
    read(json.dumps(har).encode(), "a.har", "har")
