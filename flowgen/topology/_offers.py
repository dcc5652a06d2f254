"""Files that offer servers to any host: registry `server.json`, bundle manifests, container catalogues, FastMCP's.

What they say is put as the command line that a host would make of it, so that one reader judges all.
"""

from collections.abc import Iterator
from typing import Any

from ._document import Table, Word
from ._fields import Given, Named, given, kind_of
from ._hosts import Form
from ._maps import Entry, Found, word

_RUNNERS = {"npm": ("npx", "-y"), "pypi": ("uvx",), "nuget": ("dnx",)}
_IMAGES = {"oci", "docker"}


def offered(value: Any, form: Form) -> tuple[list[Given], Found]:
    """The servers that a file offers, in its order."""
    readers = {"registry": _registry, "bundle": _bundle, "catalogue": _catalogue, "project": _project}
    found = list(readers[form](value)) if isinstance(value, dict) else []
    config = value.get("user_config") if isinstance(value, dict) else None
    inputs = {f"user_config.{name}": each for name, each in _objects(config)}
    defaults = {name: each["default"] for name, each in inputs.items() if isinstance(each.get("default"), str)}
    unseen = frozenset(name for name, each in inputs.items() if each.get("sensitive") is True)
    keys = tuple(value)[:50] if isinstance(value, dict) else ()
    return found, Found(keys=keys, defaults=defaults, secret_inputs=unseen)


def _objects(value: Any) -> Iterator[tuple[str, dict[str, Any]]]:
    pairs = value.items() if isinstance(value, dict) else ()
    return ((name, each) for name, each in pairs if isinstance(each, dict))


def _rows(value: Any, *names: str) -> Iterator[tuple[dict[str, Any], int]]:
    """The objects of the first list under one of the names, with their lines."""
    rows: list[Any] = next((value[name] for name in names if isinstance(value.get(name), list)), [])
    lines = getattr(rows, "lines", [1] * len(rows))
    return ((row, line) for row, line in zip(rows, lines, strict=True) if isinstance(row, dict))


def _text(value: dict[str, Any], *names: str) -> Word | None:
    name = next((name for name in names if value.get(name) is not None), "")
    return word(value.get(name), _line(value, name))


def _line(value: Any, name: str, default: int = 1) -> int:
    lines: dict[str, int] = getattr(value, "lines", {})
    return lines.get(name, default)


def _registry(value: dict[str, Any]) -> Iterator[Given]:
    """Both generations: `registryType` and `registry_name`, camel case and snake case."""
    listed = [row.get("server", row) for row, _ in _rows(value, "servers")] or [value.get("server", value)]
    for server in listed:
        if not isinstance(server, dict):
            continue
        name = server.get("name") if isinstance(server.get("name"), str) else None
        for row, line in _rows(server, "packages"):
            yield _package(name, row, line)
        for row, line in _rows(server, "remotes"):
            yield _remote(name, row, line)


def _package(name: str | None, row: dict[str, Any], line: int) -> Given:
    identifier = _text(row, "identifier", "name") or Word("", line)
    found = Given(name, identifier.line)
    registry = str(row.get("registryType") or row.get("registry_type") or row.get("registry_name") or "").lower()
    runtime = list(_arguments(row, "runtimeArguments", "runtime_arguments"))
    own = list(_arguments(row, "packageArguments", "package_arguments"))
    found.words = [*_started(registry, identifier, _text(row, "version"), runtime), *own]
    _declared(found, row, "environmentVariables", "environment_variables")
    transport = row.get("transport")
    if isinstance(transport, dict) and kind_of(transport.get("type")) in ("http", "sse"):
        found.url, found.type = _text(transport, "url"), kind_of(transport.get("type"))
        _declared(found, transport, "headers")
    return found


def _started(registry: str, identifier: Word, version: Word | None, runtime: list[Word]) -> list[Word]:
    line, pin = identifier.line, version.text if version else ""
    if registry in _IMAGES:
        tagged = not pin or any(sign in identifier.text.rpartition("/")[2] for sign in ":@")
        image = identifier.text if tagged else f"{identifier.text}:{pin}"
        return [*(Word(each, line) for each in ("docker", "run", "-i", "--rm")), *runtime, Word(image, line)]
    runner = [Word(each, line) for each in _RUNNERS.get(registry, ())]
    spec = f"{identifier.text}@{pin}" if runner and pin else identifier.text
    return [*runner, *runtime, Word(spec, line)]


def _arguments(row: dict[str, Any], *names: str) -> Iterator[Word]:
    for argument, line in _rows(row, *names):
        value = _text(argument, "value", "default")
        if argument.get("type") == "named" and isinstance(argument.get("name"), str):
            yield Word(argument["name"], _line(argument, "name", line))
        if value:
            yield value


def _remote(name: str | None, row: dict[str, Any], line: int) -> Given:
    url = _text(row, "url")
    found = Given(name, url.line if url else line, url=url)
    found.type = kind_of(row.get("type") or row.get("transport_type"))
    _declared(found, row, "headers")
    return found


def _declared(found: Given, row: dict[str, Any], *names: str) -> None:
    """Variables or headers that are named; a secret that is declared and not given is a reference."""
    for each, line in _rows(row, *names):
        name, value = each.get("name"), _text(each, "value", "default")
        if not isinstance(name, str):
            continue
        if value:
            (found.headers if "headers" in names else found.env).append((name, value))
        elif each.get("isSecret") or each.get("is_secret"):
            found.elsewhere.append(Named(name, _line(each, "name", line)))


def _bundle(value: dict[str, Any]) -> Iterator[Given]:
    server, name = value.get("server"), value.get("name")
    if not isinstance(server, dict):
        return
    body, line = server.get("mcp_config"), _line(server, "mcp_config", _line(value, "server"))
    if isinstance(body, Table) and body:
        at = _line(body, "command", line)
        yield given(Entry(name if isinstance(name, str) else None, body, at))
    elif point := _text(server, "entry_point"):
        programs = {"node": "node", "python": "python", "uv": "uv"}
        kind = programs.get(str(server.get("type")), "")
        words = [Word(each, point.line) for each in (kind, *(("run",) if kind == "uv" else ()), point.text) if each]
        yield Given(name if isinstance(name, str) else None, point.line, words=words)


def _catalogue(value: dict[str, Any]) -> Iterator[Given]:
    registry = value.get("registry")
    for name, row in _objects(registry):
        line = _line(registry, name)
        image, remote = _text(row, "image"), row.get("remote")
        if isinstance(remote, dict) and isinstance(remote.get("url"), str):
            found = given(Entry(name, _body(remote), line))
        elif image:
            found = Given(name, line, words=list(_contained(row, image)))
        else:
            continue
        for secret, at in _rows(row, "secrets"):
            found.elsewhere.append(Named(str(secret.get("env") or secret.get("name") or "secret"), at))
        found.oauth = found.oauth or (_line(row, "oauth") if row.get("oauth") else None)
        found.env += [(str(each.get("name")), text) for each, _ in _rows(row, "env") if (text := _text(each, "value"))]
        yield found


def _body(remote: dict[str, Any]) -> Table:
    body = Table()
    for key, each in remote.items():
        body.put(key, each, _line(remote, key))
    return body


def _contained(row: dict[str, Any], image: Word) -> Iterator[Word]:
    """As the engine is told: `docker run -i --rm -v … IMAGE COMMAND`."""
    yield from (Word(each, image.line) for each in ("docker", "run", "-i", "--rm"))
    volumes = row.get("volumes")
    for volume in volumes if isinstance(volumes, list) else ():
        yield Word("-v", image.line)
        yield Word(str(volume), _line(row, "volumes", image.line))
    yield image
    command = row.get("command")
    yield from (Word(str(each), image.line) for each in (command if isinstance(command, list) else ()))


def _project(value: dict[str, Any]) -> Iterator[Given]:
    """`fastmcp.json`: a server's source and how it is deployed."""
    source, deployment = value.get("source"), value.get("deployment")
    path = _text(source, "path", "entrypoint") if isinstance(source, dict) else word(source, _line(value, "source"))
    if not path:
        return
    found = Given(None, path.line, words=[Word(each, path.line) for each in ("fastmcp", "run", path.text)])
    if isinstance(deployment, dict):
        found.env = list(_variables(deployment.get("env")))
        found.type = kind_of(deployment.get("transport"))
        if found.type in ("http", "sse"):
            host, port = deployment.get("host") or "127.0.0.1", deployment.get("port") or 8000
            found.url = Word(f"http://{host}:{port}{deployment.get('path') or '/mcp'}", _line(deployment, "transport"))
    yield found


def _variables(value: Any) -> Iterator[tuple[str, Word]]:
    for name, each in value.items() if isinstance(value, dict) else ():
        if text := word(each, _line(value, name)):
            yield name, text
