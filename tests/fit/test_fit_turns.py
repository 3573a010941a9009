"""Where system messages may stand, who speaks first, last and in between."""

from typing import Literal

import pytest

from majordomo.contract import (
    Artefact,
    Capabilities,
    DialectName,
    Message,
    Request,
    Text,
    ToolCall,
    ToolResult,
    assistant,
    system,
    tool_results,
    user,
)
from majordomo.fit import fit
from majordomo.fit.turns import GO_ON, OPENING

CALL = ToolCall(id="a", name="f", arguments="{}")
RESULT = ToolResult(id="a", name="f")

SYSTEM: dict[
    str, tuple[Literal["anywhere", "first", "none"], Request, str, tuple[Message, ...]]
] = {
    "anywhere: as it was": (
        "anywhere",
        Request(system="be", messages=(system("kind"), user("q"), system("now"))),
        "be",
        (system("kind"), user("q"), system("now")),
    ),
    "first: leading ones are folded, later ones told in place": (
        "first",
        Request(system="be", messages=(system("kind"), user("q"), assistant("a"), system("now"))),
        "be\n\nkind",
        (user("q"), assistant("a"), user("<system>\nnow\n</system>")),
    ),
    "none: told at the head of the first turn": (
        "none",
        Request(system="be", messages=(user("q"), assistant("a"), user("r"))),
        "",
        (user("<system>\nbe\n</system>", "q"), assistant("a"), user("r")),
    ),
    "none: a turn is made if the user did not begin": (
        "none",
        Request(system="be", messages=(assistant("a"), user("r"))),
        "",
        (user("<system>\nbe\n</system>"), assistant("a"), user("r")),
    ),
    "none: nothing to do without one": (
        "none",
        Request(messages=(user("q"),)),
        "",
        (user("q"),),
    ),
}


@pytest.mark.parametrize(
    ("where", "request_", "expected", "messages"), SYSTEM.values(), ids=SYSTEM.keys()
)
def test_system_folding(
    where: Literal["anywhere", "first", "none"],
    request_: Request,
    expected: str,
    messages: tuple[Message, ...],
) -> None:
    fitted = fit(request_, Capabilities(system=where), dialect="openai_chat")
    assert (fitted.request.system, fitted.request.messages) == (expected, messages)
    changed = fitted.request != request_
    assert [note.kind for note in fitted.notes] == (["mapped"] if changed else [])


def turns(
    *messages: Message, dialect: DialectName = "openai_chat", alternate: bool = True
) -> tuple[Message, ...]:
    capabilities = Capabilities(alternate=alternate)
    return fit(Request(messages=messages), capabilities, dialect=dialect).request.messages


def test_neighbours_of_one_role_are_joined_with_a_line_between() -> None:
    assert turns(user("a"), user("b"), assistant("c"), assistant("d"), user("e")) == (
        user("a\n\n", "b"),
        assistant("c\n\n", "d"),
        user("e"),
    )


def test_they_stay_apart_where_nobody_minds() -> None:
    assert turns(user("a"), user("b"), alternate=False) == (user("a"), user("b"))


def test_tool_results_are_no_turn_of_their_own() -> None:
    history = (user("q"), assistant(CALL), tool_results(RESULT), user("go on"))
    assert turns(*history) == history


def test_the_user_is_made_to_speak_first_where_that_is_demanded() -> None:
    assert turns(assistant("hello"), user("q")) == (user(OPENING), assistant("hello"), user("q"))
    for dialect in ("anthropic", "gemini"):
        opened = turns(assistant("hello"), user("q"), dialect=dialect, alternate=False)
        assert opened[0] == user(OPENING)
    assert turns(assistant("hi"), user("q"), alternate=False) == (assistant("hi"), user("q"))


def test_a_target_that_cannot_go_on_from_an_unfinished_turn_is_asked_to() -> None:
    request = Request(messages=(user("q"), assistant("Once upon")))
    fitted = fit(request, Capabilities(prefill=False), dialect="anthropic")
    assert fitted.request.messages[-1] == user(GO_ON)
    assert [note.kind for note in fitted.notes] == ["repaired"]
    assert fit(request, Capabilities(prefill=True), dialect="anthropic").request is request


def test_system_blocks_keep_their_marks_where_there_are_blocks() -> None:
    mark = Artefact(dialect="anthropic", value={"cache_control": {"type": "ephemeral"}})
    block = Message(role="system", parts=(Text(text="long", artefact=mark),))
    request = Request(messages=(block, user("q")))
    capabilities = Capabilities(system="first")
    assert fit(request, capabilities, dialect="anthropic").request is request
    told = fit(request, capabilities, dialect="openai_chat").request
    assert (told.system, told.messages) == ("long", (user("q"),))


def test_a_late_system_message_keeps_its_marks_in_place() -> None:
    mark = Artefact(dialect="anthropic", value={"cache_control": {"type": "ephemeral"}})
    late = Message(role="system", parts=(Text(text="now", artefact=mark),))
    request = Request(messages=(user("q"), late))
    told = fit(request, Capabilities(system="first"), dialect="anthropic").request.messages[1]
    assert told == user(Text(text="<system>\nnow\n</system>", artefact=mark))


def test_a_system_message_that_only_sets_something_stays_where_it_may_stand() -> None:
    effort = Artefact(dialect="anthropic", value={"output_config": {"effort": "low"}})
    setting = Message(role="system", parts=(), artefact=effort)
    request = Request(messages=(user("q"), setting))
    assert fit(request, Capabilities(), dialect="anthropic").request.messages == request.messages
    for_first = fit(request, Capabilities(system="first"), dialect="anthropic").request
    assert for_first.messages == (user("q"),)
    elsewhere = fit(request, Capabilities(), dialect="openai_chat").request
    assert elsewhere.messages == (user("q"),)
