"""What a model attached to its calls comes back, for clients that have no field for it."""

from collections.abc import Callable

import pytest

from majordomo.contract import (
    Artefact,
    Event,
    Part,
    PartDone,
    Request,
    Text,
    TextDelta,
    Thinking,
    ToolCall,
    ToolCallDelta,
    ToolResult,
    assistant,
    tool_results,
    user,
)
from majordomo.gateway.call_ids import CARRIERS, CallIds
from majordomo.gateway.recall import Recall, by_content, by_id

SIGNED = Artefact(dialect="anthropic", value={"signature": "EuYB"})
MARKED = Artefact(dialect="gemini", value={"thoughtSignature": "c2ln"})
FOREIGN = Artefact(dialect="openai_chat", value={"field": "reasoning_content"})
THOUGHT = Thinking(text="Hm.", artefact=SIGNED)
PARIS = ToolCall(id="a", name="weather", arguments='{"city":"Paris"}', artefact=MARKED)
ROME = ToolCall(id="b", name="weather", arguments='{"city": "Rome"}')
BARE_PARIS = ToolCall(id="a", name="weather", arguments='{"city":"Paris"}')


def history(*parts: Part, first: str = "hi") -> Request:
    calls = [part for part in parts if isinstance(part, ToolCall)]
    results = [ToolResult(id=call.id, content=(Text(text="ok"),)) for call in calls]
    return Request(messages=(user(first), assistant(*parts), tool_results(*results)))


def recall(*parts: Part) -> Recall:
    memory = Recall(most=10, most_bytes=10_000)
    memory.keep(parts, by_id(""))
    return memory


COMES_BACK: dict[str, tuple[tuple[Part, ...], tuple[Part, ...], tuple[Part, ...]]] = {
    "the mark on a call": ((PARIS,), (BARE_PARIS,), (PARIS,)),
    "a thought before a call": (
        (THOUGHT, BARE_PARIS),
        (BARE_PARIS,),
        (THOUGHT, BARE_PARIS),
    ),
    "a thought before the words before a call": (
        (THOUGHT, Text(text="See."), BARE_PARIS),
        (Text(text="See."), BARE_PARIS),
        (THOUGHT, Text(text="See."), BARE_PARIS),
    ),
    "a thought of which the client kept only the words": (
        (THOUGHT, BARE_PARIS),
        (Thinking(text="Hm.", artefact=FOREIGN), BARE_PARIS),
        (THOUGHT, BARE_PARIS),
    ),
    "a thought that was echoed whole": (
        (THOUGHT, BARE_PARIS),
        (THOUGHT, BARE_PARIS),
        (THOUGHT, BARE_PARIS),
    ),
    "a thought between two calls": (
        (PARIS, THOUGHT, ROME),
        (BARE_PARIS, ROME),
        (PARIS, THOUGHT, ROME),
    ),
}


@pytest.mark.parametrize("case", COMES_BACK)
def test_what_was_attached_comes_back_in_its_place(case: str) -> None:
    said, echoed, whole = COMES_BACK[case]
    restored = recall(*said).restored(history(*echoed), by_id(""))
    assert restored.messages[1] == assistant(*whole)


def test_a_history_that_lacks_nothing_is_left_as_it_is() -> None:
    request = history(ROME)
    assert recall(PARIS).restored(request, by_id("")) is request
    assert recall(Text(text="no calls")).restored(request, by_id("")) is request


def test_one_clients_calls_are_not_anothers() -> None:
    request = history(BARE_PARIS)
    assert recall(PARIS).restored(request, by_id("somebody else")) is request


def test_clients_without_ids_are_known_by_what_was_called_in_which_conversation() -> None:
    memory = Recall(most=10, most_bytes=10_000)
    request = Request(messages=(user("hi"),))
    memory.keep((PARIS,), by_content("", request))
    renamed = ToolCall(id="call_0", name="weather", arguments='{ "city": "Paris" }')

    def found(first: str) -> Request:
        echoed = history(renamed, first=first)
        return memory.restored(echoed, by_content("", echoed))

    assert found("hi").messages[1].tool_calls[0].artefact == MARKED
    assert found("something else").messages[1].tool_calls[0].artefact is None


def _keys(number: int) -> Callable[[ToolCall], str]:
    return lambda call: f"{number}{call.id}"


def test_the_oldest_go_first_and_bytes_are_bounded_too() -> None:
    memory = Recall(most=3, most_bytes=10_000)
    for number in range(5):
        memory.keep((PARIS,), _keys(number))
    echoed = history(BARE_PARIS)
    kept = [n for n in range(5) if memory.restored(echoed, _keys(n)) is not echoed]
    assert kept == [2, 3, 4]
    memory = Recall(most=100, most_bytes=250)
    for number in range(5):
        memory.keep((Thinking(text="x" * 100), BARE_PARIS), _keys(number))
    kept = [n for n in range(5) if memory.restored(echoed, _keys(n)) is not echoed]
    assert kept == [3, 4]
    memory.keep((Thinking(text="x" * 1000), BARE_PARIS), _keys(9))
    assert memory.restored(echoed, _keys(9)) is echoed


IDS: dict[str, tuple[Event, Event]] = {
    "a call": (
        PartDone(part=ToolCall(id="call_0", name="f", arguments="{}")),
        PartDone(part=ToolCall(id="call_mark_0", name="f", arguments="{}")),
    ),
    "a fragment": (
        ToolCallDelta(id="call_12", name="f", arguments="{"),
        ToolCallDelta(id="call_mark_12", name="f", arguments="{"),
    ),
    "a call with an id of its own": (PartDone(part=PARIS), PartDone(part=PARIS)),
    "words": (PartDone(part=Text(text="call_0")), PartDone(part=Text(text="call_0"))),
}


@pytest.mark.parametrize("case", IDS)
def test_an_id_that_was_only_counted_is_made_unique(case: str) -> None:
    given, made = IDS[case]
    assert CallIds("mark").event(given) == made
    assert type(given) in CARRIERS
    assert TextDelta not in CARRIERS
