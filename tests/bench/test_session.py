"""What the benchmark measures is the same work for everybody."""

import json

from flowgen import api
from tests.bench.session import FORMS, jsonl, said


def test_every_message_carries_twelve_lines_in_every_form():
    assert {len(one.lines) for one in said(30)} == {12}
    for form in FORMS.keys() - {"json"}:
        text = "\n".join(FORMS[form](10))
        assert text.count("jsonrpc") == 20
        assert text.count("tools/call ") == 10


def test_the_recording_is_one_and_the_same_in_both_layouts():
    (document,) = FORMS["json"](10)
    lines = "\n".join(jsonl(10))
    assert api.load(document.encode()) == api.load(lines.encode())
    assert [message["body"] for message in json.loads(document)["messages"]] == [one.body for one in said(10)]


def test_full_draws_every_message_of_it():
    (document,) = FORMS["json"](40)
    drawn = api.drawing(api.load(document.encode()), full=True).svg
    assert all(f'id="m-{number}"' in drawn for number in range(1, 81))
