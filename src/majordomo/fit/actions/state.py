"""Where a conversation stands, derived from its history alone. The table is the documentation.

Old calls do not make a new one mandatory: a state says what has happened, the tool choice
says what must.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Literal, TypeAlias

from majordomo.contract import Message, Text, ToolCall, ToolResult

State: TypeAlias = Literal[
    "first decision", "call emitted", "waiting for result", "result received", "final answer"
]
Seen: TypeAlias = Literal["request", "call", "some results", "last result", "answer"]

START: State = "first decision"
TRANSITIONS: dict[State, dict[Seen, State]] = {
    "first decision": {
        "request": "first decision",
        "call": "call emitted",
        "answer": "final answer",
    },
    "call emitted": {
        "call": "call emitted",
        "some results": "waiting for result",
        "last result": "result received",
        "request": "first decision",  # the user spoke over it
    },
    "waiting for result": {
        "some results": "waiting for result",
        "last result": "result received",
        "request": "first decision",
    },
    "result received": {
        "call": "call emitted",
        "answer": "final answer",
        "request": "result received",  # words beside the result
        "some results": "waiting for result",
        "last result": "result received",
    },
    "final answer": {
        "request": "first decision",
        "call": "call emitted",
        "answer": "final answer",
    },
}


def state_of(messages: Sequence[Message]) -> State:
    """Walk the table over what the history shows; what it has no row for changes nothing."""
    state = START
    for seen in _seen(messages):
        state = TRANSITIONS[state].get(seen, state)
    return state


def diagram() -> str:
    """Draw the table, for the documentation."""
    names = {state: state.replace(" ", "_") for state in TRANSITIONS}
    lines = [f"    [*] --> {names[START]}"]
    lines += [
        f"    {names[state]} --> {names[after]}: {seen}"
        for state, row in TRANSITIONS.items()
        for seen, after in row.items()
    ]
    return "\n".join(("stateDiagram-v2", *lines))


def _seen(messages: Iterable[Message]) -> Iterator[Seen]:
    pending: set[str] = set()
    for message in messages:
        calls = [part.id for part in message.parts if isinstance(part, ToolCall)]
        results = [part.id for part in message.parts if isinstance(part, ToolResult)]
        if results:
            pending.difference_update(results)
            yield "some results" if pending else "last result"
        if calls:
            pending.update(calls)
            yield "call"
        elif message.role == "assistant":
            yield "answer"
        if message.role == "user" and any(isinstance(part, Text) for part in message.parts):
            yield "request"
