"""`python -m flowgen.demo`: an MCP server on stdin and stdout that plays a scenario."""

import os
import sys
from typing import TYPE_CHECKING

from flowgen.errors import BackendMissing, ConfigError, UsageError

if TYPE_CHECKING:
    from ._running import Public

_USAGE = """\
usage: python -m flowgen.demo [--scenario NAME|FILE] [--http PORT [--auth PORT] [--until-eof]
                              [--origin URL [--auth-origin URL] --certificate FILE]] [--list]

An MCP server that plays a scenario on stdin and stdout, or over HTTP on 127.0.0.1.
  --scenario NAME|FILE   a bundled scenario, or the path of a .toml file; without it: seed
  --http PORT            listens on this port, or with 0 on a free one; its address is the first line on stdout
  --auth PORT            of the authorization server, where the scenario has one; without it: a free one
  --origin URL           the name that it goes by, such as https://mcp.tracker.example; it still listens on 127.0.0.1
  --auth-origin URL      that of the authorization server
  --certificate FILE     certificate and key for these names (PEM): TLS is spoken
  --until-eof            over HTTP: ends when stdin ends, too
  --list                 tells the bundled scenarios
"""
_VALUES = ("--scenario", "--http", "--auth", "--origin", "--auth-origin", "--certificate")
_FLAGS = ("--until-eof", "--help", "-h", "--list")


def main(arguments: list[str]) -> int:
    """Run the command; its exit code."""
    try:
        return _run(arguments)
    except KeyboardInterrupt:
        return 130
    except (BackendMissing, ConfigError, UsageError) as error:
        hint = f"hint: {error.hint}\n" if error.hint else ""
        sys.stderr.write(f"flowgen.demo: {error}\n{hint}")
        return 4 if isinstance(error, BackendMissing) else 2


def _run(arguments: list[str]) -> int:
    options = _options(arguments)
    if {"--help", "-h"} & options.keys():
        sys.stdout.write(_USAGE)
    elif "--list" in options:
        _list()
    elif "--http" in options:
        _serve_http(options)
    elif {*_VALUES[2:], "--until-eof"} & options.keys():
        raise UsageError("--auth and --until-eof go with --http", "python -m flowgen.demo --http 0")
    else:
        _serve(options.get("--scenario", "seed"))
    return 0


def _options(arguments: list[str]) -> dict[str, str]:
    """`--name value` and `--name=value`; flags have an empty value."""
    found, rest = {}, list(arguments)
    while rest:
        name, equals, value = rest.pop(0).partition("=")
        if name in _VALUES and (equals or rest):
            found[name] = value if equals else rest.pop(0)
        elif name in _FLAGS and not equals:
            found[name] = ""
        else:
            raise UsageError(f"cannot follow {' '.join(arguments)}", "python -m flowgen.demo --help")
    return found


def _list() -> None:
    from ._scenario import load, scenario_names

    for name in scenario_names():
        sys.stdout.write(f"{name:14} {load(name).about}\n")


def _serve(name: str) -> None:
    from ._scenario import load
    from ._stdio import serve

    serve(load(name))


def _serve_http(options: dict[str, str]) -> None:
    from ._running import play
    from ._scenario import load

    scenario = load(options.get("--scenario", "seed"))
    ports = _port(options, "--http"), _port(options, "--auth")
    play(scenario, *ports, _say, "--until-eof" in options, _public(options))


def _public(options: dict[str, str]) -> "Public | None":
    from ._running import Public

    told = [options.get(name) for name in ("--origin", "--auth-origin", "--certificate")]
    if told == [None, None, None]:
        return None
    origin, auth_origin, certificate = told
    if not origin or not certificate or not os.path.isfile(certificate):
        hint = "--origin https://mcp.tracker.example --certificate tracker.pem"
        raise UsageError("--origin goes with a file of --certificate", hint)
    return Public(origin.rstrip("/"), (auth_origin or origin).rstrip("/"), certificate)


def _port(options: dict[str, str], name: str) -> int:
    value = options.get(name, "0")
    if not value.isdecimal():
        raise UsageError(f"{name} {value}: this is no port", f"{name} 0 takes a free one")
    return int(value)


def _say(words: str) -> None:
    sys.stdout.write(words + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
