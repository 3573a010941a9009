"""Bringing one node of a JSON Schema to a normal form: references followed, `allOf` merged.

https://json-schema.org/draft/2020-12/json-schema-core
"""

from majordomo.contract import Json, JsonObject

STRUCTURE = frozenset(
    {"type", "properties", "items", "prefixItems", "enum", "const", "$ref", "anyOf", "oneOf"}
)
_TIGHTER = {
    "minimum": max,
    "exclusiveMinimum": max,
    "minLength": max,
    "minItems": max,
    "maximum": min,
    "exclusiveMaximum": min,
    "maxLength": min,
    "maxItems": min,
}


class Unlowerable(ValueError):
    """The schema cannot be said in this subset; the message says why."""


def target_of(root: JsonObject, reference: str) -> JsonObject:
    """Follow a reference within the document: `#`, `#/$defs/Node`."""
    if not reference.startswith("#"):
        raise Unlowerable(f"refers to {reference!r}, which is outside of it")
    node: Json = root
    for step in reference.removeprefix("#").split("/")[1:]:
        key = step.replace("~1", "/").replace("~0", "~")
        if isinstance(node, dict) and key in node:
            node = node[key]
        elif isinstance(node, list) and key.isdecimal() and int(key) < len(node):
            node = node[int(key)]
        else:
            raise Unlowerable(f"refers to {reference!r}, which is not in it")
    return as_schema(node)


def as_schema(wire: Json) -> JsonObject:
    match wire:
        case True:
            return {}
        case False:
            return {"not": {}}
        case dict():
            return wire
        case _:
            raise Unlowerable(f"holds {wire!r} where a schema should be")


def without(schema: JsonObject, key: str) -> JsonObject:
    return {name: value for name, value in schema.items() if name != key}


def merge(first: JsonObject, second: JsonObject) -> JsonObject:
    """Give a schema that demands what both demand, as far as one node can say it."""
    merged = {**first}
    for key, value in second.items():
        merged[key] = _merged(key, merged[key], value) if key in merged else value
    return merged


def _merged(key: str, one: Json, other: Json) -> Json:
    if isinstance(one, dict) and isinstance(other, dict) and key == "properties":
        return _joined_properties(one, other)
    if isinstance(one, list) and isinstance(other, list):
        return _merged_lists(key, one, other)
    if isinstance(one, int | float) and isinstance(other, int | float) and key in _TIGHTER:
        return _TIGHTER[key](one, other)
    if isinstance(one, str) and isinstance(other, str) and key == "description":
        return one if other in one else f"{one} {other}"
    if key == "additionalProperties":
        return other if one is not False else False
    return other


def _merged_lists(key: str, one: list[Json], other: list[Json]) -> Json:
    match key:
        case "required":
            return [*one, *(name for name in other if name not in one)]
        case "enum" | "type":
            return [value for value in one if value in other]
        case "allOf":
            return [*one, *other]
        case _:
            return other


def _joined_properties(one: JsonObject, other: JsonObject) -> JsonObject:
    joined = {**one}
    for name, schema in other.items():
        earlier = joined.get(name)
        if earlier is None or earlier == schema:
            joined[name] = schema
        else:
            joined[name] = {"allOf": [earlier, schema]}
    return joined


def alternatives(schema: JsonObject) -> list[JsonObject] | None:
    """Give the options of a union as whole schemas; None where there is nothing to choose.

    Unions come as `anyOf`, `oneOf`, a list of types, `nullable`, or values of several types.
    """
    for key in ("anyOf", "oneOf"):
        options = schema.get(key)
        if isinstance(options, list):
            return _spread(without(schema, key), options)
    if schema.get("nullable") is True:
        return [without(schema, "nullable"), {"type": "null"}]
    types = schema.get("type")
    if isinstance(types, list):
        return [{**_of_type(schema, kind), "type": kind} for kind in types]
    return _by_value_type(schema)


def _spread(rest: JsonObject, options: list[Json]) -> list[JsonObject]:
    shared = {name: value for name, value in rest.items() if name not in {"description", "title"}}
    return [
        merge(shared, option) if shared else option
        for option in options
        if isinstance(option, dict)
    ]


def _of_type(schema: JsonObject, kind: Json) -> JsonObject:
    """Of a schema for several types, what concerns this one."""
    values = schema.get("enum")
    if not isinstance(values, list):
        return schema if kind != "null" else {}
    return {**schema, "enum": [value for value in values if kind in types_of(value)]}


def _by_value_type(schema: JsonObject) -> list[JsonObject] | None:
    values = schema.get("enum")
    if not isinstance(values, list) or "type" in schema:
        return None
    kinds = list(dict.fromkeys(types_of(value)[0] for value in values))
    if len(kinds) < 2:
        return None
    return [
        {**schema, "type": kind, "enum": [one for one in values if types_of(one)[0] == kind]}
        for kind in kinds
    ]


def types_of(value: Json) -> tuple[str, ...]:
    """Name the JSON Schema types a value has, the closest first."""
    if isinstance(value, float) and value.is_integer():
        return ("number", "integer")
    return _TYPES[type(value)]


_TYPES: dict[type, tuple[str, ...]] = {
    type(None): ("null",),
    bool: ("boolean",),
    int: ("integer", "number"),
    float: ("number",),
    str: ("string",),
    list: ("array",),
    dict: ("object",),
}


def implied_type(schema: JsonObject) -> str:
    """Give the type a schema means where it does not say one; empty for any."""
    kind = schema.get("type")
    if isinstance(kind, str):
        return kind
    values = schema.get("enum")
    if isinstance(values, list) and values:
        return types_of(values[0])[0]
    for keys, implied in _IMPLIED:
        if not keys.isdisjoint(schema):
            return implied
    return ""


_IMPLIED = (
    (frozenset({"properties", "required", "additionalProperties", "patternProperties"}), "object"),
    (frozenset({"items", "prefixItems", "minItems", "maxItems", "uniqueItems"}), "array"),
    (frozenset({"minLength", "maxLength", "pattern", "format"}), "string"),
    (frozenset({"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"}), "number"),
)
