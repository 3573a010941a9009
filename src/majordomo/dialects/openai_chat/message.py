"""Messages, both ways.

https://platform.openai.com/docs/api-reference/chat/create#chat-create-messages
"""

from collections.abc import Iterator
from typing import assert_never

from msgspec.structs import replace

from majordomo.contract import (
    Document,
    Image,
    Json,
    JsonObject,
    Malformed,
    Message,
    Part,
    Request,
    Text,
    Thinking,
    ToolCall,
    ToolResult,
)
from majordomo.dialects.call_ids import OpenCalls
from majordomo.dialects.dialect import Wire
from majordomo.dialects.json import list_at, object_at, objects, optional_string

from . import reasoning
from .attribute import artefact_of, attributes_of, rest
from .call import decode_call, encode_call, unseal_call
from .glance import plain_message, write_plain
from .part import REFUSAL, decode_content, encode_content, is_content_thinking, is_refusal
from .reasoning import decode_reasoning, encode_reasoning
from .result import decode_result, encode_results

_KNOWN = frozenset({"role", "content"})
_ASSISTANT_KNOWN = _KNOWN | {"refusal", "tool_calls", "function_call", *reasoning.KNOWN}


def encode_messages(request: Request, wire: Wire) -> list[JsonObject]:
    messages: list[JsonObject] = []
    if request.system:
        messages.append({"role": wire.system_role, "content": request.system})
    for message in request.messages:
        if not write_plain(message, wire, messages):
            messages += _encode_message(message, wire)
    return messages


def decode_messages(wire: Json) -> tuple[str, tuple[Message, ...]]:
    """Give the plain system prompt and what follows; neighbouring tool results join up."""
    system = ""
    messages: list[Message] = []
    calls = OpenCalls()
    for index, item in enumerate(list_at(wire, "messages")):
        if not index and (prompt := _plain_system(item)) is not None:
            system = prompt
            continue
        message = plain_message(item, calls)
        if message is None:
            where = f"messages[{index}]"
            message = _decode_message(object_at(item, where), where, calls)
        if message.role == "tool" and messages and messages[-1].role == "tool":
            message = Message(role="tool", parts=messages.pop().parts + message.parts)
        messages.append(message)
    return system, tuple(messages)


def _plain_system(wire: Json) -> str | None:
    if type(wire) is dict and len(wire) == 2 and wire.get("role") == "system":
        content = wire.get("content")
        return content if type(content) is str else None
    return None


def decode_assistant_parts(wire: JsonObject, where: str, *, sealed: bool) -> tuple[Part, ...]:
    """Give reasoning, content and calls in that order: the wire knows no other."""
    parts: list[Part] = [*decode_reasoning(wire, where, sealed=sealed)]
    parts += decode_content(wire.get("content"), f"{where}.content")
    refusal = optional_string(wire, "refusal", where)
    if refusal:
        parts.append(Text(text=refusal, artefact=artefact_of(REFUSAL)))
    calls = decode_calls(wire, where)
    parts += (unseal_call(call) for call in calls) if sealed else calls
    return tuple(parts)


def decode_calls(wire: JsonObject, where: str) -> list[ToolCall]:
    """Read the calls; llama-cpp-python says each a second time, as the deprecated field."""
    if wire.get("tool_calls"):
        found = objects(wire["tool_calls"], f"{where}.tool_calls")
        return [decode_call(item, at) for item, at in found]
    if wire.get("function_call") is not None:
        at = f"{where}.function_call"
        return [decode_call({"function": object_at(wire["function_call"], at)}, at)]
    return []


def _encode_message(message: Message, wire: Wire) -> Iterator[JsonObject]:
    attributes = attributes_of(message.artefact)
    match message.role:
        case "system":
            content = encode_content(message.parts)
            yield {"role": wire.system_role, "content": content, **attributes}
        case "assistant":
            yield _encode_assistant(message, wire.reasoning_field) | attributes
        case "user" | "tool":
            yield from _encode_turn(message, attributes)
        case _:
            assert_never(message.role)


def _encode_turn(message: Message, attributes: JsonObject) -> Iterator[JsonObject]:
    """Results come first and each on its own: only then may anyone else speak."""
    results, said = encode_results(message.tool_results)
    yield from results
    said += (part for part in message.parts if not isinstance(part, ToolResult))
    if said or message.role == "user":
        yield {"role": "user", "content": encode_content(tuple(said)), **attributes}


def _encode_assistant(message: Message, field: str) -> JsonObject:
    said: list[Part] = []
    refusal = ""
    for part in message.parts:
        if isinstance(part, Text) and is_refusal(part):
            refusal += part.text
        elif isinstance(part, Image | Document):
            said.append(Text(text=f"[{part.mime}]"))  # an assistant cannot show anything here
        elif not isinstance(part, Thinking | ToolCall) or _stands_in_content(part):
            said.append(part)
    wire: JsonObject = {"role": "assistant", "content": encode_content(tuple(said)) or None}
    thoughts = (part for part in message.parts if isinstance(part, Thinking))
    wire |= encode_reasoning(thoughts, field)
    if refusal:
        wire["refusal"] = refusal
    if message.tool_calls:
        wire["tool_calls"] = [encode_call(call) for call in message.tool_calls]
    elif wire["content"] is None and not refusal:
        wire["content"] = ""  # only calls and refusals excuse a missing content
    return wire


def _stands_in_content(part: Part) -> bool:
    return isinstance(part, Thinking) and is_content_thinking(part)


def _decode_message(wire: JsonObject, where: str, calls: OpenCalls) -> Message:
    match wire.get("role"):
        case "user" | "system" as role:
            return Message(
                role=role,
                parts=decode_content(wire.get("content"), f"{where}.content"),
                artefact=artefact_of(rest(wire, _KNOWN)),
            )
        case "developer":
            return Message(
                role="system",
                parts=decode_content(wire.get("content"), f"{where}.content"),
                artefact=artefact_of({"role": "developer", **rest(wire, _KNOWN)}),
            )
        case "assistant":
            return _decode_assistant(wire, where, calls)
        case "tool" | "function":
            return Message(role="tool", parts=(decode_result(wire, where, calls),))
        case _:
            raise Malformed(f"{where}.role", "is not one of system, user, assistant, tool")


def _decode_assistant(wire: JsonObject, where: str, calls: OpenCalls) -> Message:
    parts = decode_assistant_parts(wire, where, sealed=True)
    return Message(
        role="assistant",
        parts=tuple(
            replace(part, id=calls.call(part.id, part.name)) if isinstance(part, ToolCall) else part
            for part in parts
        ),
        artefact=artefact_of(rest(wire, _ASSISTANT_KNOWN)),
    )
