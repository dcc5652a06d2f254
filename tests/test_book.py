"""The picture book holds what the specification's diagrams hold, step by step, and no more than was recorded."""

import json
import os
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from flowgen import api
from tests.telling import told
from tests.test_samples import MAKE, SAMPLES, spoken

TABLE: dict[str, Any] = tomllib.loads((Path(__file__).parent / "book.toml").read_text("utf-8"))
TRACES = {name: (each["id"], how.get("name")) for each in MAKE.SCENARIOS for name, how in MAKE.branches(each)}
FEWEST = 22  # scenarios that the book has to have


def steps(scenario: str, branch: str | None) -> list[tuple[str, str]]:
    """The lines of the table for one recording: the number in the specification's diagram, and what is said."""
    rows = TABLE[scenario]["steps"]
    parts = (row.partition(" ") for row in (rows[branch] if branch else rows))
    return [(number, said.strip()) for number, _, said in parts]


def place(number: str) -> tuple[int, str]:
    """`10b` comes after `10a` and before `11`."""
    found = re.fullmatch(r"(\d+)([a-z]?)", number)
    assert found, number
    return int(found[1]), found[2]


def test_the_table_and_the_book_have_the_same_scenarios() -> None:
    assert {each["id"] for each in MAKE.SCENARIOS} == TABLE.keys()
    assert len(TABLE) >= FEWEST


@pytest.mark.parametrize("name", sorted(TRACES))
def test_a_recording_has_its_steps_in_order_and_no_others(name: str) -> None:
    expected = [said for _, said in steps(*TRACES[name])]
    processes = any(" process " in said for said in expected)
    assert list(told(api.load(SAMPLES / name), processes)) == expected


@pytest.mark.parametrize("scenario", sorted(TABLE))
def test_every_arrow_of_the_diagram_is_there_or_it_is_said_why_not(scenario: str) -> None:
    row = TABLE[scenario]
    branches = [branch for id_, branch in TRACES.values() if id_ == scenario]
    there = {part for branch in branches for number, _ in steps(scenario, branch) for part in number.split("+")}
    absent = set(row.get("absent", ()))
    assert not absent & there
    assert set(row["arrows"].split()) <= there | absent


@pytest.mark.parametrize("name", sorted(TRACES))
def test_the_steps_of_the_diagram_come_in_its_order(name: str) -> None:
    scenario, branch = TRACES[name]
    early = TABLE[scenario].get("early", "").split()
    numbers = [place(number.split("+")[0]) for number, _ in steps(scenario, branch) if number not in ("-", *early)]
    whole = [number for number, _ in numbers]
    assert scenario == "legacy-http-session" or whole == sorted(whole)


@pytest.mark.parametrize("name", sorted(MAKE.BOOK_PICTURES))
def test_a_picture_of_the_book_is_fresh(name: str) -> None:
    assert (SAMPLES / name).read_bytes() == MAKE.drawn(name), "run: python samples/make.py"


def test_the_page_of_the_book_is_fresh() -> None:
    assert (SAMPLES / MAKE.BOOK).read_bytes() == MAKE.drawn(MAKE.BOOK), "run: python samples/make.py"


@pytest.mark.parametrize("name", sorted(MAKE.BOOK_PICTURES))
def test_lanes_are_only_those_whom_the_recorder_noted(name: str) -> None:
    traces, _ = MAKE.BOOK_PICTURES[name]
    noted = {each.role for trace in traces for each in api.load(SAMPLES / trace).participants}
    assert {lane.role for lane in MAKE.pictured(name).flow.lanes} <= noted


def test_no_secret_of_a_recording_is_in_the_book() -> None:
    secrets = [value for each in MAKE.SCENARIOS for value in each.get("env", {}).values()]
    told = [path for path in (SAMPLES / "book").rglob("*") if path.suffix in (".json", ".svg")]
    assert secrets and told
    assert not [path for path in told for secret in secrets if secret in path.read_text("utf-8")]


LIVE = ("book/pagination/trace.json", "book/legacy-ping/trace-by-the-server.json", "book/mrtr-basic/trace.json")


@pytest.mark.parametrize("name", LIVE)
def test_a_recording_of_the_book_made_anew_says_the_same(name: str) -> None:
    if MAKE.BOOKED[name].keys and os.name != "posix":
        pytest.skip("keys are typed at a terminal")
    text = MAKE.recorded(name)
    anew, kept = api.load(text.encode()), api.load(SAMPLES / name)
    assert list(spoken(anew, name)) == list(spoken(kept, name))
    assert list(told(anew, True)) == list(told(kept, True))
    assert json.loads(text)["outcome"] == json.loads((SAMPLES / name).read_text("utf-8"))["outcome"]
