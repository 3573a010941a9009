"""The Messages door over a Chat upstream, where other translators break Claude Code."""

import pytest
from msgspec import Struct

from majordomo.contract import Json, JsonObject
from majordomo.dialects.json import list_at, object_at, read, write
from support.asgi import call
from support.wire_upstream import Wire, chat_stream, gateway, sse

pytestmark = pytest.mark.anyio

TOOLS: Json = [
    {
        "name": name,
        "description": "A tool.",
        "input_schema": {"type": "object", "properties": {"path": {"type": "string"}}},
    }
    for name in ("Read", "Write")
]
ASK: JsonObject = {
    "model": "chat/m",
    "max_tokens": 4096,
    "stream": True,
    "messages": [{"role": "user", "content": "Read a.txt and b.txt."}],
    "tools": TOOLS,
}


def called(index: int, *, id: str = "", name: str = "", arguments: str = "") -> JsonObject:
    function: JsonObject = {"arguments": arguments, **({"name": name} if name else {})}
    return {"index": index, **({"id": id, "type": "function"} if id else {}), "function": function}


OPEN = called(0, id="call_a", name="Read")
REST = called(0, arguments='{"path":"a.txt"}')
WHOLE = called(0, id="call_a", name="Read", arguments='{"path":"a.txt"}')
OTHER = called(1, id="call_b", name="Write", arguments='{"path":"b.txt"}')
OTHER_AT_0 = called(0, id="call_b", name="Write", arguments='{"path":"b.txt"}')
READ_A: JsonObject = {"type": "tool_use", "name": "Read", "input": {"path": "a.txt"}}
WRITE_B: JsonObject = {"type": "tool_use", "name": "Write", "input": {"path": "b.txt"}}
TEXT: JsonObject = {"type": "text", "text": "I will look."}
THOUGHT: JsonObject = {"type": "thinking", "thinking": "Hm."}


class Row(Struct, frozen=True):
    deltas: list[JsonObject]
    blocks: list[JsonObject]
    stop: str = "tool_use"
    finish: str = "tool_calls"


ROWS = {
    "text, then a call": Row(
        [{"content": "I will look."}, {"tool_calls": [OPEN]}, {"tool_calls": [REST]}],
        [TEXT, READ_A],
    ),
    "text and the whole call in one chunk": Row(
        [{"content": "I will look.", "tool_calls": [WHOLE]}], [TEXT, READ_A]
    ),
    "the finish says stop, though there is a call": Row(
        [{"content": "I will look."}, {"tool_calls": [WHOLE]}], [TEXT, READ_A], finish="stop"
    ),
    "thinking, text and calls": Row(
        [
            {"reasoning_content": "Hm."},
            {"content": "I will look."},
            {"tool_calls": [WHOLE]},
            {"tool_calls": [OTHER]},
        ],
        [THOUGHT, TEXT, READ_A, WRITE_B],
    ),
    "thinking after text": Row(
        [{"content": "I will look."}, {"reasoning_content": "Hm."}],
        [TEXT, THOUGHT],
        stop="end_turn",
        finish="stop",
    ),
    "thinking and text in one chunk": Row(
        [{"reasoning_content": "Hm.", "content": "I will look."}],
        [THOUGHT, TEXT],
        stop="end_turn",
        finish="stop",
    ),
    "a role said twice, and empty text": Row(
        [
            {"role": "assistant", "content": ""},
            {"role": "assistant", "content": ""},
            {"tool_calls": [OPEN]},
            {"content": "", "tool_calls": [REST]},
        ],
        [READ_A],
    ),
    "two calls whose fragments interleave": Row(
        [
            {"tool_calls": [OPEN, called(1, id="call_b", name="Write")]},
            {"tool_calls": [called(1, arguments='{"path":"b'), called(0, arguments='{"path":')]},
            {"tool_calls": [called(0, arguments='"a.txt"}'), called(1, arguments='.txt"}')]},
        ],
        [READ_A, WRITE_B],
    ),
    "two calls, both at index 0": Row(
        [{"tool_calls": [WHOLE]}, {"tool_calls": [OTHER_AT_0]}], [READ_A, WRITE_B]
    ),
}


@pytest.mark.parametrize("name", ROWS)
async def test_blocks_are_whole_and_in_their_places(name: str) -> None:
    row = ROWS[name]
    wire = Wire(chat_stream(*row.deltas, finish=row.finish))
    got = await call(gateway(wire), "POST", "/v1/messages", write(ASK))
    events = [data for _, data in sse(got.body)]
    assert got.status == 200
    assert blocks(events) == row.blocks
    ends = [object_at(e["delta"], "delta") for e in events if e["type"] == "message_delta"]
    assert [end["stop_reason"] for end in ends] == [row.stop]


@pytest.mark.parametrize("name", ROWS)
async def test_a_whole_reply_says_the_same(name: str) -> None:
    row = ROWS[name]
    wire = Wire(chat_stream(*row.deltas, finish=row.finish))
    got = await call(gateway(wire), "POST", "/v1/messages", write({**ASK, "stream": False}))
    content = [object_at(block, "block") for block in list_at(got.object["content"], "content")]
    assert [plain(block) for block in content] == row.blocks
    assert got.object["stop_reason"] == row.stop


async def test_the_first_event_counts_the_prompt_and_the_last_counts_all() -> None:
    """Claude Code reads `message_start.usage`; it is all zero where usage comes only at the end."""
    usage: JsonObject = {
        "prompt_tokens": 1200,
        "completion_tokens": 100,
        "total_tokens": 1300,
        "completion_tokens_details": {"reasoning_tokens": 68},
    }
    wire = Wire(chat_stream({"reasoning_content": "Hm."}, {"content": "Hi."}, usage=usage))
    got = await call(gateway(wire), "POST", "/v1/messages", write(ASK))
    events = [data for _, data in sse(got.body)]
    first = object_at(object_at(events[0]["message"], "message")["usage"], "usage")
    for field in ("input_tokens", "output_tokens"):
        assert isinstance(first[field], int)
    assert isinstance(first["input_tokens"], int)
    assert first["input_tokens"] > 0
    (last,) = [event for event in events if event["type"] == "message_delta"]
    told = object_at(last["usage"], "usage")
    assert told["input_tokens"] == 1200
    assert told["output_tokens"] == 100  # reasoning and all
    assert object_at(told["output_tokens_details"], "details")["thinking_tokens"] == 68


def blocks(events: list[JsonObject]) -> list[JsonObject]:
    """Add the stream up as a strict client does; any event out of its place is an error."""
    assert [event["type"] for event in events].count("message_start") == 1
    assert events[0]["type"] == "message_start"
    assert events[-1]["type"] == "message_stop"
    found: list[JsonObject] = []
    texts: list[str] = []
    opened: JsonObject | None = None
    for event in events[1:]:
        match event["type"]:
            case "content_block_start":
                assert opened is None, "the block before is still open"
                assert event["index"] == len(found)
                opened, texts = object_at(event["content_block"], "block"), []
            case "content_block_delta":
                assert opened is not None
                assert event["index"] == len(found)
                texts.append(_piece(opened, object_at(event["delta"], "delta")))
            case "content_block_stop":
                assert opened is not None
                assert event["index"] == len(found)
                found.append(_closed(opened, "".join(texts)))
                opened = None
            case _:
                pass
    assert opened is None
    return found


_DELTAS = {"text": "text", "thinking": "thinking", "tool_use": "partial_json"}


def _piece(block: JsonObject, delta: JsonObject) -> str:
    """Give a delta's words; it must be of its block's kind."""
    if delta["type"] == "signature_delta":
        assert block["type"] == "thinking"
        return ""
    piece = delta[_DELTAS[str(block["type"])]]
    assert isinstance(piece, str)
    return piece


def _closed(block: JsonObject, text: str) -> JsonObject:
    if block["type"] == "tool_use":
        return plain({**block, "input": read(text)})
    return plain({**block, _DELTAS[str(block["type"])]: text})


def plain(block: JsonObject) -> JsonObject:
    """Leave out what differs from run to run."""
    return {
        name: value
        for name, value in block.items()
        if name not in ("id", "signature", "citations") and value is not None
    }
