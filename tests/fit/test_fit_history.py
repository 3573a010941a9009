"""Histories repaired so that the target accepts them; the caller's own stays as it was."""

import re

import pytest

from majordomo.contract import (
    Artefact,
    Capabilities,
    DialectName,
    Event,
    Finish,
    Message,
    Opaque,
    PartDone,
    Request,
    Text,
    TextDelta,
    Thinking,
    Tool,
    ToolCall,
    ToolCallDelta,
    ToolResult,
    Unsupported,
    assistant,
    named,
    pump,
    system,
    tool_results,
    user,
)
from majordomo.fit import Fitted, fit
from majordomo.fit.history.foreign import OMITTED
from majordomo.fit.history.pairing import UNANSWERED

NATIVE = Capabilities(prefill=True)


def repaired(
    *messages: Message, dialect: DialectName = "openai_chat", capabilities: Capabilities = NATIVE
) -> tuple[Message, ...]:
    return fitted(*messages, dialect=dialect, capabilities=capabilities).request.messages


def fitted(
    *messages: Message, dialect: DialectName = "openai_chat", capabilities: Capabilities = NATIVE
) -> Fitted:
    return fit(Request(messages=messages), capabilities, dialect=dialect)


def call(id: str = "a", name: str = "f") -> ToolCall:
    return ToolCall(id=id, name=name, arguments="{}")


def result(id: str = "a", text: str = "ok", name: str = "f") -> ToolResult:
    return ToolResult(id=id, name=name, content=(Text(text=text),))


MISSING = ToolResult(id="a", name="f", content=(Text(text=UNANSWERED),), is_error=True)

ROWS: dict[str, tuple[tuple[Message, ...], tuple[Message, ...]]] = {
    "a sound history is left alone": (
        (user("q"), assistant("let me", call()), tool_results(result()), assistant("so")),
        (user("q"), assistant("let me", call()), tool_results(result()), assistant("so")),
    ),
    "empty text is left out": (
        (user("q", ""), assistant("", call()), tool_results(result(text=""))),
        (user("q"), assistant(call()), tool_results(ToolResult(id="a", name="f"))),
    ),
    "a message of nothing but empty text goes": (
        (user("q"), assistant(""), user("again")),
        (user("q"), user("again")),
    ),
    "a call without a result gets one that says so": (
        (user("q"), assistant(call()), user("never mind")),
        (user("q"), assistant(call()), tool_results(MISSING), user("never mind")),
    ),
    "a call at the very end too": (
        (user("q"), assistant(call())),
        (user("q"), assistant(call()), tool_results(MISSING)),
    ),
    "results come in the order of their calls": (
        (user("q"), assistant(call("a"), call("b")), tool_results(result("b"), result("a"))),
        (user("q"), assistant(call("a"), call("b")), tool_results(result("a"), result("b"))),
    ),
    "results in several messages are one answer": (
        (user("q"), assistant(call("a"), call("b")), tool_results(result("a")),
         tool_results(result("b"))),
        (user("q"), assistant(call("a"), call("b")), tool_results(result("a"), result("b"))),
    ),
    "a user who speaks between call and result speaks after it": (
        (user("q"), assistant(call()), user("wait"), tool_results(result())),
        (user("q"), assistant(call()), tool_results(result()), user("wait")),
    ),
    "a system message between call and result comes after it": (
        (user("q"), assistant(call()), system("hm"), tool_results(result())),
        (user("q"), assistant(call()), tool_results(result()), system("hm")),
    ),
    "a result that came before its call is put behind it": (
        (user("q"), tool_results(result()), assistant(call())),
        (user("q"), assistant(call()), tool_results(result())),
    ),
    "an orphan result is told as text": (
        (user("q"), tool_results(result(text="lost"))),
        (user("q"), user("[result of f]", "lost")),
    ),
    "of two results for one call the second is told as text": (
        (user("q"), assistant(call()), tool_results(result(text="1"), result(text="2"))),
        (user("q"), assistant(call()), tool_results(result(text="1")),
         user("[result of f]", "2")),
    ),
    "text among the results follows them as the user's": (
        (user("q"), assistant(call()), Message(role="tool", parts=(result(), Text(text="note")))),
        (user("q"), assistant(call()), tool_results(result()), user("note")),
    ),
    "a call by the user is told as text": (
        (user("q", call()),),
        (user("q", "[called f with {}]"),),
    ),
    "ids that repeat every turn are told apart": (
        (user("q"), assistant(call("call_0")), tool_results(result("call_0", "1")),
         assistant(call("call_0")), tool_results(result("call_0", "2"))),
        (user("q"), assistant(call("call_0")), tool_results(result("call_0", "1")),
         assistant(call("call_0_2")), tool_results(result("call_0_2", "2"))),
    ),
    "an unanswered turn does not steal the answer of a later one": (
        (user("q"), assistant(call("a")), assistant(call("a")), tool_results(result("a"))),
        (user("q"), assistant(call("a")), tool_results(MISSING),
         assistant(call("a_2")), tool_results(result("a_2"))),
    ),
}  # fmt: skip


@pytest.mark.parametrize(("given", "expected"), ROWS.values(), ids=ROWS.keys())
def test_repairs(given: tuple[Message, ...], expected: tuple[Message, ...]) -> None:
    before = Request(messages=given)
    after = fit(before, NATIVE, dialect="openai_chat")
    assert after.request.messages == expected
    assert before == Request(messages=given)
    assert bool(after.notes) == (given != expected) or "call_0_2" in str(expected)
    assert fit(after.request, NATIVE, dialect="openai_chat").request == after.request


def test_a_sound_history_is_the_same_object() -> None:
    request = Request(messages=(user("q"), assistant(call()), tool_results(result())))
    assert fit(request, NATIVE, dialect="openai_chat").request is request


def test_anthropic_refuses_blanks_as_well_as_emptiness() -> None:
    assert repaired(user("q", " \n"), dialect="anthropic") == (user("q"),)
    assert repaired(user("q", " \n")) == (user("q", " \n"),)


def test_gemini_keeps_an_empty_text_that_carries_a_signature() -> None:
    signed = Text(text="", artefact=Artefact(dialect="gemini", value={"thoughtSignature": "x"}))
    assert repaired(user("q"), assistant(signed), dialect="gemini") == (
        user("q"),
        assistant(signed),
    )


def test_nothing_left_is_said() -> None:
    with pytest.raises(Unsupported, match="nothing this target could read"):
        repaired(user(""))


def test_results_are_given_the_name_that_gemini_links_them_by() -> None:
    unnamed = ToolResult(id="a", content=(Text(text="ok"),))
    told = repaired(user("q"), assistant(call()), tool_results(unnamed), dialect="gemini")
    assert told[2] == tool_results(result())


class TestWhatOthersWrote:
    SIGNED = Thinking(text="hm", artefact=Artefact(dialect="anthropic", value={"signature": "s"}))
    BARE = Thinking(text="hm")

    @pytest.mark.parametrize(
        ("thought", "dialect", "kept"),
        [
            (SIGNED, "anthropic", True),
            (SIGNED, "openai_responses", False),
            (SIGNED, "openai_chat", False),
            (BARE, "openai_chat", True),
            (BARE, "ollama", True),
            (BARE, "anthropic", False),
            (BARE, "openai_responses", False),
        ],
    )
    def test_thoughts_go_home_and_nowhere_else(
        self, thought: Thinking, dialect: DialectName, *, kept: bool
    ) -> None:
        after = fitted(user("q"), assistant(thought, "so"), dialect=dialect)
        assert (thought in after.request.messages[1].parts) is kept
        assert [note.what for note in after.notes] == ([] if kept else ["reasoning"])

    def test_a_signature_without_words_is_kept(self) -> None:
        silent = Thinking(text="", artefact=Artefact(dialect="anthropic", value={"signature": "s"}))
        told = repaired(user("q"), assistant(silent, "so"), dialect="anthropic")
        assert told[1].parts[0] is silent

    def test_a_target_that_takes_no_reasoning_back_gets_none(self) -> None:
        capabilities = Capabilities(thinking=False, prefill=True)
        told = repaired(
            user("q"), assistant(self.SIGNED, "so"), dialect="anthropic", capabilities=capabilities
        )
        assert told[1] == assistant("so")

    def test_cache_marks_are_withheld_and_that_is_said(self) -> None:
        mark = Artefact(dialect="anthropic", value={"cache_control": {"type": "ephemeral"}})
        marked = Message(role="user", parts=(Text(text="q", artefact=mark),))
        after = fitted(marked)
        assert after.request.messages == (user("q"),)
        assert [(note.kind, note.what) for note in after.notes] == [("dropped", "cache_control")]
        assert fitted(marked, dialect="anthropic").request.messages == (marked,)

    def test_marks_inside_results_are_withheld_too(self) -> None:
        mark = Artefact(dialect="anthropic", value={"cache_control": {"type": "ephemeral"}})
        answer = ToolResult(
            id="a", name="f", content=(Text(text="ok", artefact=mark),), artefact=mark
        )
        told = repaired(user("q"), assistant(call()), tool_results(answer))
        assert told[2] == tool_results(result())

    def test_a_block_only_another_dialect_reads_leaves_a_word_behind(self) -> None:
        picture = Opaque(dialect="openai_chat", value={"type": "image_url", "image_url": {}})
        after = fitted(user("look", picture), dialect="anthropic")
        assert after.request.messages == (user("look", OMITTED),)
        assert [(note.kind, note.what) for note in after.notes] == [("dropped", "block image_url")]
        assert repaired(user("look", picture)) == (user("look", picture),)

    def test_a_block_without_content_just_goes_and_is_noted(self) -> None:
        block = Opaque(dialect="anthropic", value={"type": "redacted_thinking", "data": "x"})
        after = fitted(user("q"), assistant(block, "so"))
        assert after.request.messages[1] == assistant("so")
        assert [note.what for note in after.notes] == ["block redacted_thinking"]


class TestNames:
    MISTRAL = Capabilities(call_id=r"[a-zA-Z0-9]{9}", prefill=True)

    def test_illegal_ids_are_mapped_the_same_for_call_and_result(self) -> None:
        told = repaired(
            user("q"),
            assistant(call("toolu_01:x")),
            tool_results(result("toolu_01:x")),
            capabilities=self.MISTRAL,
        )
        sent = told[1].tool_calls[0].id
        assert re.fullmatch(r"[a-zA-Z0-9]{9}", sent)
        assert told[2].tool_results[0].id == sent
        again = repaired(
            user("q"),
            assistant(call("toolu_01:x")),
            tool_results(result("toolu_01:x")),
            capabilities=self.MISTRAL,
        )
        assert again == told  # the same bytes every turn: caches depend on it

    def test_a_reply_that_uses_a_mapped_id_is_given_ours(self) -> None:
        after = fitted(
            user("q"),
            assistant(call("toolu_01:x")),
            tool_results(result("toolu_01:x")),
            capabilities=self.MISTRAL,
        )
        theirs = after.request.messages[1].tool_calls[0].id
        assert lifted(after, PartDone(part=call(theirs))) == [PartDone(part=call("toolu_01:x"))]

    def test_illegal_tool_names_are_mapped_there_and_back(self) -> None:
        name = "mcp server/do.it"
        request = Request(
            messages=(user("q"), assistant(call(name=name)), tool_results(result(name=name))),
            tools=(Tool(name=name), Tool(name="fine")),
            tool_choice=named(name),
        )
        after = fit(request, NATIVE, dialect="openai_chat")
        theirs = after.request.tools[0].name
        assert re.fullmatch(NATIVE.tool_name, theirs)
        assert theirs.startswith("mcp_server_do_it")
        assert after.request.tools[1].name == "fine"
        assert after.request.tool_choice.name == theirs
        assert after.request.messages[1].tool_calls[0].name == theirs
        assert after.request.messages[2].tool_results[0].name == theirs
        delta = ToolCallDelta(id="b", name=theirs, arguments="{")
        events = lifted(after, TextDelta(text="x"), delta, PartDone(part=call("b", theirs)))
        assert events == [
            TextDelta(text="x"),
            ToolCallDelta(id="b", name=name, arguments="{"),
            PartDone(part=call("b", name)),
        ]
        assert [note.kind for note in after.notes] == ["mapped"]

    def test_names_that_differ_only_in_what_is_illegal_stay_apart(self) -> None:
        request = Request(messages=(user("q"),), tools=(Tool(name="a.b"), Tool(name="a/b")))
        tools = fit(request, NATIVE, dialect="openai_chat").request.tools
        assert len({tool.name for tool in tools}) == 2

    def test_a_target_that_counts_from_zero_again_does_not_repeat_an_id(self) -> None:
        after = fitted(user("q"), assistant(call("call_0")), tool_results(result("call_0")))
        events = lifted(after, PartDone(part=call("call_0")), PartDone(part=call("call_1")))
        ids = [event.part.id for event in events if isinstance(event, PartDone)
               and isinstance(event.part, ToolCall)]  # fmt: skip
        assert len({"call_0", *ids}) == 3

    def test_a_pattern_no_name_can_match_is_refused(self) -> None:
        with pytest.raises(Unsupported, match="no name like"):
            fit(
                Request(messages=(user("q"),), tools=(Tool(name="f"),)),
                Capabilities(tool_name=r"\d{3}-\d{3}"),
                dialect="openai_chat",
            )


def lifted(after: Fitted, *events: Event) -> list[Event]:
    assert after.lift is not None
    told = [*pump(after.lift(), [*events, Finish(reason="stop")])]
    return [event for event in told if isinstance(event, PartDone | TextDelta | ToolCallDelta)]


def test_a_target_without_tools_is_told_of_earlier_calls_in_words() -> None:
    after = fitted(
        user("q"),
        assistant("let me", call()),
        tool_results(result()),
        capabilities=Capabilities(tools="off", prefill=True),
    )
    assert after.request.messages == (
        user("q"),
        assistant("let me", "[called f with {}]"),
        user("[result of f]", "ok"),
    )
    assert [note.kind for note in after.notes] == ["downgraded"]
