"""Asking before a call is made."""

from collections.abc import Awaitable, Callable
from typing import TypeAlias

from majordomo.contract import ToolCall

from .invoke import invoke

# True lets it run, False does not, words say why not, and a call runs in its place.
Verdict: TypeAlias = bool | str | ToolCall
Approve: TypeAlias = Callable[[ToolCall], Verdict | Awaitable[Verdict]]

DENIED = "This call was not allowed."


async def judged(approve: Approve | None, call: ToolCall) -> ToolCall | str:
    """Give the call to make, or why none is made. A synchronous hook may block: it has a thread."""
    if approve is None:
        return call
    verdict = await invoke(approve, call)
    match verdict:
        case True:
            return call
        case ToolCall():
            return ToolCall(id=call.id, name=verdict.name, arguments=verdict.arguments)
        case str() if verdict:
            return f"{DENIED} {verdict}"
        case _:
            return DENIED
