"""Every call followed at once by its result: most targets refuse a history where one is not.

Calls are matched to results by position as well as by id, because ids repeat: a target that
gives none gets `call_0` in every turn.
"""

from collections.abc import Iterator
from typing import TypeAlias

from msgspec.structs import replace

from majordomo.contract import Message, Note, Part, Text, ToolCall, ToolResult

UNANSWERED = "No result was recorded for this call."

_Paired: TypeAlias = tuple[tuple[Message, ...], tuple[Note, ...]]


def pair(messages: tuple[Message, ...]) -> _Paired:
    """Put each result behind its call, make up the missing, turn the rest into plain text."""
    if _is_paired(messages):
        return messages, ()
    return _Pairing().all(messages)


def flatten(messages: tuple[Message, ...]) -> tuple[Message, ...]:
    """Tell calls and results as plain text, for a target that has no tools at all."""
    return tuple(_flattened(message) for message in messages)


def _is_paired(messages: tuple[Message, ...]) -> bool:
    due: list[str] = []
    for message in messages:
        role, parts = message.role, message.parts
        if role == "tool":
            given = [part.id for part in parts if type(part) is ToolResult]
            if not due or given != due or len(parts) != len(due):
                return False
            due = []
            continue
        if due:
            return False
        for part in parts:
            if type(part) is ToolCall and role == "assistant":
                due.append(part.id)
            elif type(part) is ToolCall or type(part) is ToolResult:
                return False  # where none may stand
    return not due


class _Slot:
    """One call, and the result that answers it once that is found."""

    __slots__ = ("call", "result")

    def __init__(self, call: ToolCall) -> None:
        self.call = call
        self.result: ToolResult | None = None


class _Pairing:
    def __init__(self) -> None:
        self._turns: list[list[_Slot]] = []  # the calls of each assistant message, oldest first
        self._homeless: list[ToolResult] = []
        self._notes: list[Note] = []

    def all(self, messages: tuple[Message, ...]) -> _Paired:
        plan = [self._read(message) for message in messages]
        self._adopt_early()
        paired = tuple(self._told(plan))
        return paired, tuple(self._notes)

    def _read(self, message: Message) -> tuple[Message | None, list[_Slot]]:
        """Give the message without its results, and its calls as slots to be filled."""
        if message.role == "assistant":
            slots = [_Slot(part) for part in message.tool_calls]
            if slots:
                self._turns.append(slots)
        else:
            slots = []
        kept: list[Part] = []
        for part in message.parts:
            if isinstance(part, ToolResult):
                self._place(part)
            elif isinstance(part, ToolCall) and message.role != "assistant":
                self._note(part.id, "a call nobody but the model can make was told as text")
                kept.append(_call_text(part))
            else:
                kept.append(part)
        return self._rest(message, tuple(kept)), slots

    def _rest(self, message: Message, kept: tuple[Part, ...]) -> Message | None:
        if not kept:
            return None
        if message.role == "tool":
            return Message(role="user", parts=kept)
        return message if kept == message.parts else replace(message, parts=kept)

    def _place(self, result: ToolResult) -> None:
        """Answer the latest open call of that id; the first, where one turn repeats an id."""
        for slots in reversed(self._turns):
            for slot in slots:
                if slot.call.id == result.id and slot.result is None:
                    slot.result = result
                    return
        self._homeless.append(result)

    def _adopt_early(self) -> None:
        """Results that came before their call."""
        homeless, self._homeless = self._homeless, []
        for result in homeless:
            self._place(result)

    def _told(self, plan: list[tuple[Message | None, list[_Slot]]]) -> Iterator[Message]:
        for message, slots in plan:
            if message is not None:
                yield message
            if slots:
                yield Message(role="tool", parts=tuple(self._answer(slot) for slot in slots))
        orphans = tuple(part for result in self._homeless for part in self._orphan(result))
        if orphans:
            yield Message(role="user", parts=orphans)
        if not self._notes:
            self._note("", "results were put behind the calls they answer")

    def _answer(self, slot: _Slot) -> ToolResult:
        if slot.result is not None:
            return slot.result
        self._note(slot.call.id, "it had no result; the model is told so")
        return ToolResult(
            id=slot.call.id,
            name=slot.call.name,
            content=(Text(text=UNANSWERED),),
            is_error=True,
        )

    def _orphan(self, result: ToolResult) -> tuple[Part, ...]:
        self._note(result.id, "a result nobody asked for was told as text")
        return _result_text(result)

    def _note(self, call_id: str, why: str) -> None:
        what = f"tool call {call_id}" if call_id else "tool results"
        self._notes.append(Note(kind="repaired", what=what, why=why))


def _flattened(message: Message) -> Message:
    parts: list[Part] = []
    for part in message.parts:
        if isinstance(part, ToolCall):
            parts.append(_call_text(part))
        elif isinstance(part, ToolResult):
            parts.extend(_result_text(part))
        else:
            parts.append(part)
    role = "user" if message.role == "tool" else message.role
    return replace(message, role=role, parts=tuple(parts))


def _call_text(call: ToolCall) -> Text:
    return Text(text=f"[called {call.name} with {call.arguments}]")


def _result_text(result: ToolResult) -> tuple[Part, ...]:
    of = result.name or result.id
    word = "error from" if result.is_error else "result of"
    return (Text(text=f"[{word} {of}]"), *result.content)
