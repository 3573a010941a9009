"""What happens in a run, as it happens. Words and thoughts are the contract's own events."""

from typing import TypeAlias

from msgspec import Struct

from majordomo.contract import Response, TextDelta, ThinkingDelta, ToolCall, ToolResult

from .run import Run


class TurnDone(Struct, frozen=True, kw_only=True):
    """The model has finished a turn; the calls it asks for come next."""

    step: int  # the first is 1
    response: Response


class CallStarted(Struct, frozen=True, kw_only=True):
    call: ToolCall


class CallFinished(Struct, frozen=True, kw_only=True):
    """In the order they finish; their results stand in the history in the order of the calls."""

    call: ToolCall
    result: ToolResult


class RunDone(Struct, frozen=True, kw_only=True):
    """The last event."""

    run: Run


AgentEvent: TypeAlias = TextDelta | ThinkingDelta | TurnDone | CallStarted | CallFinished | RunDone
