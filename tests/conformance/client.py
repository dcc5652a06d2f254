"""The client that the official conformance suite drives: flowgen's own recorder, with nothing of its own but names.

The suite appends its server's address and names the scenario and the revision in variables. What the scenario wants
is a plan; whatever a tool asks for is made up from its schema. With CONFORMANCE_TRACES=FOLDER the recordings stay.
"""

import json
import os
import sys
from pathlib import Path
from typing import Any

from flowgen import protocol
from flowgen.protocol import _arguments, _steps
from flowgen.record import Limits, OAuth, Recorded, Recording, Session, Site, Watch
from flowgen.trace import save

METADATA_URL = "https://conformance-test.local/client-metadata.json"
ANSWERS = b"""
[[elicitation]]
accept = {}
[[sampling]]
text = "What the model says."
"""
# scenarios whose server wants more than its list read and its tools called
ARGUMENTS = {"add_numbers": {"a": 5, "b": 3}}
LASTING = {"sse-retry": 6.0}  # seconds for what the server says after its answer


def main() -> int:
    """Plays one scenario; 0 when the session ended as a good client's may."""
    scenario = os.environ.get("MCP_CONFORMANCE_SCENARIO", "")
    revision = os.environ.get("MCP_CONFORMANCE_PROTOCOL_VERSION", "auto")
    context = json.loads(os.environ.get("MCP_CONFORMANCE_CONTEXT") or "{}")
    recording = recorded(sys.argv[-1], scenario, revision, context)
    keep(recording, scenario, revision)
    for line in recording.verdict:
        print(line, file=sys.stderr)
    return recording.exit_code


def recorded(url: str, scenario: str, revision: str, context: dict[str, Any]) -> Recording:
    """Records the scenario."""
    steps = [protocol.Step("list", ("tools",), as_declared=True), *calls(context)]
    if scenario in LASTING:
        steps.append(protocol.Step("wait", LASTING[scenario]))
    session = Session(
        protocol.Plan(tuple(steps), revision=revision), protocol.answers_from(ANSWERS, "answers"),
        protocol.Manners(yes=True), limits=Limits(20.0, 20.0),
    )  # fmt: skip
    watch = Watch(warn=lambda text: print(text, file=sys.stderr))
    return Recorded(Site(url, oauth=signing_in(context)), session, watch).run()


def calls(context: dict[str, Any]) -> list[protocol.Step]:
    """The calls that the scenario names, else every tool once."""
    named = [
        protocol.Step("call", call["name"], arguments=call.get("arguments") or {})
        for call in context.get("toolCalls") or ()
    ]
    return named or [protocol.Step("call-all", ARGUMENTS)]


def call_all(client: protocol.Client, step: protocol.Step) -> protocol.Script[None]:
    """Every tool that was listed, harmless or not: these servers are made for it."""
    tools = list(client.listed.get("tools", ()))
    for tool in tools:
        name = tool["name"]
        arguments = step.target.get(name) or _arguments.example_arguments(tool.get("inputSchema"))
        if name == "json_schema_echo":  # wants the first tool's schema back as it came
            arguments = {"schema": tools[0].get("inputSchema")}
        yield from _steps.ACTIONS["call"](client, protocol.Step("call", name, arguments=arguments))


_steps.ACTIONS["call-all"] = call_all


def signing_in(context: dict[str, Any]) -> OAuth:
    """A browser that is played, and the credentials that the scenario gives."""
    return OAuth(
        client_id=context.get("client_id"), client_secret=context.get("client_secret"),
        client_metadata_url=METADATA_URL, key=context.get("private_key_pem"), interactive=True, browser="demo",
    )  # fmt: skip


def keep(recording: Recording, scenario: str, revision: str) -> None:
    """Writes the trace where somebody asked for it."""
    folder = os.environ.get("CONFORMANCE_TRACES")
    if folder:
        name = f"{scenario.replace('/', '-')}-{revision}.json"
        Path(folder).mkdir(parents=True, exist_ok=True)
        save(recording.document, str(Path(folder, name)))


if __name__ == "__main__":
    sys.exit(main())
