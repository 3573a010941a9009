"""A call that a server printed as text is made all the same, and what was done is noted."""

import pytest

from majordomo.contract import Response, Text, Tool, Usage
from majordomo.engine.registry import Registry
from majordomo.testing.server import DialectServer

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("pace")]

WEATHER = Tool(
    name="weather",
    parameters={"type": "object", "properties": {"city": {"type": "string"}}},
)
PRINTED = Response(
    parts=(
        Text(
            text='Let me look.\n<tool_call>\n{"name": "weather", "arguments": {"city": "Paris"}}\n'
            "</tool_call>"
        ),
    ),
    finish_reason="stop",
    usage=Usage(input=3, output=4),
)


async def ask(options: str) -> Response:
    async with DialectServer("openai_chat", [PRINTED]) as server:
        registry = Registry(providers={"up": f"openai+{server.url}/v1{options}"}, env={})
        async with registry:
            return await registry.parse("up/m").generate("weather?", tools=(WEATHER,))


async def test_a_printed_call_is_made() -> None:
    response = await ask("")
    assert response.text == "Let me look."
    assert [(call.name, call.arguments) for call in response.tool_calls] == [
        ("weather", '{"city":"Paris"}')
    ]
    assert response.finish_reason == "tool_calls"
    assert any("printed as text" in note.why for note in response.notes)


async def test_one_knob_turns_it_off() -> None:
    response = await ask("?rescue=off")
    assert response.tool_calls == ()
    assert "<tool_call>" in response.text


async def test_the_emulation_reports_what_it_did() -> None:
    response = await ask("?tools=emulated")
    assert len(response.tool_calls) == 1
    line = next(note.why for note in response.notes if "parsed=1" in note.why)
    assert "contract=injected" in line
    assert "refusal=none" in line
