"""One agent on every kind of model: native in each dialect, emulated, and across a failover."""

import asyncio

import pytest

from majordomo.agent import Agent, dump_history, load_history
from majordomo.contract import (
    Artefact,
    Capabilities,
    DialectName,
    Message,
    Overloaded,
    Response,
    Text,
    Thinking,
    ToolCall,
)
from majordomo.dialects.dialect import Ask
from majordomo.engine.registry import Registry
from majordomo.testing import DialectServer, Turn
from support.agent_turns import ADD, add, calls
from support.asking import DIALECTS, provider_at

pytestmark = pytest.mark.anyio

LINES: list[Turn] = [calls(ADD), "It is 3."]


@pytest.mark.parametrize("dialect", DIALECTS)
async def test_native_tools(dialect: DialectName) -> None:
    async with DialectServer(dialect, LINES) as server:
        rows = {"up": provider_at(server.url, dialect)}
        async with Registry(providers=rows, env={}) as registry:
            run = await Agent(registry.parse("up/m"), [add], system="Be brief.").run("1 + 2?")
    assert (run.ending, run.text) == ("answered", "It is 3.")
    second = server.requests[1].ask
    assert second is not None
    assert [result.text for result in second.request.messages[-1].tool_results] == ["3"]


async def test_emulated_tools() -> None:
    action = 'Let me add.\n<tool_call>{"name": "add", "arguments": {"a": 1, "b": "2"}}</tool_call>'
    async with DialectServer("openai_chat", [action, "It is 3."]) as server:
        plain = Capabilities(tools="emulated", structured="prompt")
        rows = {"up": provider_at(server.url, "openai_chat", capabilities=plain)}
        async with Registry(providers=rows, env={}) as registry:
            run = await Agent(registry.parse("up/m"), [add]).run("1 + 2?")
    assert (run.ending, run.text) == ("answered", "It is 3.")
    assert [result.text for result in run.messages[2].tool_results] == ["3"]
    for seen in server.requests:
        assert seen.ask is not None
        assert seen.ask.request.tools == ()
        assert all(not message.tool_calls for message in seen.ask.request.messages)


SIGNED = Artefact(dialect="anthropic", value={"signature": "c2lnbmVk"})
THOUGHT = Response(
    parts=(
        Thinking(text="I should add.", artefact=SIGNED),
        ToolCall(id="toolu_1", name="add", arguments='{"a":1,"b":2}'),
    ),
    finish_reason="tool_calls",
)


def thoughts(message: Message) -> list[Thinking]:
    return [part for part in message.parts if isinstance(part, Thinking)]


def asked(ask: Ask | None) -> tuple[Message, ...]:
    assert ask is not None
    return ask.request.messages


async def test_a_failover_in_the_middle_keeps_the_history_portable() -> None:
    """Signed thoughts go back to who signed them, and to nobody else."""
    down = Overloaded("busy", status=529, retry_after=60.0)
    async with (
        DialectServer("anthropic", [THOUGHT, down, "Still 3."]) as claude,
        DialectServer("openai_chat", ["It is 3."]) as other,
    ):
        rows = {
            "claude": provider_at(claude.url, "anthropic"),
            "other": provider_at(other.url, "openai_chat"),
        }
        async with Registry(providers=rows, env={}) as registry:
            run = await Agent(registry.parse("claude/m, other/m"), [add]).run("1 + 2?")
        assert run.text == "It is 3."
        assert run.response is not None
        assert run.response.model == "other/m"
        history = load_history(dump_history(run.messages))
        async with Registry(providers=rows, env={}) as registry:
            again = await Agent(registry.parse("claude/m"), [add]).run("Sure?", history=history)
    assert again.text == "Still 3."
    assert thoughts(run.messages[1])[0].artefact == SIGNED
    told_other = asked(other.requests[0].ask)
    assert [call.name for call in told_other[1].tool_calls] == ["add"]
    assert all(not thoughts(message) for message in told_other)
    told_claude = asked(claude.requests[2].ask)
    (thought,) = thoughts(told_claude[1])
    assert thought.artefact is not None
    assert thought.artefact.value["signature"] == "c2lnbmVk"


async def test_many_agents_over_one_chain() -> None:
    def answer(ask: Ask) -> Turn:
        last = ask.request.messages[-1]
        if last.tool_results:
            return f"It is {last.tool_results[0].text}."
        return calls(("add", f'{{"a": {last.text}, "b": 1}}'))

    async with DialectServer("openai_chat", answer) as server:
        rows = {"up": provider_at(server.url, "openai_chat")}
        async with Registry(providers=rows, env={}) as registry:
            model = registry.parse("up/m")
            agents = [Agent(model, [add], system=f"You are {n}.") for n in range(3)]
            runs = await asyncio.gather(*(agent.run(str(n)) for n, agent in enumerate(agents * 3)))
    assert [run.text for run in runs] == [f"It is {n + 1}." for n in range(9)]
    assert {type(part) for run in runs for part in run.messages[-1].parts} == {Text}
