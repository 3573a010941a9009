"""An answer as a value of a type: read, checked, asked for again, and seen while it is written."""

import asyncio
from dataclasses import dataclass
from enum import Enum
from typing import Any, Literal, TypedDict

import msgspec
import pydantic
import pytest

from majordomo.contract import (
    Capabilities,
    Exhausted,
    Finish,
    InvalidOutput,
    Json,
    RateLimited,
    Response,
    Text,
    TextDelta,
    ToolCall,
)
from majordomo.engine.registry import Registry
from majordomo.testing import Delay, DialectServer, Item, Script, Stall, scripted
from support.asking import provider_at

pytestmark = pytest.mark.anyio


@dataclass
class City:
    """A city of the world."""

    name: str
    people: int

    def __post_init__(self) -> None:
        if self.people < 0:
            raise ValueError("people cannot be fewer than none")


class Country(TypedDict):
    code: str


class River(pydantic.BaseModel):
    name: str
    km: int = pydantic.Field(gt=0)


class Peak(msgspec.Struct):
    name: str
    metres: float


class Colour(Enum):
    RED = "red"
    BLUE = "blue"


PARIS = '{"name": "Paris", "people": 2100000}'
VALUES: dict[str, tuple[object, str, object]] = {
    "dataclass": (City, PARIS, City("Paris", 2_100_000)),
    "typed dict": (Country, '{"code": "fr"}', {"code": "fr"}),
    "pydantic": (River, '{"name": "Seine", "km": 777}', River(name="Seine", km=777)),
    "msgspec": (Peak, '{"name": "Rigi", "metres": 1797.5}', Peak("Rigi", 1797.5)),
    "literal": (Literal["yes", "no"], '{"value": "no"}', "no"),
    "enum": (Colour, '{"value": "blue"}', Colour.BLUE),
    "list": (list[City], f'{{"value": [{PARIS}]}}', [City("Paris", 2_100_000)]),
    "union, the first": (City | Country, f'{{"value": {PARIS}}}', City("Paris", 2_100_000)),
    "union, the second": (City | Country, '{"value": {"code": "fr"}}', {"code": "fr"}),
    "maybe nothing": (River | None, '{"value": null}', None),
    "whole number": (int, '{"value": 3}', 3),
    "in a fence": (City, f"Here:\n```json\n{PARIS}\n```", City("Paris", 2_100_000)),
}


@pytest.mark.parametrize(("kind", "said", "meant"), VALUES.values(), ids=VALUES)
async def test_the_answer_is_a_value(kind: object, said: str, meant: object) -> None:
    model = scripted(said)
    value: Any = await model.generate_as(kind, "Tell me.", temperature=0.0)
    assert value == meant
    assert type(value) is type(meant)
    asked = model.requests[0]
    assert asked.schema is not None
    assert asked.schema["type"] == "object"
    assert asked.temperature == 0.0


def at(server: DialectServer, **capabilities: Any) -> Registry:
    limits = Capabilities(**capabilities)
    row = provider_at(server.url, "openai_chat", capabilities=limits)
    return Registry(providers={"up": row}, env={})


@pytest.mark.parametrize("structured", ["native", "tool", "prompt"])
async def test_it_is_asked_for_as_the_target_takes_it(structured: str) -> None:
    async with DialectServer("openai_chat", lambda _: PARIS) as server:
        async with at(server, structured=structured) as registry:
            city = await registry.parse("up/m").generate_as(City, "Which city?")
        ask = server.requests[0].ask
    assert city == City("Paris", 2_100_000)
    assert ask is not None
    assert (ask.request.schema not in (None, {})) is (structured == "native")
    assert bool(ask.request.tools) is (structured == "tool")
    assert ("people" in ask.request.system) is (structured == "prompt")


PLAIN: dict[str, Any] = {"structured": "prompt", "json_mode": False, "tools": "off"}


async def test_plain_chat_that_needs_two_corrections_succeeds() -> None:
    script: Script = ["It is Paris.", '{"name": "Paris"}', PARIS]
    async with DialectServer("openai_chat", script) as server:
        async with at(server, **PLAIN) as registry:
            city = await registry.parse("up/m").generate_as(City, "Which city?")
        asks = [seen.ask for seen in server.requests]
    assert city == City("Paris", 2_100_000)
    assert asks[1] is not None
    assert asks[2] is not None
    assert "no JSON" in asks[1].request.messages[-1].text
    assert '"people" is a required property' in asks[2].request.messages[-1].text


async def test_plain_chat_that_never_complies_fails_with_the_violations() -> None:
    async with DialectServer("openai_chat", lambda _: '{"name": "Paris"}') as server:
        async with at(server, **PLAIN) as registry:
            with pytest.raises(InvalidOutput) as caught:
                await registry.parse("up/m").generate_as(City, "Which city?")
        assert len(server.requests) == 3
    assert caught.value.text == '{"name": "Paris"}'
    assert '"people" is a required property' in " ".join(caught.value.violations)
    assert len(caught.value.attempts) == 3


async def test_what_only_the_type_can_see_is_asked_for_again() -> None:
    model = scripted('{"name": "Paris", "people": -1}', PARIS)
    assert (await model.generate_as(City, "Which city?")).people == 2_100_000
    first, correction = model.requests[1].messages[-2:]
    assert first.role == "assistant"
    assert "people cannot be fewer than none" in correction.text


async def test_asking_again_is_bounded_and_ends_with_the_raw_text() -> None:
    model = scripted(lambda _: '{"name": "Paris", "people": -1}')
    with pytest.raises(InvalidOutput, match="fewer than none") as caught:
        await model.generate_as(City, "Which city?", asks=2)
    assert len(model.requests) == 2
    assert caught.value.text == '{"name": "Paris", "people": -1}'


ENDS = {
    "cut off": Response(parts=(Text(text='{"name": "Pa'),), finish_reason="length"),
    "refused": Response(parts=(Text(text="I will not."),), finish_reason="refusal"),
    "a call": Response(
        parts=(ToolCall(id="1", name="f", arguments="{}"),), finish_reason="tool_calls"
    ),
}


@pytest.mark.parametrize("response", ENDS.values(), ids=ENDS)
async def test_what_is_no_answer_is_not_asked_for_again(response: Response) -> None:
    model = scripted(response)
    with pytest.raises(InvalidOutput, match=r"ended with|called tools") as caught:
        await model.generate_as(City, "Which city?")
    assert caught.value.text == response.text


async def test_other_failures_stay_what_they_are() -> None:
    with pytest.raises(RateLimited):
        await scripted(RateLimited("slow down")).generate_as(City, "Which city?")
    with pytest.raises(Exhausted):
        async with Registry(providers={"up": provider_at("http://127.0.0.1:1")}, env={}) as none:
            await none.parse("up/m").generate_as(City, "Which city?")


async def test_a_type_without_json_is_refused_before_anything_is_sent() -> None:
    model = scripted()
    with pytest.raises(TypeError, match="no type that JSON has words for"):
        await model.generate_as(complex, "Which?")


PIECES = ['{"name": "Pa', 'ris", "peo', 'ple": 21', "00000}"]
STORY = [*(TextDelta(text=piece) for piece in PIECES), Finish(reason="stop")]
SEEN: list[Json] = [{"name": "Pa"}, {"name": "Paris"}, {"name": "Paris", "people": 2_100_000}]


async def test_partial_values_come_while_it_is_written() -> None:
    stream = scripted(STORY).stream_as(City, "Which city?")
    assert [partial async for partial in stream] == SEEN
    assert await stream.value() == City("Paris", 2_100_000)
    assert stream.response is not None


async def test_partial_values_come_through_a_fitted_target() -> None:
    async with DialectServer("openai_chat", [STORY]) as server, at(server) as registry:
        stream = registry.parse("up/m").stream_as(City, "Which city?")
        assert [partial async for partial in stream] == SEEN
        assert await stream.value() == City("Paris", 2_100_000)


async def test_a_shown_answer_that_was_wrong_starts_over() -> None:
    wrong: list[Item] = [TextDelta(text='{"name": "Rome"}'), Delay(0.05), Finish(reason="stop")]
    async with DialectServer("openai_chat", [wrong, STORY]) as server, at(server) as registry:
        stream = registry.parse("up/m").stream_as(City, "Which city?")
        seen = [partial async for partial in stream]
        assert await stream.value() == City("Paris", 2_100_000)
    assert seen[-3:] == SEEN  # whether Rome was seen is a matter of packets


async def test_what_is_no_json_shows_nothing() -> None:
    stream = scripted('{"name": "Paris",, }', PARIS).stream_as(City, "Which city?")
    assert [partial async for partial in stream][-1] == {"name": "Paris", "people": 2_100_000}


def test_leaving_closes_the_upstream() -> None:
    with DialectServer.in_thread("openai_chat", [[TextDelta(text='{"name": "P'), Stall()]]) as up:
        for partial in at(up).parse("up/m").sync.stream_as(City, "Which city?"):
            assert partial == {"name": "P"}
            break
        up.wait_until(lambda: up.disconnects == 1)


async def test_cancelling_passes_through() -> None:
    async with (
        DialectServer("openai_chat", [[TextDelta(text="{"), Stall()]]) as server,
        at(server) as registry,
    ):
        asking = registry.parse("up/m").generate_as(City, "Which city?")
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(asking, 0.05)


async def test_a_stream_that_was_left_has_no_value() -> None:
    stream = scripted(STORY).stream_as(City, "Which city?")
    async with stream:
        assert await anext(stream) == {"name": "Pa"}
    with pytest.raises(RuntimeError, match="left before its end"):
        await stream.value()


def test_the_synchronous_face() -> None:
    assert scripted(PARIS).sync.generate_as(City, "Which city?") == City("Paris", 2_100_000)
    stream = scripted(STORY).sync.stream_as(City, "Which city?")
    assert list(stream) == SEEN
    assert stream.value() == City("Paris", 2_100_000)
