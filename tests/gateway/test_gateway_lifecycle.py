"""The Responses events Codex lives by, fallback at every door, and a memory that has an end."""

import asyncio
import gc
import tracemalloc

import pytest

from majordomo.contract import Json, JsonObject
from majordomo.dialects.json import list_at, object_at, write
from support.asgi import call
from support.gateway_doors import DOORS
from support.wire_upstream import Wire, chat_stream, gateway, sse

pytestmark = pytest.mark.anyio

CALL: Json = [
    {
        "index": 0,
        "id": "call_a",
        "type": "function",
        "function": {"name": "shell", "arguments": '{"command":"ls"}'},
    }
]
LIFE = [
    "response.created",
    "response.in_progress",
    "response.output_item.added",
    "response.content_part.added",
    "response.output_text.delta",
    "response.output_text.done",
    "response.content_part.done",
    "response.output_item.done",
    "response.output_item.added",
    "response.function_call_arguments.delta",
    "response.function_call_arguments.done",
    "response.output_item.done",
    "response.completed",
]


async def test_codex_gets_every_event_of_a_responses_life() -> None:
    """Each says its type in its data too, in sequence; the last carries the whole output."""
    wire = Wire(chat_stream({"content": "I will look."}, {"tool_calls": CALL}))
    body: JsonObject = {
        "model": "chat/m",
        "stream": True,
        "input": [{"role": "user", "content": "List."}],
        "tools": [{"type": "function", "name": "shell", "parameters": {"type": "object"}}],
    }
    got = await call(gateway(wire), "POST", "/v1/responses", write(body))
    events = sse(got.body)
    assert [data["type"] for _, data in events] == LIFE
    assert [name for name, _ in events] == LIFE
    assert [data["sequence_number"] for _, data in events] == list(range(len(LIFE)))
    response = object_at(events[-1][1]["response"], "response")
    output = [object_at(item, "item") for item in list_at(response["output"], "output")]
    assert [item["type"] for item in output] == ["message", "function_call"]
    assert output[1]["arguments"] == '{"command":"ls"}'
    assert response["status"] == "completed"


@pytest.mark.parametrize("stream", [True, False], ids=["streamed", "whole"])
@pytest.mark.parametrize("door", DOORS)
async def test_a_cut_stream_falls_over_at_every_door(door: str, *, stream: bool) -> None:
    cut = chat_stream({"content": ""}).partition(b"data: [DONE]")[0].rpartition(b"data: ")[0]
    wire = Wire(cut, chat_stream({"content": "Hello from the second."}))
    path, body = DOORS[door]
    spec = "chat/m,other/n"
    path = path.replace("/up:", f"/{spec}:")
    if door == "gemini":
        path = path.replace("generateContent", "streamGenerateContent") if stream else path
        asked = body
    else:
        asked = {**body, "model": spec, "stream": stream}
    app = gateway(wire, other="openai://key@chat.test/v1")
    got = await call(app, "POST", path, write(asked))
    assert got.status == 200, got.body
    assert b"Hello from the second." in got.body
    assert got.headers["x-majordomo-target"] == "other/n"
    assert got.headers["x-majordomo-attempts"] == "2"


async def test_names_that_clients_make_up_are_forgotten() -> None:
    """What is kept for a model name ends somewhere, whoever makes the names up."""
    wire = Wire(chat_stream({"content": "Hello."}))
    app = gateway(wire)

    async def ask(names: range) -> None:
        for number in names:
            body = write({**DOORS["openai_chat"][1], "model": f"chat/made-up-{number}"})
            assert (await call(app, "POST", "/v1/chat/completions", body)).status == 200
            wire.calls.clear()
            await asyncio.sleep(0)  # the loop lets go of timers that were cancelled

    tracemalloc.start()
    try:
        await ask(range(1100))  # more than any of the bounds
        gc.collect()
        before, _ = tracemalloc.get_traced_memory()
        await ask(range(1100, 1700))
        gc.collect()  # cycles that wait for their collector are not kept
        after, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert (after - before) / 600 < 600  # bytes a name; a chain that is kept takes thousands
