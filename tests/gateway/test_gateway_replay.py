"""What a client sends back arrives where it came from as it was, and elsewhere does no harm."""

import pytest

from majordomo.contract import Json, JsonObject
from majordomo.dialects.json import list_at, object_at, write
from support.asgi import call
from support.wire_upstream import Wire, chat_stream, gateway

pytestmark = pytest.mark.anyio

TOOL: JsonObject = {
    "name": "Read",
    "description": "Read a file.",
    "input_schema": {"type": "object", "properties": {"path": {"type": "string"}}},
}
QUESTION: JsonObject = {"role": "user", "content": "Read a.txt."}
HELLO = write(
    {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "m",
        "content": [{"type": "text", "text": "Hello."}],
        "stop_reason": "end_turn",
        "usage": {"input_tokens": 3, "output_tokens": 2},
    }
)


def ask(model: str, *messages: Json, **more: Json) -> bytes:
    said = [*messages]
    return write({"model": model, "max_tokens": 4096, "messages": said, "tools": [TOOL], **more})


async def test_deepseek_gets_its_reasoning_back_with_the_tool_turn() -> None:
    """It refuses a replayed tool turn without its `reasoning_content`."""
    calls: Json = [
        {
            "index": 0,
            "id": "call_a",
            "type": "function",
            "function": {"name": "Read", "arguments": '{"path":"a.txt"}'},
        }
    ]
    wire = Wire(
        chat_stream({"reasoning_content": "Look first."}, {"tool_calls": calls}),
        chat_stream({"content": "Done."}),
    )
    app = gateway(wire, deepseek="openai://key@chat.test/v1?reasoning_field=reasoning_content")
    got = await call(app, "POST", "/v1/messages", ask("deepseek/m", QUESTION))
    content = list_at(got.object["content"], "content")
    assert [object_at(block, "block")["type"] for block in content] == ["thinking", "tool_use"]
    id = object_at(content[-1], "block")["id"]
    result: Json = {"type": "tool_result", "tool_use_id": id, "content": "file a"}
    replayed: list[Json] = [
        QUESTION,
        {"role": "assistant", "content": content},
        {"role": "user", "content": [result]},
    ]
    got = await call(app, "POST", "/v1/messages", ask("deepseek/m", *replayed))
    assert got.status == 200
    sent = [object_at(message, "message") for message in list_at(wire.sent()["messages"], "m")]
    (turn,) = [message for message in sent if message["role"] == "assistant"]
    assert turn["reasoning_content"] == "Look first."


THINKING: list[Json] = [
    {"type": "thinking", "thinking": "First.", "signature": "sig-1"},
    {"type": "thinking", "thinking": "", "signature": "sig-2"},
    {"type": "redacted_thinking", "data": "sealed"},
    {"type": "thinking", "thinking": "Second.", "signature": "sig-3"},
    {"type": "text", "text": "I will look."},
    {"type": "tool_use", "id": "toolu_1", "name": "Read", "input": {"path": "a.txt"}},
]


async def test_thinking_blocks_come_back_one_by_one_in_their_order() -> None:
    """Blocks without words are no rubbish, and two signatures are not one."""
    wire = Wire(HELLO)
    result: Json = {"type": "tool_result", "tool_use_id": "toolu_1", "content": "file a"}
    body = ask(
        "anthropic/m",
        QUESTION,
        {"role": "assistant", "content": THINKING},
        {"role": "user", "content": [result]},
    )
    got = await call(gateway(wire), "POST", "/v1/messages", body)
    assert got.status == 200, got.body
    turn = object_at(list_at(wire.sent()["messages"], "messages")[1], "turn")
    assert turn["content"] == THINKING


MARK: JsonObject = {"type": "ephemeral", "ttl": "1h"}
MARKED: JsonObject = {
    "system": [{"type": "text", "text": "Be brief.", "cache_control": MARK}],
    "messages": [
        {
            "role": "user",
            "content": [{"type": "text", "text": "Read a.txt.", "cache_control": MARK}],
        }
    ],
    "tools": [{**TOOL, "cache_control": MARK}],
}


async def test_cache_marks_reach_anthropic_with_all_they_say() -> None:
    wire = Wire(HELLO)
    body = write({"model": "anthropic/m", "max_tokens": 9, **MARKED})
    await call(gateway(wire), "POST", "/v1/messages", body)
    sent = wire.sent()
    for place in ("system", "tools"):
        assert object_at(list_at(sent[place], place)[0], place)["cache_control"] == MARK
    message = object_at(list_at(sent["messages"], "messages")[0], "message")
    assert object_at(list_at(message["content"], "c")[0], "block")["cache_control"] == MARK


@pytest.mark.parametrize("model", ["chat/m", "ollama/m", "gemini/m", "responses/m"])
async def test_nobody_else_is_sent_a_cache_mark(model: str) -> None:
    wire = Wire(b"")
    body = write({"model": model, "max_tokens": 9, **MARKED})
    await call(gateway(wire), "POST", "/v1/messages", body)
    assert b"Be brief." in wire.calls[0].body
    for word in (b"cache_control", b"ttl", b"ephemeral"):
        assert word not in wire.calls[0].body


async def test_calls_one_at_a_time_are_not_calls_by_force() -> None:
    wire = Wire(HELLO)
    body: JsonObject = {
        "model": "anthropic/m",
        "messages": [QUESTION],
        "tools": [{"type": "function", "function": {"name": "Read", "parameters": {}}}],
        "parallel_tool_calls": False,
    }
    await call(gateway(wire), "POST", "/v1/chat/completions", write(body))
    assert wire.sent()["tool_choice"] == {"type": "auto", "disable_parallel_tool_use": True}


async def test_a_count_without_a_counter_counts_what_tools_returned() -> None:
    """Compaction waits for the count to grow; most of a session is what tools returned."""
    app = gateway(Wire(b""))

    async def count(returned: str) -> int:
        use: Json = {"type": "tool_use", "id": "t", "name": "Read", "input": {"path": "a.txt"}}
        result: Json = {"type": "tool_result", "tool_use_id": "t", "content": returned}
        body = write(
            {
                "model": "chat/m",
                "messages": [
                    QUESTION,
                    {"role": "assistant", "content": [use]},
                    {"role": "user", "content": [result]},
                ],
                "tools": [TOOL],
            }
        )
        got = await call(app, "POST", "/v1/messages/count_tokens", body)
        tokens = got.object["input_tokens"]
        assert isinstance(tokens, int)
        return tokens

    assert await count("word " * 4000) - await count("word") > 2000
