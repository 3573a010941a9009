"""Tool results, both ways: text only, so images follow in a user message."""

from collections.abc import Iterable
from typing import assert_never

from msgspec.structs import replace

from majordomo.contract import (
    Document,
    Image,
    JsonObject,
    Opaque,
    Part,
    Text,
    Thinking,
    ToolCall,
    ToolResult,
)
from majordomo.dialects.call_ids import OpenCalls
from majordomo.dialects.json import optional_string

from .attribute import artefact_of, attributes_of, rest
from .part import decode_content, encode_content

ERROR = "ERROR: "  # the wire has no flag for a failed call


def encode_results(results: Iterable[ToolResult]) -> tuple[list[JsonObject], list[Part]]:
    """Give the tool messages, and the media that must follow all of them."""
    messages: list[JsonObject] = []
    media: list[Part] = []
    for result in results:
        content, moved = _without_media(result)
        if result.is_error:
            content = _marked(content)
        message: JsonObject = {
            "role": "tool",
            "tool_call_id": result.id,
            "content": encode_content(content),
        }
        messages.append(message | attributes_of(result.artefact))
        if moved:
            media += (Text(text=f"From the result of tool call {result.id}:"), *moved)
    return messages, media


def decode_result(wire: JsonObject, where: str, calls: OpenCalls) -> ToolResult:
    """Read a tool message; also the deprecated `function` role, which links by name alone."""
    content = decode_content(wire.get("content"), f"{where}.content")
    is_error = bool(content) and isinstance(content[0], Text) and content[0].text.startswith(ERROR)
    given = optional_string(wire, "tool_call_id", where) or ""
    call_id, name = calls.answer(given, optional_string(wire, "name", where) or "")
    return ToolResult(
        id=call_id,
        name=name,
        content=_unmarked(content) if is_error else content,
        is_error=is_error,
        artefact=artefact_of(rest(wire, {"role", "content", "tool_call_id", "name"})),
    )


def _without_media(result: ToolResult) -> tuple[tuple[Part, ...], tuple[Part, ...]]:
    kept: list[Part] = []
    moved: list[Part] = []
    for part in result.content:
        match part:
            case Image(mime=mime) | Document(mime=mime):
                kept.append(Text(text=f"[{mime}: in the message after the tool results]"))
                moved.append(part)
            case Text() | Opaque():
                kept.append(part)
            case Thinking() | ToolCall() | ToolResult():
                pass  # no tool answers with these
            case _:
                assert_never(part)
    return tuple(kept), tuple(moved)


def _marked(content: tuple[Part, ...]) -> tuple[Part, ...]:
    match content:
        case (Text() as first, *others):
            return (replace(first, text=ERROR + first.text), *others)
        case _:
            return (Text(text=ERROR), *content)


def _unmarked(content: tuple[Part, ...]) -> tuple[Part, ...]:
    match content:
        case (Text(text=text) as first, *others) if text != ERROR:
            return (replace(first, text=text.removeprefix(ERROR)), *others)
        case _:
            return content[1:]
