"""How long flowgen takes, as ratios of one run: whole cold processes, medians, against what cannot be avoided.

    python .ci/bench.py [--runs 7]

`render`: 4, 100 and 1,000 request/response pairs with 12 lines of JSON each, against importing click, pydantic
and jinja2. `config`: a host's config file of 3, 200 and 1,000 servers against the same. `record`: the bundled demo
against a client of the standard library that says the same to it. `call`: one tools/call over HTTP, worked out from
a session of 20 and one of 420, against the same calls with bare httpx.
Aims: 4 pairs 2.5, 1,000 pairs 8, 200 servers 2.5, record 2.5, call 1.3. Figures of two runs are not to be compared.
"""

import argparse
import json
import os
import runpy
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

FLOOR = [sys.executable, "-c", "import click, pydantic, jinja2"]
# The first turn writes bytecode, as an installation has it: else what is measured is the compiler.
ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
FLOORS = {"record": "bare", "bare": "bare", "call": "httpx", "httpx": "httpx"}
TOOLS = ["search", "read", "write", "stat", "list"]
BARE_CLIENT = """
import json, subprocess, sys
server = subprocess.Popen([sys.executable, "-m", "flowgen.demo", "--scenario", "seed"],
                          stdin=subprocess.PIPE, stdout=subprocess.PIPE)
def tell(method, **rest):
    server.stdin.write(json.dumps({"jsonrpc": "2.0", **rest, "method": method}).encode() + b"\\n")
    server.stdin.flush()
def ask(id, method, params=None):
    tell(method, id=id, **({"params": params} if params else {}))
    while json.loads(server.stdout.readline()).get("id") != id:
        pass
ask(1, "initialize", {"protocolVersion": "2025-06-18", "capabilities": {"elicitation": {}},
                      "clientInfo": {"name": "bare", "version": "1"}})
tell("notifications/initialized")
ask(2, "tools/list")
ask(3, "tools/call", {"name": "weather_current", "arguments": {"location": "San Francisco", "units": "imperial"}})
ask(4, "tools/list")
server.stdin.close()
server.wait()
"""


FEW, MANY = 20, 420  # calls of the two sessions over HTTP
BARE_CALLS = """
import httpx, sys
url, calls = sys.argv[1], int(sys.argv[2])
meta = {"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/clientInfo": {"name": "bare", "version": "1"}}
with httpx.Client() as client:
    for id in range(calls):
        params = {"name": "calculator_arithmetic", "arguments": {"expression": f"{id} + 1"}, "_meta": meta}
        body = {"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params}
        headers = {"Accept": "application/json, text/event-stream", "MCP-Protocol-Version": "2026-07-28",
                   "Mcp-Method": "tools/call", "Mcp-Name": "calculator_arithmetic"}
        assert "result" in client.post(url, json=body, headers=headers).json()
"""


def pair(number: int) -> list[dict[str, object]]:
    """A request and its answer; neighbours differ in name and values, so nothing folds."""
    name = TOOLS[number % len(TOOLS)]
    params = {"name": name, "arguments": {"query": f"what {number}", "limit": number, "deep": {"a": [1, 2, number]}}}
    item = {"id": number, "title": f"result number {number}", "score": number / 7, "tags": ["a", "b", name]}
    result = {"content": [{"type": "text", "text": f"{number} found"}], "structuredContent": item, "isError": False}
    return [
        {"sender": "client", "receiver": "server", "kind": "request",
         "body": {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params}},
        {"sender": "server", "receiver": "client", "kind": "response",
         "body": {"jsonrpc": "2.0", "id": number, "result": result}},
    ]  # fmt: skip


def trace(pairs: int) -> str:
    """A trace of so many pairs."""
    rows = [row for number in range(pairs) for row in pair(number)]
    messages = [{"seq": seq, "at": seq / 1000, "transport": "stdio", **row} for seq, row in enumerate(rows, 1)]
    people = [{"id": "client", "role": "client"}, {"id": "server", "role": "server"}]
    return json.dumps({
        "format": "flowgen.trace/1", "recorded_at": "2026-01-01T00:00:00Z", "recorder": "bench", "command": ["x"],
        "participants": people, "messages": messages, "outcome": {"complete": True, "reason": "done"},
    })  # fmt: skip


def config(servers: int) -> str:
    """A host's config file of so many servers, that of `tests.bench.wide`."""
    made = runpy.run_path(str(Path(__file__).parent.parent / "tests" / "bench" / "config.py"))
    return str(made["config"](servers), "utf-8")


def seconds(command: list[str]) -> float:
    """One cold run."""
    start = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=ENVIRONMENT)
    return time.perf_counter() - start


def compare(commands: dict[str, list[str]], runs: int) -> dict[str, float]:
    """Medians; the commands take turns, so that a slow moment of the machine meets all of them."""
    taken: dict[str, list[float]] = {name: [] for name in commands}
    for turn in range(runs + 1):
        for name, command in commands.items():
            spent = seconds(command)
            if turn:  # the first turn warms the disk
                taken[name].append(spent)
    return {name: statistics.median(times) for name, times in taken.items()}


def tour(calls: int) -> list[str]:
    """A session of so many calls and nothing else, no two alike, as options of record."""
    named = [f'--call=calculator_arithmetic={{"expression": "{number} + 1"}}' for number in range(calls)]
    return ["--revision", "2026-07-28", "--list", "none", *named]


def http_calls(folder: str, runs: int) -> tuple[float, float]:
    """Seconds for one call over HTTP: recorded, and with bare httpx."""
    command = [sys.executable, "-m", "flowgen.demo", "--scenario", "full", "--http", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as server:
        assert server.stdout
        url = server.stdout.readline().strip()
        commands = {}
        for calls in (FEW, MANY):
            record = ["record", "--url", url, *tour(calls), "-o", str(Path(folder, "calls.json"))]
            commands[f"recorded {calls}"] = [sys.executable, "-m", "flowgen", *record]
            commands[f"bare {calls}"] = [sys.executable, "-c", BARE_CALLS, url, str(calls)]
        medians = compare(commands, runs)
        server.terminate()
    recorded, bare = (medians[f"{name} {MANY}"] - medians[f"{name} {FEW}"] for name in ("recorded", "bare"))
    return recorded / (MANY - FEW), bare / (MANY - FEW)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=7)
    runs = parser.parse_args().runs
    flowgen = [sys.executable, "-m", "flowgen"]
    with tempfile.TemporaryDirectory() as folder:
        commands = {"floor": FLOOR, "bare": [sys.executable, "-c", BARE_CLIENT]}
        texts = {f"render {pairs}": trace(pairs) for pairs in (4, 100, 1000)}
        texts |= {f"config {servers}": config(servers) for servers in (3, 200, 1000)}
        for name, text in texts.items():
            path = Path(folder, f"{name}.json")
            path.write_text(text)
            commands[name] = [*flowgen, "render", str(path), "-o", str(path.with_suffix(".svg"))]
        commands["record"] = [*flowgen, "record", "--demo", "seed", "-o", str(Path(folder, "seed.json"))]
        medians = compare(commands, runs)
        medians["call"], medians["httpx"] = http_calls(folder, runs)
    for name, spent in medians.items():
        floor = medians[FLOORS.get(name, "floor")]
        print(f"{name:12} {spent * 1000:9.2f} ms  {spent / floor:5.2f} x")


if __name__ == "__main__":
    main()
