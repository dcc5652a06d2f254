"""A recording of a million messages in a picture: `python -m tests.bench.long [MESSAGES]`.

It is written as JSON Lines, some 330 MB of them, and drawn from the file and from a pipe. What counts is the memory: it
should not grow with the recording.
"""

import argparse
import sys
import tempfile
from pathlib import Path

from .measured import measured
from .session import jsonl

_MORE = " and more words, so that an answer is as long as those of a real server are: two hundred letters or so"


def main() -> None:
    """Write, draw, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("messages", type=int, nargs="?", default=1_000_000)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        source, out = Path(folder, "long.jsonl"), Path(folder, "long.svg")
        with source.open("w", encoding="utf-8") as file:
            file.writelines(f"{line}\n" for line in jsonl(asked.messages // 2, _MORE))
        print(f"{asked.messages:,} messages, {source.stat().st_size >> 20:,} MB")
        render = f"{sys.executable} -m flowgen render"
        for told, call in (("file", f"{render} {source} -o {out}"), ("pipe", f"cat {source} | {render} - -o {out}")):
            taken = measured(["sh", "-c", call], 1800)
            assert taken is not None, call
            print(f"{told}: {taken.wall:.1f} s, {taken.peak:.0f} MB, picture {out.stat().st_size >> 10:,} KB")


if __name__ == "__main__":
    main()
