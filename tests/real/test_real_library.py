"""The library and a real model that only chats: words, shapes, calls, errors."""

import time

import pytest

import majordomo
from majordomo import (
    ContextTooLong,
    Failure,
    Finish,
    JsonObject,
    Registry,
    Start,
    TextDelta,
    Tool,
    ToolResult,
    Unauthorized,
    user,
)
from majordomo.dialects.json import object_at, read
from majordomo.engine.chain import Chain
from majordomo.engine.http import HttpCall, HttpReply, default_transport
from majordomo.engine.model import provider
from majordomo.fit.actions import parse
from majordomo.local import Address
from support.real_model import CONTEXT, MODEL, dsn

pytestmark = pytest.mark.anyio

WEATHER = Tool(
    name="get_weather",
    description="Tell the weather in a city.",
    parameters={
        "type": "object",
        "properties": {
            "city": {"type": "string", "maxLength": 40},
            "unit": {"type": "string", "enum": ["celsius", "fahrenheit"]},
        },
        "required": ["city", "unit"],
        "additionalProperties": False,
    },
)
ANSWER = Tool(
    name="answer",
    description="Give the user the final answer.",
    parameters={
        "type": "object",
        "properties": {
            "text": {"type": "string", "minLength": 1, "maxLength": 80},
            "sure": {"type": "boolean"},
        },
        "required": ["text", "sure"],
        "additionalProperties": False,
    },
)
QUESTION = user("What is the weather in Paris, in celsius?")


@pytest.fixture
def real(llama: Address) -> Chain:
    return Registry(providers={"real": dsn(llama)}).parse(f"real/{MODEL}")


async def test_a_chat_is_streamed(real: Chain) -> None:
    async with real.stream("Say hello.", max_tokens=12, temperature=0) as stream:
        events = [event async for event in stream]
        response = await stream.response()
    assert isinstance(events[0], Start)
    deltas = [event.text for event in events if isinstance(event, TextDelta)]
    assert len(deltas) > 2, "the words came one by one"
    assert "".join(deltas) == response.text
    assert any(isinstance(event, Finish) for event in events)
    assert response.model == f"real/{MODEL}"
    assert response.usage.input > 5
    assert 0 < response.usage.output <= 12


async def test_an_answer_has_the_shape_that_was_asked_for(real: Chain) -> None:
    schema: JsonObject = {
        "type": "object",
        "properties": {"color": {"type": "string", "enum": ["red", "green", "blue"]}},
        "required": ["color"],
        "additionalProperties": False,
    }
    response = await real.generate("Which colour is the sky?", schema=schema, temperature=0)
    answer = object_at(read(response.text), "answer")
    assert answer.keys() == {"color"}
    assert answer["color"] in ("red", "green", "blue")


CHOICES = {
    "any": majordomo.ToolChoice(mode="required", allowed=("get_weather",)),
    "named": majordomo.named("get_weather"),
}


@pytest.mark.parametrize(
    "choice",
    [
        pytest.param(CHOICES["named"], id="named"),
        pytest.param(CHOICES["any"], id="any", marks=pytest.mark.full),
    ],
)
async def test_a_forced_call_and_what_follows_it(real: Chain, choice: majordomo.ToolChoice) -> None:
    """Two turns of a model with no tools of its own: it must call, then must answer by a call."""
    tools = (WEATHER, ANSWER)
    first = await real.generate(
        QUESTION, tools=tools, tool_choice=choice, max_tokens=200, temperature=0
    )
    assert first.finish_reason == "tool_calls"
    assert [call.name for call in first.tool_calls] == ["get_weather"]
    arguments = object_at(read(first.tool_calls[0].arguments), "arguments")
    assert arguments.keys() == {"city", "unit"}
    assert arguments["unit"] in ("celsius", "fahrenheit")
    assert [note.what for note in first.notes if note.kind == "emulated"], "it says how"

    result = ToolResult(
        id=first.tool_calls[0].id,
        name="get_weather",
        content=majordomo.parts("18 degrees, light rain"),
    )
    second = await real.generate(
        (QUESTION, first.message, majordomo.tool_results(result)),
        tools=tools,
        tool_choice=majordomo.named("answer"),
        max_tokens=200,
        temperature=0,
    )
    assert [call.name for call in second.tool_calls] == ["answer"]
    arguments = object_at(read(second.tool_calls[0].arguments), "arguments")
    assert isinstance(arguments["text"], str)
    assert isinstance(arguments["sure"], bool)
    assert second.tool_calls[0].id != first.tool_calls[0].id


@pytest.mark.full
async def test_a_model_that_may_do_as_it_likes_leaks_no_action_text(real: Chain) -> None:
    """What a tiny model decides is its own; that it is a call or words, never both in one."""
    first = await real.generate(
        QUESTION, tools=(WEATHER,), tool_choice=majordomo.named("get_weather"), temperature=0
    )
    result = ToolResult(
        id=first.tool_calls[0].id,
        name="get_weather",
        content=majordomo.parts("18 degrees, light rain"),
    )
    second = await real.generate(
        (QUESTION, first.message, majordomo.tool_results(result)),
        tools=(WEATHER,),
        max_tokens=120,
        temperature=0,
    )
    assert second.text or second.tool_calls
    assert parse(second.text, (WEATHER,))[1] == (), "nothing that reads as a call is left in it"
    assert all(call.name == "get_weather" for call in second.tool_calls)


async def test_a_prompt_that_is_too_long_is_said_to_be(real: Chain) -> None:
    with pytest.raises(Failure) as caught:
        await real.generate("word " * (CONTEXT + 100))
    assert [attempt.outcome for attempt in caught.value.attempts] == ["ContextTooLong"]


REFUSALS = {
    "too long": ("sk-real", "word " * (CONTEXT + 100), ContextTooLong),
    "the wrong key": ("sk-wrong", "Hello!", Unauthorized),
}


@pytest.mark.parametrize(("key", "prompt", "failure"), REFUSALS.values(), ids=REFUSALS)
async def test_what_the_server_refuses_is_raised_as_what_it_means(
    llama: Address, key: str, prompt: str, failure: type[Failure]
) -> None:
    async with provider("llamacpp", key=key, base_url=f"{llama.url}/v1") as endpoint:
        with pytest.raises(failure) as caught:
            await endpoint.model(MODEL).generate(prompt)
    assert caught.value.message


@pytest.mark.full
async def test_signs_of_life_during_a_long_prompt_are_no_part_of_the_answer(
    llama: Address,
) -> None:
    """llama.cpp is told to send a comment for every second it reads without writing."""
    wire = Recorder()
    real = Registry(providers={"real": dsn(llama)}, http_client=wire).parse(f"real/{MODEL}")
    prompt = " ".join(str(number) for number in range(550)) + ". Say hello."
    response = await real.generate(prompt, max_tokens=4, temperature=0)
    await wire.aclose()
    assert response.usage.input > 1500
    assert 0 < response.usage.output <= 4
    comments = wire.seen.count(b":\n\n")
    print(f"  {comments} comments in {wire.seconds:.1f} s before the first word")  # noqa: T201 -- `make real` shows it
    assert comments or wire.seconds < 2, "a slow machine shows at least one"


class Recorder:
    """The usual transport, and everything that came in through it."""

    def __init__(self) -> None:
        self.seen = b""
        self.seconds = 0.0  # from the request to its last byte
        self._inner = default_transport()

    async def send(self, call: HttpCall) -> HttpReply:
        began = time.monotonic()
        return Recorded(await self._inner.send(call), self, began)

    async def aclose(self) -> None:
        await self._inner.aclose()


class Recorded:
    def __init__(self, reply: HttpReply, recorder: Recorder, began: float) -> None:
        self.status = reply.status
        self.headers = reply.headers
        self.finish = reply.finish
        self.close = reply.close
        self._reply = reply
        self._recorder = recorder
        self._began = began

    async def read(self) -> bytes:
        data = await self._reply.read()
        self._recorder.seen += data
        self._recorder.seconds = time.monotonic() - self._began
        return data
