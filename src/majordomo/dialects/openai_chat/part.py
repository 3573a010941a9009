"""Content parts, both ways.

https://platform.openai.com/docs/api-reference/chat/create#chat-create-messages
"""

from collections.abc import Callable
from typing import assert_never

from majordomo.contract import (
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
from majordomo.dialects.json import object_at, string_at
from majordomo.dialects.media import decode_base64, decode_data_url, encode_data_url

from .attribute import NAME, artefact_of, attributes_of, inner, rest

REFUSAL: JsonObject = {"type": "refusal"}  # what marks a text as the reason for not answering


def encode_content(parts: tuple[Part, ...]) -> str | list[Json]:
    """Say content as a string where that says it all: every server reads strings."""
    content: list[Json] = [wire for part in parts if (wire := encode_part(part)) is not None]
    match content:
        case []:
            return ""  # an empty list is refused
        case [{"type": "text", "text": str(text)}] if content == [{"type": "text", "text": text}]:
            return text
        case _:
            return content


def decode_content(wire: Json, where: str) -> tuple[Part, ...]:
    match wire:
        case None | "":
            return ()
        case str():
            return (Text(text=wire),)
        case list():
            return tuple(
                [
                    _plain_text(item) or decode_part(item, f"{where}[{index}]")
                    for index, item in enumerate(wire)
                ]
            )
        case _:
            raise Malformed(where, "is neither a string nor a list of parts")


def encode_part(part: Part) -> JsonObject | None:
    """Give a content part; None for what stands elsewhere or is another dialect's."""
    match part:
        case Text():
            return _encode_text(part)
        case Image():
            return encode_image(part)
        case Document():
            return _encode_document(part)
        case Thinking():
            return _encode_thinking(part)
        case Opaque(dialect=dialect, value=value):
            return value if dialect == NAME else None
        case ToolCall() | ToolResult():
            return None
        case _:
            assert_never(part)


def _plain_text(wire: Json) -> Text | None:
    """Read a part that is nothing but text, as nearly all are; None for any other."""
    if type(wire) is dict and len(wire) == 2 and wire.get("type") == "text":
        text = wire.get("text")
        return Text(text=text) if type(text) is str else None
    return None


def decode_part(wire: Json, where: str) -> Part:
    if isinstance(wire, str):
        return Text(text=wire)
    part = object_at(wire, where)
    kind = string_at(part.get("type"), f"{where}.type")
    decode = _DECODERS.get(kind)
    return Opaque(dialect=NAME, value=part) if decode is None else decode(part, where)


def encode_image(part: Image) -> JsonObject:
    attributes = attributes_of(part.artefact)
    url = encode_data_url(part.data, part.mime)
    return {
        **attributes,
        "type": "image_url",
        "image_url": {"url": url, **inner(attributes, "image_url")},
    }


def is_refusal(part: Text) -> bool:
    return attributes_of(part.artefact).get("type") == "refusal"


def is_content_thinking(part: Thinking) -> bool:
    """Tell whether it stood among the content, as Mistral writes it, not in a field beside it."""
    return "part" in attributes_of(part.artefact)


def _encode_text(part: Text) -> JsonObject:
    if is_refusal(part):
        return {"type": "refusal", "refusal": part.text}
    return {**attributes_of(part.artefact), "type": "text", "text": part.text}


def _decode_text(wire: JsonObject, where: str) -> Text:
    text = string_at(wire.get("text"), f"{where}.text")
    return Text(text=text, artefact=artefact_of(rest(wire, {"type", "text"})))


def _decode_refusal(wire: JsonObject, where: str) -> Text:
    text = string_at(wire.get("refusal"), f"{where}.refusal")
    return Text(text=text, artefact=artefact_of(REFUSAL))


def _decode_image(wire: JsonObject, where: str) -> Part:
    found = wire.get("image_url")
    if isinstance(found, str):  # as in Responses; some clients mix them up
        image: JsonObject = {"url": found}
    else:
        image = object_at(found, f"{where}.image_url")
    url = string_at(image.get("url"), f"{where}.image_url.url")
    around = rest(image, {"url"})
    if url[:5].lower() != "data:":
        return Opaque(dialect=NAME, value=wire)  # fetching is the caller's job
    data, mime = decode_data_url(url, f"{where}.image_url.url")
    attributes = rest(wire, {"type", "image_url"})
    if around:
        attributes["image_url"] = around
    return Image(data=data, mime=mime, artefact=artefact_of(attributes))


def _encode_document(part: Document) -> JsonObject:
    attributes = attributes_of(part.artefact)
    file: JsonObject = {"file_data": encode_data_url(part.data, part.mime)}
    if part.name:
        file["filename"] = part.name
    return {**attributes, "type": "file", "file": {**file, **inner(attributes, "file")}}


def _decode_document(wire: JsonObject, where: str) -> Part:
    file = object_at(wire.get("file"), f"{where}.file")
    match file.get("file_data"):
        case str(text) if text[:5].lower() == "data:":
            data, mime = decode_data_url(text, f"{where}.file.file_data")
        case str(text) if text and not text.startswith(("http://", "https://")):
            data, mime = decode_base64(text, f"{where}.file.file_data"), "application/pdf"
        case _:
            return Opaque(dialect=NAME, value=wire)
    name = file.get("filename")
    attributes = rest(wire, {"type", "file"})
    around = rest(file, {"file_data", "filename"})
    if around:
        attributes["file"] = around
    return Document(
        data=data,
        mime=mime,
        name=name if isinstance(name, str) else "",
        artefact=artefact_of(attributes),
    )


def _encode_thinking(part: Thinking) -> JsonObject | None:
    if not is_content_thinking(part):
        return None
    said: list[Json] = [{"type": "text", "text": part.text}] if part.text else []
    return {**inner(attributes_of(part.artefact), "part"), "thinking": said}


def _decode_thinking(wire: JsonObject, where: str) -> Thinking:
    """Read Mistral's `{"type":"thinking","thinking":[{"type":"text","text":…}]}`."""
    text = "".join(
        part.text
        for part in decode_content(wire.get("thinking"), f"{where}.thinking")
        if isinstance(part, Text)
    )
    return Thinking(text=text, artefact=artefact_of({"part": rest(wire, {"thinking"})}))


_DECODERS: dict[str, Callable[[JsonObject, str], Part]] = {
    "text": _decode_text,
    "refusal": _decode_refusal,
    "image_url": _decode_image,
    "file": _decode_document,
    "thinking": _decode_thinking,
}
