"""Whole replies, both ways.

https://ai.google.dev/api/generate-content#generatecontentresponse
"""

from collections.abc import Iterator

from majordomo.contract import (
    FinishReason,
    Json,
    JsonObject,
    Malformed,
    Part,
    Response,
    ToolCall,
    Truncated,
)
from majordomo.dialects.call_ids import CallIds
from majordomo.dialects.dialect import Stamp
from majordomo.dialects.json import object_at, objects, optional_int, optional_string

from .casing import camel
from .finish import decode_finish, encode_finish
from .part import decode_part, encode_part
from .signature import to_client
from .usage import decode_usage, encode_usage


def encode_response(response: Response, stamp: Stamp) -> JsonObject:
    parts = (encode_part(part, to_client) for part in response.parts)
    content: JsonObject = {"role": "model", "parts": [part for part in parts if part]}
    candidate: JsonObject = {
        "content": content,
        "finishReason": encode_finish(response.finish_reason, response.finish_native),
        "index": 0,
    }
    return {
        "candidates": [candidate],
        "usageMetadata": encode_usage(response.usage),
        "modelVersion": stamp.model,
        "responseId": stamp.id,
    }


def decode_response(wire: JsonObject) -> Response:
    reply = camel(wire)
    ids = CallIds()
    candidate = candidate_in(reply, "body")
    parts = tuple(parts_in(candidate, ids, "body")) if candidate is not None else ()
    native = finish_in(reply, candidate, "body")
    if native is None:
        raise Truncated("the reply has no finishReason")
    calls = any(isinstance(part, ToolCall) for part in parts)
    return Response(
        parts=parts,
        finish_reason=reason_of(native, blocked=candidate is None, calls=calls),
        finish_native=native,
        usage=decode_usage(reply.get("usageMetadata")),
        model=optional_string(reply, "modelVersion") or "",
        id=optional_string(reply, "responseId") or "",
        raw=wire,
    )


def candidate_in(reply: JsonObject, where: str) -> JsonObject | None:
    """Find the first candidate; others are only there if `candidateCount` was asked for."""
    for item, at in objects(reply.get("candidates") or [], f"{where}.candidates"):
        candidate = camel(item)
        if not optional_int(candidate, "index", at):
            return candidate
    return None


def parts_in(candidate: JsonObject, ids: CallIds, where: str) -> Iterator[Part]:
    content = candidate.get("content")
    wire: Json = None if content is None else object_at(content, f"{where}.content").get("parts")
    for item, at in objects(wire or [], f"{where}.content.parts"):
        part = decode_part(item, at, lambda given, _: ids.take(given))
        if part is not None:
            yield part


def finish_in(reply: JsonObject, candidate: JsonObject | None, where: str) -> str | None:
    """Give the native word: of the candidate, or why the prompt got none."""
    if candidate is not None:
        return optional_string(candidate, "finishReason", where) or None
    match reply.get("promptFeedback"):
        case None:
            return None
        case dict(feedback):
            at = f"{where}.promptFeedback"
            return optional_string(camel(feedback), "blockReason", at) or None
        case _:
            raise Malformed(f"{where}.promptFeedback", "is not an object")


def reason_of(native: str, *, blocked: bool, calls: bool) -> FinishReason:
    return "content_filter" if blocked else decode_finish(native, calls=calls)
