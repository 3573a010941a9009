"""What nearly every request is made of, read and written at one glance.

A message or a tool of exactly the usual fields is read here; whatever has one more, or one of
another type, is None and left to those who look at each field and can say where it is wrong.
An agent sends its whole history and all its tools with every turn: this costs a third of
looking closely.
"""

from majordomo.contract import (
    Artefact,
    Json,
    JsonObject,
    Message,
    Part,
    Role,
    Text,
    Tool,
    ToolCall,
    ToolResult,
)
from majordomo.dialects.call_ids import OpenCalls
from majordomo.dialects.dialect import Wire

from .attribute import NAME
from .result import ERROR

_SPEAKERS: dict[str, Role] = {"user": "user", "assistant": "assistant", "system": "system"}


def plain_message(wire: Json, calls: OpenCalls) -> Message | None:
    """Read a text, an answer with calls, or a result; the number of fields excludes others."""
    if type(wire) is not dict:
        return None
    role, content, size = wire.get("role"), wire.get("content"), len(wire)
    if type(content) is str and content:
        if size == 2:
            speaker = _SPEAKERS.get(role) if type(role) is str else None
            return None if speaker is None else Message(role=speaker, parts=(Text(text=content),))
        if size == 3 and role == "tool":
            return _result(wire.get("tool_call_id"), content, calls)
    if size == 3 and role == "assistant" and "content" in wire:
        return _answer(content, wire.get("tool_calls"), calls)
    return None


def plain_tool(wire: Json) -> Tool | None:
    """Read a function: a name, a description, a schema of some properties."""
    if type(wire) is not dict or len(wire) != 2 or "type" not in wire:
        return None
    function = wire.get("function")
    if type(function) is not dict or len(function) != 3:
        return None
    name, said = function.get("name"), function.get("description")
    schema = function.get("parameters")
    if (
        type(name) is str
        and type(said) is str
        and type(schema) is dict
        and schema.get("properties")
    ):
        return Tool(name=name, description=said, parameters=schema)
    return None


def write_plain(message: Message, wire: Wire, messages: list[JsonObject]) -> bool:
    """Write what `plain_message` reads; tell whether it was that."""
    if message.artefact is not None and message.artefact.dialect == NAME:
        return False
    role = message.role
    if role == "tool":
        return _write_results(message.parts, messages)
    if role == "assistant":
        return not wire.reasoning_field and _write_answer(message.parts, messages)
    text = _only_text(message.parts)
    if text is None:
        return False
    messages.append({"role": wire.system_role if role == "system" else role, "content": text})
    return True


def _only_text(parts: tuple[Part, ...]) -> str | None:
    if len(parts) != 1:
        return None
    part = parts[0]
    return part.text if type(part) is Text and _is_bare(part.artefact) else None


def _is_bare(artefact: Artefact | None) -> bool:
    """Tell whether nothing of ours is attached; what is another dialect's is not sent."""
    return artefact is None or artefact.dialect != NAME


def _write_results(parts: tuple[Part, ...], messages: list[JsonObject]) -> bool:
    written: list[JsonObject] = []
    for part in parts:
        if type(part) is not ToolResult or part.is_error or not _is_bare(part.artefact):
            return False
        text = _only_text(part.content)
        if text is None:
            return False
        written.append({"role": "tool", "tool_call_id": part.id, "content": text})
    messages += written
    return True


def _write_answer(parts: tuple[Part, ...], messages: list[JsonObject]) -> bool:
    """Write one text and any calls."""
    text = ""
    calls: list[Json] = []
    for place, part in enumerate(parts):
        if type(part) is ToolCall and _is_bare(part.artefact):
            function: JsonObject = {"name": part.name, "arguments": part.arguments}
            calls.append({"id": part.id, "type": "function", "function": function})
        elif type(part) is Text and _is_bare(part.artefact) and not place:
            text = part.text
        else:
            return False
    if calls:
        messages.append({"role": "assistant", "content": text or None, "tool_calls": calls})
    else:
        messages.append({"role": "assistant", "content": text})
    return True


def _result(given: Json, content: str, calls: OpenCalls) -> Message | None:
    if type(given) is not str or not given or content.startswith(ERROR):
        return None
    id, name = calls.answer(given, "")
    return Message(
        role="tool", parts=(ToolResult(id=id, name=name, content=(Text(text=content),)),)
    )


def _answer(content: Json, wire: Json, calls: OpenCalls) -> Message | None:
    if type(wire) is not list or not wire or not (content is None or type(content) is str):
        return None
    found: list[ToolCall] = []
    for item in wire:
        call = _call(item) if type(item) is dict else None
        if call is None:
            return None
        found.append(call)
    parts: list[Part] = [Text(text=content)] if content else []
    for call in found:  # noted only now: what is read closely notes its calls itself
        calls.call(call.id, call.name)
        parts.append(call)
    return Message(role="assistant", parts=tuple(parts))


def _call(wire: JsonObject) -> ToolCall | None:
    id, function = wire.get("id"), wire.get("function")
    if type(function) is not dict or len(function) != 2 or len(wire) != 3 or "type" not in wire:
        return None
    name, arguments = function.get("name"), function.get("arguments")
    if type(name) is str and name and type(arguments) is str and type(id) is str and id:
        return ToolCall(id=id, name=name, arguments=arguments or "{}")
    return None
