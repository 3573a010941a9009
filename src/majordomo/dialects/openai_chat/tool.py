"""Tool definitions and the choice among them, both ways.

https://platform.openai.com/docs/api-reference/chat/create#chat-create-tools
"""

from collections.abc import Mapping
from typing import assert_never

from msgspec.structs import replace

from majordomo.contract import (
    AUTO,
    NONE,
    REQUIRED,
    Json,
    JsonObject,
    Malformed,
    Tool,
    ToolChoice,
    named,
)
from majordomo.dialects.dialect import Wire
from majordomo.dialects.json import (
    list_at,
    object_at,
    objects,
    optional_bool,
    optional_string,
    sparse,
    string_at,
)

from .attribute import NAME, artefact_of, attributes_of, inner, rest
from .glance import plain_tool

_NO_PARAMETERS: JsonObject = {"type": "object", "properties": {}}  # Mistral insists on some
_FUNCTION_KNOWN = frozenset({"type", "name", "description", "parameters", "strict"})


def encode_tool(tool: Tool) -> JsonObject | None:
    """Give a definition; None for one that another provider runs."""
    attributes = attributes_of(tool.artefact)
    if tool.hosted:
        return attributes or None
    if not attributes and tool.description and tool.strict is None:  # nearly every one
        plain: JsonObject = {
            "name": tool.name,
            "description": tool.description,
            "parameters": tool.parameters or _NO_PARAMETERS,
        }
        return {"type": "function", "function": plain}
    function: JsonObject = {
        "name": tool.name,
        "description": tool.description or None,
        "parameters": tool.parameters or _NO_PARAMETERS,
        "strict": tool.strict,
    }
    return {
        **attributes,
        "type": "function",
        "function": {**sparse(function), **inner(attributes, "function")},
    }


def decode_tool(wire: JsonObject, where: str) -> Tool:
    match wire:
        case {"function": dict(function)}:
            return _decode_function(function, f"{where}.function", rest(wire, {"type", "function"}))
        case {"type": "function"}:  # flat, as in Responses; some clients mix them up
            return _decode_function(wire, where, {})
        case {"type": str(kind)}:
            return _hosted(wire, kind)
        case _:
            raise Malformed(where, "is not a tool")


def decode_tools(body: JsonObject) -> tuple[Tool, ...]:
    """Read `tools`, and `functions` as it was called before."""
    tools: list[Tool] = []
    if body.get("tools") is not None:
        for index, item in enumerate(list_at(body["tools"], "tools")):
            tool = plain_tool(item)
            if tool is None:
                at = f"tools[{index}]"
                tool = decode_tool(object_at(item, at), at)
            tools.append(tool)
    if body.get("functions") is not None:
        for function, where in objects(body["functions"], "functions"):
            tools.append(_decode_function(function, where, {}))
    return tuple(tools)


def encode_choice(choice: ToolChoice, tools: Mapping[str, Tool], wire: Wire) -> Json:
    if choice.allowed and choice.mode in ("auto", "required"):
        listed: list[Json] = [_reference(name, tools) for name in choice.allowed]
        return {
            "type": "allowed_tools",
            "allowed_tools": {"mode": choice.mode, "tools": listed},
        }
    match choice.mode:
        case "auto":
            return None
        case "none":
            return "none"
        case "required":
            return wire.required_word
        case "named":
            return _reference(choice.name, tools)
        case _:
            assert_never(choice.mode)


def decode_choice(body: JsonObject) -> ToolChoice:
    choice = AUTO
    if body.get("tool_choice") is not None:
        choice = _decode_choice(body["tool_choice"], "tool_choice")
    elif body.get("function_call") is not None:
        choice = _decode_choice(body["function_call"], "function_call")
    parallel = optional_bool(body, "parallel_tool_calls")
    return choice if parallel is None else replace(choice, parallel=parallel)


def _decode_function(function: JsonObject, where: str, attributes: JsonObject) -> Tool:
    around = rest(function, _FUNCTION_KNOWN)
    if around:
        attributes = {**attributes, "function": around}
    parameters = function.get("parameters")
    parameters = {} if parameters is None else object_at(parameters, f"{where}.parameters")
    return Tool(
        name=string_at(function.get("name"), f"{where}.name"),
        description=optional_string(function, "description", where) or "",
        parameters={} if parameters == _NO_PARAMETERS else parameters,
        strict=optional_bool(function, "strict", where),
        artefact=artefact_of(attributes),
    )


def _hosted(wire: JsonObject, kind: str) -> Tool:
    name = inner(wire, kind).get("name")
    return Tool(
        name=name if isinstance(name, str) else kind, hosted=True, artefact=artefact_of(wire)
    )


_WORDS = {"auto": AUTO, "none": NONE, "required": REQUIRED, "any": REQUIRED}


def _decode_choice(wire: Json, where: str) -> ToolChoice:
    match wire:
        case str() if wire in _WORDS:
            return _WORDS[wire]
        case {"type": "allowed_tools", "allowed_tools": {"mode": mode, "tools": list(listed)}}:
            allowed = tuple(_name(item, f"{where}.allowed_tools.tools") for item in listed)
            return replace(REQUIRED if mode == "required" else AUTO, allowed=allowed)
        case {"type": str(word)} if word in _WORDS:  # as in Anthropic's; some clients mix them up
            return _WORDS[word]
        case dict():
            return named(_name(wire, where))
        case _:
            raise Malformed(where, "is not one of auto, none, required or a named function")


def _name(wire: Json, where: str) -> str:
    match wire:
        case {"function": {"name": str(name)}} | {"custom": {"name": str(name)}}:
            return name
        case {"name": str(name)}:
            return name
        case {"type": str(kind)} if kind not in ("function", "custom", "allowed_tools"):
            return kind
        case _:
            raise Malformed(where, "names no function")


def _reference(name: str, tools: Mapping[str, Tool]) -> JsonObject:
    tool = tools.get(name)
    if tool is not None and tool.hosted and tool.artefact is not None:
        kind = tool.artefact.value.get("type")
        if tool.artefact.dialect == NAME and isinstance(kind, str):
            return {"type": kind} if kind == name else {"type": kind, kind: {"name": name}}
    return {"type": "function", "function": {"name": name}}
