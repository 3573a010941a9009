"""The official Anthropic SDK, unmodified, talking to this dialect over a real socket."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import anthropic
import pytest
from anthropic import AsyncAnthropic
from pydantic import BaseModel

from majordomo.contract import (
    Artefact,
    ContextTooLong,
    Failure,
    Finish,
    Image,
    InvalidRequest,
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
    Unauthorized,
    Usage,
    assistant,
    tool_results,
    user,
)
from majordomo.dialects.anthropic import PING
from majordomo.testing.server import DialectServer

pytestmark = pytest.mark.anyio

PNG = b"\x89PNG\r\n\x1a\n1"
HI: list[Any] = [{"role": "user", "content": "hi"}]
WEATHER: JsonObject = {
    "name": "get_weather",
    "description": "Look up",
    "input_schema": {"type": "object", "properties": {"city": {"type": "string"}}},
}
SIGNED = Artefact(dialect="anthropic", value={"signature": "EqQB"})
CALLS = (
    ToolCall(id="toolu_1", name="get_weather", arguments='{"city":"Paris"}'),
    ToolCall(id="toolu_2", name="get_weather", arguments='{"city":"Rome"}'),
)
TURN = Response(
    parts=(Thinking(text="hm", artefact=SIGNED), Text(text="I look."), *CALLS),
    finish_reason="tool_calls",
    usage=Usage(input=9, cached=4, output=7, reasoning=2),
)


@asynccontextmanager
async def open_client(server: DialectServer) -> AsyncGenerator[Any]:
    """Give the client untyped: what it returns is what is under test."""
    async with AsyncAnthropic(base_url=server.url, api_key="any", max_retries=0) as client:
        yield client


def asked(server: DialectServer) -> Request:
    ask = server.requests[-1].ask
    assert ask is not None
    return ask.request


async def test_text() -> None:
    async with DialectServer("anthropic", ["Hello!"]) as server, open_client(server) as client:
        message = await client.messages.create(
            model="claude", max_tokens=50, messages=HI, system="be kind", stop_sequences=["x"]
        )
    assert (message.content[0].text, message.stop_reason) == ("Hello!", "end_turn")
    assert (message.role, message.model) == ("assistant", "claude")
    assert asked(server) == Request(
        messages=(user("hi"),), system="be kind", max_tokens=50, stop=("x",)
    )


async def test_a_stream_of_everything_is_the_message_it_was() -> None:
    async with (
        DialectServer("anthropic", [TURN]) as server,
        open_client(server) as client,
        client.messages.stream(
            model="claude",
            max_tokens=2000,
            messages=HI,
            tools=[WEATHER],
            thinking={"type": "enabled", "budget_tokens": 1024},
        ) as stream,
    ):
        text = [piece async for piece in stream.text_stream]
        message = await stream.get_final_message()
    assert "".join(text) == "I look."
    thinking, said, first, second = message.content
    assert (thinking.thinking, thinking.signature, said.text) == ("hm", "EqQB", "I look.")
    assert [(call.id, call.input) for call in (first, second)] == [
        ("toolu_1", {"city": "Paris"}),
        ("toolu_2", {"city": "Rome"}),
    ]
    assert message.stop_reason == "tool_use"
    usage = message.usage
    assert (usage.input_tokens, usage.cache_read_input_tokens, usage.output_tokens) == (5, 4, 7)
    assert usage.output_tokens_details.thinking_tokens == 2
    assert asked(server).reasoning_budget == 1024


async def test_raw_events_come_in_order() -> None:
    async with DialectServer("anthropic", [TURN]) as server, open_client(server) as client:
        stream = await client.messages.create(
            model="claude", max_tokens=2000, messages=HI, stream=True
        )
        kinds = [event.type async for event in stream]
    assert kinds[0] == "message_start"
    assert kinds[-2:] == ["message_delta", "message_stop"]
    assert kinds.count("content_block_start") == kinds.count("content_block_stop") == 4


async def test_pings_are_passed_over() -> None:
    turn = [PING, TextDelta(text="a"), PING, TextDelta(text="b"), Finish(reason="stop")]
    async with (
        DialectServer("anthropic", [turn]) as server,
        open_client(server) as client,
        client.messages.stream(model="m", max_tokens=9, messages=HI) as stream,
    ):
        message = await stream.get_final_message()
    assert message.content[0].text == "ab"


async def test_parallel_calls_and_their_results_with_a_picture() -> None:
    async with DialectServer("anthropic", [TURN, "Wet."]) as server, open_client(server) as client:
        first = await client.messages.create(
            model="claude", max_tokens=50, messages=HI, tools=[WEATHER]
        )
        picture = {
            "type": "image",
            "source": {"type": "base64", "media_type": "image/png", "data": "iVBORw0KGgox"},
        }
        results = [
            {"type": "tool_result", "tool_use_id": "toolu_1", "content": [picture]},
            {
                "type": "tool_result",
                "tool_use_id": "toolu_2",
                "content": "no such city",
                "is_error": True,
            },
            {"type": "text", "text": "go on"},
        ]
        history = [
            *HI,
            {"role": "assistant", "content": first.content},
            {"role": "user", "content": results},
        ]
        second = await client.messages.create(
            model="claude", max_tokens=50, messages=history, tools=[WEATHER]
        )
    assert second.content[0].text == "Wet."
    assert asked(server).messages[1:] == (
        assistant(*TURN.parts),  # the signature came back with the thought it signs
        tool_results(
            ToolResult(id="toolu_1", content=(Image(data=PNG, mime="image/png"),)),
            ToolResult(id="toolu_2", content=(Text(text="no such city"),), is_error=True),
        ),
        user("go on"),
    )


async def test_another_providers_signature_comes_back_through_the_client() -> None:
    foreign = Artefact(dialect="gemini", value={"thoughtSignature": "abc"})
    thought = Thinking(text="hm", artefact=foreign)
    turn = Response(parts=(thought, Text(text="a")), finish_reason="stop")
    async with DialectServer("anthropic", [turn, "b"]) as server, open_client(server) as client:
        async with client.messages.stream(model="m", max_tokens=9, messages=HI) as stream:
            message = await stream.get_final_message()
        history = [*HI, {"role": "assistant", "content": message.content}, *HI]
        await client.messages.create(model="m", max_tokens=9, messages=history)
    assert asked(server).messages[1] == assistant(thought, "a")


async def test_structured_output() -> None:
    class Person(BaseModel):
        name: str

    reply = '{"name":"Ada"}'
    async with DialectServer("anthropic", [reply]) as server, open_client(server) as client:
        message = await client.messages.parse(
            model="m", max_tokens=50, messages=HI, output_format=Person
        )
    assert message.parsed_output == Person(name="Ada")
    schema = asked(server).schema
    assert schema is not None
    assert schema["required"] == ["name"]


ERRORS: dict[str, tuple[Failure, type[anthropic.APIStatusError], int, str]] = {
    "invalid": (
        InvalidRequest("no"),
        anthropic.BadRequestError,
        400,
        "invalid_request_error",
    ),
    "too long": (
        ContextTooLong("prompt is too long"),
        anthropic.BadRequestError,
        400,
        "invalid_request_error",
    ),
    "the key": (
        Unauthorized("no"),
        anthropic.AuthenticationError,
        401,
        "authentication_error",
    ),
    "the model": (ModelNotFound("no"), anthropic.NotFoundError, 404, "not_found_error"),
    "the rate": (RateLimited("no"), anthropic.RateLimitError, 429, "rate_limit_error"),
    "the load": (
        Overloaded("no", status=529),
        anthropic.InternalServerError,
        529,
        "overloaded_error",
    ),
}


@pytest.mark.parametrize(("failure", "kind", "status", "word"), ERRORS.values(), ids=ERRORS.keys())
async def test_errors(
    failure: Failure, kind: type[anthropic.APIStatusError], status: int, word: str
) -> None:
    async with DialectServer("anthropic", [failure]) as server, open_client(server) as client:
        with pytest.raises(kind, match=failure.message) as caught:
            await client.messages.create(model="m", max_tokens=9, messages=HI)
    assert caught.value.status_code == status
    assert caught.value.type == word


async def test_an_error_in_the_middle_of_a_stream() -> None:
    turn = [TextDelta(text="a"), Overloaded("gone", status=529)]
    async with DialectServer("anthropic", [turn]) as server, open_client(server) as client:
        stream = await client.messages.create(model="m", max_tokens=9, messages=HI, stream=True)
        seen = [(await anext(stream)).type for _ in range(3)]
        with pytest.raises(anthropic.APIStatusError, match="gone") as caught:
            await anext(stream)
    assert seen == ["message_start", "content_block_start", "content_block_delta"]
    assert caught.value.type == "overloaded_error"


async def test_a_refused_thread_is_sent_again_in_full() -> None:
    """The SDK's tool runner keeps its history at the server unless told that it cannot."""

    @anthropic.beta_async_tool
    async def get_weather(city: str) -> str:
        """Look up.

        Args:
            city: The city.

        """
        return f"rain in {city}"

    refusal = InvalidRequest(
        "threads are not kept here",
        body={"details": {"error_code": "thread_unsupported_request", "unsupported": ["thread"]}},
    )
    call = Response(parts=(CALLS[0],), finish_reason="tool_calls")
    script = [refusal, call, "Wet."]
    async with DialectServer("anthropic", script) as server, open_client(server) as client:
        runner = client.beta.messages.tool_runner(
            model="m", max_tokens=50, messages=HI, tools=[get_weather]
        )
        message = await runner.until_done()
    assert message.content[0].text == "Wet."
    assert [part.text for part in asked(server).messages[-1].tool_results] == ["rain in Paris"]
    assert len(asked(server).messages) == 3
