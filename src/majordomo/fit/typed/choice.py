"""One of several: literals, enums, unions."""

from enum import Enum

from msgspec import Struct

from majordomo.contract import Json, JsonObject, Malformed
from majordomo.dialects.json import write_text

from .book import Book
from .form import Form

_NAMES: dict[type[object], str] = {
    str: "string",
    bool: "boolean",
    int: "integer",
    float: "number",
    type(None): "null",
}


class Listed(Struct, frozen=True, kw_only=True):
    """Values that are written out, each with the JSON that stands for it."""

    values: tuple[tuple[Json, object], ...]

    def schema(self, book: Book) -> JsonObject:
        del book
        written = [json for json, _ in self.values]
        kinds = {_NAMES[type(json)] for json in written}
        return {"type": kinds.pop(), "enum": written} if len(kinds) == 1 else {"enum": written}

    def read(self, value: Json, where: str) -> object:
        for json, meant in self.values:
            if json == value and isinstance(json, bool) is isinstance(value, bool):
                return meant
        allowed = ", ".join(write_text(json) for json, _ in self.values)
        raise Malformed(where, f"is none of {allowed}")


def literal(values: tuple[object, ...]) -> Listed:
    return Listed(values=tuple((_json(value), value) for value in values))


def enum(kind: type[Enum]) -> Listed:
    """Members go by their values, or by their names where JSON has no such values."""
    members = tuple(kind)
    if all(_scalar(member.value) for member in members):
        return Listed(values=tuple((_json(member), member) for member in members))
    return Listed(values=tuple((member.name, member) for member in members))


class OneOf(Struct, frozen=True, kw_only=True):
    """A union: the first option that takes the value, in the order they were written."""

    options: tuple[Form, ...]

    def schema(self, book: Book) -> JsonObject:
        distinct: list[Json] = []
        for option in self.options:
            schema = option.schema(book)
            if schema not in distinct:
                distinct.append(schema)
        return {"anyOf": distinct} if len(distinct) > 1 else {**_only(distinct)}

    def read(self, value: Json, where: str) -> object:
        faults: list[Malformed] = []
        for option in self.options:
            try:
                return option.read(value, where)
            except Malformed as fault:
                faults.append(fault)
        raise max(faults, key=lambda fault: len(fault.where))  # whoever got furthest knows best


def _only(options: list[Json]) -> JsonObject:
    return options[0] if options and isinstance(options[0], dict) else {}


def _scalar(value: object) -> bool:
    return value is None or isinstance(value, str | int | float)


def _json(value: object) -> Json:
    raw = value.value if isinstance(value, Enum) else value
    match raw:
        case bool() | None:
            return raw
        case str():
            return str(raw)
        case int():
            return int(raw)
        case float():
            return float(raw)
        case _:
            raise TypeError(f"{raw!r} has no JSON")
