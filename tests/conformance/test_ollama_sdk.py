"""The official Ollama client, unmodified, talking to this dialect over a real socket."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from ollama import AsyncClient, ChatResponse, ResponseError

from majordomo.contract import (
    Image,
    JsonObject,
    ModelNotFound,
    Overloaded,
    RateLimited,
    Request,
    Response,
    Text,
    TextDelta,
    Thinking,
    ToolCall,
    ToolResult,
    Usage,
    assistant,
    tool_results,
    user,
)
from majordomo.testing.server import DialectServer

pytestmark = pytest.mark.anyio

PNG = b"\x89PNG\r\n\x1a\n1"
SCHEMA: JsonObject = {"type": "object", "properties": {"n": {"type": "string"}}}


def get_weather(city: str) -> str:
    """Get the weather.

    Args:
        city: The city.

    """
    return f"rain in {city}"


@asynccontextmanager
async def open_client(server: DialectServer) -> AsyncGenerator[Any]:
    """Give the client untyped: its own annotations are incomplete."""
    client: Any = AsyncClient(host=server.url)
    try:
        yield client
    finally:
        await client.close()


def asked(server: DialectServer) -> Request:
    ask = server.requests[-1].ask
    assert ask is not None
    return ask.request


async def test_text() -> None:
    async with DialectServer("ollama", ["Hello!"]) as server, open_client(server) as client:
        reply = await client.chat(
            "m",
            messages=[{"role": "system", "content": "s"}, {"role": "user", "content": "hi"}],
            options={"temperature": 0, "num_predict": 5},
        )
    assert (reply.message.content, reply.done, reply.done_reason) == ("Hello!", True, "stop")
    assert (reply.prompt_eval_count, reply.eval_count) == (1, 1)
    assert asked(server) == Request(system="s", messages=(user("hi"),), temperature=0, max_tokens=5)


async def test_stream_with_thinking_and_calls() -> None:
    calls = (
        ToolCall(id="a", name="get_weather", arguments='{"city":"Paris"}'),
        ToolCall(id="b", name="get_weather", arguments='{"city":"Rome"}'),
    )
    turn = Response(
        parts=(Thinking(text="hm"), Text(text="I look."), *calls),
        finish_reason="tool_calls",
        usage=Usage(input=3, output=4),
    )
    async with DialectServer("ollama", [turn]) as server, open_client(server) as client:
        lines: list[ChatResponse] = [
            line
            async for line in await client.chat(
                "m",
                messages=[{"role": "user", "content": "hi"}],
                tools=[get_weather],
                think="high",
                stream=True,
            )
        ]
    assert "".join(line.message.thinking or "" for line in lines) == "hm"
    assert "".join(line.message.content or "" for line in lines) == "I look."
    found = [call.function for line in lines for call in line.message.tool_calls or ()]
    assert [(call.name, call.arguments) for call in found] == [
        ("get_weather", {"city": "Paris"}),
        ("get_weather", {"city": "Rome"}),
    ]
    assert lines[-1].done
    assert lines[-1].eval_count == 4
    assert asked(server).reasoning_effort == "high"
    assert [tool.name for tool in asked(server).tools] == ["get_weather"]


async def test_parallel_calls_and_their_results() -> None:
    calls = tuple(
        ToolCall(id=f"x{city}", name="get_weather", arguments=f'{{"city":"{city}"}}')
        for city in ("Paris", "Rome")
    )
    turn = Response(parts=calls, finish_reason="tool_calls")
    async with DialectServer("ollama", [turn, "Wet."]) as server, open_client(server) as client:
        first = await client.chat("m", messages=[{"role": "user", "content": "hi"}])
        history = [{"role": "user", "content": "hi"}, first.message]
        history += [
            {"role": "tool", "tool_name": call.function.name, "content": get_weather("it")}
            for call in first.message.tool_calls or ()
        ]
        second = await client.chat("m", messages=history)
    assert second.message.content == "Wet."
    # The client drops our ids, so they are made again, in order.
    rain = (Text(text="rain in it"),)
    assert asked(server).messages[1:] == (
        assistant(
            ToolCall(id="call_0", name="get_weather", arguments='{"city":"Paris"}'),
            ToolCall(id="call_1", name="get_weather", arguments='{"city":"Rome"}'),
        ),
        tool_results(
            ToolResult(id="call_0", name="get_weather", content=rain),
            ToolResult(id="call_1", name="get_weather", content=rain),
        ),
    )


async def test_images_and_structured_output() -> None:
    async with DialectServer("ollama", ['{"n":"1"}']) as server, open_client(server) as client:
        reply = await client.chat(
            "m",
            messages=[{"role": "user", "content": "what", "images": [PNG]}],
            format=SCHEMA,
            think=False,
        )
    assert reply.message.content == '{"n":"1"}'
    assert asked(server) == Request(
        messages=(user(Image(data=PNG, mime="image/png"), "what"),),
        schema=SCHEMA,
        reasoning_effort="none",
    )


@pytest.mark.parametrize(
    ("failure", "status"),
    [
        (ModelNotFound("no such model"), 404),
        (RateLimited("slow down"), 429),
        (Overloaded("x"), 503),
    ],
)
async def test_errors(failure: ModelNotFound, status: int) -> None:
    async with DialectServer("ollama", [failure]) as server, open_client(server) as client:
        with pytest.raises(ResponseError) as caught:
            await client.chat("m", messages=[])
    assert (caught.value.status_code, caught.value.error) == (status, failure.message)


async def test_an_error_in_the_middle_of_a_stream() -> None:
    async with (
        DialectServer("ollama", [[TextDelta(text="a"), Overloaded("gone")]]) as server,
        open_client(server) as client,
    ):
        stream = await client.chat("m", messages=[], stream=True)
        first = await anext(stream)
        with pytest.raises(ResponseError, match="gone"):
            await anext(stream)
    assert first.message.content == "a"
