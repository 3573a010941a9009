"""Constrained calls, and calls rescued from targets that have tools of their own."""

import jsonschema_rs
import pytest

from majordomo.contract import (
    REQUIRED,
    Event,
    Finish,
    PartDone,
    ProtocolBroken,
    Request,
    Text,
    TextDelta,
    Tool,
    ToolCall,
    fold,
    named,
    user,
)
from majordomo.fit.actions import rescue
from majordomo.fit.actions.forced import action_schema
from majordomo.fit.shim import Again
from support.action_script import BASH, HELD, READ, READ_A, TOOLS, Turn, events

ASK = (user("Read it."),)


def test_a_named_call_is_held_to_its_schema() -> None:
    turn = Turn(Request(messages=ASK, tools=TOOLS, tool_choice=named("Read")), HELD)
    schema = turn.asked[0].schema
    assert schema == action_schema([READ])
    response = turn.run(['{"tool":"Read","parameters":{"file_path":"a.txt"}}'])
    assert [call.arguments for call in response.tool_calls] == ['{"file_path":"a.txt"}']
    assert (response.text, response.finish_reason) == ("", "tool_calls")


def test_a_required_call_may_be_of_any_tool() -> None:
    schema = action_schema(TOOLS)
    valid = jsonschema_rs.validator_for(schema)
    assert valid.is_valid({"tool": "Bash", "parameters": {"command": "ls"}})
    assert not valid.is_valid({"tool": "Bash", "parameters": {"file_path": "a"}})
    assert not valid.is_valid({"tool": "Write", "parameters": {}})


def test_references_inside_a_tools_schema_still_lead_somewhere() -> None:
    tool = Tool(
        name="plan",
        parameters={
            "type": "object",
            "properties": {"step": {"$ref": "#/$defs/step"}},
            "required": ["step"],
            "$defs": {"step": {"type": "object", "required": ["name"]}},
        },
    )
    valid = jsonschema_rs.validator_for(action_schema([tool, BASH]))
    assert valid.is_valid({"tool": "plan", "parameters": {"step": {"name": "x"}}})
    assert not valid.is_valid({"tool": "plan", "parameters": {"step": {}}})


def test_a_constrained_reply_that_is_no_action_is_asked_for_again_and_then_an_error() -> None:
    request = Request(messages=ASK, tools=TOOLS, tool_choice=REQUIRED)
    turn = Turn(request, HELD)
    assert turn.run(["{}", '{"tool":"Bash","parameters":{"command":"ls"}}']).tool_calls
    with pytest.raises(ProtocolBroken):
        Turn(request, HELD).run(["{}"] * 3)


def test_a_free_choice_is_not_constrained() -> None:
    assert Turn(Request(messages=ASK, tools=TOOLS), HELD).asked[0].schema is None


def _rescued(source: list[Event]) -> list[Event]:
    lift = rescue(TOOLS)
    out = [item for event in source for item in lift.feed(event)]
    out += list(lift.close())
    return [item for item in out if not isinstance(item, Again)]


def test_a_call_printed_by_a_native_target_is_rescued() -> None:
    leaked = '<tool_call>{"name":"Read","arguments":{"file_path":"a"}}</tool_call>'
    response = fold(_rescued(events(f"Reading.\n{leaked}")))
    assert [call.name for call in response.tool_calls] == ["Read"]
    assert (response.text, response.finish_reason) == ("Reading.", "tool_calls")


def test_rescue_leaves_an_ordinary_reply_alone() -> None:
    source = events("Use `<tool_call>` like so:\n```python\nx = {}\n```\nDone.\n")
    response = fold(_rescued(source))
    assert response.text == fold(source).text
    assert response.finish_reason == "stop"


def test_rescue_gives_broken_calls_back_as_the_text_they_were() -> None:
    text = '```json action\n{"tool":"Read","parameters":{"file_path"'
    assert fold(_rescued(events(text))).text == text


def test_a_call_that_is_printed_and_made_is_given_once() -> None:
    call = ToolCall(id="c1", name="Read", arguments='{"file_path": "a.txt"}')
    source: list[Event] = [
        TextDelta(text=READ_A),
        PartDone(part=Text(text=READ_A)),
        PartDone(part=call),
        Finish(reason="tool_calls"),
    ]
    assert len(fold(_rescued(source)).tool_calls) == 1
