"""A whole run with a value at its end."""

from dataclasses import dataclass

import pytest

from majordomo.agent import Agent, Limits
from majordomo.contract import Capabilities, InvalidOutput, RateLimited
from majordomo.engine.registry import Registry
from majordomo.testing import DialectServer, scripted
from support.agent_turns import ADD, add, calls
from support.asking import provider_at

pytestmark = pytest.mark.anyio


@dataclass
class Total:
    value: int


GOOD = '{"value": 3}'


async def test_it_calls_tools_and_gives_a_value() -> None:
    model = scripted(calls(ADD), GOOD)
    assert await Agent(model, [add]).run_as(Total, "1 + 2?") == Total(3)
    assert all(request.schema is not None for request in model.requests)


async def test_an_answer_that_will_not_do_is_asked_for_again() -> None:
    model = scripted(calls(ADD), "Three.", '{"value": "three"}', GOOD)
    assert await Agent(model, [add]).run_as(int, "1 + 2?") == 3
    last = model.requests[-1].messages
    assert [message.role for message in last[-4:]] == ["assistant", "user", "assistant", "user"]
    assert "does not match the schema" in last[-1].text


async def test_asking_again_is_bounded() -> None:
    with pytest.raises(InvalidOutput, match="no JSON") as caught:
        await Agent(scripted(lambda _: "Three.")).run_as(Total, "1 + 2?", asks=2)
    assert caught.value.text == "Three."


async def test_a_run_without_an_answer_has_no_value() -> None:
    agent = Agent(scripted(calls(ADD)), [add], limits=Limits(steps=1))
    with pytest.raises(InvalidOutput, match="the run ended with 'steps'"):
        await agent.run_as(Total, "1 + 2?")


async def test_other_failures_stay_what_they_are() -> None:
    with pytest.raises(RateLimited):
        await Agent(scripted(RateLimited("slow down"))).run_as(Total, "1 + 2?")


@pytest.mark.parametrize("structured", ["native", "tool", "prompt"])
async def test_tools_and_a_shape_at_once(structured: str) -> None:
    # A parameter of the test is a plain string to the checker.
    limits = Capabilities(structured=structured)  # type: ignore[arg-type]
    async with DialectServer("openai_chat", [calls(ADD), GOOD]) as server:
        rows = {"up": provider_at(server.url, "openai_chat", capabilities=limits)}
        async with Registry(providers=rows, env={}) as registry:
            total = await Agent(registry.parse("up/m"), [add]).run_as(Total, "1 + 2?")
    assert total == Total(3)


async def test_what_fitting_gives_up_on_is_said_in_the_same_words() -> None:
    limits = Capabilities(structured="prompt", json_mode=False)
    async with DialectServer("openai_chat", lambda _: "Three.") as server:
        rows = {"up": provider_at(server.url, "openai_chat", capabilities=limits)}
        async with Registry(providers=rows, env={}) as registry:
            with pytest.raises(InvalidOutput) as caught:
                await Agent(registry.parse("up/m")).run_as(Total, "1 + 2?")
    assert caught.value.text == "Three."
    assert len(server.requests) == 3


def test_the_synchronous_face() -> None:
    assert Agent(scripted(calls(ADD), GOOD), [add]).sync.run_as(Total, "1 + 2?") == Total(3)
