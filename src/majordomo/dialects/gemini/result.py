"""Results of calls, both ways: `functionResponse` holds an object, media lies beside it.

https://ai.google.dev/api/caching#FunctionResponse
"""

from majordomo.contract import (
    Document,
    Image,
    Json,
    JsonObject,
    Malformed,
    Opaque,
    Part,
    Text,
    ToolResult,
)
from majordomo.dialects.call_ids import OpenCalls
from majordomo.dialects.json import object_at, objects, optional_string, read, write_text

from .casing import camel
from .part import decode_inline, encode_inline
from .signature import attached, to_model

# Ours, on the artefact: the response was an object of the tool's own making, and its text is
# that object in JSON.
_STRUCTURED = "structured"


def encode_result(result: ToolResult, name: str) -> JsonObject:
    beside = dict(to_model(result.artefact))
    structured = beside.pop(_STRUCTURED, None) is True
    response: JsonObject = {
        "id": result.id,
        "name": name,
        "response": _encode_response(result, structured=structured),
    }
    media: list[Json] = [m for part in result.content if (m := _encode_media(part))]
    if media:
        response["parts"] = media
    if isinstance(inner := beside.pop("functionResponse", None), dict):
        response |= inner
    wire: JsonObject = {"functionResponse": response}
    return wire | beside


def decode_result(given: JsonObject, where: str, calls: OpenCalls) -> ToolResult:
    wire = camel(given)
    at = f"{where}.functionResponse"
    said = camel(object_at(wire.get("functionResponse"), at))
    call_id, name = calls.answer(
        optional_string(said, "id", at) or "", optional_string(said, "name", at) or ""
    )
    response = said.get("response")
    text, failed, structured = _decode_response(
        object_at({} if response is None else response, f"{at}.response")
    )
    content: list[Part] = [Text(text=text)] if text else []
    content.extend(
        _decode_media(i, here) for i, here in objects(said.get("parts") or [], f"{at}.parts")
    )
    beside: JsonObject = {k: v for k, v in wire.items() if k != "functionResponse"}
    inner: JsonObject = {k: v for k, v in said.items() if k not in _KNOWN and v is not None}
    if inner:
        beside["functionResponse"] = inner
    if structured:
        beside[_STRUCTURED] = True
    return ToolResult(
        id=call_id,
        name=name,
        content=tuple(content),
        is_error=failed,
        artefact=attached(beside),
    )


_KNOWN = frozenset({"id", "name", "response", "parts"})


def _encode_response(result: ToolResult, *, structured: bool) -> JsonObject:
    text = "\n".join(part.text for part in result.content if isinstance(part, Text))
    if structured:
        try:
            value = read(text)
        except Malformed:
            value = None
        if isinstance(value, dict):
            return value
    return {"error": text} if result.is_error else {"output": text}


def _decode_response(response: JsonObject) -> tuple[str, bool, bool]:
    """Give the text, whether it is an error, and whether the text is the object in JSON."""
    match response:
        case {"output": str(text)} if len(response) == 1:
            return text, False, False
        case {"error": str(text)} if len(response) == 1:
            return text, True, False
        case _ if not response:
            return "", False, False
        case _:
            return write_text(response), response.get("error") is not None, True


def _encode_media(part: Part) -> JsonObject | None:
    match part:
        case Image() | Document():
            return encode_inline(part)
        case Opaque(dialect="gemini", value=value):
            return value
        case _:
            return None


def _decode_media(given: JsonObject, where: str) -> Part:
    wire = camel(given)
    match wire:
        case {"inlineData": dict(blob)}:
            return decode_inline(camel(blob), wire, where)
        case _:
            return Opaque(dialect="gemini", value=wire)
