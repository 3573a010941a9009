"""A request is a reusable value, and reads what a caller finds natural to write."""

import msgspec
import pytest

from majordomo.contract import (
    Artefact,
    Document,
    Image,
    Message,
    Opaque,
    Options,
    Prompt,
    Request,
    Text,
    Thinking,
    Tool,
    ToolCall,
    ToolChoice,
    ToolResult,
    as_request,
    assistant,
    named,
    system,
    tool_results,
    user,
)

HELLO = user("hello")

NATURAL: dict[str, tuple[Prompt, tuple[Message, ...]]] = {
    "a string": ("hello", (HELLO,)),
    "a message": (HELLO, (HELLO,)),
    "a list of messages": ([system("be kind"), HELLO], (system("be kind"), HELLO)),
    "a request": (Request(messages=(HELLO,)), (HELLO,)),
}


@pytest.mark.parametrize(("prompt", "messages"), NATURAL.values(), ids=NATURAL.keys())
def test_reads_what_is_natural(prompt: Prompt, messages: tuple[Message, ...]) -> None:
    assert as_request(prompt).messages == messages


def test_options_are_applied_to_a_copy() -> None:
    request = Request(messages=(HELLO,), temperature=0.1)
    warmer = as_request(request, temperature=0.9, stop=("END",))
    assert (warmer.temperature, warmer.stop) == (0.9, ("END",))
    assert (request.temperature, request.stop) == (0.1, ())


def test_every_field_but_the_messages_is_an_option() -> None:
    assert {*Options.__annotations__} == {*Request.__struct_fields__} - {"messages"}


def test_a_history_survives_a_round_trip_through_json() -> None:
    signed = Artefact(dialect="gemini", value={"thoughtSignature": "x"})
    request = Request(
        messages=(
            system("rules"),
            user("look", Image(data=b"\x89PNG", mime="image/png")),
            user(Document(data=b"%PDF", mime="application/pdf", name="a.pdf")),
            assistant(
                Thinking(text="", artefact=signed),
                "let me see",
                ToolCall(id="1", name="f", arguments='{"a": [1, null]}', artefact=signed),
                Opaque(dialect="anthropic", value={"type": "server_tool_use", "n": [1.5, None]}),
            ),
            tool_results(ToolResult(id="1", name="f", content=(Text(text="no"),), is_error=True)),
        ),
        tools=(Tool(name="f", parameters={"type": "object", "properties": {"a": {}}}),),
        tool_choice=named("f"),
        schema={},
        extra={"anthropic": {"thinking": {"type": "adaptive"}}},
    )
    assert msgspec.json.decode(msgspec.json.encode(request), type=Request) == request


def test_turning_parallel_calls_off_forces_nothing() -> None:
    assert ToolChoice(parallel=False).mode == "auto"


def test_views_show_what_the_parts_say() -> None:
    call = ToolCall(id="1", name="f", arguments="{}")
    result = ToolResult(id="1", content=(Text(text="4"), Image(data=b"", mime="image/png")))
    turn = assistant("two and two", Thinking(text="easy"), call, " is")
    assert (turn.text, turn.tool_calls) == ("two and two is", (call,))
    assert tool_results(result).tool_results == (result,)
    assert result.text == "4"
