"""Google's official client, unmodified, talking to this dialect over a real socket."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from google import genai
from google.genai import types
from google.genai.errors import APIError, ClientError, ServerError

from majordomo.contract import (
    Artefact,
    Failure,
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
    Unauthorized,
    Usage,
    assistant,
    named,
    user,
)
from majordomo.testing.server import DialectServer

# The client inherits from aiohttp's session, which aiohttp discourages.
pytestmark = [
    pytest.mark.anyio,
    pytest.mark.filterwarnings("ignore:Inheritance class AiohttpClientSession:DeprecationWarning"),
]

SCHEMA: JsonObject = {"type": "object", "properties": {"city": {"type": "string"}}}
SIGNED = Artefact(dialect="gemini", value={"thoughtSignature": "c2ln"})
FOREIGN = Artefact(dialect="anthropic", value={"signature": "s"})
PARIS = ToolCall(id="a", name="get_weather", arguments='{"city":"Paris"}', artefact=SIGNED)
ROME = ToolCall(id="b", name="get_weather", arguments='{"city":"Rome"}')
TOOL = types.Tool(
    function_declarations=[
        types.FunctionDeclaration(
            name="get_weather", description="Get it", parameters_json_schema=SCHEMA
        )
    ]
)


@asynccontextmanager
async def open_client(server: DialectServer) -> AsyncGenerator[Any]:
    """Give the client's models untyped: its own annotations are incomplete."""
    client: Any = genai.Client(api_key="k", http_options=types.HttpOptions(base_url=server.url))
    try:
        yield client.aio.models
    finally:
        await client.aio.aclose()
        client.close()


def asked(server: DialectServer) -> Request:
    ask = server.requests[-1].ask
    assert ask is not None
    return ask.request


async def test_text() -> None:
    async with DialectServer("gemini", ["Hello!"]) as server, open_client(server) as models:
        reply = await models.generate_content(
            model="gemini-x",
            contents="hi",
            config=types.GenerateContentConfig(
                system_instruction="s", temperature=0.5, max_output_tokens=5, stop_sequences=["x"]
            ),
        )
    assert (reply.text, reply.model_version) == ("Hello!", "gemini-x")
    assert reply.candidates[0].finish_reason == types.FinishReason.STOP
    assert reply.usage_metadata.total_token_count == 2
    assert asked(server) == Request(
        system="s", messages=(user("hi"),), temperature=0.5, max_tokens=5, stop=("x",)
    )


async def test_stream_with_thoughts() -> None:
    turn = Response(
        parts=(Thinking(text="hm"), Text(text="Hello!")),
        finish_reason="stop",
        usage=Usage(input=3, cached=1, output=5, reasoning=2),
    )
    async with DialectServer("gemini", [turn]) as server, open_client(server) as models:
        config = types.GenerateContentConfig(
            thinking_config=types.ThinkingConfig(include_thoughts=True, thinking_budget=9)
        )
        stream = await models.generate_content_stream(model="m", contents="hi", config=config)
        chunks = [chunk async for chunk in stream]
    said = [part for chunk in chunks for part in chunk.candidates[0].content.parts]
    assert "".join(part.text for part in said if part.thought) == "hm"
    assert "".join(chunk.text or "" for chunk in chunks) == "Hello!"
    usage = chunks[-1].usage_metadata
    assert (usage.candidates_token_count, usage.thoughts_token_count) == (3, 2)
    assert (asked(server).show_thinking, asked(server).reasoning_budget) == (True, 9)


@pytest.mark.parametrize("stream", [True, False])
async def test_parallel_calls_their_results_and_signatures(*, stream: bool) -> None:
    thought = Thinking(text="hm", artefact=FOREIGN)
    turn = Response(parts=(thought, PARIS, ROME), finish_reason="tool_calls")
    config = types.GenerateContentConfig(
        tools=[TOOL],
        tool_config=types.ToolConfig(
            function_calling_config=types.FunctionCallingConfig(
                mode=types.FunctionCallingConfigMode.ANY, allowed_function_names=["get_weather"]
            )
        ),
    )
    async with DialectServer("gemini", [turn, "Wet."]) as server, open_client(server) as models:
        parts: list[types.Part] = []
        if stream:
            async for chunk in await models.generate_content_stream(
                model="m", contents="hi", config=config
            ):
                parts.extend(chunk.candidates[0].content.parts)
        else:
            first = await models.generate_content(model="m", contents="hi", config=config)
            parts.extend(first.candidates[0].content.parts)
        calls = [part.function_call for part in parts if part.function_call]
        answers = [
            types.Part.from_function_response(name=call.name or "", response={"output": "rain"})
            for call in calls
        ]
        history = [
            types.UserContent(parts=[types.Part(text="hi")]),
            types.ModelContent(parts=parts),
            types.UserContent(parts=answers),
        ]
        second = await models.generate_content(model="m", contents=history, config=config)
    assert [(call.name, call.args) for call in calls] == [
        ("get_weather", {"city": "Paris"}),
        ("get_weather", {"city": "Rome"}),
    ]
    assert second.text == "Wet."
    said, results = asked(server).messages[1:]
    assert said == assistant(thought, PARIS, ROME)
    assert [(result.id, result.text) for result in results.tool_results] == [
        ("a", "rain"),
        ("b", "rain"),
    ]
    assert asked(server).tool_choice == named("get_weather")
    assert asked(server).tools[0].parameters == SCHEMA


async def test_a_python_function_is_called_by_the_client() -> None:
    def get_weather(city: str) -> str:
        """Get the weather of a city."""
        return f"rain in {city}"

    turn = Response(parts=(PARIS,), finish_reason="tool_calls")
    async with DialectServer("gemini", [turn, "Wet."]) as server, open_client(server) as models:
        reply = await models.generate_content(
            model="m",
            contents="hi",
            config=types.GenerateContentConfig(tools=[get_weather]),
        )
    assert reply.text == "Wet."
    (result,) = asked(server).messages[-1].tool_results
    assert (result.id, result.name) == ("a", "get_weather")
    assert "rain in Paris" in result.text


async def test_images_and_structured_output() -> None:
    async with DialectServer("gemini", ['{"city":"x"}']) as server, open_client(server) as models:
        reply = await models.generate_content(
            model="m",
            contents=[types.Part.from_bytes(data=b"1", mime_type="image/png"), "what"],
            config=types.GenerateContentConfig(
                response_mime_type="application/json",
                response_schema=types.Schema(
                    type=types.Type.OBJECT,
                    properties={"city": types.Schema(type=types.Type.STRING)},
                ),
            ),
        )
    assert reply.parsed == {"city": "x"}
    assert asked(server) == Request(
        messages=(user(Image(data=b"1", mime="image/png"), "what"),), schema=SCHEMA
    )


@pytest.mark.parametrize(
    ("failure", "kind", "status"),
    [
        (ModelNotFound("no such model"), ClientError, "NOT_FOUND"),
        (Unauthorized("who are you"), ClientError, "UNAUTHENTICATED"),
        (RateLimited("slow down"), ClientError, "RESOURCE_EXHAUSTED"),
        (Overloaded("busy"), ServerError, "UNAVAILABLE"),
    ],
)
@pytest.mark.parametrize("stream", [True, False])
async def test_errors(failure: Failure, kind: type[APIError], status: str, *, stream: bool) -> None:
    async with DialectServer("gemini", [failure]) as server, open_client(server) as models:

        async def streamed(**options: str) -> object:
            return await anext(await models.generate_content_stream(**options))

        ask = streamed if stream else models.generate_content
        with pytest.raises(kind) as caught:
            await ask(model="m", contents="hi")
    assert (caught.value.status, caught.value.message) == (status, failure.message)


async def test_an_error_in_the_middle_of_a_stream() -> None:
    turn = [TextDelta(text="a"), Overloaded("gone")]
    async with DialectServer("gemini", [turn]) as server, open_client(server) as models:
        stream = await models.generate_content_stream(model="m", contents="hi")
        first = await anext(stream)
        with pytest.raises(APIError, match="gone"):
            await anext(stream)
    assert first.text == "a"


def test_the_synchronous_client_streams_too() -> None:
    with DialectServer.in_thread("gemini", ["Hello!"]) as server:
        options = types.HttpOptions(base_url=server.url)
        client: Any = genai.Client(api_key="k", http_options=options)
        chunks = list(client.models.generate_content_stream(model="m", contents="hi"))
        client.close()
    assert "".join(chunk.text or "" for chunk in chunks) == "Hello!"
