"""Errors, both ways: as an HTTP reply and inside a reply that has begun.

https://platform.openai.com/docs/guides/error-codes
"""

from collections.abc import Mapping

from majordomo.contract import (
    ContentFiltered,
    ContextTooLong,
    Exhausted,
    Failure,
    InvalidRequest,
    Json,
    JsonObject,
    Malformed,
    ModelNotFound,
    Overloaded,
    QuotaExhausted,
    RateLimited,
    Unauthorized,
    Unsupported,
)
from majordomo.dialects.dialect import Reply
from majordomo.dialects.failure import Said, failure_of, request_id, retry_after, status_of
from majordomo.dialects.json import read, write


def decode_failure(status: int, headers: Mapping[str, str], body: bytes) -> Failure:
    try:
        wire = read(body)
    except Malformed:
        wire = body.decode(errors="replace").strip()
    said = _said(wire)
    return failure_of(
        status,
        Said(
            message=said.message or f"HTTP {status}",
            code=said.code,
            parameter=said.parameter,
            request_id=request_id(headers),
            retry_after=retry_after(headers),
            body=wire,
        ),
    )


def decode_spoken(wire: Json) -> Failure:
    """Read an error said inside a 200; its status follows from its words."""
    said = _said(wire)
    return failure_of(_status(wire, said.code), said)


def encode_failure(failure: Failure, *, request_id: str = "") -> Reply:
    headers: dict[str, str] = {}
    if request_id:
        headers["x-request-id"] = request_id
    if failure.retry_after is not None:
        headers["retry-after"] = str(max(1, round(failure.retry_after)))
    return Reply(
        status=status_of(failure),
        body=write({"error": encode_error(failure)}),
        headers=headers,
    )


def encode_error(failure: Failure) -> JsonObject:
    """Write the four keys; all of them are required, two may be null."""
    kind, code = _words(failure)
    return {
        "message": failure.message,
        "type": kind,
        "param": failure.parameter or None,
        "code": code,
    }


def encode_response_error(failure: Failure) -> JsonObject:
    """Write `response.error`, whose codes are other words than those of an HTTP error.

    The published enumeration lacks `context_length_exceeded` and `insufficient_quota`, but the
    service says them and Codex acts on them (it compacts, it stops retrying).
    """
    last = _last(failure)
    for kind, code in _RESPONSE_CODES:
        if isinstance(last, kind):
            return {"code": code, "message": failure.message}
    return {"code": "server_error", "message": failure.message}


_RESPONSE_CODES: tuple[tuple[type[Failure], str], ...] = (
    (ContextTooLong, "context_length_exceeded"),
    (QuotaExhausted, "insufficient_quota"),
    (RateLimited, "rate_limit_exceeded"),
    (ContentFiltered, "invalid_prompt"),
    (InvalidRequest, "invalid_prompt"),
    (Unsupported, "invalid_prompt"),
)

# type and code by kind of failure; the code is what `failure_of` recognises it by again.
_WORDS: tuple[tuple[type[Failure], str, str | None], ...] = (
    (Unauthorized, "authentication_error", "invalid_api_key"),
    (QuotaExhausted, "insufficient_quota", "insufficient_quota"),
    (RateLimited, "rate_limit_error", "rate_limit_exceeded"),
    (ModelNotFound, "invalid_request_error", "model_not_found"),
    (ContextTooLong, "invalid_request_error", "context_length_exceeded"),
    (ContentFiltered, "invalid_request_error", "content_filter"),
    (Unsupported, "invalid_request_error", "unsupported_value"),
    (InvalidRequest, "invalid_request_error", None),
    (Overloaded, "server_error", "server_is_overloaded"),
)

_STATUSES: dict[str, int] = {
    "rate_limit_exceeded": 429,
    "rate_limit_error": 429,
    "too_many_requests": 429,
    "insufficient_quota": 429,
    "server_error": 500,
    "vector_store_timeout": 504,
    "server_is_overloaded": 503,
    "slow_down": 503,
    "overloaded_error": 529,
    "service_unavailable_error": 503,
    "authentication_error": 401,
    "invalid_api_key": 401,
    "model_not_found": 404,
    "not_found_error": 404,
    "context_length_exceeded": 400,
    "content_filter": 400,
    "bio_policy": 400,
    "misalignment_policy_violation": 400,
    "data_residency_mismatch": 400,
}
_CALLER_WORDS = ("invalid", "unsupported", "image_", "empty_image", "failed_to_download")


def _last(failure: Failure) -> Failure:
    if isinstance(failure, Exhausted) and failure.last is not None:
        return failure.last
    return failure


def _words(failure: Failure) -> tuple[str, str | None]:
    last = _last(failure)
    for kind, type_word, code in _WORDS:
        if isinstance(last, kind):
            return type_word, code
    return "server_error", None


def _said(wire: Json) -> Said:
    match wire:
        case {"error": dict(error)}:
            return _error(error, wire)
        case {"error": str(message)} | {"detail": str(message)}:
            return Said(message=message, body=wire)
        case {"detail": [{"msg": str(message)}, *_]}:
            return Said(message=message, code="invalid_request_error", body=wire)
        case dict() if isinstance(wire.get("message"), str):
            return _error(wire, wire)
        case str():
            return Said(message=wire[:2000], body=wire)
        case _:
            return Said(message="the provider reported an error", body=wire)


def _error(error: JsonObject, body: Json) -> Said:
    message = error.get("message")
    parameter = error.get("param")
    return Said(
        message=message if isinstance(message, str) else "the provider reported an error",
        code=_code(error),
        parameter=parameter if isinstance(parameter, str) else "",
        body=body,
    )


def _code(error: JsonObject) -> str:
    """Give the most specific word; llama.cpp and vLLM put the HTTP status in `code`."""
    for name in ("code", "type"):
        word = error.get(name)
        if isinstance(word, str) and word and word != "error":
            return word
    return ""


def _status(wire: Json, code: str) -> int:
    match wire:
        case {"error": {"code": int(status)}} | {"code": int(status)} if 400 <= status < 600:
            return status
        case _:
            pass
    if code in _STATUSES:
        return _STATUSES[code]
    return 400 if code.startswith(_CALLER_WORDS) else 500
