"""Replies of Ollama servers, as real and as broken as they come, and our own."""

import pytest
from msgspec.structs import replace

from majordomo.contract import (
    ContextTooLong,
    Event,
    Failure,
    Finish,
    FinishReason,
    InvalidRequest,
    Malformed,
    ModelNotFound,
    Opaque,
    Overloaded,
    PartDone,
    RateLimited,
    Request,
    Response,
    ResponseDone,
    Start,
    Text,
    TextDelta,
    Thinking,
    ThinkingDelta,
    ToolCall,
    ToolCallDelta,
    Truncated,
    Unauthorized,
    Unsupported,
    Usage,
    fold,
    parts,
    pump,
)
from majordomo.dialects.dialect import Ask, Decoder, Encoder, Stamp
from majordomo.dialects.json import object_at, read
from majordomo.dialects.ollama import DIALECT, decode_generate_request, generate_encoder
from support.cuts import read_whole
from support.schemas import assert_valid, assert_valid_bytes

STAMP = Stamp(id="1", created=1_767_225_600, model="m")
CALL = ToolCall(id="call_0", name="f", arguments='{"a":1}')
LINE = b'{"model":"m","message":{"role":"assistant","content":"hi"},"done":false}\n'
DONE = b'{"model":"m","message":{"role":"assistant","content":""},"done":true,"done_reason":"stop"}'
WHOLE = b"""
{
  "model": "m",
  "message": {"role": "assistant", "content": "hi", "thinking": "hm",
    "tool_calls": [{"function": {"name": "f", "arguments": {"a": 1}}}]},
  "done": true, "done_reason": "stop", "prompt_eval_count": 3, "eval_count": 2
}
"""


def finish() -> Finish:
    return Finish(reason="stop", usage=Usage(input=3, output=2))


FULL = Response(
    parts=(Thinking(text="hm"), Text(text="hi"), CALL),
    finish_reason="tool_calls",
    finish_native="stop",
    usage=Usage(input=3, output=2),
    model="m",
)


def said(text: str, reason: FinishReason = "stop", native: str = "stop") -> Response:
    return Response(
        parts=parts(text) if text else (), finish_reason=reason, finish_native=native, model="m"
    )


READ: dict[str, tuple[bytes, Response]] = {
    "lines": (LINE + DONE, said("hi")),
    "lines with blank ones between": (b"\n\n" + LINE + b"\r\n\n" + DONE + b"\n\n", said("hi")),
    "one object over many lines": (WHOLE, FULL),
    "one object without a newline": (b"".join(WHOLE.split(b"\n")), FULL),
    "a list of one": (b"[" + WHOLE + b"]", FULL),
    "a list of lines": (b"[" + LINE.strip() + b"," + DONE + b"]", said("hi")),
    "a list over many lines": (b"[\n" + LINE.strip() + b",\n" + DONE + b"\n]\n", said("hi")),
    "text in the last line": (LINE + DONE.replace(b'""', b'"!"'), said("hi!")),
    "what follows the end is not read": (LINE + DONE + b"\n" + LINE, said("hi")),
    "an old server gives no reason": (
        LINE + DONE.replace(b',"done_reason":"stop"', b""),
        said("hi", "stop", ""),
    ),
    "cut off by the limit": (
        LINE + DONE.replace(b"stop", b"length"),
        said("hi", "length", "length"),
    ),
    "a reason nobody knows": (
        LINE + DONE.replace(b"stop", b"bored"),
        said("hi", "unknown", "bored"),
    ),
    "an empty reason": (LINE + DONE.replace(b'"stop"', b'""'), said("hi", "error", "")),
    "the model was only loaded": (DONE.replace(b"stop", b"load"), said("", "stop", "load")),
    "null where text could be": (
        LINE
        + b'{"message":{"content":null,"thinking":null,"tool_calls":null},"done":false}\n'
        + DONE,
        said("hi"),
    ),
    "the shape of generate": (
        b'{"model":"m","response":"h","done":false}\n{"response":"i","done":true,"done_reason":"stop"}',
        said("hi"),
    ),
}


@pytest.mark.parametrize("stream", [True, False])
@pytest.mark.parametrize(("wire", "response"), READ.values(), ids=READ.keys())
def test_reads_a_reply_of_either_kind(wire: bytes, response: Response, *, stream: bool) -> None:
    found = fold(pump(DIALECT.decoder(stream=stream), [wire]))
    assert replace(found, raw=None) == response


def test_calls_without_ids_get_different_ones() -> None:
    call = b'{"function":{"name":"f","arguments":"{\\"a\\": 1}"}}'
    calls = b'{"message":{"tool_calls":[%b,%b]},"done":false}\n' % (call, call)
    same = b'{"message":{"tool_calls":[{"id":"x","function":{"name":"g"}}]},"done":false}\n'
    reply = fold(read_whole(decoder, LINE + calls + same + same + DONE))
    assert [(c.id, c.name, c.arguments) for c in reply.tool_calls] == [
        ("call_0", "f", '{"a": 1}'),
        ("call_1", "f", '{"a": 1}'),
        ("x", "g", "{}"),
        ("call_3", "g", "{}"),
    ]


def test_a_whole_reply_is_kept_raw() -> None:
    assert fold(read_whole(decoder, WHOLE)).raw == read(WHOLE)


BROKEN: dict[str, tuple[bytes, type[Exception]]] = {
    "nothing": (b"", Truncated),
    "only blank": (b"\n \n", Truncated),
    "no last line": (LINE, Truncated),
    "cut in a line": (LINE + DONE[:30], Truncated),
    "cut in the only object": (WHOLE[:60], Truncated),
    "not JSON": (b"<html>", Malformed),
    "not JSON in the middle": (LINE + b"oops\n" + DONE, Malformed),
    "not an object": (b"7\n", Malformed),
    "message is text": (b'{"message":"hi","done":true}', Malformed),
    "content is a number": (LINE + b'{"message":{"content":1},"done":false}\n', Malformed),
    "an error first": (b'{"error":"model \'x\' not found"}', ModelNotFound),
    "an error in the middle": (LINE + b'{"error":"unexpected EOF"}\n', Overloaded),
    "an error with a nested message": (b'{"error":{"message":"rate limit"}}', RateLimited),
    "an error of unknown shape": (b'{"error":{"kind":"?"}}', Overloaded),
    "a busy server": (b'{"error":"server busy, please try again"}', Overloaded),
    "no tools": (b'{"error":"m does not support tools"}', Unsupported),
    "too long": (b'{"error":"input exceeds the context length"}', ContextTooLong),
    "no key": (b'{"error":"unauthorized"}', Unauthorized),
}


@pytest.mark.parametrize(("wire", "kind"), BROKEN.values(), ids=BROKEN.keys())
def test_a_broken_reply_is_no_success(wire: bytes, kind: type[Exception]) -> None:
    with pytest.raises(kind):
        read_whole(decoder, wire)


def test_names_the_line_that_cannot_be_read() -> None:
    with pytest.raises(Malformed, match="line 3"):
        read_whole(decoder, LINE + LINE + b"oops\n" + DONE)


STATUSES: dict[str, tuple[int, bytes, type[Failure], str]] = {
    "unknown model": (
        404,
        b'{"error":"model \'x\' not found"}',
        ModelNotFound,
        "model 'x' not found",
    ),
    "bad request": (400, b'{"error":"invalid character"}', InvalidRequest, "invalid character"),
    "queue full": (503, b'{"error":"server busy"}', Overloaded, "server busy"),
    "cloud limit": (429, b'{"error":"too many requests"}', RateLimited, "too many requests"),
    "not JSON": (502, b"bad gateway\n", Overloaded, "bad gateway"),
    "nothing": (500, b"", Overloaded, "HTTP 500"),
}


@pytest.mark.parametrize(
    ("status", "body", "kind", "message"), STATUSES.values(), ids=STATUSES.keys()
)
def test_sorts_errors(status: int, body: bytes, kind: type[Failure], message: str) -> None:
    failure = DIALECT.decode_failure(status, {"Retry-After": "2"}, body)
    assert (type(failure), failure.message, failure.status) == (kind, message, status)
    assert failure.retry_after == 2


def test_writes_errors_as_ollama_does() -> None:
    reply = DIALECT.encode_failure(RateLimited("slow down", retry_after=1.2), request_id="r")
    assert (reply.status, reply.headers) == (429, {"retry-after": "2"})
    assert read(reply.body) == {"error": "slow down"}
    assert_valid_bytes(reply.body, "ollama.error")
    assert DIALECT.encode_failure(ModelNotFound("no")).status == 404


ODD: dict[str, tuple[list[Event], str, str, int]] = {
    "nothing said": ([finish()], "", "", 0),
    "no deltas": ([PartDone(part=Text(text="hi")), finish()], "hi", "", 0),
    "deltas and the part": (
        [TextDelta(text="h"), TextDelta(text="i"), PartDone(part=Text(text="hi")), finish()],
        "hi",
        "",
        0,
    ),
    "deltas without the part": ([Start(), TextDelta(text="hi"), finish()], "hi", "", 0),
    "two parts in a row": (
        [
            TextDelta(text="a"),
            PartDone(part=Text(text="a")),
            PartDone(part=Text(text="b")),
            finish(),
        ],
        "ab",
        "",
        0,
    ),
    "thinking after text": (
        [TextDelta(text="a"), ThinkingDelta(text="t"), PartDone(part=Thinking(text="t")), finish()],
        "a",
        "t",
        0,
    ),
    "thinking given whole": ([PartDone(part=Thinking(text="t")), finish()], "", "t", 0),
    "a call in pieces, then whole": (
        [ToolCallDelta(id="call_0", name="f", arguments='{"a'), PartDone(part=CALL), finish()],
        "",
        "",
        1,
    ),
    "blocks of another dialect": (
        [PartDone(part=Opaque(dialect="gemini", value={"x": 1})), finish()],
        "",
        "",
        0,
    ),
    "more after the end": (
        [TextDelta(text="a"), finish(), ResponseDone(response=said("a")), TextDelta(text="b")],
        "a",
        "",
        0,
    ),
}


@pytest.mark.parametrize("stream", [True, False])
@pytest.mark.parametrize(("events", "text", "thinking", "calls"), ODD.values(), ids=ODD.keys())
def test_writes_any_reply(
    events: list[Event], text: str, thinking: str, calls: int, *, stream: bool
) -> None:
    wire = b"".join(pump(encoder(stream=stream), events))
    assert b"\n\n" not in wire
    for line in wire.splitlines():
        assert_valid_bytes(line, "ollama.response")
    reply = fold(read_whole(decoder, wire))
    assert (reply.text, reply.thinking, len(reply.tool_calls)) == (text, thinking, calls)


def test_the_last_line_counts_and_times() -> None:
    last = object_at(read(list(encoder(stream=True).feed(finish()))[-1]), "line")
    assert last == {
        "model": "m",
        "created_at": "2026-01-01T00:00:00Z",
        "message": {"role": "assistant", "content": ""},
        "done": True,
        "done_reason": "stop",
        "total_duration": 0,
        "load_duration": 0,
        "prompt_eval_count": 3,
        "prompt_eval_duration": 0,
        "eval_count": 2,
        "eval_duration": 0,
    }


@pytest.mark.parametrize(
    ("reason", "native", "word"),
    [
        ("length", "max_tokens", "length"),
        ("tool_calls", "tool_use", "stop"),
        ("content_filter", "SAFETY", "content_filter"),
        ("refusal", "refusal", "stop"),
        ("error", "OTHER", "error"),
        ("stop", "load", "load"),
    ],
)
def test_ends_in_a_word_ollama_knows(reason: FinishReason, native: str, word: str) -> None:
    event = Finish(reason=reason, native=native)
    for stream in (True, False):
        last = object_at(read(list(encoder(stream=stream).feed(event))[-1]), "line")
        assert last["done_reason"] == word


def test_an_error_after_the_first_line_is_a_line() -> None:
    step = encoder(stream=True)
    list(step.feed(TextDelta(text="a")))
    assert step.fail(Overloaded("gone")) == b'{"error":"gone"}\n'
    assert list(step.close()) == []


@pytest.mark.parametrize("stream", [True, False])
def test_a_reply_without_an_end_is_not_ended(*, stream: bool) -> None:
    step = encoder(stream=stream)
    list(step.feed(TextDelta(text="a")))
    with pytest.raises(Truncated):
        list(step.close())


def test_says_which_kind_of_body_it_writes() -> None:
    assert encoder(stream=True).content_type == "application/x-ndjson"
    assert encoder(stream=False).content_type == "application/json"


@pytest.mark.parametrize("stream", [True, False])
def test_writes_the_shape_of_generate(*, stream: bool) -> None:
    ask = decode_generate_request({"model": "m", "prompt": "hi", "stream": stream})
    events: list[Event] = [ThinkingDelta(text="t"), TextDelta(text="a"), PartDone(part=CALL)]
    wire = b"".join(pump(generate_encoder(ask, STAMP), [*events, finish()]))
    for line in wire.splitlines():
        assert_valid(read(line), "ollama.generate.response")
    reply = fold(read_whole(decoder, wire))
    assert (reply.thinking, reply.text, reply.tool_calls) == ("t", "a", ())


def decoder() -> Decoder:
    return DIALECT.decoder(stream=True)


def encoder(*, stream: bool) -> Encoder:
    ask = Ask(model="m", stream=stream, request=Request(messages=()))
    return DIALECT.encoder(ask, STAMP)
