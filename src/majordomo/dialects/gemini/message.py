"""Contents, both ways. Roles are `user` and `model`; results are told by the user.

https://ai.google.dev/api/caching#Content
"""

from collections.abc import Iterator

from msgspec.structs import replace

from majordomo.contract import (
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
from majordomo.dialects.json import object_at, objects, optional_string

from .casing import camel
from .part import decode_part, encode_part
from .result import decode_result, encode_result
from .signature import STAND_IN, opened, to_model


def encode_contents(request: Request, *, stand_in: bool) -> tuple[list[Json], list[Json]]:
    """Give the parts of the system instruction, and the turns.

    System messages that lead go into the instruction, as there is no other place for them; a
    later one is told by the user. Results and what the user adds to them are one turn.
    """
    system: list[Json] = [{"text": request.system}] if request.system else []
    turns: list[Json] = []
    names: dict[str, str] = {}
    answering: list[Json] | None = None  # the parts of a turn of results that may go on
    for message in request.messages:
        parts: list[Json] = list(_encode_parts(message, names))
        if message.role == "system" and not turns:
            system.extend(parts)
        elif message.role == "assistant":
            answering = None
            turns.extend(_turn("model", _stand_in(parts) if stand_in else parts))
        elif answering is not None and parts:
            answering.extend(parts)
            answering = answering if message.role == "tool" else None
        elif parts:
            answering = parts if message.role == "tool" else None
            turns.extend(_turn("user", parts))
    return system, turns


def decode_system(wire: Json) -> tuple[str, tuple[Message, ...]]:
    """Read the instruction: plain text, or a message where it is more than one plain text."""
    match wire:
        case None:
            return "", ()
        case str(text):
            return text, ()
        case _:
            content = camel(object_at(wire, "systemInstruction"))
    parts = tuple(_decode_parts(content, "systemInstruction", OpenCalls()))
    match parts:
        case ():
            return "", ()
        case (Text(text=text, artefact=None),):
            return text, ()
        case _:
            return "", (Message(role="system", parts=parts),)


def decode_contents(wire: Json) -> tuple[Message, ...]:
    calls = OpenCalls()
    messages: list[Message] = []
    results: list[Part] = []
    for item, at in objects(_listed(wire), "contents"):
        content = camel(item)
        if _role(content, at) == "model":
            messages.extend(_told(results))
            results = []
            parts = tuple(_decode_parts(content, at, calls))
            messages.extend([Message(role="assistant", parts=_joined(parts))] if parts else [])
            continue
        parts = tuple(_decode_parts(content, at, calls))
        results.extend(part for part in parts if isinstance(part, ToolResult))
        said = tuple(part for part in parts if not isinstance(part, ToolResult))
        if said:
            messages.extend((*_told(results), Message(role="user", parts=said)))
            results = []
    messages.extend(_told(results))
    return tuple(messages)


def _turn(role: str, parts: list[Json]) -> Iterator[JsonObject]:
    if parts:  # an empty turn is refused
        yield {"role": role, "parts": parts}


def _encode_parts(message: Message, names: dict[str, str]) -> Iterator[JsonObject]:
    for part in message.parts:
        if isinstance(part, ToolResult):
            yield encode_result(part, part.name or names.get(part.id) or part.id or "tool")
            continue
        if isinstance(part, ToolCall):
            names[part.id] = part.name
        if wire := encode_part(part, to_model):
            yield wire


def _stand_in(parts: list[Json]) -> list[Json]:
    """Sign the first call of a turn that another model made; only the first is checked."""
    for index, part in enumerate(parts):
        match part:
            case {"functionCall": _, "thoughtSignature": _}:
                return parts
            case {"functionCall": call}:
                signed: JsonObject = {"functionCall": call, "thoughtSignature": STAND_IN}
                return [*parts[:index], signed, *parts[index + 1 :]]
            case _:
                continue
    return parts


def _listed(wire: Json) -> Json:
    match wire:
        case None:
            return []
        case str(text):
            return [{"parts": [{"text": text}]}]
        case dict():
            return [wire]
        case _:
            return wire


def _role(content: JsonObject, where: str) -> str:
    role = optional_string(content, "role", where) or "user"
    if role not in {"user", "model", "function"}:
        raise Malformed(f"{where}.role", "is not user or model")
    return role


def _told(results: list[Part]) -> Iterator[Message]:
    if results:
        yield Message(role="tool", parts=tuple(results))


def _decode_parts(content: JsonObject, where: str, calls: OpenCalls) -> Iterator[Part]:
    for item, at in objects(content.get("parts") or [], f"{where}.parts"):
        if "functionResponse" in item or "function_response" in item:
            yield decode_result(item, at, calls)
            continue
        part = decode_part(item, at, calls.call)
        match part:
            case Thinking(artefact=artefact) | ToolCall(artefact=artefact) if artefact:
                yield replace(part, artefact=opened(artefact))
            case None:
                continue
            case _:
                yield part


def _joined(parts: tuple[Part, ...]) -> tuple[Part, ...]:
    """Join a thought to the sealed artefact that had to follow it in a stream of ours."""
    joined: list[Part] = []
    for part in parts:
        match part, joined[-1] if joined else None:
            case (
                Thinking(text="", artefact=artefact),
                Thinking(artefact=None) as thought,
            ) if artefact is not None and artefact.dialect != "gemini":
                joined[-1] = replace(thought, artefact=artefact)
            case _:
                joined.append(part)
    return tuple(joined)
