"""The reply to a request for structure: held until it is whole, checked, asked for again."""

from collections.abc import Iterable

from msgspec import Struct
from msgspec.structs import replace

from majordomo.contract import (
    Event,
    Finish,
    Fold,
    InvalidOutput,
    Json,
    JsonObject,
    Malformed,
    Message,
    Note,
    PartDone,
    Request,
    Text,
    TextDelta,
    ToolCall,
    ToolCallDelta,
    ToolResult,
    tool_results,
    user,
)
from majordomo.dialects.json import read, write_text

from .shim import Again
from .validation import json_in, violations


class Answer(Struct, frozen=True, kw_only=True):
    """What was asked for, and how."""

    schema: JsonObject  # the caller's own, whole
    request: Request  # as it was sent
    tool: str = ""  # the tool the answer comes through, if it does
    wrapped: bool = False  # its one argument `value` is the answer
    partial: bool = False  # text goes out as it comes, and a fault comes too late to cure


class Checked:
    """Holds text back until it is valid JSON of the asked shape; thinking flows at once.

    A reply that was cut off, refused, or calls a tool of the caller's is no answer yet and
    passes as it is.
    """

    def __init__(self, answer: Answer) -> None:
        self._answer = answer
        self._flows = answer.partial and not answer.tool
        self._fold = Fold()
        self._held: list[Event] = []

    def feed(self, event: Event) -> Iterable[Event | Again]:
        self._fold.add(event)
        match event:
            case Finish():
                return self._finish(event)
            case TextDelta() | PartDone(part=Text()):
                return self._text(event)
            case PartDone(part=ToolCall(name=name)) if self._is_answer(name):
                return ()
            case ToolCallDelta(name=name) if self._is_answer(name):
                return ()
            case _:
                return (event,)

    def close(self) -> Iterable[Event]:
        """Let go of what is held: a reply without a finish is the decoder's to complain of."""
        held, self._held = self._held, []
        return held

    def _text(self, event: Event) -> Iterable[Event]:
        if self._flows:
            return (event,)
        self._held.append(event)
        return ()

    def _is_answer(self, name: str) -> bool:
        return bool(self._answer.tool) and name == self._answer.tool

    def _finish(self, finish: Finish) -> Iterable[Event | Again]:
        calls = [part for part in self._fold.parts if isinstance(part, ToolCall)]
        answers = [call for call in calls if self._is_answer(call.name)]
        others = len(calls) > len(answers)
        held = self.close()
        if others or finish.reason not in {"stop", "tool_calls"}:
            return (*held, finish)
        said = answers[0].arguments if answers else self._said()
        try:
            value = self._value(said, is_call=bool(answers))
        except Malformed as error:
            return self._fault((f"it is no JSON: {error.problem}",), answers)
        faults = violations(value, self._answer.schema)
        if faults:
            return self._fault(faults, answers)
        if self._flows:
            return (finish,)
        if not answers and _is_json(said):
            return (*held, finish)  # word for word
        return _told(value, finish if not answers else replace(finish, reason="stop"))

    def _said(self) -> str:
        return "".join(part.text for part in self._fold.parts if isinstance(part, Text))

    def _value(self, said: str, *, is_call: bool) -> Json:
        value = read(said) if is_call else json_in(said)
        if is_call and self._answer.wrapped and isinstance(value, dict) and "value" in value:
            return value["value"]
        return value

    def _fault(self, faults: tuple[str, ...], answers: list[ToolCall]) -> Iterable[Again]:
        reason = f"the answer does not match the schema: {'; '.join(faults)}"
        if self._flows and self._said():
            # It is out already.
            raise InvalidOutput(reason, text=self._said(), violations=faults)
        listed = "\n".join(f"- {fault}" for fault in faults)
        demand = f"Your answer does not match the schema:\n{listed}\nGive the corrected answer."
        reply = Message(role="assistant", parts=self._fold.parts)
        follow: Message = user(demand)
        if answers:
            follow = tool_results(
                *(
                    ToolResult(
                        id=call.id, name=call.name, content=(Text(text=demand),), is_error=True
                    )
                    for call in answers
                )
            )
        asked = self._answer.request
        turns = (reply, follow) if reply.parts else (follow,)
        again = replace(asked, messages=(*asked.messages, *turns))
        note = Note(kind="retried", what="schema", why="; ".join(faults))
        return (Again(request=again, reason=reason, notes=(note,)),)


def _told(value: Json, finish: Finish) -> tuple[Event, ...]:
    text = write_text(value)
    return (TextDelta(text=text), PartDone(part=Text(text=text)), finish)


def _is_json(text: str) -> bool:
    try:
        read(text)
    except Malformed:
        return False
    return True
