"""Tools as Ollama takes them: OpenAI's shape, but no way to choose among them.

https://github.com/ollama/ollama/blob/main/docs/capabilities/tool-calling.mdx
"""

from majordomo.contract import Artefact, Json, JsonObject, Malformed, Tool, ToolCall, ToolChoice
from majordomo.dialects.artefact import own
from majordomo.dialects.json import (
    arguments_object,
    arguments_text,
    object_at,
    objects,
    optional_bool,
    optional_string,
)

# The server's templates walk `parameters.properties`, so "no arguments" is spelled out.
_NO_ARGUMENTS: JsonObject = {"type": "object", "properties": {}}


def encode_tools(tools: tuple[Tool, ...], choice: ToolChoice) -> list[Json]:
    """Write what may be called: "none" can only be said by offering nothing."""
    if choice.mode == "none":
        return []
    return [wire for tool in tools if (wire := _encode_tool(tool))]


def decode_tools(wire: Json, where: str) -> tuple[Tool, ...]:
    return tuple(_decode_tool(tool, at) for tool, at in objects(wire or [], where))


def encode_call(call: ToolCall, *, index: int | None = None) -> JsonObject:
    """Write a call; a server numbers those of its reply, a client does not."""
    function: JsonObject = {"name": call.name, "arguments": arguments_object(call.arguments)}
    if index is not None:
        function["index"] = index
    return {"id": call.id, "function": function}


def decode_call(wire: JsonObject, where: str) -> tuple[str, str, str]:
    """Give id (may be empty), name and argument text; text arguments are tolerated."""
    function = object_at(wire.get("function"), f"{where}.function")
    name = optional_string(function, "name", f"{where}.function")
    if not name:
        raise Malformed(f"{where}.function.name", "is missing")
    return optional_string(wire, "id", where) or "", name, arguments_text(function.get("arguments"))


def _encode_tool(tool: Tool) -> JsonObject:
    attached = own(tool.artefact, "ollama")
    if tool.hosted:
        return attached
    function: JsonObject = {"name": tool.name}
    if tool.description:
        function["description"] = tool.description
    function["parameters"] = tool.parameters or _NO_ARGUMENTS
    outer = dict(attached)
    inner = outer.pop("function", None)
    if isinstance(inner, dict):
        function |= inner
    wire: JsonObject = {"type": "function", "function": function}
    return wire | outer


def _decode_tool(wire: JsonObject, where: str) -> Tool:
    function = wire.get("function")
    if not isinstance(function, dict) or wire.get("type") not in (None, "function"):
        return _decode_hosted(wire, where)
    name = optional_string(function, "name", f"{where}.function")
    if not name:
        raise Malformed(f"{where}.function.name", "is missing")
    parameters = function.get("parameters")
    schema = object_at({} if parameters is None else parameters, f"{where}.function.parameters")
    attached: JsonObject = {k: v for k, v in wire.items() if k not in {"type", "function"}}
    if inner := {k: v for k, v in function.items() if k not in _KNOWN}:
        attached["function"] = inner
    return Tool(
        name=name,
        description=optional_string(function, "description", f"{where}.function") or "",
        parameters={} if schema == _NO_ARGUMENTS else schema,
        strict=optional_bool(function, "strict", f"{where}.function"),
        artefact=Artefact(dialect="ollama", value=attached) if attached else None,
    )


_KNOWN = frozenset({"name", "description", "parameters", "strict"})


def _decode_hosted(wire: JsonObject, where: str) -> Tool:
    name = optional_string(wire, "name", where) or optional_string(wire, "type", where)
    if not name:
        raise Malformed(where, "has neither a function nor a name")
    return Tool(name=name, hosted=True, artefact=Artefact(dialect="ollama", value=wire))
