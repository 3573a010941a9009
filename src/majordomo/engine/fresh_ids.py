"""Call ids that no call of the conversation has had before.

A target that gives its calls no ids gets `call_0` in every turn, and agents that keep their
tools' results by id would take the second turn's call for the first one's.
"""

from collections.abc import Sequence

from msgspec.structs import replace

from majordomo.contract import Event, PartDone, Request, ToolCall, ToolCallDelta


class FreshIds:
    __slots__ = ("_renamed", "_taken")

    def __init__(self, request: Request) -> None:
        self._taken = {call.id for message in request.messages for call in message.tool_calls}
        self._renamed: dict[str, str] = {}

    def apply(self, batch: Sequence[Event]) -> Sequence[Event]:
        return [self._fresh(event) for event in batch]

    def _fresh(self, event: Event) -> Event:
        if isinstance(event, PartDone) and isinstance(event.part, ToolCall):
            call = event.part
            fresh = self._id(call.id)
            return event if fresh == call.id else PartDone(part=replace(call, id=fresh))
        if isinstance(event, ToolCallDelta):
            fresh = self._id(event.id)
            return event if fresh == event.id else replace(event, id=fresh)
        return event

    def _id(self, given: str) -> str:
        if given not in self._taken:
            return given
        if given not in self._renamed:
            number = 2
            while f"{given}_{number}" in self._taken:
                number += 1
            self._renamed[given] = f"{given}_{number}"
        return self._renamed[given]


def fresh_ids(request: Request) -> FreshIds | None:
    """Give the renaming for a reply, where the history has calls at all."""
    for message in request.messages:
        if message.role == "tool":
            return FreshIds(request)
    return None
