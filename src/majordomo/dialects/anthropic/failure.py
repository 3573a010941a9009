"""Errors, both ways: bodies of failed calls, and errors in the middle of a stream.

https://platform.claude.com/docs/en/api/errors
"""

import re
from collections.abc import Mapping
from math import ceil

from majordomo.contract import ContextTooLong, Failure, Json, JsonObject, Malformed
from majordomo.dialects.dialect import Reply
from majordomo.dialects.failure import Said, failure_of, request_id, retry_after, status_of
from majordomo.dialects.json import read, write, write_text


def decode_failure(status: int, headers: Mapping[str, str], body: bytes) -> Failure:
    """Read a failed reply, of this API or of whatever stands where it should."""
    try:
        wire: Json = read(body)
    except Malformed:
        wire = body.decode(errors="replace").strip()
    said = _said(wire)
    return failure_of(
        status,
        Said(
            message=said.message or f"HTTP {status} without a word",
            code=said.code,
            parameter=said.parameter,
            request_id=request_id(headers) or said.request_id,
            retry_after=retry_after(headers),
            body=wire,
        ),
    )


def decode_error(wire: Json) -> Failure:
    """Read an error that came where a reply was due, so without a status of its own."""
    said = _said(wire)
    return failure_of(_status(wire, said.code), said)


def encode_failure(failure: Failure, *, request_id: str = "") -> Reply:
    status = status_of(failure)
    headers: dict[str, str] = {}
    if failure.retry_after is not None:
        headers["retry-after"] = str(ceil(failure.retry_after))
    if request_id:
        headers["request-id"] = request_id
    return Reply(status=status, body=write(encode_error(failure, request_id)), headers=headers)


def encode_error(failure: Failure, request_id: str = "") -> JsonObject:
    """Write the body both a failed reply and an `error` event carry."""
    error: JsonObject = {"type": _type(failure), "message": _message(failure)}
    details = _details(failure.body)
    if details is not None:
        error["details"] = details
    wire: JsonObject = {"type": "error", "error": error}
    known = request_id or failure.request_id
    return {**wire, "request_id": known} if known else wire


def _said(wire: Json) -> Said:
    """Read an error body: this API's, or what other servers put in its place."""
    body = wire if isinstance(wire, dict) else {}
    match body:
        case {"error": {"message": str(message)}}:
            return Said(
                message=message,
                code=_code(body["error"]),
                parameter=_parameter(message),
                request_id=_string(body.get("request_id")),
                body=wire,
            )
        case {"error": str(message)} | {"message": str(message)} | {"detail": str(message)}:
            return Said(message=message, code=_string(body.get("type")), body=wire)
        case _:
            words = wire if isinstance(wire, str) else write_text(wire) if wire else ""
            return Said(message=words[:_LONGEST], body=wire)


def _code(error: Json) -> str:
    """Give the most specific word: details first; some servers put a number in `code`."""
    match error:
        case {"details": {"error_code": str(code)}} | {"code": str(code)} | {"type": str(code)}:
            return code
        case _:
            return ""


def _parameter(message: str) -> str:
    """Find the field a message begins with: `temperature: Extra inputs are not permitted`."""
    found = _FIELD.match(message)
    return found[1] if found else ""


def _status(wire: Json, code: str) -> int:
    match wire:
        case {"error": {"code": int(status)}} if 400 <= status < 600:
            return status
        case {"error": {"type": str(kind)}}:
            return _STATUSES.get(kind, _STATUSES.get(code, 500))
        case _:
            return 500


def _type(failure: Failure) -> str:
    status = status_of(failure)
    return _TYPES.get(status, "api_error" if status >= 500 else "invalid_request_error")


def _message(failure: Failure) -> str:
    """Say it in the provider's words; clients compact the history on one phrase alone."""
    message = failure.message or type(failure).__name__
    if isinstance(failure, ContextTooLong) and _TOO_LONG not in message.lower():
        return f"{_TOO_LONG}: {message}"
    return message


def _details(body: Json) -> Json:
    """Find `details` to pass on: clients act on some (`thread_unsupported_request`)."""
    inner = body.get("error") if isinstance(body, dict) else None
    for holder in (body, inner):
        details = holder.get("details") if isinstance(holder, dict) else None
        if isinstance(details, dict):
            return details
    return None


def _string(wire: Json) -> str:
    return wire if isinstance(wire, str) else ""


_LONGEST = 2000  # characters of a page that is no error body
_TOO_LONG = "prompt is too long"
_FIELD = re.compile(r"([a-z_][\w.]*): ")
_TYPES: dict[int, str] = {
    400: "invalid_request_error",
    401: "authentication_error",
    402: "billing_error",
    403: "permission_error",
    404: "not_found_error",
    409: "conflict_error",
    413: "request_too_large",
    429: "rate_limit_error",
    500: "api_error",
    503: "overloaded_error",
    504: "timeout_error",
    529: "overloaded_error",
}
_STATUSES: dict[str, int] = {kind: status for status, kind in _TYPES.items()}  # the last counts
