"""Google's errors, sorted by who can act, and ours in its shape."""

import pytest

from majordomo.contract import (
    ContextTooLong,
    Failure,
    InvalidRequest,
    Json,
    JsonObject,
    ModelNotFound,
    Overloaded,
    QuotaExhausted,
    RateLimited,
    Timeout,
    Unauthorized,
    Unsupported,
)
from majordomo.dialects.gemini import DIALECT
from majordomo.dialects.json import read, write
from support.schemas import assert_valid

TYPE = "type.googleapis.com/google.rpc."
QUOTA = "You exceeded your current quota, please check your plan and billing details."
LATER: Json = {"@type": f"{TYPE}RetryInfo", "retryDelay": "12.5s"}


def quota(name: str) -> Json:
    return {"@type": f"{TYPE}QuotaFailure", "violations": [{"quotaId": name}]}


def error(code: int, status: str, message: str, *details: Json) -> JsonObject:
    return {"error": {"code": code, "message": message, "status": status, "details": list(details)}}


READ: dict[str, tuple[int, Json, type[Failure], str, float | None]] = {
    "a bad key is a 400": (
        400,
        error(
            400,
            "INVALID_ARGUMENT",
            "API key not valid. Please pass a valid API key.",
            {"@type": f"{TYPE}ErrorInfo", "reason": "API_KEY_INVALID"},
        ),
        Unauthorized,
        "API_KEY_INVALID",
        None,
    ),
    "no right": (
        403,
        error(403, "PERMISSION_DENIED", "no"),
        Unauthorized,
        "PERMISSION_DENIED",
        None,
    ),
    "unknown model": (
        404,
        error(404, "NOT_FOUND", "models/x is not found for API version v1beta"),
        ModelNotFound,
        "NOT_FOUND",
        None,
    ),
    "a bad request": (
        400,
        error(400, "INVALID_ARGUMENT", "Invalid value at 'contents'"),
        InvalidRequest,
        "INVALID_ARGUMENT",
        None,
    ),
    "too long": (
        400,
        error(400, "INVALID_ARGUMENT", "The input token count (9) exceeds the maximum"),
        ContextTooLong,
        "INVALID_ARGUMENT",
        None,
    ),
    "it cannot": (
        400,
        error(400, "INVALID_ARGUMENT", "Thinking level is not supported for this model."),
        Unsupported,
        "INVALID_ARGUMENT",
        None,
    ),
    "the minute's limit": (
        429,
        error(429, "RESOURCE_EXHAUSTED", QUOTA, quota("RequestsPerMinute"), LATER),
        RateLimited,
        "RESOURCE_EXHAUSTED",
        12.5,
    ),
    "the day's limit": (
        429,
        error(429, "RESOURCE_EXHAUSTED", QUOTA, quota("RequestsPerDayPerProject"), LATER),
        QuotaExhausted,
        "RESOURCE_EXHAUSTED",
        None,
    ),
    "a limit without a word when": (
        429,
        error(429, "RESOURCE_EXHAUSTED", "Resource has been exhausted"),
        RateLimited,
        "RESOURCE_EXHAUSTED",
        7.0,
    ),
    "in a list": (503, [error(503, "UNAVAILABLE", "busy")], Overloaded, "UNAVAILABLE", 7.0),
    "as text": (500, {"error": "broken"}, Overloaded, "", 7.0),
    "with details that are none": (
        500,
        {
            "error": {
                "details": [
                    1,
                    {"@type": f"{TYPE}RetryInfo", "retryDelay": "soon"},
                    {"@type": f"{TYPE}RetryInfo", "retryDelay": 5},
                    {"@type": f"{TYPE}ErrorInfo", "reason": None},
                    {"@type": f"{TYPE}QuotaFailure", "violations": [None]},
                    {"@type": f"{TYPE}BadRequest", "fieldViolations": {}},
                    {"@type": f"{TYPE}BadRequest", "fieldViolations": [{"field": 1}]},
                ]
            }
        },
        Overloaded,
        "",
        7.0,
    ),
}


@pytest.mark.parametrize(
    ("status", "body", "kind", "code", "after"), READ.values(), ids=READ.keys()
)
def test_sorts_errors(
    status: int, body: Json, kind: type[Failure], code: str, after: float | None
) -> None:
    headers = {"retry-after": "7"} if after == 7 else {}
    failure = DIALECT.decode_failure(status, headers, write(body))
    assert (type(failure), failure.code) == (kind, code)
    assert (failure.status, failure.retry_after) == (status, after)
    assert failure.message


def test_names_the_field() -> None:
    detail: Json = {"@type": f"{TYPE}BadRequest", "fieldViolations": [{"field": "contents[0]"}]}
    body = write(error(400, "INVALID_ARGUMENT", "bad", detail))
    assert DIALECT.decode_failure(400, {}, body).parameter == "contents[0]"


@pytest.mark.parametrize(("body", "message"), [(b"bad gateway", "bad gateway"), (b"", "HTTP 502")])
def test_reads_what_is_no_error_of_googles(body: bytes, message: str) -> None:
    failure = DIALECT.decode_failure(502, {}, body)
    assert (type(failure), failure.message) == (Overloaded, message)


WRITTEN: dict[str, tuple[Failure, int, str]] = {
    "bad request": (InvalidRequest("x"), 400, "INVALID_ARGUMENT"),
    "too large": (ContextTooLong("x", status=413), 413, "INVALID_ARGUMENT"),
    "no key": (Unauthorized("x"), 401, "UNAUTHENTICATED"),
    "no right": (Unauthorized("x", status=403), 403, "PERMISSION_DENIED"),
    "unknown model": (ModelNotFound("x"), 404, "NOT_FOUND"),
    "no money": (QuotaExhausted("x"), 402, "RESOURCE_EXHAUSTED"),
    "too fast": (RateLimited("x", retry_after=1.5), 429, "RESOURCE_EXHAUSTED"),
    "busy": (Overloaded("x"), 503, "UNAVAILABLE"),
    "overloaded as another says it": (Overloaded("x", status=529), 529, "INTERNAL"),
    "silence": (Timeout("x"), 504, "DEADLINE_EXCEEDED"),
    "a word we have no name for": (InvalidRequest("x", status=415), 415, "INVALID_ARGUMENT"),
}


@pytest.mark.parametrize(("failure", "status", "name"), WRITTEN.values(), ids=WRITTEN.keys())
def test_writes_errors_as_google_does(failure: Failure, status: int, name: str) -> None:
    reply = DIALECT.encode_failure(failure, request_id="r")
    body = read(reply.body)
    assert_valid(body, "gemini.error")
    details: JsonObject = {}
    if failure.retry_after is not None:
        assert reply.headers == {"retry-after": "2"}
        details["details"] = [{"@type": f"{TYPE}RetryInfo", "retryDelay": "1.5s"}]
    said: JsonObject = {"code": status, "message": "x", "status": name}
    assert body == {"error": said | details}
    assert reply.status == status
