"""The whole reply, both ways.

https://platform.claude.com/docs/en/api/messages
"""

from collections.abc import Iterator
from typing import assert_never

from majordomo.contract import (
    Artefact,
    Document,
    Finish,
    Image,
    Json,
    JsonObject,
    Opaque,
    Part,
    Response,
    Text,
    Thinking,
    ToolCall,
    ToolResult,
)
from majordomo.dialects.artefact import own, seal
from majordomo.dialects.call_ids import CallIds
from majordomo.dialects.dialect import Stamp
from majordomo.dialects.json import object_at, objects, optional_string

from .carrier import pack
from .failure import decode_error
from .finish import decode_reason, encode_ending
from .part import NAME, REDACTED, decode_call, decode_part, encode_call, encode_opaque, encode_text
from .usage import decode_usage, encode_usage


def decode_response(body: Json) -> Response:
    """Read a whole message; raise the error that some servers send with a 200."""
    wire = object_at(body, "body")
    if wire.get("error") is not None:
        raise decode_error(wire)
    parts = tuple(_decode_content(wire.get("content")))
    native = optional_string(wire, "stop_reason")
    usage, _ = decode_usage(wire.get("usage"))
    return Response(
        parts=parts,
        finish_reason=decode_reason(native, called=_called(parts)),
        finish_native=native or "",
        stop_sequence=optional_string(wire, "stop_sequence"),
        usage=usage,
        model=optional_string(wire, "model") or "",
        id=optional_string(wire, "id") or "",
        raw=wire,
    )


def encode_response(response: Response, stamp: Stamp, *, carry: bool = False) -> JsonObject:
    parts = _with_carriers(response.parts) if carry else response.parts
    content = [block for part in parts if (block := encode_reply_part(part)) is not None]
    finish = Finish(
        reason=response.finish_reason,
        native=response.finish_native,
        stop_sequence=response.stop_sequence,
        raw=response.raw,
    )
    return {
        **encode_envelope(stamp),
        "content": [*content],
        **encode_ending(finish, called=_called(response.parts)),
        "usage": encode_usage(response.usage),
    }


def _with_carriers(parts: tuple[Part, ...]) -> Iterator[Part]:
    for part in parts:
        carrier = pack(part) if isinstance(part, ToolCall) else None
        if carrier is not None:
            yield carrier
        yield part


def encode_envelope(stamp: Stamp) -> JsonObject:
    return {"id": f"msg_{stamp.id}", "type": "message", "role": "assistant", "model": stamp.model}


def encode_reply_part(part: Part) -> JsonObject | None:
    """Write one block for a client; None for what a message cannot hold."""
    match part:
        case Text():
            return encode_text(part)
        case Thinking():
            return encode_reply_thinking(part)
        case ToolCall():
            return encode_call(part)
        case Opaque():
            return encode_opaque(part)
        case Image() | Document() | ToolResult():
            return None
        case _:
            assert_never(part)


def encode_reply_thinking(part: Thinking) -> JsonObject:
    """Write thinking for a client, whoever signed it."""
    value = own(part.artefact, NAME)
    if REDACTED in value:
        return {"type": REDACTED, "data": value[REDACTED]}
    signature = encode_signature(part.artefact)
    return {"type": "thinking", "thinking": part.text, **value, "signature": signature}


def encode_signature(artefact: Artefact | None) -> str:
    """Give the field clients echo; another dialect's artefact travels sealed in it."""
    if artefact is None:
        return ""
    if artefact.dialect != NAME:
        return seal(artefact)
    signature = artefact.value.get("signature")
    return signature if isinstance(signature, str) else ""


def _decode_content(wire: Json) -> Iterator[Part]:
    ids = CallIds()
    for item, at in objects(wire, "content"):
        if item.get("type") == "tool_use":
            given = ids.take(optional_string(item, "id", at) or "")
            yield decode_call({**item, "id": given}, at)
            continue
        part = decode_part(item, at)
        if part != Text(text=""):
            yield part


def _called(parts: tuple[Part, ...]) -> bool:
    return any(isinstance(part, ToolCall) for part in parts)
