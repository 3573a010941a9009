"""Replies of Gemini servers, as real and as broken as they come."""

from collections.abc import Callable
from typing import TypeAlias

import pytest
from msgspec.structs import replace

from majordomo.contract import (
    Artefact,
    Event,
    Finish,
    FinishReason,
    Image,
    Malformed,
    Opaque,
    Overloaded,
    PartDone,
    RateLimited,
    Response,
    Start,
    Text,
    TextDelta,
    Thinking,
    ThinkingDelta,
    ToolCall,
    Truncated,
    Unauthorized,
    Usage,
    fold,
    parts,
    pump,
)
from majordomo.dialects.dialect import Decoder
from majordomo.dialects.gemini import DIALECT
from majordomo.dialects.json import read
from support.cuts import read_bytewise, read_whole

Reader: TypeAlias = Callable[[Callable[[], Decoder], bytes], list[Event]]
SIGNED = Artefact(dialect="gemini", value={"thoughtSignature": "c2ln"})


def chunk(*said: str, finish: str = "", usage: str = "") -> bytes:
    reason = f',"finishReason":"{finish}"' if finish else ""
    counted = f',"usageMetadata":{usage}' if usage else ""
    return (
        f'{{"candidates":[{{"content":{{"role":"model","parts":[{",".join(said)}]}}'
        f'{reason}}}],"modelVersion":"m","responseId":"r"{counted}}}'
    ).encode()


def sse(*chunks: bytes) -> bytes:
    return b"".join(b"data: %b\r\n\r\n" % one for one in chunks)


HI = '{"text":"hi"}'
CALL = '{"functionCall":{"name":"f","args":{"a":1}}}'
DONE = chunk(finish="STOP")
USAGE = (
    '{"promptTokenCount":5,"toolUsePromptTokenCount":2,"cachedContentTokenCount":3,'
    '"candidatesTokenCount":4,"thoughtsTokenCount":1,"totalTokenCount":12}'
)


def said(text: str, reason: FinishReason = "stop", native: str = "STOP") -> Response:
    return Response(
        parts=parts(text) if text else (),
        finish_reason=reason,
        finish_native=native,
        model="m",
        id="r",
    )


READ: dict[str, tuple[bytes, Response]] = {
    "events": (sse(chunk('{"text":"h"}'), chunk('{"text":""}', '{"text":"i"}'), DONE), said("hi")),
    "a last event without its blank line": (sse(chunk(HI)) + b"data: " + DONE, said("hi")),
    "no space after the colon": (b"data:" + chunk(HI, finish="STOP") + b"\n\n", said("hi")),
    "a chat proxy's terminator": (sse(chunk(HI), DONE, b"[DONE]"), said("hi")),
    "one object": (chunk(HI, finish="STOP"), said("hi")),
    "one object after blank lines": (b"\n \n" + chunk(HI, finish="STOP"), said("hi")),
    "a list": (b"[" + chunk(HI) + b"\n,\r\n" + DONE + b"]", said("hi")),
    "a list of one": (b"[{" + chunk(HI, finish="STOP")[1:] + b"]\n", said("hi")),
    "cut off by the limit": (
        sse(chunk(HI, finish="MAX_TOKENS")),
        said("hi", "length", "MAX_TOKENS"),
    ),
    "filtered": (sse(chunk(HI, finish="SAFETY")), said("hi", "content_filter", "SAFETY")),
    "a broken call": (
        sse(chunk(finish="MALFORMED_FUNCTION_CALL")),
        said("", "error", "MALFORMED_FUNCTION_CALL"),
    ),
    "a reason nobody knows": (sse(chunk(HI, finish="BORED")), said("hi", "unknown", "BORED")),
    "a reason in small letters": (sse(chunk(HI, finish="stop")), said("hi", "stop", "stop")),
    "the prompt was blocked": (
        b'{"promptFeedback":{"blockReason":"SAFETY"},"modelVersion":"m","responseId":"r"}',
        said("", "content_filter", "SAFETY"),
    ),
    "the prompt was blocked, said in a stream": (
        sse(b'{"promptFeedback":{"blockReason":"OTHER"},"modelVersion":"m","responseId":"r"}'),
        said("", "content_filter", "OTHER"),
    ),
    "feedback beside an answer": (
        sse(b'{"promptFeedback":{"safetyRatings":[]},' + chunk(HI, finish="STOP")[1:]),
        said("hi"),
    ),
    "the reason comes alone": (
        sse(chunk(HI)[:-1] + b"}", b'{"candidates":[{"finishReason":"STOP"}]}'),
        said("hi"),
    ),
    "other candidates": (
        sse(
            chunk(HI),
            b'{"candidates":[{"index":1,"content":{"parts":[{"text":"no"}]}}]}',
            b'{"candidates":[{"index":1,"content":{"parts":[{"text":"no"}]}},'
            + DONE[len(b'{"candidates":[') :],
        ),
        said("hi"),
    ),
    "usage of the last chunk, though after the reason": (
        sse(
            chunk(HI, finish="STOP", usage='{"promptTokenCount":1}'),
            b'{"usageMetadata":%b}' % USAGE.encode(),
        ),
        replace(said("hi"), usage=Usage(input=7, cached=3, output=5, reasoning=1)),
    ),
    "usage of a chunk before": (
        sse(chunk(HI), chunk(HI, usage=USAGE), DONE),
        replace(said("hihi"), usage=Usage(input=7, cached=3, output=5, reasoning=1)),
    ),
    "calls": (
        sse(chunk(CALL), chunk(CALL, finish="STOP")),
        replace(
            said("", "tool_calls"),
            parts=(
                ToolCall(id="call_0", name="f", arguments='{"a":1}'),
                ToolCall(id="call_1", name="f", arguments='{"a":1}'),
            ),
        ),
    ),
}


@pytest.mark.parametrize("stream", [True, False])
@pytest.mark.parametrize(("wire", "response"), READ.values(), ids=READ.keys())
def test_reads_a_reply_of_either_kind(wire: bytes, response: Response, *, stream: bool) -> None:
    for pieces in ([wire], [wire[i : i + 1] for i in range(len(wire))]):
        found = fold(pump(DIALECT.decoder(stream=stream), pieces))
        assert replace(found, raw=None) == response


SIGNED_PARTS = (
    '{"text":"hm","thought":true}',
    '{"text":"ah","thought":true,"thoughtSignature":"c2ln"}',
    HI,
    '{"text":"","thoughtSignature":"c2ln"}',
    '{"functionCall":{"id":"a","name":"f"},"thoughtSignature":"c2ln"}',
    '{"functionCall":{"id":"a","name":"g","args":{}}}',
    '{"inlineData":{"mimeType":"image/png","data":"MQ=="}}',
    '{"executableCode":{"code":"1"}}',
)


@pytest.mark.parametrize(
    "wire",
    [
        chunk(*SIGNED_PARTS, finish="STOP"),
        sse(chunk(HI[:1] + '"text":""}'), *(chunk(part) for part in SIGNED_PARTS), DONE),
        sse(chunk(*SIGNED_PARTS), DONE),
    ],
    ids=["whole", "streamed", "in one chunk"],
)
def test_signatures_stay_with_their_part(wire: bytes) -> None:
    assert fold(read_whole(decoder, wire)).parts == (
        Thinking(text="hm"),
        Thinking(text="ah", artefact=SIGNED),
        Text(text="hi"),
        Text(text="", artefact=SIGNED),
        ToolCall(id="a", name="f", arguments="{}", artefact=SIGNED),
        ToolCall(id="call_1", name="g", arguments="{}"),
        Image(data=b"1", mime="image/png"),
        Opaque(dialect="gemini", value={"executableCode": {"code": "1"}}),
    )


def test_words_are_given_as_they_come_and_parts_when_whole() -> None:
    thought = '{"text":"hm","thought":true}'
    events = read_whole(decoder, sse(chunk(thought, usage=USAGE), chunk(HI), chunk(HI), DONE))
    usage = Usage(input=7, cached=3, output=5, reasoning=1)
    expected: list[Event] = [
        Start(model="m", id="r", usage=usage),
        ThinkingDelta(text="hm"),
        PartDone(part=Thinking(text="hm")),
        TextDelta(text="hi"),
        TextDelta(text="hi"),
        PartDone(part=Text(text="hihi")),
        Finish(reason="stop", native="STOP", usage=usage),
    ]
    assert events == expected


def test_deltas_are_not_held_back() -> None:
    step = decoder()
    assert list(step.feed(sse(chunk(HI)))) != []
    assert list(step.feed(sse(chunk(HI)))) == [TextDelta(text="hi")]


def test_a_whole_reply_is_kept_raw() -> None:
    wire = chunk(HI, finish="STOP")
    assert fold(read_whole(decoder, wire)).raw == read(wire)


BUSY = b'{"error":{"code":503,"message":"busy","status":"UNAVAILABLE"}}'
PRETTY = b'{\n  "error": {\n    "code": 429,\n    "message": "slow",\n    "status": "X"\n  }\n}\n'
BROKEN: dict[str, tuple[bytes, type[Exception]]] = {
    "nothing": (b"", Truncated),
    "only blank": (b"\n \n", Truncated),
    "no reason": (sse(chunk(HI)), Truncated),
    "no reason in a whole reply": (chunk(HI), Truncated),
    "an empty reason": (
        sse(chunk(HI)[:-1] + b"}", chunk(HI).replace(b"}],", b',"finishReason":""}],')),
        Truncated,
    ),
    "an empty object": (b"{}", Truncated),
    "an empty list": (b"[]", Truncated),
    "cut in the only object": (chunk(HI, finish="STOP")[:40], Truncated),
    "cut in a list": (b"[" + chunk(HI, finish="STOP") + b",", Truncated),
    "not JSON": (b"{oops}", Malformed),
    "a page": (b"<html>", Truncated),
    "not JSON in the middle": (sse(chunk(HI), b"{oops}", DONE), Malformed),
    "not an object": (sse(b"7"), Malformed),
    "text is a number": (sse(chunk(HI), chunk('{"text":1}'), chunk("7"), DONE), Malformed),
    "arguments are a list": (
        sse(chunk('{"functionCall":{"name":"f","args":[]}}', finish="STOP")),
        Malformed,
    ),
    "feedback is text": (b'{"promptFeedback":"no"}', Malformed),
    "an error first": (sse(BUSY), Overloaded),
    "an error in the middle": (sse(chunk(HI), BUSY), Overloaded),
    "an error alone": (BUSY, Overloaded),
    "an error in a list": (b"[" + PRETTY + b"]", RateLimited),
    "an error over many lines": (PRETTY, RateLimited),
    "an error over many lines in the middle": (sse(chunk(HI)) + PRETTY, RateLimited),
    "an error with only a name": (
        sse(b'{"error":{"status":"UNAUTHENTICATED","message":"no"}}'),
        Unauthorized,
    ),
    "an error with no words": (sse(b'{"error":{}}'), Overloaded),
}


@pytest.mark.parametrize("read_it", [read_whole, read_bytewise])
@pytest.mark.parametrize(("wire", "kind"), BROKEN.values(), ids=BROKEN.keys())
def test_a_broken_reply_is_no_success(wire: bytes, kind: type[Exception], read_it: Reader) -> None:
    with pytest.raises(kind):
        read_it(decoder, wire)


def test_names_the_event_that_cannot_be_read() -> None:
    with pytest.raises(Malformed, match="event 3"):
        read_whole(decoder, sse(chunk(HI), chunk(HI), b"{oops", DONE))


def decoder() -> Decoder:
    return DIALECT.decoder(stream=True)
