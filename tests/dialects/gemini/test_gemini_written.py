"""Replies as we write them for Gemini's clients."""

import pytest

from majordomo.contract import (
    Artefact,
    Document,
    Event,
    Finish,
    FinishReason,
    Image,
    Json,
    JsonObject,
    Opaque,
    Overloaded,
    Part,
    PartDone,
    Request,
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
    assistant,
    fold,
    pump,
    unfold,
)
from majordomo.contract import Response as Reply
from majordomo.dialects.dialect import Ask, Encoder, Stamp
from majordomo.dialects.gemini import DIALECT, array_encoder
from majordomo.dialects.json import list_at, object_at, read
from support.schemas import assert_valid

STAMP = Stamp(id="1", created=0, model="m")
CALL = ToolCall(id="a", name="f", arguments='{"a":1}')
SIGNED = Artefact(dialect="gemini", value={"thoughtSignature": "c2ln"})
FOREIGN = Artefact(dialect="anthropic", value={"signature": "s"})


def finish() -> Finish:
    usage = Usage(input=7, cached=3, output=5, reasoning=1)
    return Finish(reason="stop", usage=usage)


ODD: dict[str, tuple[list[Event], tuple[Part, ...]]] = {
    "nothing said": ([finish()], ()),
    "no deltas": ([PartDone(part=Text(text="hi")), finish()], (Text(text="hi"),)),
    "deltas and the part": (
        [TextDelta(text="h"), TextDelta(text="i"), PartDone(part=Text(text="hi")), finish()],
        (Text(text="hi"),),
    ),
    "deltas without the part": (
        [Start(), TextDelta(text="hi"), TextDelta(text=""), finish()],
        (Text(text="hi"),),
    ),
    "thinking after text": (
        [TextDelta(text="a"), ThinkingDelta(text="t"), TextDelta(text="b"), finish()],
        (Text(text="a"), Thinking(text="t"), Text(text="b")),
    ),
    "a signature after its words": (
        [
            TextDelta(text="a"),
            PartDone(part=Text(text="a")),
            PartDone(part=Text(text="", artefact=SIGNED)),
            finish(),
        ],
        (Text(text="a"), Text(text="", artefact=SIGNED)),
    ),
    "a call in pieces, then whole": (
        [ToolCallDelta(id="a", name="f", arguments='{"a'), PartDone(part=CALL), finish()],
        (CALL,),
    ),
    "blocks of other dialects, media, our own blocks": (
        [
            PartDone(part=Opaque(dialect="anthropic", value={"x": 1})),
            PartDone(part=ToolResult(id="a")),
            PartDone(part=Image(data=b"1", mime="image/png")),
            PartDone(part=Document(data=b"1", mime="text/csv")),
            PartDone(part=Opaque(dialect="gemini", value={"fileData": {"fileUri": "x"}})),
            finish(),
        ],
        (
            Image(data=b"1", mime="image/png"),
            Document(data=b"1", mime="text/csv"),
            Opaque(dialect="gemini", value={"fileData": {"fileUri": "x"}}),
        ),
    ),
    "more after the end": (
        [
            TextDelta(text="a"),
            finish(),
            ResponseDone(response=Reply(parts=(), finish_reason="stop")),
            TextDelta(text="b"),
        ],
        (Text(text="a"),),
    ),
}


@pytest.mark.parametrize("stream", [True, False])
@pytest.mark.parametrize(("events", "parts"), ODD.values(), ids=ODD.keys())
def test_writes_any_reply(events: list[Event], parts: tuple[Part, ...], *, stream: bool) -> None:
    written = list(pump(encoder(stream=stream), events))
    for chunk in chunks(written, stream=stream):
        assert_valid(chunk, "gemini.response")
    reply = fold(pump(DIALECT.decoder(stream=stream), written))
    assert reply.parts == parts
    assert reply.usage == finish().usage
    assert (reply.model, reply.id) == ("m", "1")


def test_an_event_is_a_bare_data_line() -> None:
    written = list(pump(encoder(stream=True), [TextDelta(text="a\n"), finish()]))
    assert b"".join(written) == (
        b'data: {"candidates":[{"content":{"role":"model","parts":[{"text":"a\\n"}]},"index":0}],'
        b'"modelVersion":"m","responseId":"1"}\n\n'
        b'data: {"candidates":[{"content":{"role":"model","parts":[{"text":""}]},'
        b'"finishReason":"STOP","index":0}],"usageMetadata":{"promptTokenCount":7,'
        b'"candidatesTokenCount":4,"totalTokenCount":12,"cachedContentTokenCount":3,'
        b'"thoughtsTokenCount":1},"modelVersion":"m","responseId":"1"}\n\n'
    )


@pytest.mark.parametrize("stream", [True, False])
def test_another_dialects_artefact_survives_the_client(*, stream: bool) -> None:
    thought = Thinking(text="hm", artefact=FOREIGN)
    call = ToolCall(id="a", name="f", arguments="{}", artefact=FOREIGN)
    reply = Reply(parts=(thought, call), finish_reason="tool_calls")
    parts: list[Json] = []
    for chunk in chunks(list(pump(encoder(stream=stream), unfold(reply))), stream=stream):
        candidate = object_at(list_at(chunk["candidates"], "")[0], "")
        parts.extend(list_at(object_at(candidate["content"], "")["parts"], ""))
    ask = DIALECT.decode_request({"contents": [{"role": "model", "parts": parts}]}, model="m")
    assert ask.request.messages == (assistant(thought, call),)


@pytest.mark.parametrize(
    ("reason", "native", "word"),
    [
        ("stop", "end_turn", "STOP"),
        ("length", "max_tokens", "MAX_TOKENS"),
        ("tool_calls", "tool_use", "STOP"),
        ("content_filter", "RECITATION", "RECITATION"),
        ("refusal", "refusal", "SAFETY"),
        ("pause", "CONTINUATION", "STOP"),
        ("error", "MALFORMED_FUNCTION_CALL", "MALFORMED_FUNCTION_CALL"),
        ("error", "MISSING_THOUGHT_SIGNATURE", "OTHER"),
        ("unknown", "BORED", "FINISH_REASON_UNSPECIFIED"),
    ],
)
@pytest.mark.parametrize("stream", [True, False])
def test_ends_in_a_word_gemini_knows(
    reason: FinishReason, native: str, word: str, *, stream: bool
) -> None:
    written = list(pump(encoder(stream=stream), [Finish(reason=reason, native=native)]))
    (chunk,) = chunks(written, stream=stream)
    assert_valid(chunk, "gemini.response")
    assert object_at(list_at(chunk["candidates"], "")[0], "")["finishReason"] == word


def test_an_error_after_the_first_chunk_has_its_key_first() -> None:
    step = encoder(stream=True)
    list(step.feed(TextDelta(text="a")))
    assert step.fail(Overloaded("gone")) == (
        b'data: {"error":{"code":503,"message":"gone","status":"UNAVAILABLE"}}\n\n'
    )
    assert list(step.close()) == []
    assert encoder(stream=False).fail(Overloaded("gone")).startswith(b'{"error"')


@pytest.mark.parametrize("stream", [True, False])
def test_a_reply_without_an_end_is_not_ended(*, stream: bool) -> None:
    step = encoder(stream=stream)
    list(step.feed(TextDelta(text="a")))
    with pytest.raises(Truncated):
        list(step.close())


def test_a_stream_may_be_a_list() -> None:
    events: list[Event] = [Start(), TextDelta(text="a"), PartDone(part=CALL), finish()]
    step = array_encoder(Ask(model="m", stream=True, request=Request(messages=())), STAMP)
    written = list(pump(step, events))
    assert [piece[:1] for piece in written] == [b"[", b",", b",", b"]"]
    plain = fold(pump(DIALECT.decoder(stream=True), pump(encoder(stream=True), events)))
    assert fold(pump(DIALECT.decoder(stream=True), written)) == plain
    assert step.content_type == "application/json"


def test_a_list_can_fail_too() -> None:
    step = array_encoder(Ask(model="m", stream=True, request=Request(messages=())), STAMP)
    written = [*step.feed(TextDelta(text="a")), step.fail(Overloaded("gone")), *step.close()]
    with pytest.raises(Overloaded, match="gone"):
        list(pump(DIALECT.decoder(stream=True), written))
    assert len(list_at(read(b"".join(written)), "")) == 2


def test_says_which_kind_of_body_it_writes() -> None:
    assert encoder(stream=True).content_type == "text/event-stream"
    assert encoder(stream=False).content_type == "application/json"


def encoder(*, stream: bool) -> Encoder:
    ask = Ask(model="m", stream=stream, request=Request(messages=()))
    return DIALECT.encoder(ask, STAMP)


def chunks(written: list[bytes], *, stream: bool) -> list[JsonObject]:
    """Read what was written; every chunk of a stream must be one bare `data:` line."""
    if not stream:
        return [object_at(read(b"".join(written)), "body")]
    found: list[JsonObject] = []
    for one in written:
        assert one.startswith(b"data: {")
        assert one.endswith(b"}\n\n")
        assert one.count(b"\n") == 2
        found.append(object_at(read(one.removeprefix(b"data: ")), "chunk"))
    return found
