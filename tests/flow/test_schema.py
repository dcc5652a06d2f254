"""The JSON Schema of a flow, and that flows are of that form."""

import json

import jsonschema
import pytest

from flowgen.flow import as_data, schema


@pytest.fixture(scope="module")
def form():
    jsonschema.Draft202012Validator.check_schema(schema())
    return jsonschema.Draft202012Validator(schema())


def test_whatever_a_flow_holds_is_of_the_form(session, form):
    talk = session().greeted().listed().changed().listed(result={"tools": []}).call().call().call().call()
    talk.ask("tools/call", "a", params={"name": "slow", "_meta": {"progressToken": 1}})
    for value in (0.1, 0.5):
        talk.tell("notifications/progress", params={"progressToken": 1, "progress": value, "total": 1})
    talk.ask("tools/call", "b").reply({}, "b").reply({}, "a")
    talk.ask("tools/list").reply({"tools": [], "nextCursor": "x"})
    talk.ask("tools/list", params={"cursor": "x"}).reply({"tools": []})
    data = json.loads(json.dumps(as_data(talk.read(notes="full", complete=False))))
    form.validate(data)
    text = json.dumps(data)
    for member in ('"loop"', '"pairs"', '"change"', '"progress": [', '"overlaps"', '"latency"', '"notes"', '"about"'):
        assert member in text


def test_remarks_are_of_the_form(session, form):
    from flowgen.flow import read

    data = as_data(read(session().call().trace(missing=["times", "odd"])))
    assert "remark" in data["steps"][0]["rows"][0]
    form.validate(data)


@pytest.mark.parametrize("wrong", [{"format": "flowgen.flow/2"}, {"steps": [{"rows": [{}]}]}, {"lanes": None}])
def test_another_form_is_told(session, form, wrong):
    with pytest.raises(jsonschema.ValidationError):
        form.validate(as_data(session().call().read()) | wrong)
