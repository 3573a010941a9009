"""Content blocks of the Messages API, both ways.

https://platform.claude.com/docs/en/api/messages
"""

from collections.abc import Callable, Sequence
from typing import assert_never

from majordomo.contract import (
    Artefact,
    DialectName,
    Document,
    Image,
    Json,
    JsonObject,
    Malformed,
    Opaque,
    Part,
    Text,
    Thinking,
    ToolCall,
    ToolResult,
)
from majordomo.dialects.artefact import own
from majordomo.dialects.json import (
    arguments_object,
    arguments_text,
    object_at,
    objects,
    optional_bool,
    optional_string,
    sparse,
    string_at,
)
from majordomo.dialects.media import decode_base64, encode_base64

NAME: DialectName = "anthropic"


def decode_part(wire: JsonObject, where: str) -> Part:
    """Read one block; whatever we do not model is kept whole."""
    kind = string_at(wire.get("type"), f"{where}.type")
    decode = _DECODERS.get(kind)
    part = decode(wire, where) if decode is not None else None
    return Opaque(dialect=NAME, value=wire) if part is None else part


def encode_part(part: Part) -> JsonObject | None:
    """Write one block for a target; None for what must not or cannot be sent there."""
    match part:
        case Text():
            return encode_text(part)
        case Image() | Document():
            return _encode_media(part)
        case Thinking():
            return encode_thinking(part)
        case ToolCall():
            return encode_call(part)
        case ToolResult():
            return _encode_result(part)
        case Opaque():
            return encode_opaque(part)
        case _:
            assert_never(part)


def encode_parts(parts: Sequence[Part]) -> list[JsonObject]:
    return [block for part in parts if (block := encode_part(part)) is not None]


def attributes(wire: JsonObject, known: frozenset[str]) -> Artefact | None:
    """Give the fields beside the known ones: cache marks, citations, what comes next year."""
    if wire.keys() <= known:
        return None
    rest = sparse({key: value for key, value in wire.items() if key not in known})
    return Artefact(dialect=NAME, value=rest) if rest else None


def _decode_text(wire: JsonObject, where: str) -> Text:
    text = string_at(wire.get("text"), f"{where}.text")
    return Text(text=text, artefact=attributes(wire, _TEXT))


def encode_text(part: Text) -> JsonObject | None:
    """Write a text block, never an empty one: "text content blocks must be non-empty"."""
    if not part.text:
        return None
    if part.artefact is None:
        return {"type": "text", "text": part.text}
    return {"type": "text", "text": part.text, **own(part.artefact, NAME)}


def _decode_image(wire: JsonObject, where: str) -> Image | None:
    match wire.get("source"):
        case {"type": "base64", "media_type": str(mime), "data": str(data)}:
            return Image(
                data=decode_base64(data, f"{where}.source.data"),
                mime=mime,
                artefact=attributes(wire, _IMAGE),
            )
        case {"type": str(kind)} if kind != "base64":
            return None  # a URL or a file id: nobody here fetches
        case _:
            raise Malformed(f"{where}.source", "is not an image source")


def _decode_document(wire: JsonObject, where: str) -> Document | None:
    match wire.get("source"):
        case {"type": "base64", "media_type": str(mime), "data": str(text)}:
            data = decode_base64(text, f"{where}.source.data")
        case {"type": "text", "data": str(text)}:
            data, mime = text.encode(errors="replace"), _PLAIN
        case {"type": str(kind)} if kind not in {"base64", "text"}:
            return None  # a URL, a file id, or blocks of its own
        case _:
            raise Malformed(f"{where}.source", "is not a document source")
    return Document(
        data=data,
        mime=mime,
        name=optional_string(wire, "title", where) or "",
        artefact=attributes(wire, _DOCUMENT),
    )


def _encode_media(part: Image | Document) -> JsonObject:
    if isinstance(part, Image):
        block: JsonObject = {"type": "image"}
    else:
        block = sparse({"type": "document", "title": part.name or None})
    return {**block, "source": _source(part), **own(part.artefact, NAME)}


def _source(part: Image | Document) -> JsonObject:
    if isinstance(part, Document) and part.mime.startswith("text/"):
        # The one source of a document that is no PDF, and plain is the one kind of it.
        text = part.data.decode(errors="replace")
        return {"type": "text", "media_type": _PLAIN, "data": text}
    return {"type": "base64", "media_type": part.mime, "data": encode_base64(part.data)}


def _decode_thinking(wire: JsonObject, where: str) -> Thinking:
    signature = optional_string(wire, "signature", where)
    return Thinking(
        text=optional_string(wire, "thinking", where) or "",
        artefact=attributes(wire, _SIGNED if signature else _UNSIGNED),
    )


def _decode_redacted(wire: JsonObject, where: str) -> Thinking:
    data = string_at(wire.get("data"), f"{where}.data")
    return Thinking(text="", artefact=Artefact(dialect=NAME, value={REDACTED: data}))


def encode_thinking(part: Thinking) -> JsonObject | None:
    """Write thinking this dialect signed; unsigned or foreign thinking would be refused."""
    value = own(part.artefact, NAME)
    if REDACTED in value:
        return {"type": REDACTED, "data": value[REDACTED]}
    if not value.get("signature"):
        return None
    return {"type": "thinking", "thinking": part.text, **value}


def decode_call(wire: JsonObject, where: str) -> ToolCall:
    given = wire.get("input")
    return ToolCall(
        id=string_at(wire.get("id"), f"{where}.id"),
        name=string_at(wire.get("name"), f"{where}.name"),
        arguments=arguments_text(given if isinstance(given, str) else _input(given, where)),
        artefact=attributes(wire, CALL),
    )


def encode_call(part: ToolCall) -> JsonObject:
    arguments = arguments_object(part.arguments)
    wire: JsonObject = {
        "type": "tool_use",
        "id": part.id,
        "name": part.name,
        "input": arguments,
    }
    return wire if part.artefact is None else {**wire, **own(part.artefact, NAME)}


def _input(value: Json, where: str) -> JsonObject:
    return {} if value is None else object_at(value, f"{where}.input")


def _decode_result(wire: JsonObject, where: str) -> ToolResult:
    return ToolResult(
        id=string_at(wire.get("tool_use_id"), f"{where}.tool_use_id"),
        content=_decode_content(wire.get("content"), f"{where}.content"),
        is_error=optional_bool(wire, "is_error", where) or False,
        artefact=attributes(wire, _RESULT),
    )


def _decode_content(wire: Json, where: str) -> tuple[Part, ...]:
    """Read what a tool gave back: a string, blocks, or nothing at all."""
    if wire is None or wire == "":
        return ()
    if isinstance(wire, str):
        return (Text(text=wire),)
    return tuple(
        # A result holds no calls and no results: such a block is kept whole, not descended.
        decode_part(item, at)
        if item.get("type") in _RESULT_CONTENT
        else Opaque(dialect=NAME, value=item)
        for item, at in objects(wire, where)
    )


def _encode_result(part: ToolResult) -> JsonObject:
    wire: JsonObject = {"type": "tool_result", "tool_use_id": part.id}
    content: Json = only_text(part.content)
    if not content:
        content = plain(encode_parts(part.content))
    if content:
        wire["content"] = content
    if part.is_error:
        wire["is_error"] = True
    return wire if part.artefact is None else {**wire, **own(part.artefact, NAME)}


def encode_opaque(part: Opaque) -> JsonObject | None:
    return part.value if part.dialect == NAME else None


def only_text(parts: Sequence[Part]) -> str:
    """Give the text of parts that are one bare text; nothing of any others."""
    if len(parts) == 1:
        part = parts[0]
        if type(part) is Text and (part.artefact is None or part.artefact.dialect != NAME):
            return part.text
    return ""


def plain(blocks: list[JsonObject]) -> Json:
    """Say one bare text block as the string it may be said as."""
    match blocks:
        case [{"type": "text", "text": str(text)} as only] if len(only) == 2:
            return text
        case _:
            return [*blocks]


# The fields of each block that the contract has a place for.
_TEXT = frozenset({"type", "text"})
_IMAGE = frozenset({"type", "source"})
_DOCUMENT = frozenset({"type", "source", "title"})
_SIGNED = frozenset({"type", "thinking"})
_UNSIGNED = frozenset({"type", "thinking", "signature"})
CALL = frozenset({"type", "id", "name", "input"})
_RESULT = frozenset({"type", "tool_use_id", "content", "is_error"})

REDACTED = "redacted_thinking"
_PLAIN = "text/plain"
_RESULT_CONTENT = ("text", "image", "document")  # a tuple: the wire may hold what no set can
_DECODERS: dict[str, Callable[[JsonObject, str], Part | None]] = {
    "text": _decode_text,
    "image": _decode_image,
    "document": _decode_document,
    "thinking": _decode_thinking,
    REDACTED: _decode_redacted,
    "tool_use": decode_call,
    "tool_result": _decode_result,
}
