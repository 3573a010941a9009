"""Google's errors, both ways: a `google.rpc.Status` in JSON, sometimes alone in a list.

https://ai.google.dev/gemini-api/docs/troubleshooting
https://github.com/googleapis/googleapis/blob/master/google/rpc/error_details.proto
"""

from collections.abc import Iterator, Mapping
from math import ceil

from majordomo.contract import Failure, Json, JsonObject, Malformed
from majordomo.dialects.dialect import Reply
from majordomo.dialects.failure import Said, failure_of, request_id, retry_after, status_of
from majordomo.dialects.json import read, write

_DETAIL = "type.googleapis.com/google.rpc."
_NAMES: dict[int, str] = {
    400: "INVALID_ARGUMENT",
    401: "UNAUTHENTICATED",
    402: "RESOURCE_EXHAUSTED",
    403: "PERMISSION_DENIED",
    404: "NOT_FOUND",
    409: "ABORTED",
    413: "INVALID_ARGUMENT",
    422: "INVALID_ARGUMENT",
    429: "RESOURCE_EXHAUSTED",
    499: "CANCELLED",
    500: "INTERNAL",
    503: "UNAVAILABLE",
    504: "DEADLINE_EXCEEDED",
}
_STATUSES: dict[str, int] = {
    "INVALID_ARGUMENT": 400,
    "FAILED_PRECONDITION": 400,
    "OUT_OF_RANGE": 400,
    "UNAUTHENTICATED": 401,
    "PERMISSION_DENIED": 403,
    "NOT_FOUND": 404,
    "ABORTED": 409,
    "RESOURCE_EXHAUSTED": 429,
    "CANCELLED": 499,
    "UNAVAILABLE": 503,
    "DEADLINE_EXCEEDED": 504,
}


def decode_failure(status: int, headers: Mapping[str, str], body: bytes) -> Failure:
    try:
        wire = read(body)
    except Malformed:
        wire = None
    error = _error(wire)
    if error is None:
        words = body.decode(errors="replace").strip() or f"HTTP {status}"
        return failure_of(status, Said(message=words, body=wire, retry_after=retry_after(headers)))
    return _failure(status, error, wire, headers)


def failure_in(wire: Json) -> Failure | None:
    """Give the error that a chunk of a stream is, or a body under status 200."""
    error = _error(wire)
    return None if error is None else _failure(_status(error), error, wire, {})


def encode_failure(failure: Failure) -> Reply:
    headers: dict[str, str] = {}
    if failure.retry_after is not None:
        headers["retry-after"] = str(ceil(failure.retry_after))
    return Reply(status=status_of(failure), body=encode_error(failure), headers=headers)


def encode_error(failure: Failure) -> bytes:
    """`error` must be the first key: the Python client looks at nothing else."""
    status = status_of(failure)
    name = _NAMES.get(status, "INTERNAL" if status >= 500 else "INVALID_ARGUMENT")
    error: JsonObject = {"code": status, "message": failure.message, "status": name}
    if failure.retry_after is not None:
        delay: JsonObject = {
            "@type": f"{_DETAIL}RetryInfo",
            "retryDelay": f"{failure.retry_after:g}s",
        }
        error["details"] = [delay]
    return write({"error": error})


def _error(wire: Json) -> JsonObject | None:
    match wire:
        case [first]:
            return _error(first)
        case {"error": dict(error)}:
            return error
        case {"error": str(message)}:
            return {"message": message}
        case _:
            return None


def _status(error: JsonObject) -> int:
    match error:
        case {"code": int(code)} if code >= 400:
            return code
        case {"status": str(name)}:
            return _STATUSES.get(name, 500)
        case _:
            return 500


def _failure(status: int, error: JsonObject, body: Json, headers: Mapping[str, str]) -> Failure:
    message, name = error.get("message"), error.get("status")
    said = Said(
        message=message if isinstance(message, str) and message else f"HTTP {status}",
        code=next(_reasons(error), name if isinstance(name, str) else ""),
        parameter=next(_fields(error), ""),
        request_id=request_id(headers),
        retry_after=_delay(error, headers),
        body=body,
    )
    return failure_of(status, said)


def _delay(error: JsonObject, headers: Mapping[str, str]) -> float | None:
    """Say when to come back; the few seconds that come with a daily quota are not true."""
    if any(_daily(error)):
        return None
    return next(_delays(error), retry_after(headers))


def _details(error: JsonObject, kind: str) -> Iterator[JsonObject]:
    details = error.get("details")
    for detail in details if isinstance(details, list) else ():
        if isinstance(detail, dict) and str(detail.get("@type", "")).endswith(f".{kind}"):
            yield detail


def _reasons(error: JsonObject) -> Iterator[str]:
    for detail in _details(error, "ErrorInfo"):
        if isinstance(reason := detail.get("reason"), str):
            yield reason


def _delays(error: JsonObject) -> Iterator[float]:
    for detail in _details(error, "RetryInfo"):
        if isinstance(delay := detail.get("retryDelay"), str):
            try:
                yield max(0.0, float(delay.removesuffix("s")))
            except ValueError:
                continue


def _fields(error: JsonObject) -> Iterator[str]:
    for violation in _violations(error, "BadRequest", "fieldViolations"):
        if isinstance(field := violation.get("field"), str):
            yield field


def _daily(error: JsonObject) -> Iterator[bool]:
    for violation in _violations(error, "QuotaFailure", "violations"):
        yield "PerDay" in str(violation.get("quotaId", ""))


def _violations(error: JsonObject, kind: str, name: str) -> Iterator[JsonObject]:
    for detail in _details(error, kind):
        if isinstance(violations := detail.get(name), list):
            for violation in violations:
                if isinstance(violation, dict):
                    yield violation
