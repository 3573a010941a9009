"""The checklist's test matrix, by its own names, at the level of the contract."""

import pytest

from majordomo.contract import (
    NONE,
    REQUIRED,
    Message,
    PartDone,
    ProtocolBroken,
    Request,
    TextDelta,
    ToolCall,
    ToolChoice,
    ToolResult,
    assistant,
    named,
    tool_results,
    user,
)
from support.action_script import BASH, CHAT, READ, READ_A, TOOLS, Turn, action

ASK = user("Read a.txt and tell me what it says.")
CALL = ToolCall(id="call_7", name="Read", arguments='{"file_path":"a.txt"}')
RESULT = tool_results(ToolResult(id="call_7", content=user("hello world").parts))
HISTORY: tuple[Message, ...] = (ASK, assistant("I'll read it.", CALL), RESULT)


def test_single_turn_tool_call() -> None:
    turn = Turn(Request(messages=(ASK,), tools=TOOLS))
    response = turn.run([f"I'll read it.\n\n{READ_A}"])
    assert response.text == "I'll read it."
    assert [(call.name, call.arguments) for call in response.tool_calls] == [
        ("Read", '{"file_path":"a.txt"}')
    ]
    assert response.finish_reason == "tool_calls"
    assert turn.reasons == []


def test_multi_turn_tool_result_continuation() -> None:
    turn = Turn(Request(messages=HISTORY, tools=TOOLS))
    asked = turn.asked[0]
    assert [message.role for message in asked.messages] == ["user", "assistant", "user"]
    assert '"tool":"Read","id":"call_7"' in asked.messages[1].text
    assert "[Result of Read (call_7)]\nhello world" in asked.messages[2].text
    assert asked.messages[2].text.endswith("another action, or the final answer?")
    response = turn.run(["It says hello world."])
    assert (response.text, response.tool_calls) == ("It says hello world.", ())
    assert response.finish_reason == "stop"


def test_later_turn_without_repeated_tools() -> None:
    turn = Turn(Request(messages=HISTORY))
    assert "Read({" in turn.asked[0].system
    response = turn.run([action("Read", '{"file_path": "b.txt"}')])
    assert [call.name for call in response.tool_calls] == ["Read"]


def test_forced_tool() -> None:
    request = Request(messages=(ASK,), tools=TOOLS, tool_choice=named("Bash"))
    turn = Turn(request)
    assert "calls Bash" in turn.asked[0].system
    response = turn.run(["The file is fine.", READ_A, action("Bash", '{"command": "cat a.txt"}')])
    assert [call.name for call in response.tool_calls] == ["Bash"]
    assert [reason.partition(":")[0] for reason in turn.reasons] == ["named", "invalid"]


def test_tool_choice_any() -> None:
    turn = Turn(Request(messages=(ASK,), tools=TOOLS, tool_choice=REQUIRED))
    response = turn.run(["Let us talk about it.", READ_A])
    assert [call.name for call in response.tool_calls] == ["Read"]
    assert turn.reasons == ["required: there was no call"]
    assert "An action block was required" in turn.asked[1].messages[-1].text


def test_tool_choice_any_that_never_calls_is_an_error_not_an_answer() -> None:
    turn = Turn(Request(messages=(ASK,), tools=TOOLS, tool_choice=REQUIRED))
    with pytest.raises(ProtocolBroken, match="there was no call"):
        turn.run(["No."] * 3)
    assert not [event for event in turn.told if isinstance(event, TextDelta)]


def test_tool_choice_none() -> None:
    turn = Turn(Request(messages=(ASK,), tools=TOOLS, tool_choice=NONE))
    assert "Do not use a tool" in turn.asked[0].system
    response = turn.run([READ_A, "I cannot say without reading it."])
    assert response.tool_calls == ()
    assert response.text == "I cannot say without reading it."
    assert turn.reasons[0].startswith("forbidden")


def test_tool_choice_none_that_only_calls_is_an_error_not_an_empty_answer() -> None:
    """A model of 135 million parameters does that: it repeats what it called before."""
    turn = Turn(Request(messages=HISTORY, tools=TOOLS, tool_choice=NONE))
    with pytest.raises(ProtocolBroken, match="no valid answer was given: no tool may be used"):
        turn.run([READ_A] * 3)


def test_parallel_tool_calls_false() -> None:
    choice = ToolChoice(parallel=False)
    turn = Turn(Request(messages=(ASK,), tools=TOOLS, tool_choice=choice))
    assert "At most one action block" in turn.asked[0].system
    response = turn.run([READ_A + "\n" + action("Bash", '{"command": "ls"}')])
    assert [call.name for call in response.tool_calls] == ["Read"]
    assert "one call at a time" in turn.report.dropped[0]


def test_streaming_tool_use() -> None:
    turn = Turn(Request(messages=(ASK,), tools=TOOLS))
    turn.run([f"One moment.\n\n{READ_A}\n"], size=1)
    kinds = [type(event).__name__ for event in turn.told]
    assert kinds[0] == "Start"
    assert kinds[-2:] == ["PartDone", "Finish"]
    assert set(kinds[1:-2]) == {"TextDelta"}
    assert len(kinds) > 8  # the prose came in pieces


def test_refusal() -> None:
    turn = Turn(Request(messages=(ASK,), tools=TOOLS))
    response = turn.run(["I don't have access to your file system.", READ_A])
    assert [call.name for call in response.tool_calls] == ["Read"]
    assert turn.report.refusal == "hard_refusal"
    assert turn.report.retried == 1
    failed, stricter = turn.asked[1].messages[-2:]
    assert failed.text == "I don't have access to your file system."
    assert "Read, Bash" in stricter.text
    assert "If none does, say so" in stricter.text


def test_invalid_json() -> None:
    turn = Turn(Request(messages=(ASK,), tools=TOOLS))
    bad = '```json action\n{"tool": "Read", "parameters": {"file_path": }}\n```'
    response = turn.run([bad, READ_A])
    assert [call.name for call in response.tool_calls] == ["Read"]
    assert "a value is missing" in turn.asked[1].messages[-1].text
    assert "file_path" not in response.text


def test_multiple_action_blocks() -> None:
    turn = Turn(Request(messages=(ASK,), tools=TOOLS))
    bash = action("Bash", '{"command": "ls"}')
    response = turn.run([f"Both.\n{READ_A}\n\n{bash}"])
    assert [call.name for call in response.tool_calls] == ["Read", "Bash"]
    assert len({call.id for call in response.tool_calls}) == 2
    assert response.text == "Both."


def test_plain_text_final_answer() -> None:
    turn = Turn(Request(messages=(ASK,), tools=TOOLS))
    response = turn.run(["Nothing to do: the answer is 42.\n"])
    assert response.text == "Nothing to do: the answer is 42.\n"
    assert (response.finish_reason, turn.reasons) == ("stop", [])


def test_a_request_without_tools_or_history_passes_untouched() -> None:
    request = Request(messages=(user("hi"),))
    turn = Turn(request, CHAT)
    assert turn.asked[0] == request
    assert turn.run([READ_A]).text == READ_A


def test_ids_never_collide_with_the_history() -> None:
    first = Turn(Request(messages=(ASK,), tools=(READ, BASH))).run([READ_A])
    call = first.tool_calls[0]
    history = (ASK, first.message, tool_results(ToolResult(id=call.id)))
    second = Turn(Request(messages=history, tools=TOOLS)).run([READ_A])
    assert second.tool_calls[0].id != call.id


def test_every_call_is_a_part_of_its_own() -> None:
    turn = Turn(Request(messages=(ASK,), tools=TOOLS))
    turn.run([READ_A])
    parts = [event.part for event in turn.told if isinstance(event, PartDone)]
    assert [type(part) for part in parts] == [ToolCall]
