"""Links from an answer that asked for more to the request that was sent again, and their marks."""

from dataclasses import replace
from typing import Any

import pytest

from flowgen.flow import Entry, Flow, Remark, Say
from flowgen.scene import Circle, Path, Rect, Scene, Text
from tests.scene.flows import alt, entries, flow_of, loop, scene
from tests.scene.invariants import everything_holds
from tests.scene.test_waits import CLIENT, arrow, of
from tests.traces import answers, asks, tells, trace_of


def asked_again(*between: dict[str, Any]) -> Flow:
    more = answers(1, resultType="input_required", requestState="s", inputRequests={})
    trace = trace_of(asks("tools/call", 1, name="n"), more, *between, asks("tools/call", 2, name="n"), answers(2))
    each = entries(trace)
    retry = 3 + len(between)
    each[retry] = replace(each[retry], retry_of=1)
    return flow_of(trace, each.values())


def links(drawn: Scene) -> list[Path]:
    return [path for path in of(drawn, Path, "retry") if "L14 0" not in path.d and "M14 0" not in path.d]


def test_in_the_duo_the_link_has_its_mark_between_notes_and_lifeline() -> None:
    drawn = scene(asked_again())
    (link,) = links(drawn)
    (mark, _) = of(drawn, Circle, "loop")  # the other one is the legend's
    assert arrow(drawn, "res", 0).y1 < link.y < mark.y < arrow(drawn, "req", 1).y1
    assert 52 + 218 <= mark.x - mark.radius and mark.x + mark.radius < CLIENT


def test_in_the_ledger_the_link_has_a_pill_that_stands_on_no_arrow() -> None:
    drawn = scene(asked_again(*[tells("notifications/message")] * 4), form="ledger")
    (pill,) = of(drawn, Rect, "loop")
    ys = [arrow(drawn, "ntf.dashed", number).y1 for number in range(4)]
    assert not [y for y in ys if pill.y - 2 < y < pill.y + pill.height + 2]


def test_links_beside_each_other_stand_apart() -> None:
    trace = trace_of(asks("a", 1), answers(1), asks("b", 2), answers(2), asks("a", 3), asks("b", 4))
    each = entries(trace)
    rows: list[Entry] = [replace(row, retry_of={5: 1, 6: 3}.get(seq)) for seq, row in each.items()]
    for form in ("duo", "ledger"):
        drawn = scene(flow_of(trace, rows), form=form)
        assert len({path.d.split(" L")[1] for path in links(drawn)}) == 2


def tried_thrice() -> Flow:
    more = answers(1, resultType="input_required")
    trace = trace_of(asks("a", 1), more, *[each for n in (2, 3, 4) for each in (asks("a", n), answers(n))])
    each = entries(trace)
    each |= {seq: replace(each[seq], retry_of=1) for seq in (3, 5, 7)}
    rest = [(name, (each[seq], each[seq + 1])) for name, seq in (("accept", 3), ("decline", 5), ("cancel", 7))]
    return flow_of(trace, [each[1], each[2], alt(*rest)])


@pytest.mark.parametrize("form", ["duo", "ledger"])
def test_links_from_one_answer_are_one_line_with_several_ends(form: str) -> None:
    drawn = scene(tried_thrice(), form=form)
    everything_holds(drawn)
    found = links(drawn)
    assert len(found) == 3 and len({path.d.split("M")[1].split(" L")[-2 if form == "duo" else 1] for path in found})
    assert [path.y for path in found] == sorted(path.y for path in found)
    ends = [arrow(drawn, "req", number).y1 for number in (1, 2, 3)]
    for path, before, end in zip(found, [arrow(drawn, "res", 0).y1, *ends], ends, strict=False):
        assert before - 20 <= path.y <= before + 20 < end


def test_in_the_ledger_marks_of_links_stand_over_all_lines() -> None:
    trace = trace_of(asks("a", 1), answers(1), asks("b", 2), answers(2), asks("a", 3), asks("b", 4))
    each = entries(trace)
    rows: list[Entry] = [replace(row, retry_of={5: 1, 6: 3}.get(seq)) for seq, row in each.items()]
    styles = [getattr(shape, "style", "") for shape in scene(flow_of(trace, rows), form="ledger").shapes]
    order = [style for style in styles[: styles.index("legend")] if style in ("retry", "loop")]
    assert order == ["retry", "retry", "loop", "loop"]


def test_in_the_ledger_words_begin_behind_the_links_that_end_under_them() -> None:
    trace = trace_of(*[each for n in (1, 2, 3) for each in (asks(f"w{n}", n), answers(n))],
                     asks("w3", 4), asks("w2", 5), asks("w1", 6))  # fmt: skip
    each = entries(trace)
    rows = [replace(row, retry_of={7: 5, 8: 3, 9: 1}.get(seq)) for seq, row in each.items()]
    drawn = scene(flow_of(trace, rows), form="ledger")
    words = {word.text: word.x for word in of(drawn, Text, "ledger.word")}  # the last one of each name
    furthest = max(path.x + float(part.split()[0]) for path in links(drawn) for part in path.d.split(" L")[1:])
    assert words["w1"] > furthest


def test_a_mark_keeps_clear_of_the_head_of_a_frame() -> None:
    trace = trace_of(asks("a", 1), answers(1), asks("b", 2), answers(2), asks("a", 3))
    each = entries(trace)
    each[5] = replace(each[5], retry_of=1)
    framed = loop("a condition " * 9, each[3], each[4])
    drawn = scene(flow_of(trace, [each[1], each[2], framed, each[5]]), form="ledger")
    (pill,) = of(drawn, Rect, "loop")
    (frame,) = [each for each in of(drawn, Rect, "group") if each.width > 100]
    assert pill.y + pill.height <= frame.y or pill.y >= frame.y + 24


@pytest.mark.parametrize("slides", [False, True], ids=["plain", "slides"])
def test_in_the_duo_a_mark_keeps_clear_of_a_pause(slides: bool) -> None:
    flow = asked_again()
    (step,) = flow.steps
    late = [row.message.model_copy(update={"at": 1e4 * n}) for n, row in enumerate(step.rows)]
    rows = [replace(row, message=message) for row, message in zip(step.rows, late, strict=True)]
    drawn = scene(replace(flow, steps=(replace(step, rows=tuple(rows)),)), times="latency", slides=slides)
    everything_holds(drawn)
    mark = of(drawn, Circle, "loop")[0]
    chips = [chip for chip in of(drawn, Rect, "chip") if chip.x < 300]
    assert chips and not [chip for chip in chips if abs(chip.y + 10 - mark.y) < 18]


def test_in_the_ledger_the_link_makes_room_for_words_on_arrows_and_notes_over_lanes() -> None:
    between = [tells("notifications/message", sender="client")] * 2
    flow = asked_again(*between)
    (step,) = flow.steps
    remark = Remark(("client", "server"), Say("so", "so"))
    noted = replace(flow, steps=(replace(step, rows=(*step.rows[:3], remark, *step.rows[3:])),))
    for told, gaps in ((asked_again(), 0), (flow, 2), (noted, 3)):
        (link,) = links(scene(told, form="ledger"))
        assert link.d.count("M") == 1 + gaps
