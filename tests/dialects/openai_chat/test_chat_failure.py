"""Error bodies of the compatibles, and our own: valid in the SDK's type for every failure."""

import pytest

from majordomo.contract import (
    ContentFiltered,
    ContextTooLong,
    Disconnected,
    Exhausted,
    Failure,
    InvalidRequest,
    ModelNotFound,
    Overloaded,
    ProtocolBroken,
    QuotaExhausted,
    RateLimited,
    Timeout,
    Truncated,
    Unauthorized,
    Unsupported,
)
from majordomo.dialects.json import object_at, read
from majordomo.dialects.openai_chat import DIALECT
from support.schemas import assert_valid_bytes

# (status, body) -> (kind, message, code, parameter)
Row = tuple[int, bytes, type[Failure], str, str, str]

ROWS: dict[str, Row] = {
    "OpenAI": (
        400,
        (
            b'{"error":{"message":"too hot","type":"invalid_request_error","param":"temperature",'
            b'"code":"unsupported_value"}}'
        ),
        Unsupported,
        "too hot",
        "unsupported_value",
        "temperature",
    ),
    "OpenAI without a code": (
        400,
        b'{"error":{"message":"bad","type":"invalid_request_error","param":null,"code":null}}',
        InvalidRequest,
        "bad",
        "invalid_request_error",
        "",
    ),
    "the status as the code (llama.cpp, vLLM)": (
        401,
        b'{"error":{"code":401,"message":"Invalid API Key","type":"authentication_error"}}',
        Unauthorized,
        "Invalid API Key",
        "authentication_error",
        "",
    ),
    "the status as a string (Azure)": (
        401,
        b'{"error":{"code":"401","message":"Access denied"}}',
        Unauthorized,
        "Access denied",
        "",
        "",
    ),
    "OpenRouter": (
        502,
        b'{"error":{"code":502,"message":"Provider returned error","metadata":{"raw":"boom"}}}',
        Overloaded,
        "Provider returned error: boom",
        "",
        "",
    ),
    "OpenRouter's raw as an object": (
        400,
        (
            b'{"error":{"code":400,"message":"Provider returned error",'
            b'"metadata":{"raw":{"error":"prompt is too long"}}}}'
        ),
        ContextTooLong,
        'Provider returned error: {"error":"prompt is too long"}',
        "",
        "",
    ),
    "a string": (404, b'{"error":"model not found"}', ModelNotFound, "model not found", "", ""),
    "Mistral": (
        401,
        b'{"object":"error","message":"Unauthorized","type":"auth","code":"1000"}',
        Unauthorized,
        "Unauthorized",
        "auth",
        "",
    ),
    "Mistral's complaints": (
        422,
        (
            b'{"object":"error","message":{"detail":[{"type":"extra_forbidden","loc":["body","strict"],'
            b'"msg":"Extra inputs are not permitted"}]},"type":"invalid_request_error"}'
        ),
        Unsupported,
        "body.strict: Extra inputs are not permitted",
        "extra_forbidden",
        "body.strict",
    ),
    "FastAPI's complaints": (
        422,
        b'{"detail":[{"type":"missing","loc":["body","messages",0],"msg":"Field required"}]}',
        InvalidRequest,
        "body.messages.0: Field required",
        "missing",
        "body.messages.0",
    ),
    "FastAPI's sentence": (404, b'{"detail":"Not Found"}', ModelNotFound, "Not Found", "", ""),
    "Gemini's list": (
        400,
        b'[{"error":{"code":400,"message":"bad","status":"INVALID_ARGUMENT"}}]',
        InvalidRequest,
        "bad",
        "INVALID_ARGUMENT",
        "",
    ),
    "a page": (502, b"<html>Bad Gateway</html>\n", Overloaded, "<html>Bad Gateway</html>", "", ""),
    "nothing": (503, b"", Overloaded, "HTTP 503", "", ""),
    "a null": (500, b"null", Overloaded, "HTTP 500", "", ""),
    "an object nobody knows": (500, b'{"oops":1}', Overloaded, '{"oops":1}', "", ""),
    "bytes that are no text": (500, b"\xff\xfe", Overloaded, "\ufffd\ufffd", "", ""),
}


@pytest.mark.parametrize("row", ROWS.values(), ids=ROWS.keys())
def test_an_error_body_is_read(row: Row) -> None:
    status, body, kind, message, code, parameter = row
    failure = DIALECT.decode_failure(status, {"x-request-id": "r", "retry-after": "2"}, body)
    assert type(failure) is kind
    assert (failure.message, failure.code, failure.parameter) == (message, code, parameter)
    assert (failure.status, failure.request_id, failure.retry_after) == (status, "r", 2.0)


def test_what_groq_could_not_parse_is_kept_for_whoever_can() -> None:
    body = b'{"error":{"message":"m","code":"tool_use_failed","failed_generation":"<f>"}}'
    failure = DIALECT.decode_failure(400, {}, body)
    assert failure.body == read(body)


WRITTEN: dict[str, tuple[Failure, int, str, str | None]] = {
    "invalid": (InvalidRequest("x"), 400, "invalid_request_error", None),
    "unsupported": (Unsupported("x"), 400, "invalid_request_error", "unsupported_value"),
    "unsupported, as said": (
        Unsupported("x", code="unsupported_parameter", parameter="top_k"),
        400,
        "invalid_request_error",
        "unsupported_parameter",
    ),
    "another dialect's word": (
        InvalidRequest("x", code="INVALID_ARGUMENT"),
        400,
        "invalid_request_error",
        None,
    ),
    "key": (Unauthorized("x"), 401, "authentication_error", "invalid_api_key"),
    "money": (QuotaExhausted("x", status=429), 429, "insufficient_quota", "insufficient_quota"),
    "model": (ModelNotFound("x"), 404, "invalid_request_error", "model_not_found"),
    "context": (ContextTooLong("x"), 400, "invalid_request_error", "context_length_exceeded"),
    "filter": (ContentFiltered("x"), 400, "invalid_request_error", "content_filter"),
    "rate": (RateLimited("x"), 429, "rate_limit_error", "rate_limit_exceeded"),
    "full": (Overloaded("x"), 503, "service_unavailable_error", None),
    "broke": (Overloaded("x", status=500), 500, "server_error", None),
    "protocol": (ProtocolBroken("x"), 502, "server_error", None),
    "silence": (Timeout("x"), 504, "server_error", None),
    "cut": (Disconnected("x"), 502, "server_error", None),
    "short": (Truncated("x"), 502, "server_error", None),
    "nobody": (Exhausted(()), 503, "service_unavailable_error", None),
}


@pytest.mark.parametrize(
    ("failure", "status", "kind", "code"), WRITTEN.values(), ids=WRITTEN.keys()
)
def test_a_failure_is_said_in_openais_words(
    failure: Failure, status: int, kind: str, code: str | None
) -> None:
    reply = DIALECT.encode_failure(failure)
    assert_valid_bytes(reply.body, "openai.error")
    error = object_at(object_at(read(reply.body), "body")["error"], "error")
    assert reply.status == status
    assert error == {
        "message": failure.message,
        "type": kind,
        "param": failure.parameter or None,
        "code": code,
    }


def test_ids_and_waits_travel_in_headers() -> None:
    reply = DIALECT.encode_failure(RateLimited("x", retry_after=1.5), request_id="r")
    assert reply.headers == {"x-request-id": "r", "retry-after": "1.5"}


@pytest.mark.parametrize("failure", [row[0] for row in WRITTEN.values()], ids=list(WRITTEN.keys()))
def test_a_failure_keeps_its_kind_through_another_majordomo(failure: Failure) -> None:
    reply = DIALECT.encode_failure(failure)
    back = DIALECT.decode_failure(reply.status, reply.headers, reply.body)
    expected = type(failure) if reply.status < 500 else Overloaded
    assert type(back) is expected
