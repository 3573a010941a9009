"""Content parts, both ways: what users say and what tools return.

https://platform.openai.com/docs/api-reference/responses/create#responses_create-input
"""

from collections.abc import Set as AbstractSet
from typing import Final, assert_never

from majordomo.contract import (
    Artefact,
    Document,
    Image,
    Json,
    JsonObject,
    Opaque,
    Part,
    Text,
    Thinking,
    ToolCall,
    ToolResult,
)
from majordomo.dialects.artefact import own
from majordomo.dialects.json import list_at, object_at
from majordomo.dialects.media import decode_base64, decode_data_url, encode_data_url

NAME: Final = "openai_responses"


def artefact_of(value: JsonObject) -> Artefact | None:
    return Artefact(dialect=NAME, value=value) if value else None


def rest_of(wire: JsonObject, known: AbstractSet[str]) -> JsonObject:
    """Give what we do not model of an object; null says no more than nothing does."""
    if wire.keys() <= known:
        return {}
    return {name: value for name, value in wire.items() if value is not None and name not in known}


def decode_content(wire: Json, where: str) -> tuple[Part, ...]:
    """Read content: a string, or a list of parts."""
    if isinstance(wire, str):
        return (Text(text=wire),)
    if wire is None:
        return ()
    return tuple(
        [
            _plain_text(part) or decode_part(part, f"{where}[{index}]")
            for index, part in enumerate(list_at(wire, where))
        ]
    )


def _plain_text(wire: Json) -> Text | None:
    """Read a part that is nothing but text, as nearly all are; None for any other."""
    if type(wire) is dict and len(wire) == 2 and wire.get("type") == "input_text":
        text = wire.get("text")
        return Text(text=text) if type(text) is str else None
    return None


def encode_content(parts: tuple[Part, ...]) -> Json:
    """Say plain text as a string: every server of this dialect takes that."""
    match parts:
        case (Text(text=text, artefact=artefact),) if not own(artefact, NAME):
            return text
        case _:
            return [wire for part in parts if (wire := encode_part(part)) is not None]


def decode_part(wire: Json, where: str) -> Part:
    if isinstance(wire, str):
        return Text(text=wire)
    part = object_at(wire, where)
    match part:
        case {"type": "input_text" | "output_text" | "text", "text": str(text)}:
            extras = rest_of(part, {"type", "text"})
            return Text(text=text, artefact=artefact_of({k: v for k, v in extras.items() if v}))
        case {"type": "input_image", "image_url": str(url)} if _is_data(url):
            data, mime = decode_data_url(url, f"{where}.image_url")
            extras = rest_of(part, {"type", "image_url"})
            if extras.get("detail") == "auto":
                del extras["detail"]  # the default, and always said
            return Image(data=data, mime=mime, artefact=artefact_of(extras))
        case {"type": "input_file", "file_data": str(payload)}:
            return _decode_file(part, payload, where)
        case _:
            return Opaque(dialect=NAME, value=part)


def encode_part(part: Part) -> JsonObject | None:
    """Write a part where content may stand; None for what has no place there."""
    match part:
        case Text(text=text, artefact=artefact):
            return {"type": "input_text", "text": text, **own(artefact, NAME)}
        case Image(data=data, mime=mime, artefact=artefact):
            url = encode_data_url(data, mime)
            return {
                "type": "input_image",
                "image_url": url,
                "detail": "auto",
                **own(artefact, NAME),
            }
        case Document():
            return _encode_file(part)
        case Opaque(dialect=dialect, value=value):
            return value if dialect == NAME else None
        case Thinking() | ToolCall() | ToolResult():
            return None
        case _:
            assert_never(part)


def _is_data(url: str) -> bool:
    return url[:5].lower() == "data:"


# For a file given as bare base64, by the end of its name.
_MIMES = {
    "txt": "text/plain",
    "md": "text/markdown",
    "csv": "text/csv",
    "html": "text/html",
    "json": "application/json",
}


def _decode_file(wire: JsonObject, payload: str, where: str) -> Part:
    filename = wire.get("filename")
    name = filename if isinstance(filename, str) else ""
    where = f"{where}.file_data"
    if _is_data(payload):
        data, mime = decode_data_url(payload, where)
    else:
        data = decode_base64(payload, where)
        mime = _MIMES.get(name.rpartition(".")[2].lower(), "application/pdf")
    extras = rest_of(wire, {"type", "file_data", "filename"})
    return Document(data=data, mime=mime, name=name, artefact=artefact_of(extras))


def _encode_file(part: Document) -> JsonObject:
    return {
        "type": "input_file",
        "filename": part.name or "document.pdf",  # the service refuses a file without a name
        "file_data": encode_data_url(part.data, part.mime),
        **own(part.artefact, NAME),
    }
