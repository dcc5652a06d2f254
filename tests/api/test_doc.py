"""The examples in the docstrings of the public names run, and each of them has one."""

import doctest
import importlib
import inspect
import json
import re
import shutil
import sys
import typing

import pytest

import flowgen
from flowgen import api
from tests.traces import SAMPLES

FUNCTIONS = [name for name in flowgen.__all__ if inspect.isfunction(getattr(flowgen, name))]
MODULES = sorted({getattr(flowgen, name).__module__ for name in FUNCTIONS} | {api.spoken.__module__})


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """What the examples speak of: a recording, and a host's config file before and after a change."""
    shutil.copy(SAMPLES / "seed.json", tmp_path / "trace.json")
    for name, version in (("mcp.json", ""), ("mcp.new.json", "@1.2.0")):
        server = {"command": "uvx", "args": [f"files-example{version}"]}
        (tmp_path / name).write_text(json.dumps({"mcpServers": {"files": server}}))
    monkeypatch.chdir(tmp_path)


def test_the_public_functions_are_these():
    known = "check convert cut diff drawing load record record_async render save topology"
    assert known.split() == FUNCTIONS


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_hold(folder, name):
    module = importlib.import_module(name)
    tests = doctest.DocTestFinder(exclude_empty=True).find(module, globs={"flowgen": flowgen, "sys": sys})
    told: list[str] = []
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL)
    for test in tests:
        runner.run(test, out=told.append)
    assert runner.tries and not runner.failures, "".join(told)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_public_function_has_an_example_and_tells_its_errors(name):
    told = inspect.getdoc(getattr(flowgen, name)) or ""
    assert f"flowgen.{name}(" in told
    assert re.search(r"Raises\s", told) or name == "record_async"  # which is `record`


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_parameter_and_result_is_typed(name):
    function = getattr(flowgen, name)
    for way in [function, *typing.get_overloads(function)]:
        untyped = [each for each in (*inspect.signature(way).parameters, "return") if each not in way.__annotations__]
        assert untyped == []
