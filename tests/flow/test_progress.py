"""The values of progress notifications."""

import pytest

from flowgen.flow import Progress, Run, as_data, label, progress_series


def _series(session, *params):
    talk = session()
    for one in params:
        talk.tell("notifications/progress", params={"progressToken": 1} | one)
    return talk


def test_a_folded_row_of_progress_keeps_its_values(session):
    talk = _series(session, {"progress": 0.1, "total": 1}, {"progress": 1, "total": 1.0, "message": "done"})
    flow = talk.read()
    run = flow.steps[0].rows[0]
    assert isinstance(run, Run)
    assert label(run).en == "notifications/progress  0.1 → 1"
    assert progress_series(run) == (Progress(0.1, 1, None), Progress(1, 1.0, "done"))
    row = as_data(flow)["steps"][0]["rows"][0]
    assert row["progress"] == [
        {"progress": 0.1, "total": 1, "message": None},
        {"progress": 1, "total": 1.0, "message": "done"},
    ]


def test_a_single_one_has_a_series_of_one(session):
    entry = _series(session, {"progress": 3}).read().steps[0].rows[0]
    assert progress_series(entry) == (Progress(3, None, None),)


def test_what_is_no_progress_has_none(session):
    assert progress_series(session().tell("notifications/message").read().steps[0].rows[0]) == ()


@pytest.mark.parametrize("value", [None, True, "0.5", float("nan"), float("inf"), 10**400, [1]])
def test_what_is_no_number_to_draw_is_left_out(session, value):
    first = {"progress": 1, "total": value, "message": value}
    run = _series(session, first, {"progress": value}).read().steps[0].rows[0]
    said = value if isinstance(value, str) else None
    assert progress_series(run) == (Progress(1, None, said),)
