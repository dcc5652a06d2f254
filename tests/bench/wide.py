"""Pictures of config files with many servers: `python -m tests.bench.wide [--runs 7]`.

Whole cold processes against importing click, pydantic and jinja2, in turn, the fastest run of each. A server more
should take as long among a thousand as among two hundred.
"""

import argparse
import sys
import tempfile
from pathlib import Path

from .config import config
from .measured import Taken, measured

_FLOOR = [sys.executable, "-c", "import click, pydantic, jinja2"]
_SIZES = (3, 200, 1000)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=7)
    runs = parser.parse_args().runs
    with tempfile.TemporaryDirectory() as folder:
        commands = {"floor": _FLOOR}
        for size in _SIZES:
            path = Path(folder, f"{size}.json")
            path.write_bytes(config(size))
            for told, more in (("", []), (" --all", ["--all"])):
                render = [sys.executable, "-m", "flowgen", "render", str(path), "-o", str(path.with_suffix(".svg"))]
                commands[f"{size}{told}"] = [*render, *more]
        best = _best(commands, runs)
    for name, taken in best.items():
        print(f"{name}: {taken.wall:.2f} s, x{taken.wall / best['floor'].wall:.1f}, {taken.peak:.0f} MB")
    for told in ("", " --all"):
        few, some, many = (best[f"{size}{told}"].cpu for size in _SIZES)
        first, then = (some - few) / (_SIZES[1] - _SIZES[0]), (many - some) / (_SIZES[2] - _SIZES[1])
        print(f"a server more{told}: {first * 1000:.2f} ms up to {_SIZES[1]}, {then * 1000:.2f} ms up to {_SIZES[2]:,}")


def _best(commands: dict[str, list[str]], runs: int) -> dict[str, Taken]:
    """The fastest run of each; the commands take turns, so that a slow moment of the machine meets all of them."""
    found: dict[str, Taken] = {}
    for _ in range(runs):
        for name, command in commands.items():
            taken = measured(command, 120)
            assert taken is not None, command
            found[name] = min(found.get(name, taken), taken, key=lambda each: each.wall)
    return found


if __name__ == "__main__":
    main()
