"""What our own plans call their recordings and steps is said in both languages."""

import re
import tomllib
from pathlib import Path

import pytest

from flowgen.flow import picture_title
from flowgen.flow._titles import told

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("flowgen/protocol/plans", *(f"samples/book/{book.name}" for book in (ROOT / "samples/book").iterdir()))
PLANS = sorted(plan for folder in FOLDERS for plan in (ROOT / folder).glob("*.toml") if "answers" not in plan.name)


@pytest.mark.parametrize("plan", PLANS, ids=lambda plan: f"{plan.parent.name}-{plan.stem}")
def test_the_titles_of_our_own_plans_are_said_in_chinese(plan):
    wanted = tomllib.loads(plan.read_text(encoding="utf-8"))
    steps = wanted.get("step", ())
    parts = (part for step in steps for part in (step.get("title", ""), *step.get("titles", {}).values()))
    says = [*map(told, filter(None, parts)), *map(picture_title, filter(None, [wanted.get("title")]))]
    plain = [say.en for say in says if not re.search("[\u4e00-\u9fff]", say.zh)]
    assert set(plain) <= {"MCP Architecture - Client-Server Interaction Flow"}  # the seed's picture says it so


def test_a_title_of_somebody_else_stays_as_it_is():
    assert told("Un titre").zh == picture_title("Un titre").zh == "Un titre"
