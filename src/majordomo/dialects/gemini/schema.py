"""Schemas as Gemini's clients write them, read as JSON Schema.

`Schema` is a subset of OpenAPI 3.0: types in capitals, `nullable` beside the type, 64-bit
numbers as text. https://ai.google.dev/api/caching#Schema
"""

from majordomo.contract import Json, JsonObject, Malformed
from majordomo.dialects.json import object_at

from .casing import camel

_TYPES = {
    "STRING": "string",
    "NUMBER": "number",
    "INTEGER": "integer",
    "BOOLEAN": "boolean",
    "ARRAY": "array",
    "OBJECT": "object",
    "NULL": "null",
}
_ONE = frozenset({"items", "additionalProperties", "not"})
_MANY = frozenset({"anyOf", "oneOf", "allOf", "prefixItems"})
_NAMED = frozenset({"properties", "$defs", "definitions", "patternProperties"})
_COUNTS = frozenset(
    {"minItems", "maxItems", "minLength", "maxLength", "minProperties", "maxProperties"}
)
_RENAMED = {"defs": "$defs", "ref": "$ref"}
_MAX_DEPTH = 64


def decode_schema(wire: Json, where: str, depth: int = 0) -> JsonObject:
    """Read a schema in either notation; one already in JSON Schema comes back unchanged."""
    if depth > _MAX_DEPTH:
        raise Malformed(where, "is nested too deeply")
    schema: JsonObject = {}
    for given, value in camel(object_at(wire, where)).items():
        name = _RENAMED.get(given, given)
        if value is not None or name in {"default", "const"}:
            schema[name] = _keyword(name, value, f"{where}.{name}", depth + 1)
    if schema.get("type") == "TYPE_UNSPECIFIED":
        del schema["type"]
    return _with_null(schema) if schema.pop("nullable", None) is True else schema


def _keyword(name: str, value: Json, where: str, depth: int) -> Json:
    match value:
        case str() | list() if name == "type":
            return _type(value)
        case str() if name in _COUNTS and value.isdecimal():
            return int(value)
        case dict() if name in _ONE:
            return decode_schema(value, where, depth)
        case dict() if name in _NAMED:
            return {key: _sub(item, f"{where}.{key}", depth) for key, item in value.items()}
        case list() if name in _MANY:
            return [_sub(item, f"{where}[{i}]", depth) for i, item in enumerate(value)]
        case _:
            return value


def _type(value: str | list[Json]) -> Json:
    if isinstance(value, str):
        return _TYPES.get(value, value)
    return [_TYPES.get(item, item) if isinstance(item, str) else item for item in value]


def _sub(wire: Json, where: str, depth: int) -> Json:
    """Read a schema inside another; `true` and `false` are schemas too."""
    return wire if isinstance(wire, bool) else decode_schema(wire, where, depth)


def _with_null(schema: JsonObject) -> JsonObject:
    match schema.get("type"):
        case str(kind):
            schema["type"] = [kind, "null"]
            return schema
        case _:
            return {"anyOf": [schema, {"type": "null"}]}
