"""Adding a stream up, and telling a reply as a stream."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from majordomo.contract import (
    Artefact,
    Event,
    Finish,
    Fold,
    Part,
    PartDone,
    Response,
    ResponseDone,
    Start,
    Text,
    TextDelta,
    Thinking,
    ThinkingDelta,
    ToolCall,
    ToolCallDelta,
    Truncated,
    Usage,
    fold,
    unfold,
)

SIGNED = Artefact(dialect="anthropic", value={"signature": "abc"})
CALL = ToolCall(id="a", name="add", arguments="{}")
STOP = Finish(reason="stop")

ADDS_UP: dict[str, tuple[list[Event], tuple[Part, ...]]] = {
    "nothing": ([], ()),
    "deltas of one kind": ([TextDelta(text="Hel"), TextDelta(text="lo")], (Text(text="Hello"),)),
    "an empty delta is a part": ([TextDelta(text="")], (Text(text=""),)),
    "another kind closes the first": (
        [ThinkingDelta(text="hm"), TextDelta(text="yes")],
        (Thinking(text="hm"), Text(text="yes")),
    ),
    "the whole part is the authority on its deltas": (
        [ThinkingDelta(text="h"), PartDone(part=Thinking(text="hm", artefact=SIGNED))],
        (Thinking(text="hm", artefact=SIGNED),),
    ),
    "neighbours of one kind stay apart": (
        [
            ThinkingDelta(text="a"),
            PartDone(part=Thinking(text="a")),
            ThinkingDelta(text="b"),
            PartDone(part=Thinking(text="b")),
        ],
        (Thinking(text="a"), Thinking(text="b")),
    ),
    "a call closes the text before it": (
        [TextDelta(text="see"), PartDone(part=CALL), TextDelta(text="so")],
        (Text(text="see"), CALL, Text(text="so")),
    ),
    "fragments of a call add nothing": (
        [ToolCallDelta(id="a", name="add", arguments="{"), PartDone(part=CALL)],
        (CALL,),
    ),
    "a thinking part with only a signature is kept": (
        [PartDone(part=Thinking(text="", artefact=SIGNED))],
        (Thinking(text="", artefact=SIGNED),),
    ),
}


@pytest.mark.parametrize(("events", "parts"), ADDS_UP.values(), ids=ADDS_UP.keys())
def test_events_add_up(events: list[Event], parts: tuple[Part, ...]) -> None:
    assert fold([*events, STOP]).parts == parts


@pytest.mark.parametrize(("events", "parts"), ADDS_UP.values(), ids=ADDS_UP.keys())
def test_what_was_said_so_far_is_known_at_any_time(
    events: list[Event], parts: tuple[Part, ...]
) -> None:
    so_far = Fold()
    for event in events:
        so_far.add(event)
    assert so_far.parts == parts
    assert not so_far.finished


def test_a_stream_without_its_finish_is_never_a_success() -> None:
    with pytest.raises(Truncated):
        fold([TextDelta(text="half an ans")])


def test_usage_known_only_at_the_start_is_not_lost() -> None:
    early = Usage(input=3, output=1)
    assert fold([Start(usage=early), STOP]).usage == early
    late = Usage(input=3, output=9)
    assert fold([Start(usage=early), Finish(reason="stop", usage=late)]).usage == late


def test_the_response_event_changes_nothing() -> None:
    reply = fold([TextDelta(text="hi"), STOP])
    assert fold([TextDelta(text="hi"), STOP, ResponseDone(response=reply)]) == reply


texts = st.text(max_size=20)
artefacts = st.none() | st.builds(
    Artefact,
    dialect=st.sampled_from(["anthropic", "gemini", "openai_chat"]),
    value=st.dictionaries(texts, texts, max_size=2),
)
reply_parts: st.SearchStrategy[Part] = st.one_of(
    st.builds(Text, text=texts, artefact=artefacts),
    st.builds(Thinking, text=texts, artefact=artefacts),
    st.builds(ToolCall, id=texts, name=texts, arguments=texts, artefact=artefacts),
)
counts = st.integers(0, 10**6)
replies = st.builds(
    Response,
    parts=st.lists(reply_parts, max_size=6).map(tuple),
    finish_reason=st.sampled_from(["stop", "length", "tool_calls", "refusal", "unknown"]),
    finish_native=texts,
    stop_sequence=st.none() | texts,
    usage=st.builds(
        Usage, input=counts, cached=counts, cache_write=counts, output=counts, reasoning=counts
    ),
    model=texts,
    id=texts,
)


@given(replies)
def test_unfold_undoes_fold(reply: Response) -> None:
    assume(reply.usage.known or reply.usage == Usage())  # caches alone are no known usage
    assert fold(unfold(reply)) == reply
