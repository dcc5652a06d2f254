"""The pictures in samples/ are what their traces give today, and the traces what a recording gives today."""

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

from tests.traces import SAMPLES


def made() -> ModuleType:
    spec = importlib.util.spec_from_file_location("samples_make", SAMPLES / "make.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


MAKE = made()


@pytest.mark.parametrize("name", sorted(MAKE.PICTURES))
def test_a_sample_is_fresh(name: str) -> None:
    assert (SAMPLES / name).read_bytes() == MAKE.drawn(name), "run: python samples/make.py"


def test_no_picture_lies_in_samples_that_nobody_makes() -> None:
    lying = {path.name for path in Path(SAMPLES).iterdir() if path.suffix in (".svg", ".png", ".pdf")}
    assert lying == set(MAKE.PICTURES)
