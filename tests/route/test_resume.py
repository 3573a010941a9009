"""A second answer joined to the beginning of a first: never a word twice, never one lost."""

from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from majordomo.contract import (
    Capabilities,
    Event,
    Finish,
    Fold,
    Opaque,
    PartDone,
    Request,
    Start,
    Text,
    TextDelta,
    Thinking,
    ThinkingDelta,
    Tool,
    ToolCall,
    ToolCallDelta,
    assistant,
    fold,
    named,
    unfold,
    user,
)
from majordomo.route.resume import (
    Continued,
    Mismatch,
    Said,
    Splice,
    can_continue,
    continuation,
)

FINISH = Finish(reason="stop")
CALL = PartDone(part=ToolCall(id="call_0", name="f", arguments="{}"))
ANSWER = "The quick brown fox jumps over the lazy dog."


def said(*events: Event) -> Said:
    given = Fold()
    for event in events:
        given.add(event)
    return Said(given)


def deltas(*texts: str) -> list[Event]:
    return [TextDelta(text=text) for text in texts]


def splice(so_far: Said, events: Iterable[Event]) -> list[Event]:
    join = Splice(expected=so_far.text, open=so_far.open)
    return [out for event in events for out in join.feed(event)]


def go_on(so_far: Said, events: Iterable[Event]) -> list[Event]:
    join = Continued(so_far)
    return [out for event in events for out in join.feed(event)]


@given(st.text(min_size=1), st.data())
def test_any_two_cuts_of_the_same_answer_join_to_it(answer: str, data: st.DataObject) -> None:
    end = data.draw(st.integers(0, len(answer)))
    cuts = sorted(data.draw(st.sets(st.integers(0, len(answer)), max_size=6)))
    before = deltas(*filter(None, [answer[:end]]))
    pieces = [answer[a:b] for a, b in zip([0, *cuts], [*cuts, len(answer)], strict=True)]
    again = [Start(model="b"), *deltas(*filter(None, pieces)), PartDone(part=Text(text=answer))]
    after = splice(said(*before), [*again, FINISH])
    assert fold([*before, *after]).text == answer
    assert "".join(e.text for e in [*before, *after] if isinstance(e, TextDelta)) == answer


@given(st.text(min_size=1), st.text())
def test_a_different_answer_is_never_joined(sent: str, other: str) -> None:
    if other.startswith(sent):
        return
    with pytest.raises(Mismatch):
        splice(said(TextDelta(text=sent)), [*deltas(*other), FINISH])


def test_nothing_of_a_different_answer_gets_out_before_it_is_known_to_differ() -> None:
    join = Splice(expected="abc", open="abc")
    assert list(join.feed(TextDelta(text="ab"))) == []
    with pytest.raises(Mismatch):
        list(join.feed(TextDelta(text="x")))


def test_a_whole_reply_is_spliced_like_a_stream() -> None:
    before = deltas("The quick")
    reply = fold([TextDelta(text=ANSWER), FINISH])
    after = splice(said(*before), unfold(reply))
    assert fold([*before, *after]).text == ANSWER


def test_a_part_given_whole_without_deltas_counts_as_said() -> None:
    so_far = said(PartDone(part=Text(text="one")), *deltas("two"))
    assert so_far.text == "onetwo"
    after = splice(
        so_far, [PartDone(part=Text(text="one")), PartDone(part=Text(text="two!")), FINISH]
    )
    assert after == [TextDelta(text="!"), PartDone(part=Text(text="two!")), FINISH]


def test_thinking_is_not_thought_twice() -> None:
    so_far = said(ThinkingDelta(text="hm"), *deltas("The"))
    events = [ThinkingDelta(text="let me see"), PartDone(part=Thinking(text="let me see"))]
    assert splice(so_far, [*events, *deltas("The end"), FINISH]) == [*deltas(" end"), FINISH]


def test_after_thinking_alone_any_answer_will_do() -> None:
    assert splice(said(ThinkingDelta(text="hm")), [*deltas("yes"), FINISH]) == [
        *deltas("yes"),
        FINISH,
    ]


def test_a_call_that_was_open_starts_cleanly() -> None:
    after = splice(said(*deltas("Let me look.")), [*deltas("Let me look."), CALL, FINISH])
    assert after == [CALL, FINISH]


@pytest.mark.parametrize("end", [FINISH, CALL], ids=["finish", "call"])
def test_an_answer_that_ends_before_what_was_sent_does_not_match(end: Event) -> None:
    with pytest.raises(Mismatch):
        splice(said(*deltas("The quick")), [*deltas("The"), end])


SENT: dict[str, tuple[Event, bool]] = {
    "start": (Start(), False),
    "text": (TextDelta(text="a"), False),
    "thinking": (ThinkingDelta(text="a"), False),
    "a text part": (PartDone(part=Text(text="a")), False),
    "a call": (CALL, True),
    "a fragment of one": (ToolCallDelta(id="call_0", name="f", arguments="{"), True),
    "a block of its own kind": (PartDone(part=Opaque(dialect="gemini", value={})), True),
}


@pytest.mark.parametrize(("event", "beyond"), SENT.values(), ids=SENT.keys())
def test_what_was_sent_decides_what_can_be_taken_up(event: Event, *, beyond: bool) -> None:
    assert said(event).beyond is beyond


def test_only_a_text_that_may_go_on_is_open() -> None:
    assert said(*deltas("one ", "two")).open == "one two"
    assert said(*deltas("one"), PartDone(part=Text(text="one"))).open == ""
    assert said(*deltas("one"), ThinkingDelta(text="hm")).open == ""
    so_far = said(*deltas("one"), PartDone(part=Text(text="one")), *deltas("two"))
    assert (so_far.text, so_far.open) == ("onetwo", "two")


class TestGoingOn:
    def test_the_rest_is_appended(self) -> None:
        assert go_on(said(*deltas("The quick")), [*deltas(" brown", " fox"), FINISH]) == [
            *deltas(" brown", " fox"),
            FINISH,
        ]

    def test_trailing_space_is_not_doubled(self) -> None:
        after = go_on(said(*deltas("The quick ")), [*deltas(" brown"), FINISH])
        assert after == [*deltas("brown"), FINISH]

    def test_trailing_space_is_not_insisted_on(self) -> None:
        after = go_on(said(*deltas("The quick ")), [*deltas("brown"), FINISH])
        assert after == [*deltas("brown"), FINISH]

    @pytest.mark.parametrize("size", [1, 7, 100])
    def test_a_target_that_starts_over_is_spliced(self, size: int) -> None:
        before = deltas(ANSWER[:30])
        again = deltas(*(ANSWER[i : i + size] for i in range(0, len(ANSWER), size)))
        after = go_on(said(*before), [*again, PartDone(part=Text(text=ANSWER)), FINISH])
        assert fold([*before, *after]).text == ANSWER

    def test_a_target_that_starts_over_with_something_else_does_not_match(self) -> None:
        with pytest.raises(Mismatch):
            go_on(said(*deltas(ANSWER[:30])), [*deltas(ANSWER[:25] + "???"), FINISH])

    def test_a_short_continuation_is_not_held_for_ever(self) -> None:
        after = go_on(said(*deltas(ANSWER[:30])), [Start(), *deltas("The"), FINISH])
        assert after == [*deltas("The"), FINISH]

    def test_its_part_does_not_replace_the_whole(self) -> None:
        before = deltas("The quick")
        after = go_on(said(*before), [*deltas(" fox"), PartDone(part=Text(text=" fox")), FINISH])
        assert fold([*before, *after]).text == "The quick fox"

    def test_the_request_ends_with_what_was_sent_less_its_trailing_space(self) -> None:
        request = continuation(Request(messages=(user("Go"),)), said(*deltas("The ")))
        assert request.messages == (user("Go"), assistant("The"))

    def test_the_callers_own_prefill_is_kept(self) -> None:
        mine = Request(messages=(user("Go"), assistant("Once")))
        request = continuation(mine, said(*deltas(" upon")))
        assert request.messages == (user("Go"), assistant("Once", " upon"))


TOOLS = (Tool(name="f"),)
PREFILL = Capabilities(prefill=True)
ASK = Request(messages=(user("Go"),))

CONTINUES: dict[str, tuple[Request, Capabilities, str, bool]] = {
    "takes a prefill": (ASK, PREFILL, "The", True),
    "takes none": (ASK, Capabilities(), "The", False),
    "nothing to go on from": (ASK, PREFILL, " \n", False),
    "native tools": (ASK.with_options(tools=TOOLS), PREFILL, "The", True),
    "emulated tools": (
        ASK.with_options(tools=TOOLS),
        Capabilities(prefill=True, tools="emulated"),
        "The",
        False,
    ),
    "a forced tool": (
        ASK.with_options(tools=TOOLS, tool_choice=named("f")),
        PREFILL,
        "The",
        False,
    ),
    "a schema": (ASK.with_options(schema={}), PREFILL, "The", False),
    "reasoning": (ASK.with_options(reasoning_effort="high"), PREFILL, "The", False),
    "no reasoning": (ASK.with_options(reasoning_effort="none"), PREFILL, "The", True),
    "a reasoning budget": (ASK.with_options(reasoning_budget=1024), PREFILL, "The", False),
}


@pytest.mark.parametrize(
    ("request_", "capabilities", "sent", "may"), CONTINUES.values(), ids=CONTINUES.keys()
)
def test_only_a_target_that_takes_it_is_asked_to_go_on(
    request_: Request, capabilities: Capabilities, sent: str, *, may: bool
) -> None:
    assert can_continue(request_, capabilities, said(*deltas(sent))) is may
