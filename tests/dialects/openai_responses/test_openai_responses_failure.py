"""What goes wrong, read and said: broken replies, error bodies, errors inside a stream."""

from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from majordomo.contract import (
    Attempt,
    ContentFiltered,
    ContextTooLong,
    Disconnected,
    Event,
    Exhausted,
    Failure,
    InvalidRequest,
    JsonObject,
    Malformed,
    ModelNotFound,
    Overloaded,
    ProtocolBroken,
    QuotaExhausted,
    RateLimited,
    TextDelta,
    Timeout,
    Truncated,
    Unauthorized,
    Unsupported,
    pump,
)
from majordomo.dialects.dialect import Ask, Stamp
from majordomo.dialects.json import object_at, read, write
from majordomo.dialects.openai_responses import DIALECT
from majordomo.dialects.sse import encode_sse
from support.responses_stream import assert_grammar
from support.schemas import assert_valid

GOLDEN = (
    Path(__file__).parents[2] / "wire" / "golden" / "openai.responses.stream.sse"
).read_bytes()
STAMP = Stamp(id="s1", created=1700000000, model="any")


def events_of(wire: bytes) -> list[Event]:
    return list(pump(DIALECT.decoder(stream=True), [wire]))


def stream(*events: JsonObject) -> bytes:
    return b"".join(encode_sse(write(event)) for event in events)


def text_delta(text: str) -> JsonObject:
    return {"type": "response.output_text.delta", "delta": text}


def item_done(item: JsonObject) -> JsonObject:
    return {"type": "response.output_item.done", "item": item}


def ask(*, stream: bool) -> Ask:
    return DIALECT.decode_request({"model": "any", "input": "hi", "stream": stream})


def failed(code: str, message: str = "oh") -> bytes:
    error: JsonObject = {"code": code, "message": message}
    return stream({"type": "response.failed", "response": {"status": "failed", "error": error}})


BROKEN: dict[str, tuple[bytes, type[Exception]]] = {
    "nothing": (b"", Truncated),
    "blanks": (b" \n\n ", Truncated),
    "no final response": (stream(text_delta("Hi")), Truncated),
    "only a done mark": (b"data: [DONE]\n\n", Truncated),
    "a page": (b"<html>busy</html>", Truncated),
    "not JSON": (b'data: {"type":\n\n', Malformed),
    "not an object": (b"data: 7\n\n", Malformed),
    "not UTF-8": (b'data: {"type":"response.output_text.delta","delta":"\xff"}\n\n', Malformed),
    "half a whole object": (b'{"output":[', Malformed),
    "a whole list": (b"[]", Malformed),
    "a whole object of another kind": (b'{"choices":[]}', Malformed),
    "an item that is none": (stream({"type": "response.output_item.done", "item": 3}), Malformed),
    "a call without a name": (stream(item_done({"type": "function_call"})), Malformed),
    "failed: server": (failed("server_error"), Overloaded),
    "failed: rate": (failed("rate_limit_exceeded"), RateLimited),
    "failed: quota": (failed("insufficient_quota"), QuotaExhausted),
    "failed: context": (failed("context_length_exceeded"), ContextTooLong),
    "failed: prompt": (failed("invalid_prompt"), InvalidRequest),
    "failed: policy": (failed("bio_policy"), ContentFiltered),
    "failed: nothing said": (
        stream({"type": "response.failed", "response": {"status": "failed", "error": None}}),
        Overloaded,
    ),
    "a flat error": (stream({"type": "error", "code": "slow_down", "message": "oh"}), Overloaded),
    "a nested error": (
        stream({"type": "error", "error": {"type": "rate_limit_error", "message": "oh"}}),
        RateLimited,
    ),
    "a bare error with a number": (
        stream({"error": {"code": 400, "message": "oh", "type": "invalid_request_error"}}),
        InvalidRequest,
    ),
    "an error as a whole reply": (b'{"error":{"message":"oh","code":429}}', RateLimited),
    "a failed whole reply": (
        b'{"status":"failed","output":[],"error":{"code":"server_error","message":"oh"}}',
        Overloaded,
    ),
}


@pytest.mark.parametrize(("wire", "kind"), BROKEN.values(), ids=BROKEN.keys())
def test_a_broken_reply_says_how(wire: bytes, kind: type[Exception]) -> None:
    with pytest.raises(kind) as raised:
        events_of(wire)
    assert type(raised.value) is kind


def test_an_unreadable_event_is_named_by_its_place() -> None:
    with pytest.raises(Malformed, match="event 3 is not valid JSON"):
        events_of(stream(text_delta("a"), text_delta("b")) + b"data: {\n\n")


@given(data=st.data())
def test_mutated_bytes_raise_nothing_else(data: st.DataObject) -> None:
    wire = bytearray(GOLDEN)
    for at in data.draw(st.sets(st.integers(0, len(wire) - 1), max_size=8)):
        wire[at] = data.draw(st.integers(0, 255))
    cut = data.draw(st.integers(0, len(wire)))
    with suppress(Failure, Malformed):
        events_of(bytes(wire[:cut]))


WORDS = st.sampled_from(["type", "item", "response", "output", "content", "text", "error", "id"])
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.sampled_from(["message", "reasoning", ""]),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(WORDS, inner, max_size=3),
    max_leaves=8,
)
KINDS = st.sampled_from(
    [
        "response.created",
        "response.output_item.added",
        "response.output_item.done",
        "response.content_part.added",
        "response.output_text.delta",
        "response.function_call_arguments.delta",
        "response.completed",
        "error",
    ]
)


@given(events=st.lists(st.tuples(KINDS, st.dictionaries(WORDS, VALUES, max_size=4)), max_size=4))
def test_events_of_any_shape_raise_nothing_else(
    events: list[tuple[str, JsonObject]],
) -> None:
    wire = stream(*({**event, "type": kind} for kind, event in events))
    with suppress(Failure, Malformed):
        events_of(wire)


SPOKEN: dict[str, tuple[int, bytes, type[Failure], str]] = {
    "key": (401, b'{"error":{"message":"bad","code":"invalid_api_key"}}', Unauthorized, "bad"),
    "context": (
        400,
        b'{"error":{"message":"long","type":"x","code":"context_length_exceeded"}}',
        ContextTooLong,
        "long",
    ),
    "a number as code": (
        400,
        b'{"error":{"code":400,"message":"no","type":"exceed_context_size_error"}}',
        ContextTooLong,
        "no",
    ),
    "parameter": (
        400,
        b'{"error":{"message":"Unsupported parameter","param":"top_p","code":null}}',
        Unsupported,
        "Unsupported parameter",
    ),
    "encrypted content": (
        400,
        b'{"error":{"message":"Encrypted content is not supported with this model."}}',
        Unsupported,
        "Encrypted content is not supported with this model.",
    ),
    "a string": (500, b'{"error":"boom"}', Overloaded, "boom"),
    "detail": (404, b'{"detail":"Not Found"}', ModelNotFound, "Not Found"),
    "details": (422, b'{"detail":[{"msg":"field required"}]}', InvalidRequest, "field required"),
    "flat": (400, b'{"object":"error","message":"no","type":"BadRequest"}', InvalidRequest, "no"),
    "text": (502, b"bad gateway", Overloaded, "bad gateway"),
    "nothing": (503, b"", Overloaded, "HTTP 503"),
}


@pytest.mark.parametrize(("status", "body", "kind", "message"), SPOKEN.values(), ids=SPOKEN.keys())
def test_an_error_body_is_read(status: int, body: bytes, kind: type[Failure], message: str) -> None:
    headers = {"X-Request-Id": "req_1", "Retry-After": "2"}
    failure = DIALECT.decode_failure(status, headers, body)
    assert type(failure) is kind
    assert (failure.message, failure.status) == (message, status)
    assert (failure.request_id, failure.retry_after) == ("req_1", 2.0)


SAID: dict[str, tuple[Failure, int, str, str | None]] = {
    "invalid": (InvalidRequest("no", parameter="x"), 400, "invalid_request_error", None),
    "unsupported": (Unsupported("no"), 400, "invalid_request_error", "unsupported_value"),
    "key": (Unauthorized("no"), 401, "authentication_error", "invalid_api_key"),
    "quota": (QuotaExhausted("no", status=429), 429, "insufficient_quota", "insufficient_quota"),
    "model": (ModelNotFound("no"), 404, "invalid_request_error", "model_not_found"),
    "context": (ContextTooLong("no"), 400, "invalid_request_error", "context_length_exceeded"),
    "filter": (ContentFiltered("no"), 400, "invalid_request_error", "content_filter"),
    "rate": (RateLimited("no", retry_after=1.5), 429, "rate_limit_error", "rate_limit_exceeded"),
    "overloaded": (Overloaded("no"), 503, "server_error", "server_is_overloaded"),
    "timeout": (Timeout("no"), 504, "server_error", None),
    "cut": (Disconnected("no"), 502, "server_error", None),
    "protocol": (ProtocolBroken("no"), 502, "server_error", None),
}


@pytest.mark.parametrize(("failure", "status", "kind", "code"), SAID.values(), ids=SAID.keys())
def test_an_error_body_is_written(failure: Failure, status: int, kind: str, code: str) -> None:
    reply = DIALECT.encode_failure(failure, request_id="req_1")
    assert_valid(read(reply.body), "openai.error")
    assert reply.status == status
    assert reply.headers["x-request-id"] == "req_1"
    assert reply.headers.get("retry-after") == ("2" if failure.retry_after else None)
    parameter = failure.parameter or None
    error: JsonObject = {"message": "no", "type": kind, "param": parameter, "code": code}
    assert read(reply.body) == {"error": error}


@pytest.mark.parametrize("name", [name for name in SAID if SAID[name][1] < 500])
def test_an_error_means_the_same_on_the_other_side(name: str) -> None:
    failure = SAID[name][0]
    reply = DIALECT.encode_failure(failure)
    again = DIALECT.decode_failure(reply.status, reply.headers, reply.body)
    assert type(again) is type(failure)


def test_when_all_targets_failed_the_last_one_decides_the_words() -> None:
    attempt = Attempt(target="a/x", started=0.0, outcome="RateLimited", reason="slow down")
    failure = Exhausted((attempt,), last=RateLimited("slow down"))
    reply = DIALECT.encode_failure(failure)
    error = object_at(object_at(read(reply.body), "body")["error"], "error")
    assert (reply.status, error["code"]) == (429, "rate_limit_exceeded")
    assert "a/x" in str(error["message"])


FAILURES: dict[str, tuple[Failure, str, str]] = {
    "overloaded": (Overloaded("busy", status=529), "server_error", "server_is_overloaded"),
    "rate": (RateLimited("slow down"), "rate_limit_exceeded", "rate_limit_exceeded"),
    "context": (ContextTooLong("too long"), "context_length_exceeded", "context_length_exceeded"),
}


@pytest.mark.parametrize(("failure", "code", "flat"), FAILURES.values(), ids=FAILURES.keys())
@pytest.mark.parametrize("begun", [True, False])
def test_a_failure_is_said_in_band(failure: Failure, code: str, flat: str, *, begun: bool) -> None:
    encoder = DIALECT.encoder(ask(stream=True), STAMP)
    head = b"".join(encoder.feed(TextDelta(text="He"))) if begun else b""
    wire = head + encoder.fail(failure)
    *_, failed, error = assert_grammar(wire)
    response = object_at(failed["response"], "response")
    assert failed["type"] == "response.failed"
    assert response["error"] == {"code": code, "message": failure.message}
    assert (error["type"], error["code"], error["message"]) == ("error", flat, failure.message)
    with pytest.raises(type(failure), match=failure.message):
        events_of(wire)


def test_a_failure_of_a_whole_reply_is_an_error_body() -> None:
    body = DIALECT.encoder(ask(stream=False), STAMP).fail(Overloaded("busy"))
    assert_valid(read(body), "openai.error")


@pytest.mark.parametrize("stream", [True, False])
def test_a_reply_without_a_finish_is_truncated(*, stream: bool) -> None:
    encoder = DIALECT.encoder(ask(stream=stream), STAMP)
    list(encoder.feed(TextDelta(text="He")))
    with pytest.raises(Truncated):
        list(encoder.close())
