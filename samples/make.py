"""Draws the pictures of this folder again from the traces beside them; `--check` only says which are stale.

    python samples/make.py            # pictures from the committed traces
    python samples/make.py --check    # exit 1 and the names of stale files
    python samples/make.py --record   # first record seed.json anew from the bundled demo server

Pictures are made from committed traces, so the same bytes come out on every machine.
"""

import argparse
import subprocess
import sys
from pathlib import Path

from flowgen import api

HERE = Path(__file__).parent

# picture -> (trace, options of `flowgen render`)
PICTURES: dict[str, tuple[str, dict[str, object]]] = {
    "seed.svg": ("seed.json", {}),
    "seed-light.svg": ("seed.json", {"theme": "light"}),
    "seed-dark.svg": ("seed.json", {"theme": "dark"}),
    "seed-zh.svg": ("seed.json", {"lang": "zh"}),
    "seed-zh-dark.svg": ("seed.json", {"lang": "zh", "theme": "dark"}),
    "seed-en-zh.svg": ("seed.json", {"lang": "en+zh"}),
}


def drawn(name: str) -> bytes:
    """The bytes that a picture should have."""
    trace, options = PICTURES[name]
    return api.drawing(api.load(HERE / trace), **options).file("svg")  # type: ignore[arg-type]


def stale() -> list[str]:
    """Names of the pictures that differ from what their trace gives today."""
    return [name for name in PICTURES if not (HERE / name).exists() or (HERE / name).read_bytes() != drawn(name)]


def main() -> int:
    """Write or check every picture; the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--record", action="store_true")
    options = parser.parse_args()
    if options.record:
        subprocess.run([sys.executable, "-m", "flowgen", "record", "-o", str(HERE / "seed.json")], check=True)
    old = stale()
    for name in [] if options.check else old:
        (HERE / name).write_bytes(drawn(name))
    print("\n".join(f"{'stale' if options.check else 'wrote'} {name}" for name in old) or "all pictures are fresh")
    return 1 if options.check and old else 0


if __name__ == "__main__":
    sys.exit(main())
