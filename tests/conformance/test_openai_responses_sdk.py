"""The official OpenAI client, unmodified, talking to this dialect over a real socket."""

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
    JsonObject,
    ModelNotFound,
    Overloaded,
    PartDone,
    RateLimited,
    Request,
    Response,
    Text,
    TextDelta,
    Thinking,
    ThinkingDelta,
    ToolCall,
    ToolResult,
    Unauthorized,
    Usage,
    assistant,
    tool_results,
)
from majordomo.testing.server import DialectServer

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
TOOLS: list[JsonObject] = [
    {
        "type": "function",
        "name": name,
        "description": "d",
        "parameters": {"type": "object", "properties": {}, "additionalProperties": False},
        "strict": True,
    }
    for name in ("get_weather", "now")
]


class Person(BaseModel):
    name: str


@asynccontextmanager
async def open_client(server: DialectServer) -> AsyncGenerator[Any]:
    """Give the client untyped: what it takes is the subject of the test."""
    async with AsyncOpenAI(base_url=f"{server.url}/v1", api_key="any", max_retries=0) as client:
        yield client


def asked(server: DialectServer) -> Request:
    ask = server.requests[-1].ask
    assert ask is not None
    return ask.request


async def test_a_text() -> None:
    async with (
        DialectServer("openai_responses", ["Hello!"]) as server,
        open_client(server) as client,
    ):
        response = await client.responses.create(model="m", input="hi", instructions="be kind")
    assert response.output_text == "Hello!"
    assert (response.status, response.model, response.instructions) == ("completed", "m", "be kind")
    assert asked(server).system == "be kind"


@pytest.mark.parametrize("helper", [True, False])
async def test_a_stream_with_everything(*, helper: bool) -> None:
    async with DialectServer("openai_responses", [FULL]) as server, open_client(server) as client:
        given: JsonObject = {"model": "m", "input": "hi", "tools": [*TOOLS]}
        if helper:
            async with client.responses.stream(**given) as stream:
                kinds = [event.type async for event in stream]
                response = await stream.get_final_response()
        else:
            events = [e async for e in await client.responses.create(**given, stream=True)]
            kinds = [event.type for event in events]
            response = events[-1].response
    assert kinds[0] == "response.created"
    assert kinds[-1] == "response.completed"
    thought, message, weather, clock = response.output
    assert thought.summary[0].text == "Hm."
    assert thought.encrypted_content
    assert message.content[0].text == response.output_text == "Let me check."
    assert (weather.call_id, weather.name, weather.arguments) == (
        "call_0",
        "get_weather",
        '{"city":"Paris"}',
    )
    assert (clock.call_id, clock.arguments) == ("call_1", "{}")
    assert response.usage.input_tokens_details.cached_tokens == 4
    assert response.usage.output_tokens_details.reasoning_tokens == 2
    assert response.usage.total_tokens == 18


async def test_the_reply_goes_back_as_history_with_what_was_attached() -> None:
    async with (
        DialectServer("openai_responses", [FULL, "It rains."]) as server,
        open_client(server) as client,
    ):
        first = await client.responses.create(model="m", input="hi", tools=TOOLS)
        results = [
            {"type": "function_call_output", "call_id": "call_0", "output": "rain"},
            {
                "type": "function_call_output",
                "call_id": "call_1",
                "output": [
                    {
                        "type": "input_image",
                        "image_url": "data:image/png;base64,cG5n",
                        "detail": "auto",
                    }
                ],
            },
        ]
        history = [{"role": "user", "content": "hi"}, *first.output, *results]
        second = await client.responses.create(model="m", input=history, tools=TOOLS)
    assert second.output_text == "It rains."
    _, turn, answers = asked(server).messages
    thought, text, *calls = turn.parts
    assert thought == Thinking(text="Hm.", artefact=SIGNED)
    assert isinstance(text, Text)
    assert text.text == "Let me check."
    assert [(c.id, c.name, c.arguments) for c in calls if isinstance(c, ToolCall)] == [
        (c.id, c.name, c.arguments) for c in (WEATHER, CLOCK)
    ]
    assert answers == tool_results(
        ToolResult(id="call_0", content=(Text(text="rain"),)),
        ToolResult(id="call_1", content=(Image(data=b"png", mime="image/png"),)),
    )
    assert turn.role == assistant().role


async def test_an_image() -> None:
    async with DialectServer("openai_responses", ["A cat."]) as server, open_client(server) as c:
        part = {"type": "input_image", "image_url": "data:image/png;base64,cG5n", "detail": "high"}
        await c.responses.create(model="m", input=[{"role": "user", "content": [part]}])
    (image,) = asked(server).messages[0].parts
    assert isinstance(image, Image)
    assert (image.data, image.mime) == (b"png", "image/png")


@pytest.mark.parametrize("streamed", [True, False])
async def test_structured_output(*, streamed: bool) -> None:
    async with (
        DialectServer("openai_responses", ['{"name":"Ada"}']) as server,
        open_client(server) as client,
    ):
        if streamed:
            given = {"model": "m", "input": "who", "text_format": Person}
            async with client.responses.stream(**given) as stream:
                response = await stream.get_final_response()
        else:
            response = await client.responses.parse(model="m", input="who", text_format=Person)
    assert response.output_parsed == Person(name="Ada")
    request = asked(server)
    assert (request.schema_name, request.schema_strict) == ("Person", True)
    assert request.schema is not None
    assert request.schema["required"] == ["name"]


async def test_reasoning_is_asked_for_and_shown_as_it_comes() -> None:
    events = [ThinkingDelta(text="Hm"), ThinkingDelta(text="m."), TextDelta(text="4")]
    turn = [*events, Finish(reason="stop", usage=USAGE)]
    async with DialectServer("openai_responses", [turn]) as server, open_client(server) as client:
        stream = await client.responses.create(
            model="m", input="2+2", reasoning={"effort": "low", "summary": "auto"}, stream=True
        )
        seen = [e.delta async for e in stream if e.type.endswith("summary_text.delta")]
    assert seen == ["Hm", "m."]
    assert (asked(server).reasoning_effort, asked(server).show_thinking) == ("low", True)


async def test_a_reply_cut_by_length_is_incomplete() -> None:
    reply = Response(parts=(Text(text="He"),), finish_reason="length")
    async with DialectServer("openai_responses", [reply]) as server, open_client(server) as client:
        response = await client.responses.create(model="m", input="hi", max_output_tokens=16)
    assert (response.status, response.incomplete_details.reason) == (
        "incomplete",
        "max_output_tokens",
    )


async def test_a_refusal_is_a_refusal_part() -> None:
    artefact = Artefact(dialect="openai_responses", value={"part": {"type": "refusal"}})
    turn = [PartDone(part=Text(text="No.", artefact=artefact)), Finish(reason="refusal")]
    async with (
        DialectServer("openai_responses", [turn]) as server,
        open_client(server) as client,
        client.responses.stream(model="m", input="hi") as stream,
    ):
        response = await stream.get_final_response()
    assert response.output[0].content[0].refusal == "No."


async def test_a_custom_tool() -> None:
    call = ToolCall(id="call_0", name="apply_patch", arguments='{"input":"*** Begin"}')
    reply = Response(parts=(call,), finish_reason="tool_calls")
    async with DialectServer("openai_responses", [reply]) as server, open_client(server) as client:
        tools = [{"type": "custom", "name": "apply_patch"}]
        async with client.responses.stream(model="m", input="hi", tools=tools) as stream:
            response = await stream.get_final_response()
    (item,) = response.output
    assert (item.type, item.name, item.input) == ("custom_tool_call", "apply_patch", "*** Begin")


ERRORS: dict[str, tuple[Failure, type[openai.APIStatusError], int, str | None]] = {
    "invalid": (InvalidRequest("no"), openai.BadRequestError, 400, None),
    "key": (Unauthorized("no"), openai.AuthenticationError, 401, "invalid_api_key"),
    "model": (ModelNotFound("no"), openai.NotFoundError, 404, "model_not_found"),
    "context": (ContextTooLong("no"), openai.BadRequestError, 400, "context_length_exceeded"),
    "rate": (RateLimited("no"), openai.RateLimitError, 429, "rate_limit_exceeded"),
    "busy": (Overloaded("no"), openai.InternalServerError, 503, "server_is_overloaded"),
}


@pytest.mark.parametrize(("failure", "kind", "status", "code"), ERRORS.values(), ids=ERRORS.keys())
async def test_an_error_has_its_class_status_and_code(
    failure: Failure, kind: type[openai.APIStatusError], status: int, code: str | None
) -> None:
    async with DialectServer("openai_responses", [failure]) as s, open_client(s) as client:
        with pytest.raises(kind) as raised:
            await client.responses.create(model="m", input="hi")
    assert (raised.value.status_code, raised.value.code) == (status, code)
    assert "no" in raised.value.message


async def hear(client: Any, kinds: list[str], *, helper: bool) -> None:
    """Note each event by its kind, even when the next one raises."""
    if helper:
        async with client.responses.stream(model="m", input="hi") as stream:
            async for event in stream:
                kinds.append(event.type)  # noqa: PERF401 -- a comprehension would lose them
    else:
        async for event in await client.responses.create(model="m", input="hi", stream=True):
            kinds.append(event.type)  # noqa: PERF401 -- likewise


@pytest.mark.parametrize("helper", [True, False])
async def test_an_error_in_the_middle_of_a_stream_is_raised(*, helper: bool) -> None:
    turn = [TextDelta(text="He"), Overloaded("went away")]
    kinds: list[str] = []
    async with DialectServer("openai_responses", [turn]) as server, open_client(server) as client:
        with pytest.raises(openai.APIError, match="went away"):
            await hear(client, kinds, helper=helper)
    assert kinds[-1] == "response.failed"
    assert "response.output_text.delta" in kinds
