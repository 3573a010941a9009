"""The official OpenAI client, unmodified, talking Chat to this dialect over a real socket."""

from base64 import b64encode
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import openai
import pytest
from openai import AsyncOpenAI
from pydantic import BaseModel

from majordomo.contract import (
    Artefact,
    ContextTooLong,
    Failure,
    Finish,
    Image,
    InvalidRequest,
    ModelNotFound,
    Overloaded,
    PartDone,
    QuotaExhausted,
    RateLimited,
    Request,
    Response,
    Text,
    TextDelta,
    Thinking,
    ThinkingDelta,
    ToolCall,
    ToolCallDelta,
    ToolResult,
    Unauthorized,
    Usage,
    assistant,
    tool_results,
    user,
)
from majordomo.testing.server import DialectServer
from majordomo.testing.turn import Script

pytestmark = pytest.mark.anyio

USAGE = Usage(input=11, cached=4, output=7, reasoning=2)
SIGNED = Artefact(dialect="anthropic", value={"signature": "EuYB"})
WEATHER = ToolCall(id="call_0", name="get_weather", arguments='{"city":"Paris"}')
CLOCK = ToolCall(id="call_1", name="now", arguments="{}")
FULL = Response(
    parts=(Thinking(text="Hm.", artefact=SIGNED), Text(text="Let me check."), WEATHER, CLOCK),
    finish_reason="tool_calls",
    usage=USAGE,
)
HELLO = Response(parts=(Text(text="Hello!"),), finish_reason="stop", usage=USAGE)
ASK: Any = [{"role": "user", "content": "hi"}]
TOOLS: Any = [
    {
        "type": "function",
        "function": {
            "name": name,
            "description": "d",
            "strict": True,
            "parameters": {"type": "object", "properties": {}, "additionalProperties": False},
        },
    }
    for name in ("get_weather", "now")
]


@asynccontextmanager
async def talking(script: Script) -> AsyncGenerator[tuple[AsyncOpenAI, DialectServer]]:
    async with (
        DialectServer("openai_chat", script) as server,
        AsyncOpenAI(base_url=f"{server.url}/v1", api_key="any", max_retries=0) as client,
    ):
        yield client, server


def asked(server: DialectServer, number: int = -1) -> Request:
    ask = server.requests[number].ask
    assert ask is not None
    return ask.request


async def test_text() -> None:
    async with talking([HELLO]) as (client, server):
        reply = await client.chat.completions.create(
            model="some-model",
            messages=[{"role": "developer", "content": "be brief"}, *ASK],
            max_completion_tokens=9,
        )
    choice = reply.choices[0]
    assert (choice.message.content, choice.finish_reason) == ("Hello!", "stop")
    assert reply.model == "some-model"
    assert reply.usage is not None
    assert (reply.usage.prompt_tokens, reply.usage.completion_tokens) == (11, 7)
    assert reply.usage.prompt_tokens_details is not None
    assert reply.usage.prompt_tokens_details.cached_tokens == 4
    assert asked(server).max_tokens == 9


@pytest.mark.parametrize("usage", [True, False], ids=["with usage", "without"])
async def test_a_stream(*, usage: bool) -> None:
    async with talking([[TextDelta(text="Hel"), TextDelta(text="lo"), END]]) as (client, _):
        stream = await client.chat.completions.create(
            model="m", messages=ASK, stream=True, stream_options={"include_usage": usage}
        )
        chunks = [chunk async for chunk in stream]
    said = [choice.delta.content or "" for chunk in chunks for choice in chunk.choices]
    assert "".join(said) == "Hello"
    assert len({chunk.id for chunk in chunks}) == 1
    assert [chunk.usage is not None for chunk in chunks] == [*[False] * (len(chunks) - 1), usage]


END = Finish(reason="stop", usage=USAGE)


async def test_tools_in_parallel_and_their_results() -> None:
    async with talking([FULL, HELLO]) as (client, server):
        first = await client.chat.completions.create(
            model="m", messages=ASK, tools=TOOLS, tool_choice="required", parallel_tool_calls=True
        )
        message = first.choices[0].message
        assert first.choices[0].finish_reason == "tool_calls"
        assert message.tool_calls is not None
        answers: Any = [
            {"role": "tool", "tool_call_id": call.id, "content": f"result of {call.id}"}
            for call in message.tool_calls
        ]
        history: Any = [*ASK, message, *answers]
        second = await client.chat.completions.create(model="m", messages=history, tools=TOOLS)
    assert second.choices[0].message.content == "Hello!"
    assert asked(server, 0).tool_choice.mode == "required"
    # The client echoes the whole message, so what Anthropic signed comes back to us.
    assert asked(server).messages == (
        user("hi"),
        assistant(*FULL.parts),
        tool_results(
            ToolResult(id="call_0", name="get_weather", content=(Text(text="result of call_0"),)),
            ToolResult(id="call_1", name="now", content=(Text(text="result of call_1"),)),
        ),
    )


FRAGMENTS = [
    ThinkingDelta(text="Hm."),
    PartDone(part=Thinking(text="Hm.", artefact=SIGNED)),
    TextDelta(text="Let me check."),
    ToolCallDelta(id="call_0", name="get_weather", arguments='{"city":'),
    ToolCallDelta(id="call_0", name="get_weather", arguments='"Paris"}'),
    PartDone(part=WEATHER),
    PartDone(part=CLOCK),
    Finish(reason="tool_calls", usage=USAGE),
]


@pytest.mark.parametrize("turn", [FULL, FRAGMENTS], ids=["whole calls", "fragments"])
async def test_the_sdks_own_accumulator_adds_a_stream_up(turn: Any) -> None:
    async with (
        talking([turn]) as (client, _),
        client.chat.completions.stream(
            model="m", messages=ASK, tools=TOOLS, stream_options={"include_usage": True}
        ) as stream,
    ):
        _ = [event async for event in stream]
        reply = await stream.get_final_completion()
    message = reply.choices[0].message
    assert (message.role, message.content) == ("assistant", "Let me check.")
    calls = [
        (call.id, call.type, call.function.name, call.function.arguments)
        for call in message.tool_calls or ()
    ]
    assert calls == [
        ("call_0", "function", "get_weather", '{"city":"Paris"}'),
        ("call_1", "function", "now", "{}"),
    ]
    assert reply.usage is not None
    assert reply.usage.total_tokens == 18
    assert reply.choices[0].finish_reason == "tool_calls"
    extra = message.model_extra or {}
    assert extra["reasoning_content"] == "Hm."
    assert extra["reasoning_details"][0]["text"] == "Hm."


async def test_an_image() -> None:
    data = b"\x89PNG not really"
    url = f"data:image/png;base64,{b64encode(data).decode()}"
    async with talking([HELLO]) as (client, server):
        _ = await client.chat.completions.create(
            model="m",
            messages=[
                {
                    "role": "user",
                    "content": [
                        {"type": "text", "text": "What is this?"},
                        {"type": "image_url", "image_url": {"url": url}},
                    ],
                }
            ],
        )
    assert asked(server).messages == (user("What is this?", Image(data=data, mime="image/png")),)


class City(BaseModel):
    name: str
    people: int


async def test_structured_output() -> None:
    async with talking(['{"name":"Paris","people":2}']) as (client, server):
        reply = await client.chat.completions.parse(model="m", messages=ASK, response_format=City)
    assert reply.choices[0].message.parsed == City(name="Paris", people=2)
    request = asked(server)
    assert (request.schema_name, request.schema_strict) == ("City", True)
    assert request.schema is not None
    assert request.schema["required"] == ["name", "people"]


async def test_a_refusal_is_where_the_sdk_looks_for_it() -> None:
    refused = Response(parts=(Text(text="I won't."),), finish_reason="refusal", usage=USAGE)
    async with talking([refused]) as (client, _):
        reply = await client.chat.completions.parse(model="m", messages=ASK, response_format=City)
    message = reply.choices[0].message
    assert (message.refusal, message.content, message.parsed) == ("I won't.", None, None)


ERRORS: dict[str, tuple[Failure, type[openai.APIStatusError], str | None]] = {
    "invalid": (InvalidRequest("x"), openai.BadRequestError, None),
    "context": (ContextTooLong("x"), openai.BadRequestError, "context_length_exceeded"),
    "key": (Unauthorized("x"), openai.AuthenticationError, "invalid_api_key"),
    "forbidden": (Unauthorized("x", status=403), openai.PermissionDeniedError, "invalid_api_key"),
    "model": (ModelNotFound("x"), openai.NotFoundError, "model_not_found"),
    "quota": (QuotaExhausted("x", status=429), openai.RateLimitError, "insufficient_quota"),
    "rate": (RateLimited("x"), openai.RateLimitError, "rate_limit_exceeded"),
    "overloaded": (Overloaded("x"), openai.InternalServerError, None),
}


@pytest.mark.parametrize(("failure", "kind", "code"), ERRORS.values(), ids=ERRORS.keys())
@pytest.mark.parametrize("stream", [True, False], ids=["streamed", "whole"])
async def test_an_error_is_the_sdks_own(
    failure: Failure, kind: type[openai.APIStatusError], code: str | None, *, stream: bool
) -> None:
    async with talking([failure]) as (client, _):
        with pytest.raises(kind) as caught:
            _ = await client.chat.completions.create(model="m", messages=ASK, stream=stream)
    assert caught.value.code == code
    assert "x" in caught.value.message


async def test_what_is_malformed_is_named_by_its_place() -> None:
    wrong: Any = [{"role": "user", "content": [{"type": "text"}]}]
    async with talking([HELLO]) as (client, _):
        with pytest.raises(openai.BadRequestError, match=r"messages\[0\]\.content\[0\]\.text"):
            _ = await client.chat.completions.create(model="m", messages=wrong)


async def test_an_error_in_the_middle_of_a_stream_is_raised() -> None:
    said: list[str] = []

    async def listen(client: AsyncOpenAI) -> None:
        stream = await client.chat.completions.create(model="m", messages=ASK, stream=True)
        async for chunk in stream:
            said.extend(choice.delta.content or "" for choice in chunk.choices)

    async with talking([[TextDelta(text="Hel"), Overloaded("gone")]]) as (client, _):
        with pytest.raises(openai.APIError, match="gone"):
            await listen(client)
    assert "".join(said) == "Hel"
