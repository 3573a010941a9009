"""The parser takes tools as contract values, or as the JSON of any dialect."""

import pytest

from majordomo.contract import JsonObject, Malformed, Tool
from majordomo.fit.actions import parse

CITY: JsonObject = {"type": "object", "properties": {"city": {"type": "string"}}}
REPLY = '```json\n{"tool": "weather", "parameters": {"city": "Paris"}}\n```'

GIVEN: dict[str, Tool | JsonObject] = {
    "a tool": Tool(name="weather", parameters=CITY),
    "flat": {"name": "weather", "parameters": CITY},
    "OpenAI Chat": {"type": "function", "function": {"name": "weather", "parameters": CITY}},
    "Anthropic": {"name": "weather", "input_schema": CITY},
    "Gemini": {"name": "weather", "parametersJsonSchema": CITY},
    "without a schema": {"name": "weather"},
}


@pytest.mark.parametrize("tool", GIVEN.values(), ids=GIVEN.keys())
def test_any_notation_of_a_tool_is_read(tool: Tool | JsonObject) -> None:
    text, calls, _ = parse(REPLY, [tool])
    assert text == ""
    assert [(call.name, call.arguments) for call in calls] == [("weather", '{"city":"Paris"}')]


def test_a_tool_without_a_name_is_no_tool() -> None:
    with pytest.raises(Malformed, match="without a name"):
        parse(REPLY, [{"parameters": CITY}])
