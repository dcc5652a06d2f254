"""`python -m flowgen.demo`: an MCP server on stdin and stdout that plays a scenario."""

import sys

from flowgen.errors import ConfigError, UsageError

_USAGE = """\
usage: python -m flowgen.demo [--scenario NAME|FILE] [--list]

An MCP server on stdin and stdout that plays a scenario; without one: seed.
  --scenario NAME|FILE   a bundled scenario, or the path of a .toml file
  --list                 tells the bundled scenarios
"""


def main(arguments: list[str]) -> int:
    """Run the command; its exit code."""
    try:
        return _run(arguments)
    except (ConfigError, UsageError) as error:
        hint = f"hint: {error.hint}\n" if error.hint else ""
        sys.stderr.write(f"flowgen.demo: {error}\n{hint}")
        return 2


def _run(arguments: list[str]) -> int:
    match arguments:
        case ["-h" | "--help"]:
            sys.stdout.write(_USAGE)
        case ["--list"]:
            _list()
        case [] | ["--scenario", _]:
            _serve(arguments[1] if arguments else "seed")
        case [one] if one.startswith("--scenario="):
            _serve(one.removeprefix("--scenario="))
        case _:
            raise UsageError(f"cannot follow {' '.join(arguments)}", "python -m flowgen.demo --scenario full")
    return 0


def _list() -> None:
    from ._scenario import load, scenario_names

    for name in scenario_names():
        sys.stdout.write(f"{name:14} {load(name).about}\n")


def _serve(name: str) -> None:
    from ._scenario import load
    from ._stdio import serve

    serve(load(name))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
