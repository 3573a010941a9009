"""Recorded messages in the JSON that OpenTelemetry has for them.

https://github.com/open-telemetry/semantic-conventions-genai/blob/main/docs/gen-ai/gen-ai-input-messages.json
"""

from typing import assert_never

import msgspec
from msgspec import Struct

from majordomo.contract import (
    Document,
    Image,
    Json,
    JsonObject,
    Message,
    Opaque,
    Part,
    Text,
    Thinking,
    ToolCall,
    ToolResult,
)


class _Asked(Struct):
    """What is shown of a recorded request."""

    messages: tuple[Message, ...]
    system: str = ""


class _Answered(Struct):
    parts: tuple[Part, ...]
    finish_reason: str


def asked_attributes(request: Json) -> dict[str, str]:
    asked = msgspec.convert(request, _Asked)
    attributes = {"gen_ai.input.messages": _json([_message(each) for each in asked.messages])}
    if asked.system:
        system = _json([{"type": "text", "content": asked.system}])
        attributes["gen_ai.system_instructions"] = system
    return attributes


def answered_attributes(response: Json) -> dict[str, str]:
    answered = msgspec.convert(response, _Answered)
    message = _message(Message(role="assistant", parts=answered.parts))
    message["finish_reason"] = answered.finish_reason
    return {"gen_ai.output.messages": _json([message])}


def _message(message: Message) -> JsonObject:
    return {"role": message.role, "parts": [_part(part) for part in message.parts]}


def _part(part: Part) -> JsonObject:
    match part:
        case Text():
            return {"type": "text", "content": part.text}
        case Thinking():
            return {"type": "reasoning", "content": part.text}
        case ToolCall():
            called: JsonObject = {"type": "tool_call", "id": part.id, "name": part.name}
            return {**called, "arguments": part.arguments}
        case ToolResult():
            return {"type": "tool_call_response", "id": part.id, "response": part.text}
        case Image() | Document():  # the bytes are no use in a span, and too many
            kind = "image" if isinstance(part, Image) else "document"
            return {"type": "blob", "modality": kind, "mime_type": part.mime, "content": ""}
        case Opaque():
            return {"type": "opaque"}
        case _:
            assert_never(part)


def _json(value: Json) -> str:
    return msgspec.json.encode(value).decode()
