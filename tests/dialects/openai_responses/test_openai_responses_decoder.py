"""What a server says to us, the book's way and the ways of others."""

import pytest

from majordomo.contract import (
    Artefact,
    Event,
    JsonObject,
    Opaque,
    Part,
    Response,
    Text,
    Thinking,
    ToolCall,
    fold,
    pump,
)
from majordomo.dialects.json import write
from majordomo.dialects.openai_responses import DIALECT
from majordomo.dialects.sse import encode_sse


def own(value: JsonObject) -> Artefact:
    return Artefact(dialect="openai_responses", value=value)


def events_of(wire: bytes) -> list[Event]:
    return list(pump(DIALECT.decoder(stream=True), [wire]))


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


def call_item(**rest: str) -> JsonObject:
    return {"type": "function_call", "name": "f", **rest}


def rewritten(index: int) -> list[JsonObject]:
    """Give a call as a proxy tells it that gives each event another id."""
    place: JsonObject = {"output_index": index}
    added: JsonObject = {"item": call_item(id="x", call_id=f"c{index}"), **place}
    delta: JsonObject = {"item_id": "y", "delta": f"[{index}]", **place}
    return [
        {"type": "response.output_item.added", **added},
        {"type": "response.function_call_arguments.delta", **delta},
        {**item_done(call_item(id="z")), **place},
    ]


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
    "a call that only the final response finishes": (
        stream(
            {"type": "response.output_item.added", "item": call_item(id="fc", call_id="c")},
            {"type": "response.function_call_arguments.done", "arguments": ""},
            {"type": "response.function_call_arguments.delta", "item_id": "fc", "delta": "[]"},
            completed(SEARCH, call_item(id="fc", status="completed")),
        ),
        (
            Opaque(dialect="openai_responses", value=SEARCH),
            ToolCall(
                id="c",
                name="f",
                arguments="[]",
                artefact=own({"item": {"id": "fc", "status": "completed"}}),
            ),
        ),
        "tool_calls",
    ),
    "a finished item that the final response repeats elsewhere": (
        stream(item_done(MESSAGE), completed(SEARCH, MESSAGE)),
        (Text(text="Hi", artefact=FIRST),),
        "stop",
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
    "calls whose ids change from event to event": (
        stream(
            *rewritten(0),
            *rewritten(1),
            completed(call_item(id="u"), call_item(id="v")),
        ),
        tuple(
            ToolCall(id=f"c{i}", name="f", arguments=f"[{i}]", artefact=own({"item": {"id": "z"}}))
            for i in (0, 1)
        ),
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
