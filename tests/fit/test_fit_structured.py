"""Answers of a given shape: natively, through a tool, through the prompt; always checked."""

from typing import cast

import pytest

from majordomo.contract import (
    AUTO,
    Capabilities,
    DialectName,
    Event,
    Finish,
    FinishReason,
    InvalidRequest,
    JsonObject,
    PartDone,
    ProtocolBroken,
    Request,
    SchemaMode,
    Start,
    Text,
    TextDelta,
    Thinking,
    ThinkingDelta,
    Tool,
    ToolCall,
    ToolChoice,
    Unsupported,
    fold,
    pump,
    unfold,
    user,
)
from majordomo.fit import Again, Fitted, fit

SCHEMA: JsonObject = {
    "type": "object",
    "properties": {"n": {"type": "integer", "minimum": 1}, "note": {"type": "string"}},
    "required": ["n"],
}
ASK = Request(messages=(user("q"),), system="be brief", schema=SCHEMA)
NATIVE = Capabilities()
TOOL = Capabilities(structured="tool")
PROMPT = Capabilities(structured="prompt", json_mode=False)


def fitted(
    capabilities: Capabilities = NATIVE,
    request: Request = ASK,
    *,
    dialect: DialectName = "openai_chat",
    partial: bool = False,
) -> Fitted:
    return fit(request, capabilities, dialect=dialect, partial=partial)


def lifted(after: Fitted, *events: Event, reason: FinishReason = "stop") -> list[Event | Again]:
    assert after.lift is not None
    return [*pump(after.lift(), [Start(model="m"), *events, Finish(reason=reason)])]


def text_of(told: list[Event | Again]) -> str:
    return fold([event for event in told if not isinstance(event, Again)]).text


def again_in(told: list[Event | Again]) -> Again:
    last = told[-1]
    assert isinstance(last, Again)
    return last


def say(text: str) -> list[Event]:
    return [TextDelta(text=letter) for letter in text]


class TestNative:
    def test_the_schema_is_lowered_and_the_reply_checked_against_the_original(self) -> None:
        after = fitted(Capabilities(schema="anthropic"), dialect="anthropic")
        assert [(note.kind, note.what) for note in after.notes] == [("mapped", "schema")]
        sent = after.request.schema or {}
        properties = cast("JsonObject", sent["properties"])
        assert properties["n"] == {"type": "integer", "description": "(minimum: 1)"}
        assert text_of(lifted(after, *say('{"n":1}'))) == '{"n":1}'
        again = again_in(lifted(after, *say('{"n":0}')))
        assert "0 is less than the minimum of 1" in again.reason
        assert again.request.messages[-2].text == '{"n":0}'
        assert "0 is less than the minimum of 1" in again.request.messages[-1].text
        assert [note.kind for note in again.notes] == ["retried"]

    def test_a_valid_reply_passes_word_for_word(self) -> None:
        spaced = '{ "n" : 1 }\n'
        assert text_of(lifted(fitted(), *say(spaced))) == spaced

    def test_nothing_invalid_gets_out_before_it_is_known_to_be(self) -> None:
        told = lifted(fitted(), *say("not json"))
        assert [type(item) for item in told] == [Start, Again]

    def test_thinking_flows_at_once(self) -> None:
        after = fitted()
        assert after.lift is not None
        lift = after.lift()
        assert [*lift.feed(ThinkingDelta(text="hm"))] == [ThinkingDelta(text="hm")]
        assert [*lift.feed(TextDelta(text="{"))] == []

    def test_what_was_optional_and_came_as_null_is_left_out_again(self) -> None:
        after = fitted(Capabilities(schema="openai_strict"))
        assert text_of(lifted(after, *say('{"n":2,"note":null}'))) == '{"n":2}'

    @pytest.mark.parametrize(("asked", "sent"), [(None, True), (True, True), (False, False)])
    def test_openais_strict_mode_is_asked_for_unless_the_caller_said_otherwise(
        self, *, asked: bool | None, sent: bool
    ) -> None:
        request = ASK.with_options(schema_strict=asked)
        after = fitted(Capabilities(schema="openai_strict"), request)
        assert after.request.schema_strict is sent
        assert (after.request.schema == SCHEMA) is (asked is not None)

    def test_partial_text_may_flow_and_a_late_fault_is_an_error(self) -> None:
        after = fitted(partial=True)
        assert after.lift is not None
        lift = after.lift()
        assert [*lift.feed(TextDelta(text='{"n"'))] == [TextDelta(text='{"n"')]
        assert [*lift.feed(TextDelta(text=":0}"))] == [TextDelta(text=":0}")]
        with pytest.raises(ProtocolBroken, match="does not match the schema"):
            lift.feed(Finish(reason="stop"))

    def test_partial_text_that_must_be_turned_back_is_held(self) -> None:
        after = fitted(Capabilities(schema="openai_strict"), partial=True)
        assert text_of(lifted(after, *say('{"n":2,"note":null}'))) == '{"n":2}'

    @pytest.mark.parametrize("reason", ["length", "content_filter", "refusal", "cancelled"])
    def test_a_reply_that_was_cut_or_refused_passes_as_it_is(self, reason: FinishReason) -> None:
        told = lifted(fitted(), *say('{"n":'), reason=reason)
        assert text_of(told) == '{"n":'
        assert isinstance(told[-1], Finish)
        assert told[-1].reason == reason

    def test_a_reply_that_calls_a_tool_is_no_answer_yet(self) -> None:
        request = Request(messages=(user("q"),), schema=SCHEMA, tools=(Tool(name="f"),))
        call = PartDone(part=ToolCall(id="1", name="f", arguments="{}"))
        told = lifted(fitted(request=request), *say("wait"), call, reason="tool_calls")
        assert text_of(told) == "wait"
        assert call in told

    def test_a_schema_too_much_for_the_target_falls_back_to_a_tool(self) -> None:
        many: JsonObject = {f"p{n}": {"type": "string"} for n in range(30)}
        request = Request(messages=(user("q"),), schema={"type": "object", "properties": many})
        after = fitted(Capabilities(schema="anthropic"), request, dialect="anthropic")
        assert [tool.name for tool in after.request.tools] == ["response"]
        assert "30 optional properties" in after.notes[0].why


class TestThroughATool:
    def test_it_is_the_only_choice(self) -> None:
        after = fitted(TOOL)
        assert after.request.schema is None
        assert after.request.tools[0].parameters == SCHEMA
        assert after.request.tool_choice == ToolChoice(
            mode="named", name="response", parallel=False
        )
        assert [note.kind for note in after.notes] == ["emulated"]

    def test_the_call_comes_back_as_the_text_it_stands_for(self) -> None:
        call = ToolCall(id="1", name="response", arguments='{"n": 4}')
        told = lifted(fitted(TOOL), PartDone(part=call), reason="tool_calls")
        response = fold([event for event in told if not isinstance(event, Again)])
        assert response.parts == (Text(text='{"n":4}'),)
        assert response.finish_reason == "stop"

    def test_prose_beside_the_call_is_not_part_of_the_answer(self) -> None:
        call = ToolCall(id="1", name="response", arguments='{"n":4}')
        told = lifted(fitted(TOOL), *say("Here:"), PartDone(part=call), reason="tool_calls")
        assert text_of(told) == '{"n":4}'

    def test_a_model_that_answers_in_text_anyway_is_understood(self) -> None:
        assert text_of(lifted(fitted(TOOL), *say('```json\n{"n":4}\n```'))) == '{"n":4}'

    def test_a_fault_is_told_as_the_tools_error_thoughts_and_all(self) -> None:
        thought = PartDone(part=Thinking(text="hm"))
        call = PartDone(part=ToolCall(id="1", name="response", arguments='{"n":0}'))
        again = again_in(lifted(fitted(TOOL), thought, call, reason="tool_calls"))
        assert again.request.messages[-2].parts == (Thinking(text="hm"), call.part)
        result = again.request.messages[-1].tool_results[0]
        assert (result.id, result.is_error) == ("1", True)
        assert "minimum" in result.text

    def test_tools_of_the_callers_own_may_be_called_first(self) -> None:
        request = Request(messages=(user("q"),), schema=SCHEMA, tools=(Tool(name="response"),))
        after = fitted(TOOL, request)
        assert after.request.tool_choice == ToolChoice(mode="required")
        assert len({tool.name for tool in after.request.tools}) == 2
        call = PartDone(part=ToolCall(id="1", name="response", arguments="{}"))
        assert call in lifted(after, call, reason="tool_calls")

    def test_a_target_that_cannot_be_forced_is_asked(self) -> None:
        capabilities = Capabilities(structured="tool", tool_choice=("auto",))
        after = fitted(capabilities)
        assert after.request.tool_choice.mode == "auto"
        assert "response" in after.request.system

    def test_an_answer_that_is_no_object_is_wrapped_and_unwrapped(self) -> None:
        schema: JsonObject = {"type": "array", "items": {"type": "integer"}}
        after = fitted(TOOL, Request(messages=(user("q"),), schema=schema))
        call = PartDone(part=ToolCall(id="1", name="response", arguments='{"value":[1,2]}'))
        assert text_of(lifted(after, call, reason="tool_calls")) == "[1,2]"


class TestThroughThePrompt:
    def test_the_schema_is_written_into_the_system_prompt(self) -> None:
        after = fitted(PROMPT)
        assert after.request.schema is None
        assert after.request.system.startswith("be brief\n\nAnswer with JSON only")
        assert '"minimum":1' in after.request.system

    def test_json_mode_helps_where_there_is_one(self) -> None:
        assert fitted(Capabilities(structured="prompt")).request.schema == {}

    @pytest.mark.parametrize(
        "text",
        ['{"n":3}', '```json\n{"n":3}\n```', 'Sure! {"n":3} Hope it helps.', '\n\n{"n": 3}'],
    )
    def test_json_is_found_in_what_models_write_around_it(self, text: str) -> None:
        told = text_of(lifted(fitted(PROMPT), *say(text)))
        assert told.replace(" ", "").strip() == '{"n":3}'

    @pytest.mark.parametrize("text", ["I cannot.", "", "{broken", "[1, 2"])
    def test_no_json_is_asked_for_again(self, text: str) -> None:
        again = again_in(lifted(fitted(PROMPT), *say(text)))
        assert "it is no JSON" in again.reason


class TestJsonOfAnyShape:
    def test_openai_is_told_the_word_it_insists_on(self) -> None:
        request = Request(messages=(user("give me an object"),), schema={})
        assert "JSON" in fitted(request=request).request.system
        said = Request(messages=(user("give me json"),), schema={})
        assert fitted(request=said).request is said

    def test_any_json_will_do_and_nothing_else(self) -> None:
        after = fitted(request=Request(messages=(user("json"),), schema={}))
        assert text_of(lifted(after, *say("[1]"))) == "[1]"
        assert again_in(lifted(after, *say("no")))

    def test_a_target_without_json_mode_is_asked_in_words(self) -> None:
        request = Request(messages=(user("json"),), schema={})
        after = fitted(Capabilities(json_mode=False), request)
        assert after.request.schema is None
        assert "JSON only" in after.request.system


def test_a_target_that_gives_none_refuses() -> None:
    with pytest.raises(Unsupported, match="no structured output"):
        fitted(Capabilities(structured="off"))


@pytest.mark.parametrize("mode", ["native", "tool", "prompt"])
@pytest.mark.parametrize(
    "schema", [{"type": "nonsense"}, {"$ref": "https://example.com/x.json"}, {"pattern": "("}]
)
def test_what_is_no_json_schema_is_the_callers_error(mode: SchemaMode, schema: JsonObject) -> None:
    request = Request(messages=(user("q"),), schema=schema)
    with pytest.raises(InvalidRequest, match="no valid JSON Schema"):
        fitted(Capabilities(structured=mode), request)


def test_events_after_the_first_reply_are_checked_anew_each_time() -> None:
    after = fitted()
    assert after.lift is not None
    first, second = after.lift(), after.lift()
    assert again_in([*pump(first, [*say("x"), Finish(reason="stop")])])
    response = fold(unfold(fold([*say('{"n":1}'), Finish(reason="stop")])))
    assert text_of([*pump(second, unfold(response))]) == '{"n":1}'
    assert after.request.tool_choice == AUTO
