"""Repairing a history so that this target accepts it; the caller's own stays as it was."""

import operator

from msgspec.structs import replace

from majordomo.contract import (
    DialectName,
    Message,
    Note,
    Request,
    ToolResult,
    Unsupported,
)
from majordomo.fit.goal import Goal
from majordomo.fit.shim import Fitted
from majordomo.fit.survey import CALLS, EMPTY, FOREIGN, PLAIN

from .distinct import distinct
from .empties import drop_empty
from .foreign import Withholding
from .naming import read_names
from .pairing import flatten, pair

__all__ = ["fit_history"]

_LINKS_BY_NAME: frozenset[DialectName] = frozenset({"gemini", "ollama"})


def fit_history(request: Request, goal: Goal) -> Fitted | None:
    seen = goal.seen
    if seen == PLAIN and not request.tools:
        return None
    repaired = request
    notes: tuple[Note, ...] = ()
    if seen != PLAIN:
        repaired, notes = _repair(request, goal)
    mode = goal.capabilities.tools
    if seen & CALLS and mode == "off":
        why = "it has no tools: earlier calls and results are told as text"
        notes = (*notes, Note(kind="downgraded", what="tool history", why=why))
        repaired = replace(repaired, messages=flatten(repaired.messages))
    elif (seen & CALLS or request.tools) and mode == "native":
        # Emulated calls are text: no wire looks at their names.
        named = _name(repaired, goal)
        if named is not None:
            return Fitted(request=named.request, notes=notes + named.notes, lift=named.lift)
    if repaired is request and not notes:
        return None
    return Fitted(request=repaired, notes=notes)


def _repair(request: Request, goal: Goal) -> tuple[Request, tuple[Note, ...]]:
    messages = request.messages
    notes: tuple[Note, ...] = ()
    if goal.seen & FOREIGN:
        withholding = Withholding(goal.dialect, thinking=goal.capabilities.thinking)
        kept = tuple([withholding.message(message) for message in messages])
        if any(map(operator.is_not, kept, messages)):
            messages, notes = kept, withholding.notes()
    if goal.seen & EMPTY or () in [message.parts for message in messages]:
        messages, more = drop_empty(messages, goal.dialect)
        notes += more
    if goal.seen & CALLS:
        messages, more = pair(messages)
        notes += more
        messages = distinct(messages)
        if goal.dialect in _LINKS_BY_NAME:
            messages = _with_names(messages)
    if request.messages and not messages:
        raise Unsupported("nothing this target could read is left of the conversation")
    if messages is request.messages:
        return request, notes
    return replace(request, messages=messages), notes


def _with_names(messages: tuple[Message, ...]) -> tuple[Message, ...]:
    """These dialects link a result to its call by the tool's name; others never say it."""
    names: dict[str, str] = {}
    given: list[Message] = []
    for message in messages:
        if message.role == "assistant":
            names.update((call.id, call.name) for call in message.tool_calls)
        elif any(not result.name for result in message.tool_results):
            parts = tuple(
                replace(part, name=names.get(part.id, ""))
                if isinstance(part, ToolResult) and not part.name
                else part
                for part in message.parts
            )
            given.append(replace(message, parts=parts))
            continue
        given.append(message)
    changed = any(a is not b for a, b in zip(given, messages, strict=True))
    return tuple(given) if changed else messages


def _name(request: Request, goal: Goal) -> Fitted | None:
    capabilities = goal.capabilities
    names = read_names(request, call_id=capabilities.call_id, tool_name=capabilities.tool_name)
    if not names.needed:
        return None
    notes = [
        Note(kind="mapped", what=f"tool {ours}", why=f"called {theirs} there: its name is illegal")
        for ours, theirs in names.tools.items()
    ]
    if names.ids:
        why = f"{len(names.ids)} ids it would refuse are hashed"
        notes.append(Note(kind="mapped", what="tool call ids", why=why))
    return Fitted(request=names.lowered(request), notes=tuple(notes), lift=names.lift)
