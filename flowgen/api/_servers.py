"""Whom to record: a command, an address, or a demo, with what the user said of each way."""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from flowgen.errors import ConfigError, FlowgenError, UsageError

if TYPE_CHECKING:
    from flowgen.record import Server, Site, Unready

    from ._config import Entry

_OF_A_COMMAND = ("env", "cwd")
_OF_AN_ADDRESS = (
    "headers", "bearer", "transport", "cacert", "insecure", "proxy", "connect_to", "connect_timeout", "client_id",
    "client_secret", "client_metadata_url", "client_key", "scopes", "issuer", "redirect_uri", "no_browser",
    "token_store",
)  # fmt: skip


def several(config: str, options: Mapping[str, Any]) -> "dict[str, Server | Site | Unready]":
    """Every enabled server of a host's config file; one with a mistake in it does not keep the others away.

    Raises ConfigError and UsageError for the file as a whole, for what was typed, and if no server is left.
    """
    from flowgen.record import Unready

    from ._config import servers_in

    site("https://server.invalid/", _merged(options, {}))  # what was typed is wrong for all of them
    found: dict[str, Server | Site | Unready] = {}
    mistakes: list[FlowgenError] = []
    for name, entry in servers_in(config).items():
        try:
            found[name] = _entered(entry, config, name, options)
        except (ConfigError, UsageError) as mistake:
            found[name] = Unready(str(mistake), mistake.hint or "")
            mistakes.append(mistake)
    if len(mistakes) == len(found):
        raise mistakes[0]
    return found


def named(config: str, name: str, options: Mapping[str, Any]) -> "Server | Site":
    """One server of a host's config file. Raises ConfigError and UsageError."""
    from ._config import server_in

    return _entered(server_in(config, name), config, name, options)


def _entered(entry: "Entry", config: str, name: str, options: Mapping[str, Any]) -> "Server | Site":
    """What an entry of a config file names, with what was typed."""
    from ._config import options_of

    server, own = options_of(entry, config, name)
    return target(server, None, _merged(options, own))


def _merged(options: Mapping[str, Any], own: Mapping[str, Any]) -> dict[str, Any]:
    """What was typed counts more than what the file says; headers and variables are joined."""
    typed = {name: value for name, value in options.items() if value not in (None, (), {}, False, "auto")}
    merged = {**own, **typed}
    if "env" in own:
        merged = {name: value for name, value in merged.items() if name not in _OF_AN_ADDRESS}
        return merged | {"env": {**own["env"], **(typed.get("env") or {})}}
    merged = {name: value for name, value in merged.items() if name not in _OF_A_COMMAND}
    return merged | {"headers": (*own.get("headers", ()), *(typed.get("headers") or ()))}


def target(server: str | Sequence[str] | None, demo: str | None, options: Mapping[str, Any]) -> "Server | Site":
    """The server to record. Raises UsageError for what does not go together."""
    from flowgen.record import is_address

    if isinstance(server, str) and is_address(server):
        return site(server, of_an_address(options, server))
    if not isinstance(server, str) and server is not None and len(server) == 1 and is_address(server[0]):
        return target(server[0], demo, options)
    _refuse(options, _OF_AN_ADDRESS, "goes with a server that has an address", "--url https://host/mcp")
    from flowgen.record import Server

    return Server(_argv(server, demo), options.get("env") or {}, options.get("cwd"))


def of_an_address(options: Mapping[str, Any], server: str) -> Mapping[str, Any]:
    """The options, if they can be for a server with an address; `server` names it. Raises UsageError."""
    _refuse(options, _OF_A_COMMAND, "goes with a server that is started", server)
    return options


def site(url: str, options: Mapping[str, Any]) -> "Site":
    """A server with an address."""
    from flowgen.record import Site, check_site, has_person

    headers = [(name, value) for name, value in options.get("headers") or ()]
    if options.get("bearer"):
        headers.append(("Authorization", f"Bearer {options['bearer']}"))
    made = Site(url, tuple(headers), options.get("transport") or "auto", _route(options))
    made = made._replace(oauth=_oauth(options, options.get("browser") == "demo" or has_person()))
    check_site(made)
    return made


def _oauth(options: Mapping[str, Any], interactive: bool) -> Any:
    from flowgen.record import OAuth

    names = ("client_id", "client_secret", "client_metadata_url", "issuer", "redirect_uri", "token_store")
    return OAuth(
        **{name: options.get(name) for name in names}, scopes=tuple(options.get("scopes") or ()),
        key=_key(options.get("client_key")), interactive=interactive, opens=not options.get("no_browser"),
        browser=options.get("browser") or "user",
    )  # fmt: skip


def _key(path: str | None) -> str | None:
    if path is None:
        return None
    try:
        return Path(path).read_text()
    except (OSError, ValueError) as problem:
        raise UsageError(f"--client-key {path}: {problem}", "give a file with a private key in PEM form") from None


def _route(options: Mapping[str, Any]) -> Any:
    from flowgen.record import Route

    given = {name: options.get(name) for name in Route._fields}
    given["connect_to"] = tuple(options.get("connect_to") or ())
    return Route(**{name: value for name, value in given.items() if value is not None})


def _refuse(options: Mapping[str, Any], names: Sequence[str], why: str, hint: str) -> None:
    for name in names:
        if options.get(name):
            raise UsageError(f"--{name.replace('_', '-')} {why}", hint)


def _argv(server: str | Sequence[str] | None, demo: str | None) -> tuple[str, ...]:
    if demo is not None:
        from flowgen.demo import argv

        return tuple(argv(demo))
    from flowgen.record import split_command

    argv_ = split_command(server, windows=os.name == "nt") if isinstance(server, str) else list(server or ())
    if not argv_:
        raise UsageError("the command of the server is empty", "such as python server.py")
    return tuple(argv_)
