"""Draws the pictures of this folder again from the traces beside them; `--check` only says which are stale.

    python samples/make.py            # pictures from the committed traces, the page of the book, the gallery
    python samples/make.py --check    # exit 1 and the names of stale files
    python samples/make.py --record   # first record the traces anew: the bundled demo, a server written with the
                                      # official SDK in both eras, and server-everything from npm, which is looked
                                      # for in the folder that FLOWGEN_NODE_SERVERS names
    python samples/make.py --record create-issue/trace.json     # only this trace, and its pictures
    python samples/make.py --record book                        # only the picture book (Linux and macOS)
    python samples/make.py --record architecture/trace.json     # a vendor's server, played on this machine (staged.py)

Pictures are made from committed traces, so the same bytes come out on every machine. The picture book is described in
`book/book.toml`: scenarios of the specification, each recorded from the bundled demo server.
"""

import argparse
import json
import os
import runpy
import shlex
import subprocess
import sys
import threading
import time
import tomllib
from pathlib import Path
from typing import Any, NamedTuple

from flowgen import api

HERE = Path(__file__).parent
BOOK = "book/README.md"
GALLERY = "README.md"
SDK_SERVER = HERE.parent / "tests" / "record" / "servers"
EVERYTHING = "node_modules/@modelcontextprotocol/server-everything/dist/index.js"
TYPING_SECONDS = 0.4  # that whoever sits at the terminal takes for an answer

Arguments = list[str]
Picture = tuple[tuple[str, ...], dict[str, Any]]  # its traces, and the options of `flowgen render`


class Recording(NamedTuple):
    """How a trace is recorded: arguments of `flowgen record`, the server's command, where that is started.

    `folder`: where flowgen itself is started. `keys` are typed at a terminal where it asks, `env` is on top of our own,
    `ends` is the exit code.
    """

    options: Arguments
    server: Arguments = []  # noqa: RUF012 - a NamedTuple's default, never changed
    place: Path | None = None
    folder: Path | None = None
    keys: tuple[str, ...] = ()
    env: dict[str, str] = {}  # noqa: RUF012 - as above
    ends: int = 0


# picture -> (its trace, options of `flowgen render`)
PICTURES: dict[str, Picture] = {
    "seed.svg": (("seed.json",), {}),
    "seed-light.svg": (("seed.json",), {"theme": "light"}),
    "seed-dark.svg": (("seed.json",), {"theme": "dark"}),
    "seed-zh.svg": (("seed.json",), {"lang": "zh"}),
    "seed-zh-dark.svg": (("seed.json",), {"lang": "zh", "theme": "dark"}),
    "seed-en-zh.svg": (("seed.json",), {"lang": "en+zh"}),
    "sdk-handshake.svg": (("sdk-handshake.json",), {"notes": "full"}),
    "sdk-stateless.svg": (("sdk-stateless.json",), {}),
    "everything.svg": (("everything.json",), {"lang": "zh"}),
    "oauth/flow.svg": (("oauth/trace.json",), {"times": "latency"}),
    "oauth/flow-dark.svg": (("oauth/trace.json",), {"times": "latency", "theme": "dark"}),
    "create-issue/flow.svg": (("create-issue/trace.json",), {"lang": "en+zh"}),
    "http-2026-07-28/flow.svg": (("http-2026-07-28/trace.json",), {"notes": "full"}),
    "mcp/flow.svg": (("mcp/trace.json",), {"schema": "summary"}),
    "texts/seed.txt": (("seed.json",), {"columns": 80, "notes": "none"}),
    "texts/oauth.txt": (("oauth/trace.json",), {"notes": "none", "times": "latency"}),
    "texts/seed.mmd": (("seed.json",), {}),
    "texts/seed.puml": (("seed.json",), {}),
    "texts/seed.md": (("seed.json",), {"image": "../seed.svg"}),
    "templates/seed-messages.html": (("seed.json",), {"template": HERE / "templates" / "messages.html.j2"}),
}

# architecture pictures -> what each is drawn from: of one system a host's config, a description and a recording; and a
# system that no host's file holds, laid out as a graph
ARCHITECTURES = {
    "architecture/config.svg": "architecture/mcp.json",
    "architecture/description.svg": "architecture/system.yaml",
    "architecture/trace.svg": "architecture/trace.json",
    "architecture/company.svg": "architecture/company.yaml",
}
PICTURES |= {name: ((source,), {}) for name, source in ARCHITECTURES.items()}
# what a recording shows is laid over what a config declares; and what changed from one file to another
LAID_OVER = {"architecture/seen.svg": ("architecture/mcp.json", "architecture/trace.json")}
COMPARED = {
    "eras/eras.svg": ("eras/trace.handshake.json", "eras/trace.stateless.json"),
    "architecture/changes.svg": ("architecture/mcp.json", "architecture/mcp.next.json"),
}
PICTURES |= {name: (sources, {}) for name, sources in (LAID_OVER | COMPARED).items()}
STAGED = "architecture/trace.json"

_SDK = [
    "--list", "all", "--answers", str(HERE / "answers.toml"),
    "--call", 'weather={"city": "Zürich"}', "--call", 'book={"day": "Friday"}',
]  # fmt: skip

RECORDINGS: dict[str, Recording] = {
    "seed.json": Recording(["--demo", "seed"]),
    "oauth/trace.json": Recording(["--demo", "oauth"]),
    "create-issue/trace.json": Recording(["--demo", "create-issue"]),
    "eras/trace.handshake.json": Recording(["--demo", "eras", "--revision", "2025-11-25"]),
    "eras/trace.stateless.json": Recording(["--demo", "eras", "--revision", "2026-07-28"]),
    "http-2026-07-28/trace.json": Recording(["--demo", "http"]),
    "mcp/trace.json": Recording(  # flowgen's own session as a server
        ["--list", "tools,templates", "--call", 'draw={"path": "seed.json", "steps": "3", "format": "txt"}',
         "--call", 'check={"path": "flowgen://samples/oauth"}', "--read", "flowgen://samples/config"],
        ["python", "-m", "flowgen", "mcp"],
        HERE,
    ),
    "sdk-handshake.json": Recording(["--revision", "2025-11-25", *_SDK], ["python", "sdk_server.py"], SDK_SERVER),
    "sdk-stateless.json": Recording(
        ["--revision", "2026-07-28", *_SDK, "--call", "open_kitchen"],
        ["python", "sdk_server.py"],
        SDK_SERVER,
    ),
    "everything.json": Recording(
        ["--list", "prompts", "--call", 'get-sum={"a": 2, "b": 3}', "--prompt", 'args-prompt={"city": "Zürich"}'],
        ["node", EVERYTHING],
        Path(os.environ.get("FLOWGEN_NODE_SERVERS", "/nonexistent")),
    ),
}


# the picture book

SCENARIOS: list[dict[str, Any]] = tomllib.loads((HERE / "book" / "book.toml").read_text("utf-8"))["scenario"]


def branches(scenario: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    """The traces of a scenario with how each is recorded: one, or one for each of its branches."""
    folder, several = f"book/{scenario['id']}", scenario.get("recording")
    if several is None:
        return [(f"{folder}/trace.json", scenario)]
    return [(f"{folder}/trace-{each['name'].replace(' ', '-')}.json", each) for each in several]


def booked(scenario: dict[str, Any], how: dict[str, Any]) -> Recording:
    """How one of its traces is recorded: in its folder, so that no other place is told of."""
    env, ends = scenario.get("env", {}), how.get("ends", 0)
    return Recording(how["record"], [], None, HERE / "book" / scenario["id"], tuple(how.get("keys", ())), env, ends)


def bound(scenario: dict[str, Any]) -> Picture:
    """The picture of a scenario; its branches stand in one frame."""
    traces, options = branches(scenario), dict(scenario.get("draw", {}))
    if len(traces) > 1:
        options |= {"together": "alt", "names": [how["name"] for _, how in traces]}
    return tuple(name for name, _ in traces), options


BOOKED = {name: booked(each, how) for each in SCENARIOS for name, how in branches(each)}
BOOK_PICTURES = {f"book/{each['id']}/flow.svg": bound(each) for each in SCENARIOS}
ALL_PICTURES = PICTURES | BOOK_PICTURES
ALL_RECORDINGS = [*RECORDINGS, *BOOKED, STAGED]


def page() -> bytes:
    """The page of the book, as it should be."""
    rows = "\n".join(map(_chapter, SCENARIOS))
    return f"""# Picture book

{len(SCENARIOS)} sequence diagrams of the MCP specification, each drawn from a real recording of the demo server that
comes with flowgen. No message is made by hand. What is not on the wire stands in a note that the recorder wrote itself;
whoever is asked at a terminal is played by `samples/make.py`, and so is the browser, by flowgen.

`python samples/make.py --record book` records all of them anew; the commands below do one, in its folder. Sources are
pages under `docs/` of [modelcontextprotocol/modelcontextprotocol](https://github.com/modelcontextprotocol/modelcontextprotocol),
with the line where the diagram begins. Where branches exclude each other there is a recording of each, set together in
one frame; typed by hand, the branches have the names of the files.

{rows}""".encode()


def gallery() -> bytes:
    """The page with all pictures of this folder, as it should be."""
    page = runpy.run_path(str(HERE / "gallery.py"))["page"]
    made: bytes = page(PICTURES, [*LAID_OVER], [*COMPARED], [each["id"] for each in SCENARIOS])
    return made


def _chapter(scenario: dict[str, Any]) -> str:
    picture = pictured(f"book/{scenario['id']}/flow.svg")
    lanes = ", ".join(lane.role for lane in picture.flow.lanes)
    env = "".join(f"{name}={value} " for name, value in scenario.get("env", {}).items())
    traces = branches(scenario)
    recorded = [f"{env}flowgen record {shlex.join(how['record'])} -o {name.rpartition('/')[2]}" for name, how in traces]
    names = " ".join(name.rpartition("/")[2] for name, _ in traces)
    options = _typed(scenario) + (" --together alt" if len(traces) > 1 else "")
    commands = "\n".join([*recorded, f"flowgen render {names} -o flow.svg{options}"])
    keys = [f"{how.get('name', 'typed')}: {' '.join(how['keys'])}" for _, how in traces if "keys" in how]
    typed = f"\n- At the terminal: {'; '.join(f'`{each}`' for each in keys)}" if keys else ""
    return f"""## [{scenario["id"]}]({scenario["id"]}/flow.svg)
{picture.flow.title}

- Source: `{scenario["source"]}`
- Lanes: {lanes}
- As a note: {scenario["note"]}{typed}

```sh
{commands}
```
"""


def _typed(scenario: dict[str, Any]) -> str:
    """The options of its picture as they are typed."""
    words = ""
    for name, value in scenario.get("draw", {}).items():
        for each in value if isinstance(value, list) else [value]:
            words += f" --{name}" if each is True else f" --{name} {each}"
    return words


# drawing and recording


def architecture(name: str) -> api.Architecture:
    """An architecture picture from its file as it lies here, by no more than the file's name."""
    return api.architecture([named(ARCHITECTURES[name])])


def named(name: str) -> tuple[str, bytes]:
    """A file as it lies here, by no more than its name."""
    return (HERE / name).name, (HERE / name).read_bytes()


def pictured(name: str) -> api.Drawing:
    """A picture from its traces as they lie here."""
    traces, options = ALL_PICTURES[name]
    return api.drawing([api.load(HERE / trace, view="flow") for trace in traces], **options)


def drawn(name: str) -> bytes:
    """The bytes that a picture should have, or of a page."""
    if name == BOOK:
        return page()
    if name == GALLERY:
        return gallery()
    if name in ARCHITECTURES:
        return architecture(name).files("svg")[0]
    if name in LAID_OVER:
        config, seen = map(named, LAID_OVER[name])
        return api.architecture([config], seen=[seen]).files("svg")[0]
    if name in COMPARED:
        return api.diff(*map(named, COMPARED[name])).files("svg")[0]
    own = ALL_PICTURES[name][1]
    return pictured(name).files("template" if "template" in own else api.format_of(name))[0]


def stale(traces: list[str] | None = None) -> list[str]:
    """Names of the pictures (all, or those of some traces) that differ from what their trace gives today."""
    asked = [name for name, (own, _) in ALL_PICTURES.items() if not traces or {*own} & {*traces}]
    asked += [BOOK] if not traces or {*BOOKED} & {*traces} else []
    asked += [GALLERY] if not traces else []
    return [name for name in asked if not (HERE / name).exists() or (HERE / name).read_bytes() != drawn(name)]


def recorded(name: str) -> str:
    """A trace recorded anew; where Python lies on this machine is nobody's business."""
    if name == STAGED:
        from staged import recorded as played

        return played(HERE / "architecture")
    how = (RECORDINGS | BOOKED)[name]
    place = ["--cwd", str(how.place)] if how.place else []
    server = ["--", *how.server] if how.server else []
    command = [sys.executable, "-m", "flowgen", "record", *place, *how.options, *server]
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    code, out = _run(command, {**os.environ, "PATH": path, **how.env}, how.folder, how.keys)
    if code != how.ends:
        raise SystemExit(f"{name}: exit code {code} in place of {how.ends}")
    return out.decode("utf-8").replace(json.dumps(sys.executable), '"python"')


def _run(command: Arguments, env: dict[str, str], folder: Path | None, keys: tuple[str, ...]) -> tuple[int, bytes]:
    """Exit code and output. With keys it has a terminal, at which they are typed as it asks for them."""
    terminal, stdin = os.openpty() if keys else (None, subprocess.DEVNULL)
    pipe = subprocess.PIPE
    with subprocess.Popen(command, cwd=folder, env=env, stdin=stdin, stdout=pipe, stderr=pipe) as process:
        late = threading.Timer(60, process.kill)
        late.start()
        typist = threading.Thread(target=_type, args=(process.stderr, terminal, list(keys)))
        typist.start()
        out = process.stdout.read() if process.stdout else b""
        typist.join()
        late.cancel()
    for opened in (terminal, stdin) if terminal is not None else ():
        os.close(opened)
    return process.returncode, out


def _type(questions: Any, terminal: int | None, keys: list[str]) -> None:
    """Passes on what is told, and types the next answer after each question."""
    while told := os.read(questions.fileno(), 4096):
        if terminal is None or not keys:
            os.write(2, told)
        elif told.rstrip(b" ").endswith(b":"):
            time.sleep(TYPING_SECONDS)
            os.write(terminal, keys.pop(0).encode() + b"\n")


def main() -> int:
    """Write or check every picture; the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--record", action="store_true")
    parser.add_argument("traces", nargs="*", metavar="TRACE", help="names of traces, or book; all when left out")
    options = parser.parse_args()
    traces = [name for asked in options.traces for name in (BOOKED if asked == "book" else [asked])]
    if unknown := [name for name in traces if name not in ALL_RECORDINGS]:
        parser.error(f"no such trace: {unknown[0]}; there are book, {', '.join(ALL_RECORDINGS)}")
    for name in (traces or ALL_RECORDINGS) if options.record else ():
        (HERE / name).parent.mkdir(exist_ok=True)
        (HERE / name).write_text(recorded(name), encoding="utf-8", newline="\n")
    old = stale(traces)
    for name in [] if options.check else old:
        (HERE / name).write_bytes(drawn(name))
    print("\n".join(f"{'stale' if options.check else 'wrote'} {name}" for name in old) or "all pictures are fresh")
    return 1 if options.check and old else 0


if __name__ == "__main__":
    sys.exit(main())
