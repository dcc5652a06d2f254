"""Values against the JSON Schemas that a recording brings along: of tools, and of forms. Nothing is ever fetched.

A schema is somebody else's: it may lead nowhere, in circles, or take for ever. What cannot be told with a moderate
effort is not told. Needs the optional part `check`; without it every value fits.
"""

from collections.abc import Iterator
from contextvars import ContextVar
from functools import cache, lru_cache
from importlib.util import find_spec
from typing import Any

from flowgen.trace import read_json, write_json

from ._message import Json, items

_EFFORT = 20_000  # keywords that are looked at for one value
_COMPARED = 300  # items of a list that are compared with all others
_left: ContextVar[int] = ContextVar("left", default=_EFFORT)
_SKIPPED = ("pattern", "patternProperties", "format", "$dynamicRef")  # expressions may run for ever


class _TooMuch(Exception):
    pass


def reads_schemas() -> bool:
    """Whether the optional part is there."""
    return find_spec("jsonschema") is not None


class Schemas:
    """The schemas of a session, equal ones read once. They are known by where they stand, which is in its messages."""

    def __init__(self) -> None:
        self._read: dict[int, Any] = {}
        self._alike: dict[bytes, Any] = {}

    def fault(self, value: Any, schema: Any) -> str | None:
        """Where a value breaks a schema and why; None where it fits, or where nobody can tell."""
        if id(schema) not in self._read:
            self._read[id(schema)] = self._validator(schema)
        return _fault(value, self._read[id(schema)])

    def _validator(self, schema: Any) -> Any:
        """That of an equal schema, or a new one; None for what is no schema."""
        key = write_json(schema)
        if key not in self._alike:
            usable = isinstance(schema, dict) and reads_schemas() and not schema_fault(schema)
            self._alike[key] = _validator(schema) if usable else None
        return self._alike[key]


def _fault(value: Any, validator: Any) -> str | None:
    _left.set(_EFFORT)
    try:
        found = next(iter(validator.iter_errors(value)), None) if validator else None
    except Exception:  # a schema that leads nowhere, in circles or too far: jsonschema has a dozen errors for it
        return None
    return None if found is None else f"{_place(found.absolute_path)}: {found.message[:120]}"


def schema_fault(schema: Json, named: bool = True) -> str | None:
    """Why a schema is none in its dialect; None where it is one, or where nobody can tell.

    A schema that names no dialect is one of 2020-12; before 2025-11-25 (`named` false) that was not said, and it may be
    one of draft 7 as well.
    """
    return _fault_of(write_json(schema), named) if reads_schemas() else None


@lru_cache(2048)
def _fault_of(text: bytes, named: bool) -> str | None:
    """Of a schema as it is written: servers repeat theirs, in every list and in many tools."""
    from jsonschema import Draft7Validator

    try:
        schema = read_json(text).value
    except (ValueError, RecursionError):  # nested too deep
        return None
    found = _fault_in(_class(schema), schema)
    return found if named or "$schema" in schema else found and _fault_in(Draft7Validator, schema)


def _fault_in(dialect: Any, schema: Json) -> str | None:
    from jsonschema import exceptions

    try:
        dialect.check_schema(schema)
    except exceptions.SchemaError as found:
        return f"{_place(found.absolute_path)}: {found.message[:120]}"
    except Exception:  # too deep, or of a dialect whose own schema is not at hand
        return None
    return None


def remote_references(schema: Any) -> Iterator[str]:
    """The addresses in the network that a schema refers to."""
    stack = [schema]
    while stack:
        part = stack.pop()
        if isinstance(part, dict):
            target = part.get("$ref")
            if isinstance(target, str) and target.lower().startswith(("http://", "https://")):
                yield target
            stack += part.values()
        stack += items(part)


def _class(schema: Json) -> Any:
    from jsonschema import Draft202012Validator, validators

    try:
        return validators.validator_for(schema, default=Draft202012Validator)
    except Exception:  # a name of a dialect that is no text, or no address
        return Draft202012Validator


def _validator(schema: Json) -> Any:
    from jsonschema_specifications import REGISTRY

    return _measured(_class(schema))(schema, registry=REGISTRY)


@cache
def _measured(plain: Any) -> Any:
    """A validator that gives up after some effort, and leaves expressions aside."""
    from jsonschema import validators

    looked = {name: _counted(look) for name, look in plain.VALIDATORS.items() if name not in _SKIPPED}
    looked["uniqueItems"] = _few(looked["uniqueItems"])
    return validators.extend(plain, {**looked, **dict.fromkeys(_SKIPPED, _passed)})


def _counted(look: Any) -> Any:
    def counted(*about: Any) -> Any:
        left = _left.get() - 1
        if left < 0:
            raise _TooMuch
        _left.set(left)
        return look(*about)

    return counted


def _few(look: Any) -> Any:
    """Leaves long lists aside whose items are compared each with each."""

    def of_few(validator: Any, wanted: Any, value: Any, schema: Any) -> Any:
        long = isinstance(value, list) and len(value) > _COMPARED and not all(isinstance(each, str) for each in value)
        return _passed() if long else look(validator, wanted, value, schema)

    return of_few


def _passed(*about: Any) -> Iterator[Any]:
    return iter(())


def _place(path: Any) -> str:
    return ".".join(map(str, path)) or "as a whole"
