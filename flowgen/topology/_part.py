"""What every part of a topology can do. pydantic is loaded when a document from outside is read, and only then."""

import json
from collections.abc import Collection, Mapping
from functools import cache
from typing import Any, ClassVar, Self


class Part:
    """Frozen; `model_extra` are the fields of its document that are not known here, and stay in it.

    Its methods are named and do as those of a model of pydantic.
    """

    __pydantic_config__: ClassVar[Any] = {"json_schema_extra": {"additionalProperties": True}}
    __dataclass_fields__: ClassVar[dict[str, Any]]

    @property
    def model_extra(self) -> dict[str, Any]:
        """The fields that are not known here, with their values."""
        more: dict[str, Any] = vars(self).get("_extra", {})
        return more

    @classmethod
    def model_validate(cls, value: Any) -> Self:
        """The part of a document's value. Raises pydantic's ValidationError."""
        found: Self = cls._adapter().validate_python(value)
        return found

    @classmethod
    def model_json_schema(cls) -> dict[str, Any]:
        """The JSON Schema of the part's documents."""
        schema: dict[str, Any] = cls._adapter().json_schema()
        return schema

    def model_copy(self, *, update: Mapping[str, Any] | None = None) -> Self:
        """The same with some fields changed, and what it holds shared."""
        other = object.__new__(type(self))
        vars(other).update(vars(self))
        vars(other).update(update or {})
        return other

    def model_dump(self, *, exclude: Collection[str] = (), exclude_none: bool = False) -> dict[str, Any]:
        """The part as a document's value, that of no other part."""
        known = [(name, getattr(self, name)) for name in self.__dataclass_fields__]
        told = [*known, *self.model_extra.items()]
        return {
            name: _plain(value, exclude_none)
            for name, value in told
            if name not in exclude and not (exclude_none and value is None)
        }

    def model_dump_json(self, *, exclude_none: bool = False) -> str:
        """The part as a document."""
        return json.dumps(self.model_dump(exclude_none=exclude_none), ensure_ascii=False, separators=(",", ":"))

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and vars(self) == vars(other)

    def __hash__(self) -> int:
        return hash((type(self), *(getattr(self, name) for name in self.__dataclass_fields__)))

    @classmethod
    @cache
    def _adapter(cls) -> Any:
        from pydantic import TypeAdapter

        return TypeAdapter(cls)

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: Any) -> Any:
        from pydantic_core.core_schema import no_info_wrap_validator_function

        return no_info_wrap_validator_function(_whole, handler(source))


def _whole(value: Any, part_of: Any) -> Any:
    """A part with what its document holds beside the known fields."""
    part = part_of(value)
    if isinstance(value, dict) and (more := {key: value[key] for key in value if key not in part.__dataclass_fields__}):
        vars(part)["_extra"] = more
    return part


def _plain(value: Any, exclude_none: bool) -> Any:
    if isinstance(value, Part):
        return value.model_dump(exclude_none=exclude_none)
    if isinstance(value, list):
        return [_plain(each, exclude_none) for each in value]
    return {key: _plain(each, exclude_none) for key, each in value.items()} if isinstance(value, dict) else value
