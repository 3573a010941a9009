"""Forced calls on targets with structured output: a schema that only valid actions satisfy."""

from collections.abc import Sequence

from majordomo.contract import Json, JsonObject, Tool


def action_schema(tools: Sequence[Tool]) -> JsonObject:
    """Give the schema of one action with one of these tools."""
    options: list[Json] = []
    definitions: JsonObject = {}
    for index, tool in enumerate(tools):
        parameters: JsonObject = tool.parameters or {"type": "object", "properties": {}}
        if _refers(parameters):
            name = f"tool_{index}"
            definitions[name] = _rebased(parameters, f"#/$defs/{name}")
            parameters = {"$ref": f"#/$defs/{name}"}
        options.append(_action(tool.name, {k: v for k, v in parameters.items() if k != "$schema"}))
    schema: JsonObject = {**_as_object(options[0])} if len(options) == 1 else {"anyOf": options}
    if definitions:
        schema["$defs"] = definitions
    return schema


def _action(name: str, parameters: JsonObject) -> JsonObject:
    return {
        "type": "object",
        "properties": {"tool": {"type": "string", "enum": [name]}, "parameters": parameters},
        "required": ["tool", "parameters"],
        "additionalProperties": False,
    }


def _refers(value: Json) -> bool:
    match value:
        case dict():
            return "$ref" in value or any(map(_refers, value.values()))
        case list():
            return any(map(_refers, value))
        case _:
            return False


def _rebased(value: Json, base: str) -> Json:
    """Point local references to where the schema now lies."""
    match value:
        case dict():
            moved: JsonObject = {
                key: _rebased(item, base) for key, item in value.items() if key != "$schema"
            }
            pointer = value.get("$ref")
            if isinstance(pointer, str) and pointer.startswith("#"):
                moved["$ref"] = base + pointer.removeprefix("#")
            return moved
        case list():
            return [_rebased(item, base) for item in value]
        case _:
            return value


def _as_object(value: Json) -> JsonObject:
    return value if isinstance(value, dict) else {}
