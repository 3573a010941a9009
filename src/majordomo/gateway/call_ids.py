"""Ids that no other call has.

A model that gives its calls no id gets `call_0`, `call_1` from its dialect: distinct within a
reply, but the same in every turn. Clients keep calls of a whole session by id.
"""

import re

from msgspec.structs import replace

from majordomo.contract import Event, PartDone, ToolCall, ToolCallDelta

_COUNTED = re.compile(r"call_\d{1,4}")
CARRIERS = frozenset({ToolCallDelta, PartDone})  # the events that may hold one


class CallIds:
    __slots__ = ("_mark",)

    def __init__(self, mark: str) -> None:
        self._mark = mark

    def of(self, call_id: str) -> str:
        if _COUNTED.fullmatch(call_id) is None:
            return call_id
        return f"call_{self._mark}_{call_id[5:]}"

    def event(self, event: Event) -> Event:
        match event:
            case ToolCallDelta(id=given) if (made := self.of(given)) != given:
                return replace(event, id=made)
            case PartDone(part=ToolCall(id=given) as call) if (made := self.of(given)) != given:
                return PartDone(part=replace(call, id=made))
            case _:
                return event
