"""The steps together: in what order, what is asked again, and that lifts compose."""

import subprocess
import sys

import pytest

from majordomo.contract import (
    Capabilities,
    Event,
    Finish,
    JsonObject,
    PartDone,
    Request,
    Start,
    Text,
    TextDelta,
    Tool,
    ToolCall,
    ToolChoice,
    ToolResult,
    Unsupported,
    assistant,
    fold,
    pump,
    tool_results,
    user,
)
from majordomo.fit import Again, Fitted, fit

SCHEMA: JsonObject = {
    "type": "object",
    "properties": {"n": {"type": "integer", "minimum": 1}},
    "required": ["n"],
}
TOOL = Tool(
    name="look.up",
    parameters={"type": "object", "properties": {"q": {"type": "string"}}, "required": ["q"]},
)
EMULATED = Capabilities(tools="emulated", structured="prompt", json_mode=False)


def reply(after: Fitted, *events: Event, reason: str = "stop") -> list[Event | Again]:
    assert after.lift is not None
    finish = Finish(reason="tool_calls" if reason == "tool_calls" else "stop")
    return [*pump(after.lift(), [Start(), *events, finish])]


def text_of(told: list[Event | Again]) -> str:
    return fold([event for event in told if not isinstance(event, Again)]).text


def test_a_plain_request_is_the_same_object_and_needs_no_lift() -> None:
    request = Request(messages=(user("hello"),), system="be kind", temperature=0.5)
    fitted = fit(request, Capabilities(), dialect="openai_chat", target="a/b")
    assert fitted.request is request
    assert fitted == Fitted(request=request)


def test_notes_name_the_target() -> None:
    request = Request(messages=(user("q"),), seed=1)
    fitted = fit(request, Capabilities(), dialect="anthropic", target="claude/opus")
    assert [note.target for note in fitted.notes] == ["claude/opus"]


def test_a_refusal_names_the_target() -> None:
    request = Request(messages=(user("q"),), tools=(TOOL,))
    with pytest.raises(Unsupported) as refused:
        fit(request, Capabilities(tools="off"), dialect="ollama", target="local/tiny")
    assert refused.value.target == "local/tiny"


def test_names_and_arguments_are_both_turned_back() -> None:
    request = Request(
        messages=(user("q"),),
        tools=(Tool(name="look.up", parameters={"type": "object", "properties": {"q": {}}}),),
    )
    after = fit(request, Capabilities(tool_schema="openai_strict"), dialect="openai_chat")
    theirs = after.request.tools[0].name
    called = PartDone(part=ToolCall(id="1", name=theirs, arguments='{"q":"{\\"a\\":1}"}'))
    told = reply(after, called, reason="tool_calls")
    assert told[1] == PartDone(part=ToolCall(id="1", name="look.up", arguments='{"q":{"a":1}}'))


class TestEmulation:
    ASK = Request(messages=(user("weather?"),), tools=(TOOL,))

    def test_tools_are_written_into_the_prompt_and_calls_read_out_of_the_text(self) -> None:
        after = fit(self.ASK, EMULATED, dialect="openai_chat")
        assert after.request.tools == ()
        assert "look.up" in after.request.system
        assert "emulated" in {note.kind for note in after.notes}
        block = '```json action\n{"tool": "look.up", "parameters": {"q": "rain"}}\n```'
        told = reply(after, TextDelta(text=block))
        response = fold([event for event in told if not isinstance(event, Again)])
        assert [call.name for call in response.tool_calls] == ["look.up"]
        assert response.finish_reason == "tool_calls"

    def test_history_is_told_in_words_without_tools_being_repeated(self) -> None:
        call = ToolCall(id="1", name="look.up", arguments='{"q":"x"}')
        result = ToolResult(id="1", name="look.up", content=(Text(text="sunny"),))
        request = Request(messages=(user("w?"), assistant(call), tool_results(result)))
        after = fit(request, EMULATED, dialect="openai_chat")
        for message in after.request.messages:
            assert not message.tool_calls
            assert not message.tool_results
        assert "sunny" in after.request.messages[-1].text

    def test_an_answer_of_a_given_shape_is_checked_behind_it(self) -> None:
        request = self.ASK.with_options(schema=SCHEMA)
        after = fit(request, EMULATED, dialect="openai_chat")
        assert text_of(reply(after, TextDelta(text='{"n":2}'))) == '{"n":2}'

    def test_and_what_is_asked_again_is_in_the_targets_terms(self) -> None:
        request = self.ASK.with_options(schema=SCHEMA)
        after = fit(request, EMULATED, dialect="openai_chat")
        again = reply(after, TextDelta(text='{"n":0}'))[-1]
        assert isinstance(again, Again)
        assert again.request.tools == ()
        assert "look.up" in again.request.system
        assert "minimum" in again.request.messages[-1].text
        assert text_of(reply(after, TextDelta(text='{"n":3}'))) == '{"n":3}'

    def test_a_forced_call_asks_for_a_schema_in_the_targets_subset(self) -> None:
        forced = self.ASK.with_options(tool_choice=ToolChoice(mode="required"))
        capabilities = Capabilities(tools="emulated", schema="anthropic")
        after = fit(forced, capabilities, dialect="anthropic")
        assert after.request.schema is not None
        assert after.request.schema["additionalProperties"] is False


def test_what_is_asked_again_through_a_tool_is_lowered_again() -> None:
    request = Request(messages=(user("q"),), schema=SCHEMA)
    capabilities = Capabilities(structured="tool", tool_schema="gemini", alternate=True)
    after = fit(request, capabilities, dialect="gemini")
    call = PartDone(part=ToolCall(id="1", name="response", arguments='{"n":0}'))
    again = reply(after, call, reason="tool_calls")[-1]
    assert isinstance(again, Again)
    assert again.request.tools == after.request.tools
    assert [message.role for message in again.request.messages] == ["user", "assistant", "tool"]


def test_nothing_is_heard_after_a_reply_that_will_not_do() -> None:
    after = fit(Request(messages=(user("q"),), schema=SCHEMA), Capabilities(), dialect="ollama")
    assert after.lift is not None
    lift = after.lift()
    assert [*lift.feed(TextDelta(text="no"))] == []
    assert isinstance([*lift.feed(Finish(reason="stop"))][-1], Again)
    assert [*lift.feed(TextDelta(text="more"))] == []
    assert [*lift.close()] == []


def test_importing_fit_loads_no_codec_and_no_validator() -> None:
    script = (
        "import sys, majordomo.fit; print('PIL' in sys.modules, 'jsonschema_rs' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True)
    assert done.stdout.decode().split() == ["False", "False"]
