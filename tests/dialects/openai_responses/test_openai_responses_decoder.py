"""What a server says to us, the book's way and the ways of others."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from majordomo.contract import (
    Artefact,
    Event,
    Finish,
    JsonObject,
    Opaque,
    Part,
    PartDone,
    Response,
    Start,
    Text,
    TextDelta,
    Thinking,
    ThinkingDelta,
    ToolCall,
    ToolCallDelta,
    Usage,
    fold,
    pump,
)
from majordomo.dialects.json import write
from majordomo.dialects.openai_responses import DIALECT
from majordomo.dialects.sse import encode_sse
from support.cuts import draw_pieces

GOLDEN = (
    Path(__file__).parents[2] / "wire" / "golden" / "openai.responses.stream.sse"
).read_bytes()


def own(value: JsonObject) -> Artefact:
    return Artefact(dialect="openai_responses", value=value)


def events_of(wire: bytes, *, partial: bool = False) -> list[Event]:
    return list(pump(DIALECT.decoder(stream=True, partial_tool_calls=partial), [wire]))


def stream(*events: JsonObject) -> bytes:
    return b"".join(encode_sse(write(event)) for event in events)


def text_delta(text: str) -> JsonObject:
    return {"type": "response.output_text.delta", "delta": text}


def item_done(item: JsonObject) -> JsonObject:
    return {"type": "response.output_item.done", "item": item}


def completed(*output: JsonObject, **rest: str) -> JsonObject:
    return {
        "type": "response.completed",
        "response": {"id": "r", "status": "completed", "output": [*output], **rest},
    }


GOLDEN_EVENTS: list[Event] = [
    Start(model="m", id="resp_1"),
    ThinkingDelta(text="Need weather."),
    PartDone(
        part=Thinking(
            text="Need weather.",
            artefact=own(
                {
                    "id": "rs_1",
                    "type": "reasoning",
                    "summary": [{"type": "summary_text", "text": "Need weather."}],
                    "encrypted_content": "gAAA",
                }
            ),
        )
    ),
    TextDelta(text="Let me "),
    TextDelta(text="check."),
    PartDone(
        part=Text(
            text="Let me check.",
            artefact=own({"item": {"id": "msg_1", "status": "completed"}}),
        )
    ),
    PartDone(
        part=ToolCall(
            id="call_0",
            name="get_weather",
            arguments='{"city":"Paris"}',
            artefact=own({"item": {"id": "fc_0", "status": "completed"}}),
        )
    ),
    PartDone(
        part=ToolCall(
            id="call_1",
            name="now",
            arguments="{}",
            artefact=own({"item": {"id": "fc_1", "status": "completed"}}),
        )
    ),
]


@given(data=st.data())
def test_the_golden_stream_is_read_however_it_is_cut(data: st.DataObject) -> None:
    pieces = draw_pieces(data, GOLDEN)
    *events, finish = pump(DIALECT.decoder(stream=True), pieces)
    assert events == GOLDEN_EVENTS
    assert isinstance(finish, Finish)
    assert (finish.reason, finish.native) == ("tool_calls", "completed")
    assert finish.usage == Usage(input=11, cached=4, output=7, reasoning=2)


@pytest.mark.parametrize("framed", [True, False])
def test_deltas_that_come_one_by_one_are_read_too(*, framed: bool) -> None:
    deltas = [text_delta(word) for word in ("a", "", "b\u2028\n", "c")]
    chunks = [encode_sse(write(d), str(d["type"]) if framed else "") for d in deltas]
    late = encode_sse(write(text_delta("late")), "response.output_text.delta")
    events = list(pump(DIALECT.decoder(stream=True), [*chunks, stream(completed()), late]))
    said = [TextDelta(text="a"), TextDelta(text="b\u2028\n"), TextDelta(text="c")]
    assert [event for event in events if isinstance(event, TextDelta)] == said
    assert isinstance(events[-1], Finish)


def test_fragments_of_calls_come_only_when_asked_for() -> None:
    fragments = [e for e in events_of(GOLDEN, partial=True) if isinstance(e, ToolCallDelta)]
    assert fragments == [
        ToolCallDelta(id="call_0", name="get_weather", arguments='{"city":"Paris"}'),
        ToolCallDelta(id="call_1", name="now", arguments="{}"),
    ]
    assert not any(isinstance(e, ToolCallDelta) for e in events_of(GOLDEN))


def call_item(**rest: str) -> JsonObject:
    return {"type": "function_call", "name": "f", **rest}


MESSAGE: JsonObject = {
    "type": "message",
    "id": "m1",
    "role": "assistant",
    "content": [{"type": "output_text", "text": "Hi", "annotations": []}],
}
FIRST = own({"item": {"id": "m1"}})
SEARCH: JsonObject = {"type": "web_search_call", "id": "ws_1", "status": "completed"}
TWO_TEXTS: JsonObject = {
    **MESSAGE,
    "content": [{"type": "output_text", "text": "a"}, {"type": "output_text", "text": "b"}],
}

REPLIES: dict[str, tuple[bytes, tuple[Part, ...], str]] = {
    "only the final response": (
        stream(completed(MESSAGE)),
        (Text(text="Hi", artefact=FIRST),),
        "stop",
    ),
    "deltas and a final response": (
        stream(text_delta("Hi"), completed(MESSAGE)),
        (Text(text="Hi", artefact=FIRST),),
        "stop",
    ),
    "deltas and a final response without output": (
        stream(text_delta("Hi"), completed()),
        (Text(text="Hi"),),
        "stop",
    ),
    "finished items and an empty output": (
        stream(text_delta("Hi"), item_done(MESSAGE), completed()),
        (Text(text="Hi", artefact=FIRST),),
        "stop",
    ),
    "two texts in one message": (
        stream(
            {"type": "response.output_item.added", "item": {**MESSAGE, "content": []}},
            {"type": "response.content_part.added"},
            text_delta("a"),
            {"type": "response.content_part.added"},
            text_delta("b"),
            item_done(TWO_TEXTS),
            completed(TWO_TEXTS),
        ),
        (Text(text="a", artefact=FIRST), Text(text="b", artefact=own({"joined": True}))),
        "stop",
    ),
    "several summaries": (
        stream(
            {"type": "response.reasoning_summary_part.added", "summary_index": 0},
            {"type": "response.reasoning_summary_text.delta", "delta": "a"},
            {"type": "response.reasoning_summary_part.added", "summary_index": 1},
            {"type": "response.reasoning_summary_text.delta", "delta": "b"},
            completed(),
        ),
        (Thinking(text="a\n\nb"),),
        "stop",
    ),
    "open reasoning": (
        stream(
            {"type": "response.reasoning_text.delta", "delta": "hm"},
            item_done({"type": "reasoning", "id": "r1", "content": [{"text": "hm"}]}),
            completed(),
        ),
        (
            Thinking(
                text="hm",
                artefact=own({"type": "reasoning", "id": "r1", "content": [{"text": "hm"}]}),
            ),
        ),
        "stop",
    ),
    "a call without any id": (
        stream(item_done(call_item()), item_done(call_item()), completed()),
        (
            ToolCall(id="call_0", name="f", arguments="{}"),
            ToolCall(id="call_1", name="f", arguments="{}"),
        ),
        "tool_calls",
    ),
    "a call that is never finished": (
        stream(
            {"type": "response.output_item.added", "item": call_item(id="fc", call_id="c")},
            {"type": "response.function_call_arguments.delta", "delta": "{}"},
            completed(),
        ),
        (ToolCall(id="c", name="f", arguments="{}", artefact=own({"item": {"id": "fc"}})),),
        "tool_calls",
    ),
    "a call whose arguments come at the end": (
        stream(
            {"type": "response.output_item.added", "item": call_item(id="fc", call_id="c")},
            {
                "type": "response.function_call_arguments.done",
                "item_id": "fc",
                "arguments": '{"a":1}',
            },
            item_done(call_item(id="fc")),
            completed(),
        ),
        (ToolCall(id="c", name="f", arguments='{"a":1}', artefact=own({"item": {"id": "fc"}})),),
        "tool_calls",
    ),
    "a call into a namespace": (
        stream(item_done(call_item(call_id="c", namespace="crm")), completed()),
        (
            ToolCall(
                id="c",
                name="crm__f",
                arguments="{}",
                artefact=own({"item": {"namespace": "crm"}}),
            ),
        ),
        "tool_calls",
    ),
    "a call of a custom tool": (
        stream(
            item_done({"type": "custom_tool_call", "call_id": "c", "name": "p", "input": "*"}),
            completed(),
        ),
        (ToolCall(id="c", name="p", arguments='{"input":"*"}', artefact=own({"custom": True})),),
        "tool_calls",
    ),
    "a hosted tool at work": (
        stream(item_done(SEARCH), text_delta("Hi"), item_done(MESSAGE), completed()),
        (Opaque(dialect="openai_responses", value=SEARCH), Text(text="Hi", artefact=FIRST)),
        "stop",
    ),
    "a refusal": (
        stream(
            {"type": "response.refusal.delta", "delta": "No."},
            item_done({"type": "message", "content": [{"type": "refusal", "refusal": "No."}]}),
            completed(),
        ),
        (Text(text="No.", artefact=own({"part": {"type": "refusal"}})),),
        "refusal",
    ),
    "unknown events and fields": (
        stream(
            {"type": "response.audio.delta", "delta": 3},
            {"type": "keepalive"},
            text_delta("Hi"),
            {**completed(), "timings": {}},
        ),
        (Text(text="Hi"),),
        "stop",
    ),
    "comments and a done mark": (
        b": ping\n\n" + stream(text_delta("Hi"), completed()) + b"data: [DONE]\n\n",
        (Text(text="Hi"),),
        "stop",
    ),
    "nothing after the final response counts": (
        stream(completed(), text_delta("late")),
        (),
        "stop",
    ),
    "a type only in the event line": (
        b'event: response.output_text.delta\ndata: {"delta":"Hi"}\n\n' + stream(completed()),
        (Text(text="Hi"),),
        "stop",
    ),
    "a last event without its blank line": (
        stream(text_delta("Hi"), completed())[:-2],
        (Text(text="Hi"),),
        "stop",
    ),
    "a whole object though a stream was asked": (
        b'\n\n {"object":"response","status":"completed","output":[' + write(MESSAGE) + b"]}",
        (Text(text="Hi", artefact=FIRST),),
        "stop",
    ),
    "a whole object with an empty text": (
        b'{"output":[{"type":"message","content":[{"type":"output_text","text":""}]}]}',
        (),
        "stop",
    ),
    "incomplete for an unknown reason": (
        stream({"type": "response.incomplete", "response": {}}),
        (),
        "unknown",
    ),
    "still running": (b'{"status":"queued","output":[]}', (), "unknown"),
    "a message of a kind we do not know": (
        stream(
            item_done(
                {"type": "message", "id": "m1", "content": [{"type": "output_audio", "data": "x"}]}
            ),
            completed(),
        ),
        (
            Opaque(
                dialect="openai_responses",
                value={
                    "type": "message",
                    "id": "m1",
                    "content": [{"type": "output_audio", "data": "x"}],
                },
            ),
        ),
        "stop",
    ),
    "cancelled": (stream({"type": "response.cancelled", "response": {}}), (), "cancelled"),
    "filtered": (
        stream(
            {
                "type": "response.incomplete",
                "response": {"incomplete_details": {"reason": "content_filter"}},
            }
        ),
        (),
        "content_filter",
    ),
}


@pytest.mark.parametrize(("wire", "parts", "reason"), REPLIES.values(), ids=REPLIES.keys())
def test_a_reply_is_read(wire: bytes, parts: tuple[Part, ...], reason: str) -> None:
    response: Response = fold(events_of(wire))
    assert response.parts == parts
    assert response.finish_reason == reason
