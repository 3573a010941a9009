"""What coercion needs to know about a JSON Schema, and the full validation behind it."""

from collections.abc import Callable
from typing import TypeAlias

from majordomo.contract import Json, JsonObject

Schema: TypeAlias = JsonObject
Validate: TypeAlias = Callable[[Json], str]  # the first violation in words; empty: valid

_MAX_REFS = 16


def is_integer(value: Json) -> bool:
    if isinstance(value, bool):
        return False
    return isinstance(value, int) or (isinstance(value, float) and value.is_integer())


_TYPES: dict[str, Callable[[Json], bool]] = {
    "integer": is_integer,
    "string": lambda value: isinstance(value, str),
    "number": lambda value: isinstance(value, int | float) and not isinstance(value, bool),
    "boolean": lambda value: isinstance(value, bool),
    "null": lambda value: value is None,
    "array": lambda value: isinstance(value, list),
    "object": lambda value: isinstance(value, dict),
}


def resolve(schema: Json, root: Schema) -> Schema:
    """Follow local references; what cannot be followed allows anything."""
    for _ in range(_MAX_REFS):
        match schema:
            case {"$ref": str(pointer)}:
                schema = _pointed(root, pointer)
            case dict():
                return schema
            case _:
                return {}
    return {}


def branches(schema: Schema, root: Schema) -> list[Schema]:
    """Give the alternatives of a union; a schema without any is its own only one."""
    for word in ("anyOf", "oneOf"):
        options = schema.get(word)
        if isinstance(options, list) and options:
            return [resolve(option, root) for option in options]
    return [schema]


def types(schema: Schema, root: Schema, depth: int = 0) -> tuple[str, ...]:
    """Name the JSON types a value may have, in the schema's order; empty: any."""
    named = schema.get("type")
    listed = named if isinstance(named, list) else [named]
    names = tuple(name for name in listed if isinstance(name, str) and name in _TYPES)
    if not names:
        names = _implied(schema, root, depth)
    if schema.get("nullable") is True and names:
        return (*names, "null")
    return names


def properties(schema: Schema, root: Schema) -> dict[str, Json]:
    """Give every declared property, those of `allOf` parts and of union branches included."""
    found: dict[str, Json] = {}
    for part in (schema, *_parts(schema, root, "allOf"), *_parts(schema, root, "anyOf", "oneOf")):
        declared = part.get("properties")
        if isinstance(declared, dict):
            for name, value in declared.items():
                found.setdefault(name, value)
    return found


def required(schema: Schema, root: Schema) -> tuple[str, ...]:
    names: list[str] = []
    for part in (schema, *_parts(schema, root, "allOf")):
        listed = part.get("required")
        if isinstance(listed, list):
            names += [name for name in listed if isinstance(name, str)]
    return tuple(dict.fromkeys(names))


def closed(schema: Schema, root: Schema) -> bool:
    """Say whether keys that are not declared are forbidden."""
    return any(
        part.get("additionalProperties") is False and not part.get("patternProperties")
        for part in (schema, *_parts(schema, root, "allOf"))
    )


def fits(value: Json, schema: Schema, root: Schema, above: tuple[Schema, ...] = ()) -> bool:
    """Tell roughly whether a value is already right: enough to choose between branches."""
    options = branches(schema, root)
    if options != [schema]:
        if any(schema is union for union in above):
            return False  # a branch of itself: it allows nothing that the others do not
        return any(fits(value, option, root, (*above, schema)) for option in options)
    if not _plainly_fits(value, schema, root):
        return False
    match value:
        case dict():
            return _object_fits(value, schema, root)
        case list():
            items = resolve(schema.get("items"), root)
            return all(fits(item, items, root) for item in value)
        case _:
            return True


def _plainly_fits(value: Json, schema: Schema, root: Schema) -> bool:
    enum = schema.get("enum")
    if isinstance(enum, list) and value not in enum:
        return False
    if "const" in schema and value != schema["const"]:
        return False
    names = types(schema, root)
    return not names or any(_TYPES[name](value) for name in names)


def validator(schema: Schema) -> Validate:
    """Compile the full check. A schema that is itself invalid cannot be held against a call."""
    import jsonschema_rs  # noqa: PLC0415 -- heavy, and only needed once a call was made

    try:
        compiled = jsonschema_rs.validator_for(schema, retriever=_refuse)
    except ValueError:
        return lambda _: ""

    def first_violation(value: Json) -> str:
        for error in compiled.iter_errors(value):
            path = ".".join(str(step) for step in error.instance_path)
            return f"{path}: {error.message}" if path else error.message
        return ""

    return first_violation


def _object_fits(value: JsonObject, schema: Schema, root: Schema) -> bool:
    declared = properties(schema, root)
    if any(name not in value for name in required(schema, root)):
        return False
    if closed(schema, root) and any(name not in declared for name in value):
        return False
    return all(
        fits(item, resolve(declared[name], root), root)
        for name, item in value.items()
        if name in declared
    )


def _parts(schema: Schema, root: Schema, *words: str) -> list[Schema]:
    found: list[Schema] = []
    for word in words:
        parts = schema.get(word)
        if isinstance(parts, list):
            found += [resolve(part, root) for part in parts]
    return found


def _implied(schema: Schema, root: Schema, depth: int) -> tuple[str, ...]:
    if "properties" in schema or "required" in schema:
        return ("object",)
    if "items" in schema or "prefixItems" in schema:
        return ("array",)
    for part in _parts(schema, root, "allOf") if depth < _MAX_REFS else ():
        if names := types(part, root, depth + 1):
            return names
    return ()


def _pointed(root: Schema, pointer: str) -> Json:
    if not pointer.startswith("#"):
        return {}
    value: Json = root
    for step in pointer.removeprefix("#").strip("/").split("/"):
        if not step:
            continue
        if not isinstance(value, dict):
            return {}
        value = value.get(step.replace("~1", "/").replace("~0", "~"))
    return value


def _refuse(uri: str) -> Json:
    raise ValueError(f"{uri} is not fetched")
