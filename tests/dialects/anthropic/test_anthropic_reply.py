"""Replies as clients get them: every stream valid, whatever the events were."""

import pytest

from majordomo.contract import (
    Artefact,
    Event,
    Finish,
    Image,
    Json,
    JsonObject,
    Opaque,
    PartDone,
    Request,
    Start,
    Text,
    TextDelta,
    Thinking,
    ThinkingDelta,
    ToolCall,
    ToolCallDelta,
    Usage,
    pump,
)
from majordomo.dialects.anthropic import DIALECT
from majordomo.dialects.artefact import seal
from majordomo.dialects.dialect import Ask, Stamp
from majordomo.dialects.json import list_at, object_at, read
from majordomo.dialects.sse import SseDecoder
from support.schemas import assert_valid

STAMP = Stamp(id="01", created=0, model="claude")
STOP = Finish(reason="stop", usage=Usage(input=9, cached=4, cache_write=2, output=7, reasoning=3))
FOREIGN = Artefact(dialect="gemini", value={"thoughtSignature": "abc"})
SEARCH: JsonObject = {
    "type": "server_tool_use",
    "id": "srvtoolu_1",
    "name": "web_search",
    "input": {"query": "x"},
}
CITED: JsonObject = {
    "type": "web_search_result_location",
    "cited_text": "c",
    "encrypted_index": "e",
    "url": "https://x",
}
CALL = ToolCall(id="toolu_1", name="f", arguments='{"a": 1}')
CALL_BLOCK: JsonObject = {"type": "tool_use", "id": "toolu_1", "name": "f", "input": {"a": 1}}


def thought(text: str, signature: str = "") -> JsonObject:
    return {"type": "thinking", "thinking": text, "signature": signature}


def said(text: str) -> JsonObject:
    return {"type": "text", "text": text}


# Events before the finish, and the blocks they come to, streamed or whole.
BLOCKS: dict[str, tuple[list[Event], list[Json]]] = {
    "nothing": ([], []),
    "text in pieces": (
        [TextDelta(text="a"), TextDelta(text=""), TextDelta(text="b")],
        [said("ab")],
    ),
    "text in pieces, then whole": (
        [TextDelta(text="ab"), PartDone(part=Text(text="ab"))],
        [said("ab")],
    ),
    "two texts are two blocks": (
        [PartDone(part=Text(text="a")), PartDone(part=Text(text="b"))],
        [said("a"), said("b")],
    ),
    "empty text is no block": ([PartDone(part=Text(text=""))], []),
    "a thought nobody signed, then text": (
        [ThinkingDelta(text="hm"), TextDelta(text="a")],
        [thought("hm"), said("a")],
    ),
    "a thought after text": (
        [TextDelta(text="a"), ThinkingDelta(text="hm"), PartDone(part=Thinking(text="hm"))],
        [said("a"), thought("hm")],
    ),
    "our own signature": (
        [
            PartDone(
                part=Thinking(
                    text="hm", artefact=Artefact(dialect="anthropic", value={"signature": "EqQB"})
                )
            )
        ],
        [thought("hm", "EqQB")],
    ),
    "a signature and no text": (
        [
            PartDone(
                part=Thinking(
                    text="", artefact=Artefact(dialect="anthropic", value={"signature": "EqQB"})
                )
            )
        ],
        [thought("", "EqQB")],
    ),
    "another dialect's signature travels sealed": (
        [ThinkingDelta(text="hm"), PartDone(part=Thinking(text="hm", artefact=FOREIGN))],
        [thought("hm", seal(FOREIGN))],
    ),
    "redacted thinking": (
        [
            PartDone(
                part=Thinking(
                    text="",
                    artefact=Artefact(dialect="anthropic", value={"redacted_thinking": "Eno"}),
                )
            )
        ],
        [{"type": "redacted_thinking", "data": "Eno"}],
    ),
    "text, then a call": (
        [TextDelta(text="a"), PartDone(part=CALL)],
        [said("a"), CALL_BLOCK],
    ),
    "a call in fragments, then whole": (
        [
            ToolCallDelta(id="toolu_1", name="f", arguments=""),
            ToolCallDelta(id="toolu_1", name="f", arguments='{"a"'),
            ToolCallDelta(id="toolu_1", name="f", arguments=": 1}"),
            PartDone(part=CALL),
        ],
        [CALL_BLOCK],
    ),
    "fragments that stop short of the whole": (
        [ToolCallDelta(id="toolu_1", name="f", arguments='{"a"'), PartDone(part=CALL)],
        [CALL_BLOCK],
    ),
    "two calls whose fragments interleave": (
        [
            ToolCallDelta(id="toolu_1", name="f", arguments='{"a"'),
            ToolCallDelta(id="toolu_2", name="g", arguments="{"),
            ToolCallDelta(id="toolu_1", name="f", arguments=": 1}"),
            ToolCallDelta(id="toolu_2", name="g", arguments="}"),
            PartDone(part=CALL),
            PartDone(part=ToolCall(id="toolu_2", name="g", arguments="{}")),
        ],
        [CALL_BLOCK, {"type": "tool_use", "id": "toolu_2", "name": "g", "input": {}}],
    ),
    "text between the fragments of a call waits for it": (
        [
            ToolCallDelta(id="toolu_1", name="f", arguments='{"a"'),
            TextDelta(text="b"),
            ToolCallDelta(id="toolu_1", name="f", arguments=": 1}"),
            PartDone(part=CALL),
        ],
        [CALL_BLOCK, said("b")],
    ),
    "fragments of a call never given whole": (
        [
            ToolCallDelta(id="toolu_1", name="f", arguments='{"a": 1}'),
            ToolCallDelta(id="toolu_2", name="g", arguments="{}"),
            TextDelta(text="b"),
        ],
        [
            CALL_BLOCK,
            {"type": "tool_use", "id": "toolu_2", "name": "g", "input": {}},
            said("b"),
        ],
    ),
    "a call without arguments": (
        [PartDone(part=ToolCall(id="toolu_1", name="f", arguments=""))],
        [{"type": "tool_use", "id": "toolu_1", "name": "f", "input": {}}],
    ),
    "arguments that are no object": (
        [PartDone(part=ToolCall(id="toolu_1", name="f", arguments="[1"))],
        [{"type": "tool_use", "id": "toolu_1", "name": "f", "input": {"_raw": "[1"}}],
    ),
    "citations": (
        [
            TextDelta(text="a"),
            PartDone(
                part=Text(
                    text="a", artefact=Artefact(dialect="anthropic", value={"citations": [CITED]})
                )
            ),
        ],
        [{**said("a"), "citations": [CITED]}],
    ),
    "our own unmodelled block": (
        [TextDelta(text="a"), PartDone(part=Opaque(dialect="anthropic", value=SEARCH))],
        [said("a"), SEARCH],
    ),
    "what a message cannot hold": (
        [
            TextDelta(text="a"),
            PartDone(part=Opaque(dialect="gemini", value={"x": 1})),
            PartDone(part=Image(data=b"", mime="image/png")),
            TextDelta(text="b"),
        ],
        [said("ab")],
    ),
}


@pytest.mark.parametrize("begun", [True, False])
@pytest.mark.parametrize(("events", "blocks"), BLOCKS.values(), ids=BLOCKS.keys())
def test_a_stream_is_valid_and_comes_to_the_blocks(
    events: list[Event], blocks: list[Json], *, begun: bool
) -> None:
    first: list[Event] = [Start(model="up/stream", usage=Usage(input=9))] if begun else []
    message = gathered(streamed([*first, *events, STOP]))
    assert message["content"] == blocks
    assert (message["id"], message["model"]) == ("msg_01", "claude")


# Told whole, these come in the order in which they were over.
STREAM_ONLY = {
    "what a message cannot hold",
    "text between the fragments of a call waits for it",
    "fragments of a call never given whole",
}


@pytest.mark.parametrize("case", sorted(BLOCKS.keys() - STREAM_ONLY))
def test_a_whole_reply_holds_the_same_blocks(case: str) -> None:
    events, blocks = BLOCKS[case]
    message = whole([*events, STOP])
    assert_valid(message, "anthropic.message")
    assert message["content"] == blocks


def test_a_mark_on_a_call_travels_with_clients_that_know_thinking() -> None:
    marked = ToolCall(id="toolu_1", name="f", arguments='{"a": 1}', artefact=FOREIGN)
    body: JsonObject = {"model": "m", "messages": [], "thinking": {"type": "adaptive"}}
    request = DIALECT.decode_request(body).request
    plain = ToolCall(id="toolu_2", name="g", arguments="{}")
    events: list[Event] = [
        ThinkingDelta(text="hm"),
        PartDone(part=marked),
        PartDone(part=plain),
        STOP,
    ]
    for message in (gathered(streamed(events, request)), whole(events, request)):
        blocks = list_at(message["content"], "content")
        assert [object_at(block, "block")["type"] for block in blocks] == [
            "thinking",
            "thinking",
            "tool_use",
            "tool_use",
        ]
        echoed: list[Json] = [{"role": "assistant", "content": blocks}]
        (answer,) = DIALECT.decode_request({**body, "messages": echoed}).request.messages
        assert answer.parts == (
            Thinking(text="hm"),
            ToolCall(id="toolu_1", name="f", arguments='{"a":1}', artefact=FOREIGN),
            plain,
        )
    assert list_at(gathered(streamed(events))["content"], "content")[1] == CALL_BLOCK


def ask(*, stream: bool, request: Request | None = None) -> Ask:
    return Ask(model="m", stream=stream, request=request or Request(messages=()))


def whole(events: list[Event], request: Request | None = None) -> JsonObject:
    encoder = DIALECT.encoder(ask(stream=False, request=request), STAMP)
    return object_at(read(b"".join(pump(encoder, events))), "body")


def streamed(events: list[Event], request: Request | None = None) -> list[JsonObject]:
    """Encode a stream; hold it to the grammar and to the SDK's types, event by event."""
    encoder = DIALECT.encoder(ask(stream=True, request=request), STAMP)
    assert encoder.content_type == "text/event-stream"
    wire = b"".join(pump(encoder, events))
    found: list[JsonObject] = []
    for sse in SseDecoder().feed(wire):
        data = object_at(read(sse.data), "data")
        assert sse.event == data["type"]
        assert_valid(data, "anthropic.event")
        found.append(data)
    kinds = [str(data["type"]) for data in found]
    assert kinds[0] == "message_start"
    assert kinds[-2:] == ["message_delta", "message_stop"]
    return found


def gathered(events: list[JsonObject]) -> JsonObject:
    """Add a stream up as the SDK does, one block open at a time, none left open."""
    message = dict(object_at(events[0]["message"], "message"))
    content: list[Json] = []
    block: JsonObject | None = None
    arguments = ""
    for event in events[1:-2]:
        assert event["index"] == len(content)
        match event:
            case {"type": "content_block_start", "content_block": dict(started)}:
                assert block is None
                block, arguments = dict(started), ""
            case {"type": "content_block_delta", "delta": dict(delta)}:
                assert block is not None
                arguments += extend(block, delta)
            case _:
                assert block is not None
                if arguments:
                    block["input"] = read(arguments)
                content.append(block)
                block = None
    assert block is None
    ending = object_at(events[-2]["delta"], "delta")
    return {**message, "content": content, **ending, "usage": events[-2]["usage"]}


def extend(block: JsonObject, delta: JsonObject) -> str:
    """Add one delta; each kind of it belongs to one kind of block. Gives JSON yet to be read."""
    match delta, block["type"]:
        case {"type": "text_delta", "text": str(text)}, "text":
            block["text"] = f"{block['text']}{text}"
        case {"type": "thinking_delta", "thinking": str(text)}, "thinking":
            assert block["signature"] == ""
            block["thinking"] = f"{block['thinking']}{text}"
        case {"type": "signature_delta", "signature": str(signature)}, "thinking":
            block["signature"] = signature
        case {"type": "citations_delta"}, "text":
            block["citations"] = [*list_at(block.get("citations", []), ""), delta["citation"]]
        case {
            "type": "input_json_delta",
            "partial_json": str(text),
        }, "tool_use" | "server_tool_use":
            return text
        case _:
            pytest.fail(f"{delta} in {block}")
    return ""
