"""Errors, both ways: what a body means, and which body an error gets."""

from typing import NamedTuple

import pytest

from majordomo.contract import (
    ContentFiltered,
    ContextTooLong,
    Exhausted,
    Failure,
    InvalidRequest,
    JsonObject,
    ModelNotFound,
    Overloaded,
    ProtocolBroken,
    QuotaExhausted,
    RateLimited,
    Timeout,
    Unauthorized,
    Unsupported,
)
from majordomo.dialects.anthropic import DIALECT
from majordomo.dialects.json import object_at, read, write
from support.schemas import assert_valid


class Heard(NamedTuple):
    status: int
    body: bytes
    kind: type[Failure]
    message: str
    code: str = ""
    parameter: str = ""


def error(kind: str, message: str) -> bytes:
    return write({"type": "error", "error": {"type": kind, "message": message}})


HEARD: dict[str, Heard] = {
    "invalid": Heard(
        400,
        error("invalid_request_error", "messages: text content blocks must be non-empty"),
        InvalidRequest,
        "messages: text content blocks must be non-empty",
        "invalid_request_error",
        "messages",
    ),
    "a field this version does not take": Heard(
        400,
        error("invalid_request_error", "temperature: Extra inputs are not permitted"),
        Unsupported,
        "temperature: Extra inputs are not permitted",
        "invalid_request_error",
        "temperature",
    ),
    "too long": Heard(
        400,
        error("invalid_request_error", "prompt is too long: 210000 tokens > 200000 maximum"),
        ContextTooLong,
        "prompt is too long: 210000 tokens > 200000 maximum",
        "invalid_request_error",
    ),
    "too large": Heard(
        413, error("request_too_large", "big"), ContextTooLong, "big", "request_too_large"
    ),
    "the key": Heard(
        401,
        error("authentication_error", "invalid x-api-key"),
        Unauthorized,
        "invalid x-api-key",
        "authentication_error",
    ),
    "the model": Heard(
        404,
        error("not_found_error", "model: x"),
        ModelNotFound,
        "model: x",
        "not_found_error",
        "model",
    ),
    "the money": Heard(
        400,
        error("invalid_request_error", "Your credit balance is too low"),
        QuotaExhausted,
        "Your credit balance is too low",
        "invalid_request_error",
    ),
    "the rate": Heard(429, error("rate_limit_error", "r"), RateLimited, "r", "rate_limit_error"),
    "the load": Heard(529, error("overloaded_error", "o"), Overloaded, "o", "overloaded_error"),
    "a code of its own": Heard(
        400,
        b'{"type":"error","error":{"type":"invalid_request_error","message":"m",'
        b'"details":{"error_code":"thread_not_found"}}}',
        InvalidRequest,
        "m",
        "thread_not_found",
    ),
    "a number for a code": Heard(
        500,
        b'{"error":{"code":500,"message":"m","type":"server_error"}}',
        Overloaded,
        "m",
        "server_error",
    ),
    "only a string": Heard(500, b'{"error":"broken"}', Overloaded, "broken"),
    "a detail": Heard(404, b'{"detail":"Not Found"}', ModelNotFound, "Not Found"),
    "details of validation": Heard(
        422, b'{"detail":[{"msg":"x"}]}', InvalidRequest, '{"detail":[{"msg":"x"}]}'
    ),
    "a page": Heard(502, b"<html>Bad Gateway", Overloaded, "<html>Bad Gateway"),
    "silence": Heard(503, b"", Overloaded, "HTTP 503 without a word"),
}


@pytest.mark.parametrize("row", HEARD.values(), ids=HEARD.keys())
def test_reads_what_an_error_means(row: Heard) -> None:
    headers = {"Request-Id": "req_1", "Retry-After": "3"}
    failure = DIALECT.decode_failure(row.status, headers, row.body)
    assert type(failure) is row.kind
    assert (failure.status, failure.message) == (row.status, row.message)
    assert (failure.code, failure.parameter) == (row.code, row.parameter)
    assert (failure.request_id, failure.retry_after) == ("req_1", 3.0)


def test_the_request_id_may_stand_in_the_body() -> None:
    body: JsonObject = {"error": {"type": "api_error", "message": "m"}, "request_id": "req_2"}
    assert DIALECT.decode_failure(500, {}, write(body)).request_id == "req_2"


SAID: dict[str, tuple[Failure, int, str]] = {
    "invalid": (InvalidRequest("no"), 400, "invalid_request_error"),
    "no such path": (InvalidRequest("no", status=404), 404, "not_found_error"),
    "a method": (InvalidRequest("no", status=405), 405, "invalid_request_error"),
    "unsupported": (Unsupported("no"), 400, "invalid_request_error"),
    "the key": (Unauthorized("no"), 401, "authentication_error"),
    "a permission": (Unauthorized("no", status=403), 403, "permission_error"),
    "the money": (QuotaExhausted("no"), 402, "billing_error"),
    "the model": (ModelNotFound("no"), 404, "not_found_error"),
    "a filter": (ContentFiltered("no"), 400, "invalid_request_error"),
    "the rate": (RateLimited("no"), 429, "rate_limit_error"),
    "the load": (Overloaded("no"), 503, "overloaded_error"),
    "the load, in its own status": (Overloaded("no", status=529), 529, "overloaded_error"),
    "a server's fault": (Overloaded("no", status=500), 500, "api_error"),
    "a protocol broken": (ProtocolBroken("no"), 502, "api_error"),
    "a gateway's silence": (Overloaded("no", status=504), 504, "timeout_error"),
    "silence": (Timeout("no"), 504, "timeout_error"),
    "everybody failed": (Exhausted((), last=RateLimited("no")), 429, "rate_limit_error"),
}


@pytest.mark.parametrize(("failure", "status", "kind"), SAID.values(), ids=SAID.keys())
def test_says_an_error_in_shape(failure: Failure, status: int, kind: str) -> None:
    reply = DIALECT.encode_failure(failure, request_id="req_9")
    assert_valid(read(reply.body), "anthropic.error")
    assert (reply.status, reply.content_type) == (status, "application/json")
    assert read(reply.body) == {
        "type": "error",
        "error": {"type": kind, "message": failure.message},
        "request_id": "req_9",
    }
    assert reply.headers["request-id"] == "req_9"


def test_too_long_is_said_in_the_words_clients_compact_on() -> None:
    said = DIALECT.encode_failure(ContextTooLong("context_length_exceeded"))
    assert b'"prompt is too long: context_length_exceeded"' in said.body
    told = DIALECT.encode_failure(ContextTooLong("Prompt is too long: 9 > 8", status=413))
    assert object_at(read(told.body), "body")["error"] == {
        "type": "request_too_large",
        "message": "Prompt is too long: 9 > 8",
    }


@pytest.mark.parametrize("inside", [True, False])
def test_details_are_passed_on(*, inside: bool) -> None:
    details: JsonObject = {"error_code": "thread_unsupported_request", "unsupported": ["thread"]}
    body: JsonObject = {"error": {"details": details}} if inside else {"details": details}
    reply = DIALECT.encode_failure(InvalidRequest("no threads here", body=body))
    assert object_at(object_at(read(reply.body), "body")["error"], "error")["details"] == details


def test_the_wait_is_passed_on_in_whole_seconds() -> None:
    reply = DIALECT.encode_failure(RateLimited("slow down", retry_after=1.2))
    assert reply.headers == {"retry-after": "2"}
