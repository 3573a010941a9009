"""What each provider's documentation says of its JSON Schema, as checks of its own.

Written from the vendors' tables, not from our code: it must be able to disagree with it.
"""

from collections.abc import Callable, Iterator

from majordomo.contract import Json, JsonObject

_FORMATS = {"date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"}
_SIMPLE = {"string", "number", "integer", "boolean", "null", "array", "object"}


def nodes(schema: Json) -> Iterator[JsonObject]:
    """Every schema within a schema, itself first."""
    if not isinstance(schema, dict):
        return
    yield schema
    for key in ("items", "additionalProperties"):
        yield from nodes(schema.get(key))
    properties = schema.get("properties")
    if isinstance(properties, dict):
        for value in properties.values():
            yield from nodes(value)
    for key in ("anyOf", "oneOf", "allOf", "prefixItems"):
        options = schema.get(key)
        for option in options if isinstance(options, list) else []:
            yield from nodes(option)


def depth(schema: Json) -> int:
    """Levels of objects and lists; a union is no level, its options may be."""
    if not isinstance(schema, dict):
        return 0
    options = schema.get("anyOf")
    if isinstance(options, list):
        return max(map(depth, options))
    properties = schema.get("properties")
    below = [*properties.values()] if isinstance(properties, dict) else []
    if "items" in schema:
        below.append(schema["items"])
    return (schema.get("type") in {"object", "array"}) + max(map(depth, below), default=0)


def assert_openai_strict(schema: JsonObject) -> None:
    """https://platform.openai.com/docs/guides/structured-outputs#supported-schemas ."""
    allowed = {
        *("type", "title", "description", "enum", "anyOf", "properties", "required", "items"),
        *("additionalProperties", "format", "pattern", "minimum", "maximum", "multipleOf"),
        *("exclusiveMinimum", "exclusiveMaximum", "minItems", "maxItems"),
    }
    assert schema.get("type") == "object", "the root must be an object"
    assert "anyOf" not in schema, "the root must not be a union"
    assert depth(schema) <= 10
    total = 0
    for node in nodes(schema):
        assert set(node) <= allowed, set(node) - allowed
        assert "anyOf" in node or node.get("type") in _SIMPLE, node
        assert node.get("format", "date") in _FORMATS
        if node.get("type") == "object":
            properties = node.get("properties")
            assert isinstance(properties, dict)
            assert node.get("required") == list(properties)
            assert node.get("additionalProperties") is False
            total += len(properties)
    assert total <= 5000


def assert_anthropic(schema: JsonObject) -> None:
    """https://platform.claude.com/docs/en/build-with-claude/structured-outputs ."""
    allowed = {
        *("type", "title", "description", "enum", "anyOf", "properties", "required", "items"),
        *("additionalProperties", "format", "pattern", "minItems"),
    }
    optional = unions = 0
    for node in nodes(schema):
        assert set(node) <= allowed, set(node) - allowed
        assert node.get("format", "date") in _FORMATS | {"uri"}
        assert node.get("minItems", 0) in {0, 1}
        unions += "anyOf" in node
        if node.get("type") == "object":
            assert node.get("additionalProperties") is False
            properties, required = node.get("properties"), node.get("required", [])
            assert isinstance(properties, dict)
            assert isinstance(required, list)
            optional += len(properties) - len(required)
    assert optional <= 24
    assert unions <= 16


def assert_gemini(schema: JsonObject) -> None:
    """Both of Gemini's subsets at once: https://ai.google.dev/api/caching#Schema ."""
    allowed = {
        *("type", "title", "description", "enum", "anyOf", "properties", "required", "items"),
        *("format", "minimum", "maximum", "minItems", "maxItems"),
    }
    for node in nodes(schema):
        assert set(node) <= allowed, set(node) - allowed
        assert not isinstance(node.get("type"), list)
        values = node.get("enum", [])
        assert isinstance(values, list)
        assert all(isinstance(value, str) for value in values), "only strings can be listed"
        required, properties = node.get("required", []), node.get("properties", {})
        assert isinstance(required, list)
        assert isinstance(properties, dict)
        assert set(map(str, required)) <= set(properties)


def assert_plain(schema: JsonObject) -> None:
    allowed = {"type", "description", "enum", "properties", "required", "items"}
    for node in nodes(schema):
        assert set(node) <= allowed, set(node) - allowed
        assert not isinstance(node.get("type"), list)


CHECKS: dict[str, Callable[[JsonObject], None]] = {
    "openai_strict": assert_openai_strict,
    "anthropic": assert_anthropic,
    "gemini": assert_gemini,
    "plain": assert_plain,
}
