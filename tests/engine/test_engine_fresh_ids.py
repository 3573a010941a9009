"""A call of this turn never has the id of an earlier one."""

import pytest

from majordomo.contract import (
    Event,
    PartDone,
    Request,
    Text,
    TextDelta,
    ToolCall,
    ToolCallDelta,
    ToolResult,
    assistant,
    tool_results,
    user,
)
from majordomo.engine.fresh_ids import fresh_ids


def call(id: str) -> ToolCall:
    return ToolCall(id=id, name="f", arguments="{}")


def asked(*ids: str) -> Request:
    turns = [turn for id in ids for turn in (assistant(call(id)), tool_results(ToolResult(id=id)))]
    return Request(messages=(user("go"), *turns))


RENAMED: dict[str, tuple[Request, list[str], list[str]]] = {
    "a new id stays": (asked("call_0"), ["call_1"], ["call_1"]),
    "one that was there changes": (asked("call_0"), ["call_0"], ["call_0_2"]),
    "and changes again": (asked("call_0", "call_0_2"), ["call_0"], ["call_0_3"]),
    "each by itself": (asked("a", "b"), ["a", "b", "c"], ["a_2", "b_2", "c"]),
}


@pytest.mark.parametrize(("request_", "given", "ids"), RENAMED.values(), ids=RENAMED.keys())
def test_ids_are_told_apart(request_: Request, given: list[str], ids: list[str]) -> None:
    renaming = fresh_ids(request_)
    assert renaming is not None
    batch: list[Event] = [TextDelta(text="x")]
    for id in given:
        batch += [ToolCallDelta(id=id, name="f", arguments="{}"), PartDone(part=call(id))]
    told = renaming.apply(batch)
    assert told[0] == TextDelta(text="x")
    assert [event.id for event in told if isinstance(event, ToolCallDelta)] == ids
    done = [event.part for event in told if isinstance(event, PartDone)]
    assert [part.id for part in done if isinstance(part, ToolCall)] == ids


def test_a_history_without_calls_costs_nothing() -> None:
    assert fresh_ids(Request(messages=(user("hi"), assistant(Text(text="hello"))))) is None
