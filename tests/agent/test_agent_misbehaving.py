"""Models that misbehave: every run ends within bounds and says honestly how."""

import pytest
from msgspec import Struct

from majordomo.agent import Agent, Ending, Limits, Run
from majordomo.contract import DialectName, Request, Response, Text, Thinking, ToolCall
from majordomo.dialects.dialect import Ask
from majordomo.engine.registry import Registry
from majordomo.testing import DialectServer, Line, Turn, scripted
from support.agent_turns import ADD, add, calls, echo
from support.asking import DIALECTS, provider_at

pytestmark = pytest.mark.anyio

LIMITS = Limits(steps=8)


class Row(Struct, frozen=True, kw_only=True):
    lines: tuple[Line, ...]
    ending: Ending
    steps: int
    text: str = ""
    told: tuple[str, ...] = ()  # what stands in the results it was given, in order


def another(request: Request) -> Response:
    return calls(("echo", f'{{"text": "{len(request.messages)}"}}'))


def same_id_twice() -> Response:
    one = ToolCall(id="same", name="add", arguments='{"a": 1, "b": 1}')
    two = ToolCall(id="same", name="add", arguments='{"a": 2, "b": 2}')
    return Response(parts=(one, two), finish_reason="tool_calls")


THIRTY = calls(*(("echo", f'{{"text": "{n}"}}') for n in range(30)))
FLOOD = calls(*(("echo", f'{{"text": "{n}"}}') for n in range(100)))

ROWS: dict[str, Row] = {
    "an unknown tool": Row(
        lines=(calls(("subtract", "{}")), "I cannot."),
        ending="answered",
        steps=2,
        text="I cannot.",
        told=("There is no tool named 'subtract'",),
    ),
    "an unknown tool for ever": Row(
        lines=(lambda _: calls(("subtract", "{}")),),
        ending="repeating",
        steps=5,
        told=("no tool named",) * 3 + ("made 3 times",) * 2,
    ),
    "bad JSON": Row(
        lines=(calls(("add", '{"a": 1, "b": ')), calls(ADD), "3."),
        ending="answered",
        steps=3,
        text="3.",
        told=("cannot be read", "3"),
    ),
    "wrong types": Row(
        lines=(calls(("add", '{"a": "one", "b": [2, 3]}')), calls(ADD), "3."),
        ending="answered",
        steps=3,
        text="3.",
        told=("do not match the schema of 'add'", "3"),
    ),
    "types that can be read": Row(
        lines=(calls(("add", '{"a": "1", "b": 2.0}')), "3."),
        ending="answered",
        steps=2,
        text="3.",
        told=("3",),
    ),
    "endless identical calls": Row(
        lines=(lambda _: calls(ADD),),
        ending="repeating",
        steps=5,
        told=("3", "3", "3", "made 3 times", "made 3 times"),
    ),
    "endless different calls": Row(
        lines=(another,), ending="steps", steps=8, told=("1", "3", "5", "7", "9", "11", "13")
    ),
    "an empty answer": Row(
        lines=(Response(parts=(), finish_reason="stop"),), ending="empty", steps=1
    ),
    "nothing but blanks": Row(lines=(" \n ",), ending="empty", steps=1, text=" \n "),
    "nothing but thoughts": Row(
        lines=(Response(parts=(Thinking(text="Hm."),), finish_reason="stop"),),
        ending="empty",
        steps=1,
    ),
    "empty after a call": Row(
        lines=(calls(ADD), Response(parts=(), finish_reason="stop")),
        ending="empty",
        steps=2,
        told=("3",),
    ),
    "a refusal": Row(
        lines=(Response(parts=(Text(text="I won't."),), finish_reason="refusal"),),
        ending="refused",
        steps=1,
        text="I won't.",
    ),
    "filtered": Row(
        lines=(Response(parts=(), finish_reason="content_filter"),), ending="refused", steps=1
    ),
    "cut off": Row(
        lines=(Response(parts=(Text(text="It is"),), finish_reason="length"),),
        ending="cut",
        steps=1,
        text="It is",
    ),
    "a call that was cut off": Row(
        lines=(
            Response(parts=calls(("add", '{"a": 1')).parts, finish_reason="length"),
            "I give up.",
        ),
        ending="answered",
        steps=2,
        text="I give up.",
        told=("cannot be read",),
    ),
    "a call plus text": Row(
        lines=(calls(ADD, text="Let me add."), "3."),
        ending="answered",
        steps=2,
        text="3.",
        told=("3",),
    ),
    "a call that says it stopped": Row(
        lines=(Response(parts=calls(ADD).parts, finish_reason="stop"), "3."),
        ending="answered",
        steps=2,
        text="3.",
        told=("3",),
    ),
    "no call where it says so": Row(
        lines=(Response(parts=(Text(text="3."),), finish_reason="tool_calls"),),
        ending="answered",
        steps=1,
        text="3.",
    ),
    "thirty calls at once": Row(
        lines=(THIRTY, "Done."),
        ending="answered",
        steps=2,
        text="Done.",
        told=tuple(str(n) for n in range(30)),
    ),
    "a hundred calls at once": Row(
        lines=(FLOOD, "Done."),
        ending="answered",
        steps=2,
        text="Done.",
        told=(*(str(n) for n in range(64)), *["more than 64 calls at once"] * 36),
    ),
    "one id for two calls": Row(
        lines=(same_id_twice(), "Done."), ending="answered", steps=2, text="Done.", told=("2", "4")
    ),
    "arguments that are none": Row(
        lines=(calls(("add", ""), ("add", "null"), ("add", "[]")), "Sorry."),
        ending="answered",
        steps=2,
        text="Sorry.",
        told=("required", "one JSON object", "one JSON object"),
    ),
    "endless pauses": Row(
        lines=(lambda _: Response(parts=(Text(text="…"),), finish_reason="pause"),),
        ending="steps",
        steps=8,
        text="…",
    ),
}


@pytest.mark.parametrize("row", ROWS.values(), ids=ROWS)
async def test_every_run_ends_within_bounds_and_says_how(row: Row) -> None:
    run = await Agent(scripted(*row.lines), [add, echo], limits=LIMITS).run("What is 1 + 2?")
    check(run, row)


# What a dialect has no words for cannot go wrong in it.
UNSAID: dict[str, tuple[DialectName, ...]] = {
    "a refusal": ("ollama",),
    "endless pauses": ("openai_chat", "openai_responses", "ollama", "gemini"),
    "one id for two calls": ("openai_chat",),
}
SAID = [
    pytest.param(dialect, row, id=f"{name}, {dialect}")
    for name, row in ROWS.items()
    for dialect in DIALECTS
    if dialect not in UNSAID.get(name, ())
]


@pytest.mark.parametrize(("dialect", "row"), SAID)
async def test_the_same_over_the_wire(dialect: DialectName, row: Row) -> None:
    left = list(row.lines)

    def script(ask: Ask) -> Turn:
        line = left[0] if callable(left[0]) else left.pop(0)
        said = line(ask.request) if callable(line) else line
        assert isinstance(said, str | Response)
        return said

    async with DialectServer(dialect, script) as server:
        rows = {"up": provider_at(server.url, dialect)}
        async with Registry(providers=rows, env={}) as registry:
            agent = Agent(registry.parse("up/m"), [add, echo], limits=LIMITS)
            check(await agent.run("What is 1 + 2?"), row)


def check(run: Run, row: Row) -> None:
    assert (run.ending, run.steps, run.text) == (row.ending, row.steps, row.text)
    told = [result.text for message in run.messages for result in message.tool_results]
    assert len(told) == len(row.told)
    for said, expected in zip(told, row.told, strict=True):
        assert expected in said
    for before, after in zip(run.messages, run.messages[1:], strict=False):
        if before.tool_calls:  # whatever happened, each call has its answer
            assert [call.id for call in before.tool_calls] == [r.id for r in after.tool_results]
