"""`flowgen.load`, `flowgen.drawing` and `flowgen.render`: a trace in, a picture out."""

import pytest

import flowgen
from flowgen.errors import UsageError
from tests.traces import SAMPLES


@pytest.fixture(scope="module")
def trace():
    return flowgen.load(SAMPLES / "seed.json")


def test_a_drawing_can_be_had_in_every_format(trace):
    drawing = flowgen.drawing(trace, theme="dark", lang="zh")
    assert drawing.svg.startswith("<svg") and drawing.json().startswith("{")
    assert drawing.png(0.5).startswith(b"\x89PNG") and drawing.pdf().startswith(b"%PDF")


def test_the_suffix_tells_the_format(trace, tmp_path):
    flowgen.render(trace, tmp_path / "flow.png", scale=0.5)
    flowgen.render(trace, tmp_path / "flow.svg", notes="none")
    assert (tmp_path / "flow.png").read_bytes().startswith(b"\x89PNG")
    assert (tmp_path / "flow.svg").read_text("utf-8") == flowgen.drawing(trace, notes="none").svg


@pytest.mark.parametrize(
    ("option", "told"),
    [
        ({"lang": "de"}, "lang: there is no 'de'"),
        ({"notes": "all"}, "notes: there is no 'all'"),
        ({"times": "hours"}, "times: there is no 'hours'"),
        ({"headers": "some"}, "headers: there is no 'some'"),
        ({"form": "round"}, "form: there is no 'round'"),
        ({"steps": "99"}, "--steps 99: the picture has 4 steps"),
    ],
)
def test_what_an_option_does_not_know_is_told(trace, option, told):
    with pytest.raises(UsageError) as error:
        flowgen.drawing(trace, **option)
    assert str(error.value) == told and error.value.hint
