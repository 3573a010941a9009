"""Replies as we write them for Ollama's clients."""

import pytest

from majordomo.contract import (
    Event,
    Finish,
    FinishReason,
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
    ToolResult,
    Truncated,
    Usage,
    fold,
    pump,
)
from majordomo.dialects.dialect import Ask, Decoder, Encoder, Stamp
from majordomo.dialects.json import object_at, read
from majordomo.dialects.ollama import DIALECT, decode_generate_request, generate_encoder
from support.cuts import read_whole
from support.schemas import assert_valid, assert_valid_bytes

STAMP = Stamp(id="1", created=1_767_225_600, model="m")
CALL = ToolCall(id="call_0", name="f", arguments='{"a":1}')


def finish() -> Finish:
    return Finish(reason="stop", usage=Usage(input=3, output=2))


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
    "what it has no place for": (
        [
            PartDone(part=Opaque(dialect="gemini", value={"x": 1})),
            PartDone(part=ToolResult(id="a")),
            finish(),
        ],
        "",
        "",
        0,
    ),
    "more after the end": (
        [
            TextDelta(text="a"),
            finish(),
            ResponseDone(response=Response(parts=(), finish_reason="stop")),
            TextDelta(text="b"),
        ],
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
