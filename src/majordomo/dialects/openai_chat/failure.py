"""Error bodies, both ways.

https://platform.openai.com/docs/guides/error-codes
"""

import re
from collections.abc import Mapping

from majordomo.contract import (
    ContentFiltered,
    ContextTooLong,
    Failure,
    InvalidRequest,
    Json,
    JsonObject,
    Malformed,
    ModelNotFound,
    QuotaExhausted,
    RateLimited,
    Unauthorized,
    Unsupported,
)
from majordomo.dialects.dialect import Reply
from majordomo.dialects.failure import Said, failure_of, request_id, retry_after, status_of
from majordomo.dialects.json import read, write, write_text

_MOST_TEXT = 2000  # of a body that is no JSON: an HTML page, mostly


def decode_failure(status: int, headers: Mapping[str, str], body: bytes) -> Failure:
    try:
        wire = read(body)
    except Malformed:
        wire = body.decode(errors="replace").strip()[:_MOST_TEXT]
    message, code, parameter = _said(wire)
    return failure_of(
        status,
        Said(
            message=message or f"HTTP {status}",
            code=code,
            parameter=parameter,
            request_id=request_id(headers),
            retry_after=retry_after(headers),
            body=wire,
        ),
    )


def failure_in_band(wire: JsonObject) -> Failure | None:
    """Give the error a reply with status 200 brings; None if it brings none."""
    error = wire.get("error")
    if error is None and wire.get("object") == "error":
        error = wire
    if error is None:
        return None
    message, code, parameter = _said(error)
    said = Said(message=message or "the provider failed", code=code, parameter=parameter, body=wire)
    return failure_of(_status_in_band(error, f"{code} {message}"), said)


def encode_failure(failure: Failure, *, request_id: str = "") -> Reply:
    headers: dict[str, str] = {}
    if request_id:
        headers["x-request-id"] = request_id
    if failure.retry_after is not None:
        headers["retry-after"] = f"{failure.retry_after:g}"
    body = write(encode_error(failure))
    return Reply(status=status_of(failure), body=body, headers=headers)


def encode_error(failure: Failure) -> JsonObject:
    kind, code = next(
        (words for cls, *words in _WORDS if isinstance(failure, cls)), _by_status(failure)
    )
    if failure.code in _CODES:
        code = failure.code
    error: JsonObject = {
        "message": failure.message,
        "type": kind,
        "param": failure.parameter or None,
        "code": code or None,
    }
    return {"error": error}


_WORDS: tuple[tuple[type[Failure], str, str], ...] = (
    (Unauthorized, "authentication_error", "invalid_api_key"),
    (QuotaExhausted, "insufficient_quota", "insufficient_quota"),
    (RateLimited, "rate_limit_error", "rate_limit_exceeded"),
    (ModelNotFound, "invalid_request_error", "model_not_found"),
    (ContextTooLong, "invalid_request_error", "context_length_exceeded"),
    (ContentFiltered, "invalid_request_error", "content_filter"),
    (Unsupported, "invalid_request_error", "unsupported_value"),
    (InvalidRequest, "invalid_request_error", ""),
)

# What OpenAI itself says; another dialect's word would mean nothing to its clients.
_CODES = frozenset(
    {
        "invalid_api_key",
        "model_not_found",
        "context_length_exceeded",
        "unsupported_parameter",
        "unsupported_value",
        "string_above_max_length",
        "rate_limit_exceeded",
        "insufficient_quota",
        "credit_balance_exhausted",
        "organization_spend_limit_exceeded",
        "slow_down",
        "server_is_overloaded",
        "content_filter",
        "content_policy_violation",
        "tool_use_failed",
    }
)


def _by_status(failure: Failure) -> list[str]:
    status = status_of(failure)
    if status in (503, 529):
        return ["service_unavailable_error", ""]
    return ["server_error" if status >= 500 else "invalid_request_error", ""]


def _said(wire: Json) -> tuple[str, str, str]:
    """Give message, code and parameter of whichever shape a compatible chose."""
    match wire:
        case str():
            return wire, "", ""
        case [first, *_]:  # Gemini wraps its error in a list, FastAPI lists its complaints
            return _said(first)
        case dict():
            return _said_in(wire)
        case _:
            return "", "", ""


def _said_in(wire: JsonObject) -> tuple[str, str, str]:
    for name in ("error", "message", "detail"):  # Mistral: {"message":{"detail":[…]}}
        nested = wire.get(name)
        if isinstance(nested, dict | list) or (isinstance(nested, str) and name != "message"):
            return _said(nested)
    match wire:
        case {"message": str(message)}:
            return _with_cause(wire, message), _code(wire), _word(wire.get("param"))
        case {"msg": str(message)}:  # FastAPI
            place = _place(wire)
            return f"{place}: {message}", _word(wire.get("type")), place
        case _:
            return write_text(wire) if wire else "", "", ""


def _code(wire: JsonObject) -> str:
    """Give the most specific word; llama.cpp, vLLM and OpenRouter put the status in `code`."""
    words = (_word(wire.get(name)) for name in ("code", "type", "status"))
    return next((word for word in words if word), "")


def _word(value: Json) -> str:
    return value if isinstance(value, str) and not value.isdigit() else ""


def _place(wire: JsonObject) -> str:
    place = wire.get("loc")
    return ".".join(str(step) for step in place) if isinstance(place, list) else ""


def _with_cause(wire: JsonObject, message: str) -> str:
    """Add what OpenRouter's provider really said; its own words are "Provider returned error"."""
    match wire.get("metadata"):
        case {"raw": str(raw)} if raw:
            return f"{message}: {raw[:_MOST_TEXT]}"
        case {"raw": dict(raw)} if raw:
            return f"{message}: {write_text(raw)[:_MOST_TEXT]}"
        case _:
            return message


_STATUS_BY_WORD: tuple[tuple[re.Pattern[str], int], ...] = tuple(
    (re.compile(words, re.IGNORECASE), status)
    for words, status in (
        (r"insufficient_quota|rate.?limit|too many requests|RESOURCE_EXHAUSTED|slow_down", 429),
        (r"overloaded|unavailable|capacity", 503),
        (r"authentication|invalid_api_key|unauthorized", 401),
        (r"permission", 403),
        (r"not.?found", 404),
        (
            r"invalid_request|bad.?request|context_length|exceed_context|unsupported|INVALID_ARG",
            400,
        ),
        (r"content_filter|tool_use_failed|policy", 400),
        (r"timeout|timed out|DEADLINE", 504),
    )
)


def _status_in_band(error: Json, words: str) -> int:
    code = error.get("code") if isinstance(error, dict) else None
    if isinstance(code, str) and code.isdigit():
        code = int(code)
    if isinstance(code, int) and 400 <= code < 600:
        return code
    return next((status for pattern, status in _STATUS_BY_WORD if pattern.search(words)), 500)
