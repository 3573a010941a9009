"""Tools and the choice among them, both ways.

https://ai.google.dev/api/caching#Tool
https://ai.google.dev/api/caching#FunctionCallingConfig
"""

from collections.abc import Iterator

from majordomo.contract import (
    AUTO,
    NONE,
    Json,
    JsonObject,
    Malformed,
    Tool,
    ToolChoice,
    named,
)
from majordomo.dialects.json import items, object_at, objects, optional_string, string_at

from .casing import camel
from .schema import decode_schema
from .signature import attached, to_model


def encode_tools(tools: tuple[Tool, ...]) -> list[Json]:
    """Write all functions as one tool, then the hosted ones as they came."""
    functions: list[Json] = [_encode_function(tool) for tool in tools if not tool.hosted]
    wire: list[Json] = [{"functionDeclarations": functions}] if functions else []
    hosted = (to_model(tool.artefact) for tool in tools if tool.hosted)
    return [*wire, *(definition for definition in hosted if definition)]


def decode_tools(wire: Json, where: str) -> tuple[Tool, ...]:
    return tuple(
        tool for item, at in objects(wire or [], where) for tool in _decode_tool(camel(item), at)
    )


def encode_choice(choice: ToolChoice) -> JsonObject:
    """AUTO takes no names, so a free choice from a subset is VALIDATED."""
    allowed: list[Json] = list(choice.allowed)
    match choice.mode:
        case "auto":
            return _config("VALIDATED", allowed) if allowed else {}
        case "none":
            return _config("NONE", [])
        case "required":
            return _config("ANY", allowed)
        case "named":
            return _config("ANY", [choice.name])


def decode_choice(wire: Json, where: str) -> tuple[ToolChoice, JsonObject]:
    """Give the choice, and what of the configuration it does not say."""
    rest = dict(camel(object_at({} if wire is None else wire, where)))
    given = rest.pop("functionCallingConfig", None)
    at = f"{where}.functionCallingConfig"
    config = dict(camel(object_at({} if given is None else given, at)))
    mode = (optional_string(config, "mode", at) or "AUTO").upper()
    given_names = config.pop("allowedFunctionNames", None) or []
    names = tuple(
        string_at(n, here) for n, here in items(given_names, f"{at}.allowedFunctionNames")
    )
    config.pop("mode", None)
    if mode == "VALIDATED" and not names:
        config["mode"] = mode  # nobody else has calls that are free but held to their schema
    if config:
        rest["functionCallingConfig"] = config
    return _choice(mode, names, f"{at}.mode"), rest


def _choice(mode: str, names: tuple[str, ...], where: str) -> ToolChoice:
    match mode, names:
        case "ANY", (name,):
            return named(name)
        case "ANY", _:
            return ToolChoice(mode="required", allowed=names)
        case "VALIDATED", _:
            return ToolChoice(allowed=names)
        case "NONE", _:
            return NONE
        case (("AUTO" | "MODE_UNSPECIFIED"), _):
            return AUTO
        case _:
            raise Malformed(where, "is not AUTO, ANY, NONE or VALIDATED")


def _config(mode: str, names: list[Json]) -> JsonObject:
    config: JsonObject = {"mode": mode}
    if names:
        config["allowedFunctionNames"] = names
    return {"functionCallingConfig": config}


def _encode_function(tool: Tool) -> JsonObject:
    wire: JsonObject = {"name": tool.name}
    if tool.description:
        wire["description"] = tool.description
    if tool.parameters:
        wire["parametersJsonSchema"] = tool.parameters
    return wire | to_model(tool.artefact)


def _decode_tool(wire: JsonObject, where: str) -> Iterator[Tool]:
    for name, value in wire.items():
        if name != "functionDeclarations" and value is not None:
            yield Tool(name=name, hosted=True, artefact=attached({name: value}))
    declared = wire.get("functionDeclarations") or []
    for item, at in objects(declared, f"{where}.functionDeclarations"):
        yield _decode_function(camel(item), at)


def _decode_function(wire: JsonObject, where: str) -> Tool:
    name = optional_string(wire, "name", where)
    if not name:
        raise Malformed(f"{where}.name", "is missing")
    field = "parameters" if wire.get("parametersJsonSchema") is None else "parametersJsonSchema"
    parameters = wire.get(field)
    return Tool(
        name=name,
        description=optional_string(wire, "description", where) or "",
        parameters={} if parameters is None else decode_schema(parameters, f"{where}.{field}"),
        artefact=attached({k: v for k, v in wire.items() if k not in _KNOWN and v is not None}),
    )


_KNOWN = frozenset({"name", "description", "parameters", "parametersJsonSchema"})
