"""The layering, the public names and the size of the house."""

import subprocess
import sys
from pathlib import Path

import pytest

import flowgen

HOUSE = Path(__file__).parent.parent / "flowgen"
MODULES = sorted(HOUSE.rglob("*.py"))


def test_data_flows_one_way() -> None:
    """The import contracts of pyproject.toml hold; run apart, for the linter reads the folder it stands in."""
    linter = "from importlinter.cli import lint_imports; import sys; sys.exit(lint_imports(no_cache=True))"
    done = subprocess.run(
        [sys.executable, "-c", linter], cwd=HOUSE.parent, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("path", MODULES, ids=[str(path.relative_to(HOUSE)) for path in MODULES])
def test_every_module_opens_with_its_promise(path: Path) -> None:
    assert path.read_text(encoding="utf-8").lstrip().startswith('"""')


@pytest.mark.parametrize("path", MODULES, ids=[str(path.relative_to(HOUSE)) for path in MODULES])
def test_no_module_grows_beyond_what_one_can_read(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 320


def test_no_module_has_a_name_that_says_nothing() -> None:
    empty = {"utils", "helpers", "manager", "common", "shared", "core", "misc"}
    assert not [path for path in MODULES if path.stem.strip("_") in empty]


def test_the_public_names_are_these() -> None:
    types = ["Finding", "FlowgenError", "Topology", "Trace", "__version__"]
    public = [*types, "check", "convert", "cut", "diff", "drawing", "load", "record", "record_async", "render", "save",
              "topology"]  # fmt: skip
    assert sorted(flowgen.__all__) == public
    assert all(getattr(flowgen, name) for name in public)


def test_importing_flowgen_loads_no_model() -> None:
    script = "import sys, flowgen, flowgen.api; print(sorted({'pydantic', 'httpx', 'jinja2'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.strip() == "[]"
