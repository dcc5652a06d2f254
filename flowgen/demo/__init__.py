"""The bundled MCP server: plays a scenario file, in both eras. A demo is a scenario here and a plan for the recorder.

The server itself is started as a process of its own, as any other server is: on its stdin and stdout with `argv`, over
HTTP on loopback with `serve`. Wherever a demo is named, the path of a scenario file will do; then the plan is yours.
"""

import os
import sys
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

__all__ = [
    "answers", "argv", "bearer", "in_both_eras", "is_file", "names", "plan", "scenario_schema", "serve", "transport",
]  # fmt: skip

_HERE = Path(__file__).parent
_PLANS = _HERE.parent / "protocol" / "plans"


def names() -> list[tuple[str, str]]:
    """The demos there are, each with one line about it: those that have both a scenario and a plan."""
    from ._scenario import load, scenario_names

    return [(name, load(name).about) for name in scenario_names() if _beside_plans(f"{name}.toml")]


def in_both_eras(name: str) -> bool:
    """Whether a demo is there to be seen in both eras beside each other."""
    return name == "eras"


def is_file(name: str) -> bool:
    """Whether this is the path of a scenario file, not the name of a demo."""
    return os.path.sep in name or name.endswith(".toml")


def argv(name: str) -> list[str]:
    """The command that starts the demo's server. ConfigError if there is no such demo.

    `-P` keeps Python from importing what lies in the folder one happens to be in.
    """
    _known(name)
    return [sys.executable, "-P", "-m", "flowgen.demo", "--scenario", name]


def transport(name: str) -> str:
    """How the demo is meant to be spoken with: `stdio` or `http`. ConfigError if there is no such demo."""
    from ._scenario import load

    return load(name).transport


def bearer(name: str) -> str | None:
    """The access token with which the demo is spoken with, if its scenario has one that was given out earlier."""
    from ._scenario import load

    tokens = (load(name).auth or {}).get("token", [])
    return str(tokens[0]["value"]) if tokens else None


def serve(name: str) -> AbstractContextManager[str]:
    """The demo's server over HTTP, and its authorization server if it has one, in a process of their own.

    Gives the address of the MCP endpoint, `http://127.0.0.1:PORT/mcp` with a free port; the process ends with the
    block. BackendMissing without the extra `http`, ServerError if it does not start.
    """
    from ._running import started

    _known(name)
    return started(name)


def plan(name: str) -> bytes:
    """The demo's plan for the recorder, TOML. ConfigError if there is no such demo, or no plan for it."""
    from flowgen.errors import ConfigError

    _known(name)
    found = None if is_file(name) else _beside_plans(f"{name}.toml")
    if found is None:
        raise ConfigError(f'the demo "{name}" has no plan', f"start it alone: python -m flowgen.demo --scenario {name}")
    return found


def answers(name: str) -> bytes | None:
    """What the client's side answers in this demo, TOML; None if it is not asked, or if that is yours to say."""
    return None if is_file(name) else _beside_plans(f"answers/{name}.toml")


def scenario_schema() -> dict[str, Any]:
    """The JSON Schema of scenario files."""
    from ._scenario import schema

    return schema()


def _known(name: str) -> None:
    """Refuses a demo that is not there, and a file that is no scenario."""
    if is_file(name):
        from ._scenario import load

        load(name)
    elif f"{name}.toml" not in os.listdir(_HERE / "scenarios"):
        from ._scenario import bundled

        bundled(name)


def _beside_plans(path: str) -> bytes | None:
    file = _PLANS.joinpath(path)
    return file.read_bytes() if os.path.isfile(file) else None  # of too long a name, too
