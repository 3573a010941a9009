"""Content parts, both ways: one payload, perhaps with a signature beside it.

https://ai.google.dev/api/caching#Part
"""

from collections.abc import Callable
from typing import TypeAlias, assert_never

from majordomo.contract import (
    Artefact,
    Document,
    Image,
    JsonObject,
    Malformed,
    Opaque,
    Part,
    Text,
    Thinking,
    ToolCall,
    ToolResult,
)
from majordomo.dialects.json import (
    arguments_object,
    arguments_text,
    object_at,
    optional_bool,
    optional_string,
    string_at,
)
from majordomo.dialects.media import decode_base64, encode_base64

from .casing import camel
from .signature import attached, to_model

Attach: TypeAlias = Callable[[Artefact | None], JsonObject]
NameCall: TypeAlias = Callable[[str, str], str]


def encode_part(part: Part, attach: Attach) -> JsonObject | None:
    """Write one part; None if nothing of it can be said here. Results have their own file."""
    match part:
        case Text(text=text):
            return _encode_text({"text": text}, to_model(part.artefact))
        case Thinking(text=text):
            return _encode_text({"text": text, "thought": True}, attach(part.artefact))
        case ToolCall():
            call: JsonObject = {"functionCall": _encode_call(part)}
            return call | attach(part.artefact)
        case Image() | Document():
            return encode_inline(part)
        case Opaque(dialect=dialect, value=value):
            return value if dialect == "gemini" else None
        case ToolResult():
            return None
        case _:
            assert_never(part)


def encode_inline(part: Image | Document) -> JsonObject:
    blob: JsonObject = {"mimeType": part.mime, "data": encode_base64(part.data)}
    if isinstance(part, Document) and part.name:
        blob["displayName"] = part.name
    beside = dict(to_model(part.artefact))
    if isinstance(inner := beside.pop("inlineData", None), dict):
        blob |= inner
    wire: JsonObject = {"inlineData": blob}
    return wire | beside


def decode_part(given: JsonObject, where: str, name_call: NameCall) -> Part | None:
    """Read one part; None if it is empty. `name_call` gives an id to a call without one."""
    wire = camel(given)
    match wire:
        case {"functionCall": dict(call)}:
            return _decode_call(camel(call), where, _beside(wire, "functionCall"), name_call)
        case {"inlineData": dict(blob)}:
            return decode_inline(camel(blob), wire, where)
        case {"text": str(text)}:
            return _decode_text(text, wire, where)
        case _ if wire.keys() <= {"thoughtSignature", "thought", "text"}:
            return _decode_text("", wire, where)
        case _:
            return Opaque(dialect="gemini", value=wire)


def decode_inline(blob: JsonObject, wire: JsonObject, where: str) -> Part:
    at = f"{where}.inlineData"
    mime = optional_string(blob, "mimeType", at) or ""
    kind = mime.partition("/")[0]
    if kind not in {"image", "application", "text"}:
        return Opaque(dialect="gemini", value=wire)
    data = decode_base64(string_at(blob.get("data"), f"{at}.data"), f"{at}.data")
    beside = _beside(wire, "inlineData")
    if kind != "image":
        name = optional_string(blob, "displayName", at) or ""
        return Document(data=data, mime=mime, name=name, artefact=attached(beside))
    if inner := _beside(blob, "mimeType", "data"):
        beside["inlineData"] = inner
    return Image(data=data, mime=mime, artefact=attached(beside))


def _encode_text(wire: JsonObject, beside: JsonObject) -> JsonObject | None:
    """Empty text is refused, but for the signature it may carry."""
    return wire | beside if wire["text"] or beside else None


def _encode_call(call: ToolCall) -> JsonObject:
    """Ids are always sent, ours too: call and result agree, and that is all that is asked."""
    return {"id": call.id, "name": call.name, "args": arguments_object(call.arguments)}


def _decode_call(call: JsonObject, where: str, beside: JsonObject, name_call: NameCall) -> ToolCall:
    at = f"{where}.functionCall"
    name = optional_string(call, "name", at)
    if not name:
        raise Malformed(f"{at}.name", "is missing")
    args = call.get("args")
    if not isinstance(args, str):
        args = object_at({} if args is None else args, f"{at}.args")
    return ToolCall(
        id=name_call(optional_string(call, "id", at) or "", name),
        name=name,
        arguments=arguments_text(args),
        artefact=attached(beside),
    )


def _decode_text(text: str, wire: JsonObject, where: str) -> Part | None:
    """An empty part is kept for its signature: it must go back where it was."""
    thought = optional_bool(wire, "thought", where)
    artefact = attached(_beside(wire, "text", "thought"))
    if not text and artefact is None:
        return None
    return Thinking(text=text, artefact=artefact) if thought else Text(text=text, artefact=artefact)


def _beside(wire: JsonObject, *payload: str) -> JsonObject:
    return {
        name: value for name, value in wire.items() if name not in payload and value is not None
    }
