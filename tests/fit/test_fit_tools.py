"""Tools as the target takes them: native, refused, or downgraded and said."""

from pathlib import Path

import pytest

from majordomo.contract import (
    AUTO,
    NONE,
    REQUIRED,
    Artefact,
    Capabilities,
    DialectName,
    Event,
    Finish,
    PartDone,
    Request,
    SchemaDialect,
    Tool,
    ToolCall,
    ToolCallDelta,
    ToolChoice,
    Unsupported,
    named,
    pump,
    user,
)
from majordomo.dialects.json import object_at, read
from majordomo.fit import Fitted, fit
from support.subsets import CHECKS

NATIVE = Capabilities()
F = Tool(name="f", parameters={"type": "object", "properties": {"a": {"type": "string"}}})
G = Tool(name="g")
SEARCH = Tool(
    name="web_search",
    hosted=True,
    artefact=Artefact(dialect="anthropic", value={"type": "web_search_20260209"}),
)


def fitted(
    *tools: Tool,
    choice: ToolChoice = AUTO,
    dialect: DialectName = "openai_chat",
    capabilities: Capabilities = NATIVE,
) -> Fitted:
    request = Request(messages=(user("q"),), tools=tools, tool_choice=choice)
    return fit(request, capabilities, dialect=dialect)


def test_native_tools_pass_as_they_are() -> None:
    request = Request(messages=(user("q"),), tools=(F, G), tool_choice=named("f"))
    assert fit(request, Capabilities(), dialect="openai_chat").request is request


def test_a_target_without_tools_refuses_them() -> None:
    with pytest.raises(Unsupported, match="has no tools"):
        fitted(F, capabilities=Capabilities(tools="off"))


def test_unless_none_was_to_be_called() -> None:
    after = fitted(F, choice=NONE, capabilities=Capabilities(tools="off"))
    assert (after.request.tools, after.request.tool_choice) == ((), AUTO)
    assert [note.kind for note in after.notes] == ["mapped"]


def test_more_tools_than_it_takes_are_refused() -> None:
    with pytest.raises(Unsupported, match="2 tools are offered; this target takes 1"):
        fitted(F, G, capabilities=Capabilities(max_tools=1))


def test_a_tool_another_provider_runs_is_dropped_and_said() -> None:
    after = fitted(F, SEARCH)
    assert after.request.tools == (F,)
    assert [(note.kind, note.what) for note in after.notes] == [("dropped", "tool web_search")]
    assert fitted(F, SEARCH, dialect="anthropic").request.tools == (F, SEARCH)


def test_and_refused_if_it_had_to_be_called() -> None:
    with pytest.raises(Unsupported, match="'web_search' must be called and cannot be offered"):
        fitted(F, SEARCH, choice=named("web_search"))
    with pytest.raises(Unsupported, match="none can be offered"):
        fitted(SEARCH, choice=REQUIRED)


def test_a_second_tool_of_one_name_goes() -> None:
    after = fitted(F, F)
    assert after.request.tools == (F,)
    assert [note.kind for note in after.notes] == ["repaired"]


def test_what_another_dialect_noted_on_a_tool_is_withheld() -> None:
    marked = Tool(name="f", artefact=Artefact(dialect="anthropic", value={"defer_loading": True}))
    assert fitted(marked).request.tools == (Tool(name="f"),)
    assert fitted(marked, dialect="anthropic").request.tools == (marked,)


CHOICES: dict[str, tuple[ToolChoice, tuple[str, ...], ToolChoice, tuple[Tool, ...], list[str]]] = {
    "required stays": (REQUIRED, ("auto", "required"), REQUIRED, (F, G), []),
    "required on a target that cannot be forced": (
        REQUIRED, ("auto",), AUTO, (F, G), ["downgraded"]),
    "named becomes required of the only tool": (
        named("f"), ("auto", "required"), REQUIRED, (F,), ["mapped"]),
    "named on a target that cannot be forced": (named("f"), ("auto",), AUTO, (F,), ["downgraded"]),
    "none becomes no tools": (NONE, ("auto",), AUTO, (), ["mapped"]),
}  # fmt: skip


@pytest.mark.parametrize(
    ("choice", "modes", "sent", "tools", "kinds"), CHOICES.values(), ids=CHOICES.keys()
)
def test_choices(
    choice: ToolChoice,
    modes: tuple[str, ...],
    sent: ToolChoice,
    tools: tuple[Tool, ...],
    kinds: list[str],
) -> None:
    capabilities = Capabilities(tool_choice=modes)  # pyright: ignore[reportArgumentType] -- a row's words
    after = fitted(F, G, choice=choice, capabilities=capabilities)
    assert (after.request.tool_choice, after.request.tools) == (sent, tools)
    assert [note.kind for note in after.notes] == kinds


def test_strict_refuses_a_downgraded_choice() -> None:
    request = Request(messages=(user("q"),), tools=(F,), tool_choice=REQUIRED)
    with pytest.raises(Unsupported, match="tool_choice would be downgraded"):
        fit(request, Capabilities(tool_choice=("auto",)), dialect="ollama", strict=True)


def test_a_choice_among_some_offers_only_those_where_it_cannot_be_said() -> None:
    choice = ToolChoice(allowed=("f",))
    after = fitted(F, G, choice=choice, dialect="anthropic")
    assert (after.request.tools, after.request.tool_choice) == ((F,), AUTO)
    assert fitted(F, G, choice=choice).request.tool_choice == choice


def test_one_call_at_a_time_is_dropped_and_said_where_it_cannot_be_asked() -> None:
    capabilities = Capabilities(parallel_control=False)
    after = fitted(F, choice=ToolChoice(parallel=False), capabilities=capabilities)
    assert after.request.tool_choice == AUTO
    assert [(note.kind, note.what) for note in after.notes] == [("dropped", "tool_choice.parallel")]
    wanted = fitted(F, choice=ToolChoice(parallel=True), capabilities=capabilities)
    assert (wanted.request.tool_choice, wanted.notes) == (AUTO, ())


def test_a_call_demanded_of_no_tools_is_refused() -> None:
    with pytest.raises(Unsupported, match="none is offered"):
        fitted(choice=REQUIRED)


class TestSchemas:
    def test_real_tools_arrive_in_the_targets_subset_names_and_all(self) -> None:
        folder = Path(__file__).parent / "client_tools"
        document = object_at(read((folder / "claude-code.json").read_bytes()), "tools")
        tools = tuple(
            Tool(name=name, parameters=object_at(one, name)) for name, one in document.items()
        )
        targets: tuple[SchemaDialect, ...] = ("gemini", "openai_strict")
        for target in targets:
            after = fitted(*tools, capabilities=Capabilities(tool_schema=target))
            for tool in after.request.tools:
                CHECKS[target](tool.parameters)

    def test_arguments_come_back_as_the_callers_schema_has_them(self) -> None:
        after = fitted(F, capabilities=Capabilities(tool_schema="openai_strict"))
        assert after.request.tools[0].parameters["required"] == ["a"]
        assert called(after, '{"a":null}') == "{}"
        assert called(after, '{"a":"x"}') == '{"a":"x"}'
        assert called(after, "{broken") == "{broken"

    def test_fragments_are_held_until_the_call_is_whole(self) -> None:
        after = fitted(F, capabilities=Capabilities(tool_schema="openai_strict"))
        assert after.lift is not None
        events: list[Event] = [
            ToolCallDelta(id="1", name="f", arguments='{"a":'),
            ToolCallDelta(id="1", name="f", arguments="null}"),
            PartDone(part=ToolCall(id="1", name="f", arguments='{"a":null}')),
        ]
        assert [*pump(after.lift(), events)] == [
            PartDone(part=ToolCall(id="1", name="f", arguments="{}"))
        ]

    def test_a_schema_that_cannot_be_said_is_refused_by_the_tools_name(self) -> None:
        odd = Tool(name="odd", parameters={"$ref": "https://example.com/x"})
        with pytest.raises(Unsupported, match="schema of tool 'odd' refers to"):
            fitted(odd, capabilities=Capabilities(tool_schema="gemini"))


def called(after: Fitted, arguments: str) -> str:
    assert after.lift is not None
    whole = PartDone(part=ToolCall(id="1", name="f", arguments=arguments))
    events = [*pump(after.lift(), [whole, Finish(reason="tool_calls")])]
    match events[0]:
        case PartDone(part=ToolCall(arguments=told)):
            return told
        case _:
            pytest.fail(f"no call came out: {events}")
