"""Replies as servers really send them: whole or streamed, by the book or not."""

import re
from collections.abc import Callable

import pytest

from majordomo.contract import (
    Artefact,
    Event,
    JsonObject,
    Opaque,
    Part,
    PartDone,
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
from majordomo.dialects.anthropic import DIALECT
from majordomo.dialects.dialect import Decoder
from majordomo.dialects.json import write
from majordomo.dialects.sse import encode_sse
from support.cuts import read_bytewise, read_whole

START: JsonObject = {
    "type": "message_start",
    "message": {"id": "msg_1", "model": "m", "usage": {"input_tokens": 5, "output_tokens": 1}},
}
END: JsonObject = {
    "type": "message_delta",
    "delta": {"stop_reason": "end_turn", "stop_sequence": None},
    "usage": {"output_tokens": 3},
}
OVER: JsonObject = {"type": "message_stop"}
CITED: JsonObject = {"type": "web_search_result_location", "url": "https://x"}


def opens(index: int, kind: str, **fields: str | JsonObject | None) -> JsonObject:
    block: JsonObject = {"type": kind, **fields}
    return {"type": "content_block_start", "index": index, "content_block": block}


def adds(index: int, kind: str, **fields: str | JsonObject | None) -> JsonObject:
    delta: JsonObject = {"type": kind, **fields}
    return {"type": "content_block_delta", "index": index, "delta": delta}


def closes(index: int) -> JsonObject:
    return {"type": "content_block_stop", "index": index}


def mine(value: JsonObject) -> Artefact:
    return Artefact(dialect="anthropic", value=value)


CALL = opens(0, "tool_use", id="toolu_1", name="f", input={})

# What comes between the first event and the last two, and the parts it adds up to.
PARTS: dict[str, tuple[list[JsonObject], tuple[Part, ...]]] = {
    "nothing": ([], ()),
    "an empty block": ([opens(0, "text", text=""), closes(0)], ()),
    "text in the opening of a block": (
        [opens(0, "text", text="a"), adds(0, "text_delta", text="b"), closes(0)],
        (Text(text="ab"),),
    ),
    "pings, unknown events and unknown deltas": (
        [
            {"type": "ping"},
            {"type": "from_next_year", "delta": "odd", "index": "odder"},
            opens(0, "text", text=""),
            adds(0, "text_delta", text="a"),
            adds(0, "odd_delta", odd="x"),
            closes(0),
        ],
        (Text(text="a"),),
    ),
    "several thoughts, one without words, stay apart": (
        [
            opens(0, "thinking", thinking="", signature=""),
            adds(0, "thinking_delta", thinking="hm"),
            adds(0, "signature_delta", signature="A"),
            closes(0),
            opens(1, "thinking", thinking="", signature=""),
            adds(1, "signature_delta", signature="B"),
            closes(1),
            opens(2, "redacted_thinking", data="Eno"),
            closes(2),
        ],
        (
            Thinking(text="hm", artefact=mine({"signature": "A"})),
            Thinking(text="", artefact=mine({"signature": "B"})),
            Thinking(text="", artefact=mine({"redacted_thinking": "Eno"})),
        ),
    ),
    "a thought nobody signed": (
        [
            opens(0, "thinking", thinking=""),
            adds(0, "thinking_delta", thinking="hm"),
            closes(0),
        ],
        (Thinking(text="hm"),),
    ),
    "citations": (
        [
            opens(0, "text", text=""),
            adds(0, "text_delta", text="a"),
            adds(0, "citations_delta", citation=CITED),
            closes(0),
        ],
        (Text(text="a", artefact=mine({"citations": [CITED]})),),
    ),
    "the provider's own tool": (
        [
            opens(0, "server_tool_use", id="srvtoolu_1", name="web_search", input={}),
            adds(0, "input_json_delta", partial_json='{"query":'),
            adds(0, "input_json_delta", partial_json='"x"}'),
            closes(0),
        ],
        (
            Opaque(
                dialect="anthropic",
                value={
                    "type": "server_tool_use",
                    "id": "srvtoolu_1",
                    "name": "web_search",
                    "input": {"query": "x"},
                },
            ),
        ),
    ),
    "a block of next year with deltas of its own": (
        [
            opens(0, "compaction", content=None),
            adds(0, "compaction_delta", content="in "),
            adds(0, "compaction_delta", content="short"),
            closes(0),
        ],
        (Opaque(dialect="anthropic", value={"type": "compaction", "content": "in short"}),),
    ),
    "arguments as they were written": (
        [
            CALL,
            adds(0, "input_json_delta", partial_json=""),
            adds(0, "input_json_delta", partial_json='{ "a":'),
            adds(0, "input_json_delta", partial_json=" 1.0 }"),
            closes(0),
        ],
        (ToolCall(id="toolu_1", name="f", arguments='{ "a": 1.0 }'),),
    ),
    "arguments in the opening of a block": (
        [opens(0, "tool_use", id="a", name="f", input={"b": 1}), closes(0)],
        (ToolCall(id="a", name="f", arguments='{"b":1}'),),
    ),
    "arguments that are no object, wrapped by a server like ours": (
        [CALL, adds(0, "input_json_delta", partial_json='{"_raw":"[1"}'), closes(0)],
        (ToolCall(id="toolu_1", name="f", arguments="[1"),),
    ),
    "calls without an id": (
        [
            opens(0, "tool_use", name="f"),
            closes(0),
            opens(1, "tool_use", id="", name="g"),
            closes(1),
        ],
        (
            ToolCall(id="call_0", name="f", arguments="{}"),
            ToolCall(id="call_1", name="g", arguments="{}"),
        ),
    ),
    "blocks that are open side by side keep their order": (
        [
            opens(0, "thinking", thinking=""),
            opens(1, "text", text=""),
            adds(1, "text_delta", text="b"),
            adds(0, "thinking_delta", thinking="a"),
            closes(1),
            opens(2, "text", text=""),
            adds(2, "text_delta", text="c"),
            closes(0),
            adds(2, "text_delta", text="d"),
            closes(2),
        ],
        (Thinking(text="a"), Text(text="b"), Text(text="cd")),
    ),
    "a block that was never opened": (
        [adds(0, "text_delta", text="a"), closes(0)],
        (Text(text="a"),),
    ),
    "pieces of no block": (
        [adds(4, "input_json_delta", partial_json="{"), closes(4), closes(5)],
        (),
    ),
    "blocks that are not numbered": (
        [
            {"type": "content_block_start", "content_block": {"type": "text"}},
            {"type": "content_block_delta", "delta": {"type": "text_delta", "text": "a"}},
            {"type": "content_block_stop"},
            {"type": "content_block_start", "content_block": {"type": "text", "text": "b"}},
            {"type": "content_block_stop"},
        ],
        (Text(text="a"), Text(text="b")),
    ),
    "blocks that were never closed": (
        [
            opens(0, "text", text=""),
            adds(0, "text_delta", text="a"),
            opens(0, "text", text=""),
            adds(0, "text_delta", text="b"),
        ],
        (Text(text="a"), Text(text="b")),
    ),
    "deltas of another kind than their block": (
        [opens(0, "text", text="a"), adds(0, "thinking_delta", thinking="x"), closes(0)],
        (Text(text="a"),),
    ),
}


@pytest.mark.parametrize("asked", [True, False])
@pytest.mark.parametrize(("events", "parts"), PARTS.values(), ids=PARTS.keys())
def test_a_stream_adds_up_to_its_parts(
    events: list[JsonObject], parts: tuple[Part, ...], *, asked: bool
) -> None:
    reply = fold(pump(DIALECT.decoder(stream=asked), [wire(START, *events, END, OVER)]))
    called = any(isinstance(part, ToolCall) for part in parts)
    assert reply.parts == parts
    assert (reply.id, reply.model, reply.usage) == ("msg_1", "m", Usage(input=5, output=3))
    assert (reply.finish_reason, reply.finish_native) == (
        "tool_calls" if called else "stop",  # it said "end_turn", but there are calls to answer
        "end_turn",
    )


def test_fragments_are_given_to_who_asks_for_them_and_nobody_else() -> None:
    body = wire(
        START,
        CALL,
        adds(0, "input_json_delta", partial_json='{"a":'),
        adds(0, "input_json_delta", partial_json="1}"),
        closes(0),
        END,
        OVER,
    )
    fragments: list[Event] = [
        ToolCallDelta(id="toolu_1", name="f", arguments=""),
        ToolCallDelta(id="toolu_1", name="f", arguments='{"a":'),
        ToolCallDelta(id="toolu_1", name="f", arguments="1}"),
    ]
    decode = DIALECT.decoder(stream=True, partial_tool_calls=True)
    call = PartDone(part=ToolCall(id="toolu_1", name="f", arguments='{"a":1}'))
    assert list(pump(decode, [body]))[1:-1] == [*fragments, call]
    assert list(pump(decoder(), [body]))[1:-1] == [call]


def test_words_are_given_as_they_come() -> None:
    decode = decoder()
    head = wire(START, opens(0, "thinking", thinking=""))
    assert list(decode.feed(head)) == [Start(model="m", id="msg_1", usage=Usage(input=5, output=1))]
    assert list(decode.feed(wire(adds(0, "thinking_delta", thinking="h")))) == [
        ThinkingDelta(text="h")
    ]
    assert list(decode.feed(wire(closes(0), opens(1, "text")))) == [
        PartDone(part=Thinking(text="h"))
    ]
    assert list(decode.feed(wire(adds(1, "text_delta", text="a")))) == [TextDelta(text="a")]


DRESSES: dict[str, Callable[[bytes], bytes]] = {
    "no event lines": lambda body: re.sub(rb"event: .*\n", b"", body),
    "no space after the colon": lambda body: body.replace(b": ", b":"),
    "carriage returns": lambda body: body.replace(b"\n", b"\r\n"),
    "comments": lambda body: body.replace(b"\n\n", b"\n\n: ping\n\n"),
    "another dialect's goodbye, too early": lambda body: b"data: [DONE]\n\n" + body,
    "more after the end": lambda body: body + body,
    "a byte order mark": lambda body: b"\xef\xbb\xbf" + body,
    "blank lines first": lambda body: b"\n\n" + body,
    "no blank line last": bytes.rstrip,
}


@pytest.mark.parametrize("dress", DRESSES.values(), ids=DRESSES.keys())
def test_a_stream_is_known_in_any_dress(dress: Callable[[bytes], bytes]) -> None:
    body = wire(START, opens(0, "text"), adds(0, "text_delta", text="hé"), closes(0), END, OVER)
    assert dress(body) != body
    assert fold(read_bytewise(decoder, dress(body))) == fold(read_whole(decoder, body))


def wire(*events: JsonObject) -> bytes:
    return b"".join(encode_sse(write(event), str(event["type"])) for event in events)


def decoder() -> Decoder:
    return DIALECT.decoder(stream=True)
