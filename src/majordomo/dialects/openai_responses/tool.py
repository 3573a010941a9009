"""Tool definitions and the choice among them, both ways.

https://platform.openai.com/docs/api-reference/responses/create#responses_create-tools

A `namespace` groups tools; its calls say `{"namespace": "crm", "name": "find"}`. Nobody else
knows that, so its tools become functions called `crm__find`, and names go back and forth by
`place_of` and `joined`. A `custom` tool takes free text; to others it is a function with one
string, `input`.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from majordomo.contract import (
    AUTO,
    Json,
    JsonObject,
    Malformed,
    Tool,
    ToolChoice,
    ToolChoiceMode,
)
from majordomo.dialects.artefact import own
from majordomo.dialects.json import list_at, object_at, objects, optional_bool, string_at

from .part import NAME, artefact_of, rest_of


class Place(NamedTuple):
    """Where a tool stands on the wire."""

    name: str  # as the wire says it
    namespace: str = ""
    custom: bool = False


def joined(namespace: str, name: str) -> str:
    return f"{namespace}__{name}"


def places(tools: Sequence[Tool]) -> dict[str, Place]:
    """Give the tools whose calls are not plain function calls, by their canonical name."""
    if not tools:
        return {}
    found = {tool.name: _place(tool) for tool in tools if own(tool.artefact, NAME)}
    return {name: place for name, place in found.items() if place.namespace or place.custom}


def place_of(name: str, namespace: str, known: Mapping[str, Place]) -> Place:
    """Say where a call goes: what its own item said counts, then what the tools say."""
    if namespace:
        custom = known[name].custom if name in known else False
        return Place(name.removeprefix(joined(namespace, "")), namespace, custom)
    return known.get(name) or Place(name)


def decode_tools(wire: Json, where: str = "tools") -> tuple[Tool, ...]:
    if wire is None:
        return ()
    found: list[Tool] = []
    for index, item in enumerate(list_at(wire, where)):
        at = f"{where}[{index}]"
        tool = object_at(item, at)
        if tool.get("type") == "namespace":
            found.extend(_decode_namespace(tool, at))
        else:
            found.append(_decode_tool(tool, at))
    return tuple(found)


def encode_tools(tools: Iterable[Tool]) -> list[Json]:
    wire: list[Json] = []
    groups: dict[str, list[Json]] = {}
    for tool in tools:
        namespace = own(tool.artefact, NAME).get("namespace")
        if isinstance(namespace, dict):
            name = str(namespace.get("name"))
            if name not in groups:
                groups[name] = []
                # The list in it is filled as its other tools come by.
                wire.append({**namespace, "tools": groups[name]})
            groups[name].extend(_encode_tool(tool))
        else:
            wire.extend(_encode_tool(tool))
    return wire


def decode_choice(body: JsonObject) -> tuple[ToolChoice, Json]:
    """Give the choice; second, one we cannot say (a hosted tool) as it came."""
    parallel = optional_bool(body, "parallel_tool_calls")
    wire = body.get("tool_choice")
    choice, rest = _decode_mode(wire)
    if parallel is not None:
        choice = ToolChoice(
            mode=choice.mode, name=choice.name, allowed=choice.allowed, parallel=parallel
        )
    return choice, rest


def encode_choice(choice: ToolChoice, known: Mapping[str, Place]) -> Json:
    if choice.allowed and choice.mode in _ALLOWED_MODES:
        tools: list[Json] = [_pointer(name, known) for name in choice.allowed]
        return {"type": "allowed_tools", "mode": choice.mode, "tools": tools}
    if choice.mode == "named":
        return _pointer(choice.name, known)
    return choice.mode


_MODES: dict[str, ToolChoiceMode] = {"auto": "auto", "none": "none", "required": "required"}
_ALLOWED_MODES: dict[str, ToolChoiceMode] = {"auto": "auto", "required": "required"}
_NO_PARAMETERS: JsonObject = {"type": "object", "properties": {}}
_FREE_TEXT: JsonObject = {
    "type": "object",
    "properties": {"input": {"type": "string"}},
    "required": ["input"],
}


def _place(tool: Tool) -> Place:
    value = own(tool.artefact, NAME)
    custom = isinstance(value.get("definition"), dict)
    match value.get("namespace"):
        case {"name": str(namespace)}:
            return Place(tool.name.removeprefix(joined(namespace, "")), namespace, custom)
        case _:
            return Place(tool.name, "", custom)


def _decode_tool(wire: JsonObject, where: str) -> Tool:
    match wire.get("type"):
        case "function" | None:
            return _decode_function(wire, where)
        case "custom":
            return Tool(
                name=string_at(wire.get("name"), f"{where}.name"),
                description=_custom_description(wire),
                parameters=_FREE_TEXT,
                artefact=artefact_of({"definition": wire}),
            )
        case str(kind):
            name = wire.get("name")
            return Tool(
                name=name if isinstance(name, str) else kind,
                hosted=True,
                artefact=artefact_of(wire),
            )
        case _:
            raise Malformed(f"{where}.type", "is not a string")


def _decode_function(wire: JsonObject, where: str) -> Tool:
    plain = _plain_function(wire)
    if plain is not None:
        return plain
    parameters = object_at(wire.get("parameters") or {}, f"{where}.parameters")
    return Tool(
        name=string_at(wire.get("name"), f"{where}.name"),
        description=string_at(wire.get("description") or "", f"{where}.description"),
        parameters={} if parameters == _NO_PARAMETERS else parameters,
        strict=optional_bool(wire, "strict", where),
        artefact=artefact_of(
            rest_of(wire, {"type", "name", "description", "parameters", "strict"}),
        ),
    )


def _plain_function(wire: JsonObject) -> Tool | None:
    """Read a function of exactly the usual fields, as nearly all are; None for any other."""
    if len(wire) != 5 or "type" not in wire:
        return None
    name, said = wire.get("name"), wire.get("description")
    parameters, strict = wire.get("parameters"), wire.get("strict")
    if not (type(name) is str and type(said) is str and isinstance(strict, bool)):
        return None
    if type(parameters) is not dict or not parameters.get("properties"):
        return None
    return Tool(name=name, description=said, parameters=parameters, strict=strict)


def _custom_description(wire: JsonObject) -> str:
    """Tell models that see a plain function what the text must look like."""
    said = wire.get("description")
    description = said if isinstance(said, str) else ""
    match wire.get("format"):
        case {"type": "grammar", "syntax": str(syntax), "definition": str(definition)}:
            return f"{description}\n\n`input` follows this {syntax} grammar:\n{definition}".strip()
        case _:
            return description


def _decode_namespace(wire: JsonObject, where: str) -> Iterable[Tool]:
    namespace = string_at(wire.get("name"), f"{where}.name")
    group: JsonObject = {name: value for name, value in wire.items() if name != "tools"}
    for nested, at in objects(wire.get("tools") or [], f"{where}.tools"):
        tool = _decode_tool(nested, at)
        value = own(tool.artefact, NAME)
        yield Tool(
            name=joined(namespace, tool.name),
            description=tool.description,
            parameters=tool.parameters,
            strict=tool.strict,
            hosted=tool.hosted,
            artefact=artefact_of({**value, "namespace": group}),
        )


def _encode_tool(tool: Tool) -> list[Json]:
    if tool.artefact is None and not tool.hosted:
        return [_encode_function(tool, tool.name, {})]
    value = {k: v for k, v in own(tool.artefact, NAME).items() if k != "namespace"}
    if tool.hosted:
        return [value] if value else []
    definition = value.get("definition")
    if isinstance(definition, dict):
        return [definition]
    return [_encode_function(tool, _place(tool).name, value)]


def _encode_function(tool: Tool, name: str, value: JsonObject) -> JsonObject:
    wire: JsonObject = {
        "type": "function",
        "name": name,
        "parameters": tool.parameters or _NO_PARAMETERS,
        **value,
    }
    if tool.description:
        wire["description"] = tool.description
    if tool.strict is not None:
        wire["strict"] = tool.strict
    return wire


def _decode_mode(wire: Json) -> tuple[ToolChoice, Json]:
    match wire:
        case None:
            return AUTO, None
        case str() if wire in _MODES:
            return ToolChoice(mode=_MODES[wire]), None
        case {"type": "allowed_tools", "mode": str(mode), "tools": list(tools)} if (
            mode in _ALLOWED_MODES
        ):
            names = [_pointed(tool) for tool in tools]
            if all(names):
                return ToolChoice(mode=_ALLOWED_MODES[mode], allowed=tuple(names)), None
            return AUTO, wire
        case dict():
            name = _pointed(wire)
            return (ToolChoice(mode="named", name=name), None) if name else (AUTO, wire)
        case _:
            raise Malformed("tool_choice", "is not auto, none, required or an object")


def _pointed(wire: Json) -> str:
    """Give the name of the tool an object points at; nothing for a hosted one."""
    match wire:
        case {"type": "function" | "custom", "namespace": str(namespace), "name": str(name)}:
            return joined(namespace, name)
        case {"type": "function" | "custom", "name": str(name)}:
            return name
        case _:
            return ""


def _pointer(name: str, known: Mapping[str, Place]) -> JsonObject:
    place = place_of(name, "", known)
    wire: JsonObject = {"type": "custom" if place.custom else "function", "name": place.name}
    if place.namespace:
        wire["namespace"] = place.namespace
    return wire
