"""Replies that are whole, that end in some way, or that go wrong."""

import pytest

from majordomo.contract import (
    Failure,
    Finish,
    JsonObject,
    Malformed,
    Text,
    ToolCall,
    Truncated,
    Usage,
    fold,
    pump,
)
from majordomo.dialects.anthropic import DIALECT
from majordomo.dialects.dialect import Decoder
from majordomo.dialects.json import write
from majordomo.dialects.sse import encode_sse
from support.cuts import read_bytewise, read_whole

START: JsonObject = {
    "type": "message_start",
    "message": {"id": "msg_1", "model": "m", "usage": {"input_tokens": 5, "output_tokens": 1}},
}
TEXT: list[JsonObject] = [
    {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
    {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "a"}},
    {"type": "content_block_stop", "index": 0},
]
END: JsonObject = {
    "type": "message_delta",
    "delta": {"stop_reason": "end_turn", "stop_sequence": None},
    "usage": {"output_tokens": 3},
}
OVER: JsonObject = {"type": "message_stop"}

WHOLE: JsonObject = {
    "id": "msg_1",
    "type": "message",
    "role": "assistant",
    "model": "m",
    "content": [
        {"type": "text", "text": ""},
        {"type": "text", "text": "a"},
        {"type": "tool_use", "name": "f", "input": {"b": [1, 2]}},
    ],
    "stop_reason": "tool_use",
    "stop_sequence": None,
    "usage": {"input_tokens": 3, "cache_read_input_tokens": 2, "output_tokens": 1},
}


@pytest.mark.parametrize("asked", [True, False])
@pytest.mark.parametrize("before", [b"", b"\n\n  ", b"\xef\xbb\xbf"])
def test_a_whole_reply_is_read_whatever_was_asked(before: bytes, *, asked: bool) -> None:
    body = before + write(WHOLE)
    for pieces in ([body], [body[i : i + 1] for i in range(len(body))]):
        reply = fold(pump(DIALECT.decoder(stream=asked), pieces))
        assert reply.parts == (
            Text(text="a"),
            ToolCall(id="call_0", name="f", arguments='{"b":[1,2]}'),
        )
        assert (reply.finish_reason, reply.finish_native) == ("tool_calls", "tool_use")
        assert reply.usage == Usage(input=5, cached=2, output=1)
        assert reply.raw == WHOLE


ENDINGS: dict[str, str] = {
    "end_turn": "stop",
    "stop_sequence": "stop",
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    "tool_use": "tool_calls",
    "pause_turn": "pause",
    "refusal": "refusal",
    "of_next_year": "unknown",
}


@pytest.mark.parametrize(("word", "reason"), ENDINGS.items())
def test_every_stop_reason_is_understood(word: str, reason: str) -> None:
    details: JsonObject = {"type": "refusal", "category": None}
    delta: JsonObject = {"stop_reason": word, "stop_sequence": "END", "stop_details": details}
    last = list(pump(decoder(), [wire(START, {**END, "delta": delta}, OVER)]))[-1]
    assert isinstance(last, Finish)
    assert (last.reason, last.native, last.stop_sequence) == (reason, word, "END")
    assert last.raw == {"stop_details": details}
    assert fold(pump(decoder(), [write({**WHOLE, "content": [], **delta})])).finish_reason == reason


def test_usage_is_cumulative_and_what_is_not_repeated_still_holds() -> None:
    counts: JsonObject = {
        "input_tokens": 3,
        "cache_read_input_tokens": 20,
        "cache_creation_input_tokens": 100,
        "output_tokens": 1,
    }
    first: JsonObject = {"type": "message_start", "message": {"usage": counts}}
    middle: JsonObject = {"type": "message_delta", "delta": {}, "usage": {"output_tokens": 4}}
    final: JsonObject = {
        **END,
        "usage": {
            "output_tokens": 9,
            "input_tokens": None,
            "cache_read_input_tokens": 21,
            "output_tokens_details": {"thinking_tokens": 6},
        },
    }
    reply = fold(pump(decoder(), [wire(first, middle, final, OVER)]))
    assert reply.usage == Usage(input=124, cached=21, cache_write=100, output=9, reasoning=6)


GONE_WRONG: dict[str, tuple[bytes, type[Exception], str]] = {
    "nothing at all": (b"", Truncated, "the reply is empty"),
    "blank lines": (b"\n \n", Truncated, "the reply is empty"),
    "no message_stop": (b": hello\n\n", Truncated, "before message_stop"),
    "a page": (b"<html>502 Bad Gateway</html>", Truncated, "before message_stop"),
    "half an object": (b'{"id": "msg_1"', Malformed, "body is not valid JSON"),
    "a list": (b"[]", Malformed, "body is not an object"),
    "an object that is no message": (b'{"detail": "?"}', Malformed, "content is not a list"),
    "an event that is no JSON": (b"data: {]\n\n", Malformed, "event 1 is not valid JSON"),
    "an event that is no object": (b"data: 5\n\n", Malformed, "event 1 is not an object"),
    "an event of the wrong shape": (
        b'data: {"type":"ping"}\n\ndata: {"type":"content_block_delta","delta":5}\n\n',
        Malformed,
        "event 2 is not a content_block_delta",
    ),
    "a block without a type": (
        b'data: {"type":"content_block_start","index":0,"content_block":{}}\n\n',
        Malformed,
        "event 1.content_block.type is not a string",
    ),
}


@pytest.mark.parametrize(("body", "kind", "words"), GONE_WRONG.values(), ids=GONE_WRONG.keys())
def test_a_reply_gone_wrong_is_never_a_success(
    body: bytes, kind: type[Exception], words: str
) -> None:
    for read_it in (read_whole, read_bytewise):
        with pytest.raises(kind, match=words):
            read_it(decoder, body)


def test_a_stream_cut_anywhere_before_its_end_is_truncated() -> None:
    body = wire(START, *TEXT, END, OVER)
    end = body.rindex(b"message_stop") + len(b'message_stop"}')
    for cut in range(1, end):
        with pytest.raises((Truncated, Malformed)):
            fold(pump(decoder(), [body[:cut]]))
    assert fold(pump(decoder(), [body[:end]])).text == "a"


ERRORS: dict[str, tuple[str, int]] = {
    "overloaded_error": ("Overloaded", 529),
    "api_error": ("Overloaded", 500),
    "timeout_error": ("Overloaded", 504),
    "rate_limit_error": ("RateLimited", 429),
    "invalid_request_error": ("InvalidRequest", 400),
    "authentication_error": ("Unauthorized", 401),
    "billing_error": ("QuotaExhausted", 402),
    "request_too_large": ("ContextTooLong", 413),
    "of_next_year": ("Overloaded", 500),
}


@pytest.mark.parametrize("kind", ERRORS)
def test_an_error_in_a_reply_is_raised_as_what_it_means(kind: str) -> None:
    error: JsonObject = {
        "type": "error",
        "error": {"type": kind, "message": "no"},
        "request_id": "req_1",
    }
    for body in (wire(START, error), wire(error), write(error)):
        with pytest.raises(Failure) as caught:
            read_whole(decoder, body)
        failure = caught.value
        assert (type(failure).__name__, failure.status) == ERRORS[kind]
        assert (failure.code, failure.message, failure.request_id) == (kind, "no", "req_1")


@pytest.mark.parametrize(
    ("error", "status"),
    [
        ('{"code":429,"message":"slow down","type":"server_error"}', 429),
        ('{"message":"slow down"}', 500),
        ('"slow down"', 500),
    ],
)
def test_an_error_of_a_compatible_server_may_say_its_status(error: str, status: int) -> None:
    with pytest.raises(Failure, match="slow down") as caught:
        read_whole(decoder, f'data: {{"error":{error}}}\n\n'.encode())
    assert caught.value.status == status


def wire(*events: JsonObject) -> bytes:
    return b"".join(encode_sse(write(event), str(event["type"])) for event in events)


def decoder() -> Decoder:
    return DIALECT.decoder(stream=True)
