"""Draws the pictures of this folder again from the traces beside them; `--check` only says which are stale.

    python samples/make.py            # pictures from the committed traces
    python samples/make.py --check    # exit 1 and the names of stale files
    python samples/make.py --record   # first record the traces anew: the bundled demo, a server written with the
                                      # official SDK in both eras, and server-everything from npm, which is looked
                                      # for in the folder that FLOWGEN_NODE_SERVERS names
    python samples/make.py --record create-issue/trace.json     # only this trace, and its pictures

Pictures are made from committed traces, so the same bytes come out on every machine.
"""

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path

from flowgen import api

HERE = Path(__file__).parent
SDK_SERVER = HERE.parent / "tests" / "record" / "servers"
EVERYTHING = "node_modules/@modelcontextprotocol/server-everything/dist/index.js"

Arguments = list[str]

# picture -> (trace, options of `flowgen render`)
PICTURES: dict[str, tuple[str, dict[str, object]]] = {
    "seed.svg": ("seed.json", {}),
    "seed-light.svg": ("seed.json", {"theme": "light"}),
    "seed-dark.svg": ("seed.json", {"theme": "dark"}),
    "seed-zh.svg": ("seed.json", {"lang": "zh"}),
    "seed-zh-dark.svg": ("seed.json", {"lang": "zh", "theme": "dark"}),
    "seed-en-zh.svg": ("seed.json", {"lang": "en+zh"}),
    "sdk-handshake.svg": ("sdk-handshake.json", {"notes": "full"}),
    "sdk-stateless.svg": ("sdk-stateless.json", {}),
    "everything.svg": ("everything.json", {"lang": "zh"}),
    "oauth/flow.svg": ("oauth/trace.json", {"times": "latency"}),
    "oauth/flow-dark.svg": ("oauth/trace.json", {"times": "latency", "theme": "dark"}),
    "create-issue/flow.svg": ("create-issue/trace.json", {"lang": "en+zh"}),
    "http-2026-07-28/flow.svg": ("http-2026-07-28/trace.json", {"notes": "full"}),
}

_SDK = [
    "--list", "all", "--answers", str(HERE / "answers.toml"),
    "--call", 'weather={"city": "Zürich"}', "--call", 'book={"day": "Friday"}',
]  # fmt: skip

# trace -> (arguments of `flowgen record`, the server's command, where it is started)
RECORDINGS: dict[str, tuple[Arguments, Arguments, Path | None]] = {
    "seed.json": (["--demo", "seed"], [], None),
    "oauth/trace.json": (["--demo", "oauth"], [], None),
    "create-issue/trace.json": (["--demo", "create-issue"], [], None),
    "http-2026-07-28/trace.json": (["--demo", "http"], [], None),
    "sdk-handshake.json": (["--revision", "2025-11-25", *_SDK], ["python", "sdk_server.py"], SDK_SERVER),
    "sdk-stateless.json": (
        ["--revision", "2026-07-28", *_SDK, "--call", "open_kitchen"],
        ["python", "sdk_server.py"],
        SDK_SERVER,
    ),
    "everything.json": (
        ["--list", "prompts", "--call", 'get-sum={"a": 2, "b": 3}', "--prompt", 'args-prompt={"city": "Zürich"}'],
        ["node", EVERYTHING],
        Path(os.environ.get("FLOWGEN_NODE_SERVERS", "/nonexistent")),
    ),
}


def drawn(name: str) -> bytes:
    """The bytes that a picture should have."""
    trace, options = PICTURES[name]
    return api.drawing(api.load(HERE / trace), **options).files("svg")[0]  # type: ignore[arg-type]


def stale(traces: list[str] | None = None) -> list[str]:
    """Names of the pictures (all, or those of some traces) that differ from what their trace gives today."""
    asked = [name for name in PICTURES if not traces or PICTURES[name][0] in traces]
    return [name for name in asked if not (HERE / name).exists() or (HERE / name).read_bytes() != drawn(name)]


def recorded(name: str) -> str:
    """A trace recorded anew; where Python lies on this machine is nobody's business."""
    options, server, cwd = RECORDINGS[name]
    place = ["--cwd", str(cwd)] if cwd else []
    command = [sys.executable, "-m", "flowgen", "record", *place, *options, *(["--", *server] if server else [])]
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, env={**os.environ, "PATH": path}, timeout=60)
    return done.stdout.decode("utf-8").replace(json.dumps(sys.executable), '"python"')


def main() -> int:
    """Write or check every picture; the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--record", action="store_true")
    parser.add_argument("traces", nargs="*", metavar="TRACE", help="names of traces; all when left out")
    options = parser.parse_args()
    if unknown := [name for name in options.traces if name not in RECORDINGS]:
        parser.error(f"no such trace: {unknown[0]}; there are {', '.join(RECORDINGS)}")
    for name in (options.traces or RECORDINGS) if options.record else ():
        (HERE / name).parent.mkdir(exist_ok=True)
        (HERE / name).write_text(recorded(name), encoding="utf-8", newline="\n")
    old = stale(options.traces)
    for name in [] if options.check else old:
        (HERE / name).write_bytes(drawn(name))
    print("\n".join(f"{'stale' if options.check else 'wrote'} {name}" for name in old) or "all pictures are fresh")
    return 1 if options.check and old else 0


if __name__ == "__main__":
    sys.exit(main())
