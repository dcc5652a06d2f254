"""Many recordings, a picture each, over any executor."""

import shutil
import warnings
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool

import pytest

import flowgen
from flowgen import api
from flowgen.api import render_many, workers
from flowgen.errors import BackendMissing, FlowgenError, ThemeError, UsageError
from tests.traces import SAMPLES

NAMES = ["seed.json", "sdk-handshake.json"]


@pytest.fixture
def inputs(tmp_path):
    return [shutil.copy(SAMPLES / name, tmp_path / name) for name in NAMES]


@pytest.fixture
def loud(monkeypatch):
    """A format that warns, and has a page for each lane."""

    def write(drawing, scale, out):
        warnings.warn(f"{drawing.flow.facts.messages} messages", stacklevel=1)
        return [b"page"] * len(drawing.flow.lanes)

    monkeypatch.setitem(api.FORMATS, "loud", write)


def alone(path, **options):
    return flowgen.drawing(flowgen.load(path), **options).svg.encode()


@pytest.mark.parametrize("how", ["here", "threads", "processes"])
def test_each_is_drawn_as_it_is_alone(inputs, tmp_path, how):
    out, options = tmp_path / "out", {"lang": "zh", "theme": "print:dark", "notes": "none"}
    if how == "here":
        rendered = render_many(inputs, out, **options)
    elif how == "threads":
        with ThreadPoolExecutor(2) as pool:
            rendered = render_many(inputs, out, pool, **options)
    else:
        with workers(2, [1, 1], "svg") as pool:
            rendered = render_many(inputs, out, pool, **options)
    assert [(each.name, each.problem) for each in rendered] == [(str(path), None) for path in inputs]
    for path, each in zip(inputs, rendered, strict=True):
        (file,) = each.files
        assert (out / file).read_bytes() == alone(path, **options)


def test_one_that_cannot_be_drawn_stops_no_other(inputs, tmp_path):
    (tmp_path / "odd.json").write_text("{}")
    told = []
    rendered = render_many([tmp_path / "none.json", tmp_path / "odd.json", *inputs], tmp_path, each=told.append)
    assert [bool(each.problem) for each in rendered] == [True, True, False, False]
    assert str(rendered[0].problem) == f"{tmp_path / 'none.json'}: No such file or directory"
    assert str(rendered[1].problem).startswith(f"{tmp_path / 'odd.json'}: format: expected")
    assert told == rendered
    assert sorted(file.name for file in tmp_path.glob("*.svg")) == ["sdk-handshake.svg", "seed.svg"]


def test_a_problem_that_names_no_file_names_the_input(inputs, tmp_path):
    first, second = render_many(inputs, tmp_path, steps="5")
    assert str(first.problem) == f"{inputs[0]}: --steps 5: the picture has 4 steps"
    assert second.problem is None


def test_bytes_are_an_input_too(tmp_path):
    (each,) = render_many([("stdin", (SAMPLES / "seed.json").read_bytes())], tmp_path)
    assert (each.name, each.files) == ("stdin", (str(tmp_path / "stdin.svg"),))


@pytest.mark.usefixtures("loud")
def test_what_drawing_warns_of_is_told_with_its_input(inputs, tmp_path):
    with ThreadPoolExecutor(2) as pool:
        rendered = render_many(inputs, tmp_path, pool, file_format="loud")
    assert [each.warnings for each in rendered] == [("10 messages",), ("17 messages",)]
    assert rendered[0].files == (str(tmp_path / "seed-1.loud"), str(tmp_path / "seed-2.loud"))


def test_a_page_never_takes_the_place_of_another_picture(inputs, tmp_path, monkeypatch):
    monkeypatch.setitem(api.FORMATS, "one", lambda drawing, *_: [b"x"] * (2 if drawing.flow.title else 1))
    shutil.copy(inputs[1], tmp_path / "seed-1.json")
    first, second = render_many([inputs[0], tmp_path / "seed-1.json"], tmp_path, file_format="one")
    assert first.files and str(second.problem).endswith(f"seed-1.one is a page of {inputs[0]} already")


def test_a_missing_part_meets_all_of_them_and_is_told_once(inputs, tmp_path, monkeypatch):
    def missing(drawing, scale, out):
        raise BackendMissing("png needs cairo")

    monkeypatch.setitem(api.FORMATS, "png", missing)
    with pytest.raises(BackendMissing):
        render_many(inputs, tmp_path, file_format="png")


def test_a_fault_of_ours_is_a_problem_of_that_input(inputs, tmp_path, monkeypatch):
    monkeypatch.setitem(api.FORMATS, "odd", lambda drawing, *_: [bytes(1 // (drawing.flow.facts.messages - 10))])
    first, _ = render_many(inputs, tmp_path, file_format="odd")
    assert str(first.problem).startswith(f"{inputs[0]}: ZeroDivisionError: ")


class Dying(Executor):
    """A pool whose second task kills it."""

    tasks = 0

    def submit(self, fn, /, *args, **kwargs):
        self.tasks += 1
        if self.tasks > 2:
            raise BrokenProcessPool("gone")
        future = Future()
        if self.tasks == 2:
            future.set_exception(BrokenProcessPool("died"))
        else:
            future.set_result(fn(*args, **kwargs))
        return future


def test_a_pool_that_breaks_is_told_for_each_that_it_did_not_draw(inputs, tmp_path):
    rendered = render_many([*inputs, SAMPLES / "everything.json"], tmp_path, Dying())
    assert [bool(each.problem) for each in rendered] == [False, True, True]
    assert "a worker ended in the middle of its work" in str(rendered[2].problem)


@pytest.mark.parametrize(
    ("options", "raised"),
    [({"theme": "none"}, ThemeError), ({"lang": "de"}, UsageError), ({"file_format": "gif"}, UsageError)],
)
def test_what_cannot_be_asked_for_is_told_before_anything_is_drawn(inputs, tmp_path, options, raised):
    with pytest.raises(raised):
        render_many(inputs, tmp_path / "out", **options)
    assert not (tmp_path / "out").exists()


def test_an_input_is_never_written_over(inputs, tmp_path):
    with pytest.raises(UsageError, match="this is what is to be drawn"):
        render_many(inputs, tmp_path, file_format="json")


def test_a_folder_that_cannot_be_is_told(inputs):
    with pytest.raises(FlowgenError):
        render_many(inputs, inputs[0])


def test_few_inputs_are_read_ahead(inputs, tmp_path):
    """Only as many bytes as may be under way are with the executor at once."""
    waiting = []

    class Slow(ThreadPoolExecutor):
        def submit(self, fn, /, *args, **kwargs):
            waiting.append(1)
            future = super().submit(fn, *args, **kwargs)
            future.add_done_callback(lambda _: waiting.pop())
            assert len(waiting) <= 1
            return future

    with Slow(2) as pool:
        assert all(each.files for each in render_many(inputs * 2, tmp_path, pool, ahead=0))
