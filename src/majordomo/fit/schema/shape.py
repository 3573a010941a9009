"""Questions about one node of a JSON Schema, and small changes to it."""

from majordomo.contract import Json, JsonObject
from majordomo.dialects.json import write_text

from .merge import STRUCTURE, implied_type

# A bound that cannot be said exactly is said a little wider, and exactly in the description.
WIDER = {"exclusiveMinimum": "minimum", "exclusiveMaximum": "maximum"}


def only_constrains(schema: JsonObject) -> bool:
    """Whether a union only adds demands (`required`, mostly) to a schema that has its shape."""
    for key in ("anyOf", "oneOf"):
        options = schema.get(key)
        if isinstance(options, list):
            return implied_type(schema) != "" and all(
                isinstance(option, dict) and STRUCTURE.isdisjoint(option) for option in options
            )
    return False


def about(schema: JsonObject) -> JsonObject:
    said = schema.get("description")
    return {"description": said} if isinstance(said, str) else {}


def flat(option: JsonObject) -> list[JsonObject]:
    """Unions inside unions say no more than one union."""
    inner = option.get("anyOf")
    if isinstance(inner, list) and len(option) == 1:
        return [one for one in inner if isinstance(one, dict)]
    return [option]


def object_at(schema: JsonObject, key: str) -> JsonObject:
    value = schema.get(key)
    return value if isinstance(value, dict) else {}


def is_open(schema: JsonObject, properties: JsonObject, *, nested: bool) -> bool:
    """Whether an object may hold what its properties do not name; at the root that is arguments."""
    extra = schema.get("additionalProperties")
    if isinstance(extra, dict) or "patternProperties" in schema:
        return True
    return nested and not properties and extra is not False


def names(wire: Json) -> list[str]:
    return [name for name in wire if isinstance(name, str)] if isinstance(wire, list) else []


def or_null(schema: JsonObject) -> tuple[JsonObject, bool]:
    """Allow null beside it; False where that was allowed before and so means something."""
    null: JsonObject = {"type": "null"}
    if schema == null:
        return schema, False
    options = schema.get("anyOf")
    if not isinstance(options, list):
        return {"anyOf": [schema, null]}, True
    if null in options:
        return schema, False
    return {**schema, "anyOf": [*options, null]}, True


def item_of(schema: JsonObject) -> tuple[Json, JsonObject]:
    """Give the schema of every item; a tuple's positions become a union and a remark."""
    prefix = schema.get("prefixItems")
    items = schema.get("items")
    if isinstance(items, list):  # how drafts before 2020 wrote a tuple
        prefix, items = items, schema.get("additionalItems")
    if not isinstance(prefix, list):
        return (items if isinstance(items, dict) else {}), {}
    options: list[Json] = [*prefix, items] if isinstance(items, dict) else [*prefix]
    return {"anyOf": options}, {"in this order": write_text(prefix)}
