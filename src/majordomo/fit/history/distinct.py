"""Call ids that repeat across turns told apart: Anthropic refuses a history that repeats one."""

from msgspec.structs import replace

from majordomo.contract import Message, Part, ToolCall, ToolResult


def distinct(messages: tuple[Message, ...]) -> tuple[Message, ...]:
    """Give each later call of an id a new one, and its result with it.

    Expects a paired history, where the results of a turn stand in the order of its calls.
    """
    ids = [part.id for message in messages for part in message.parts if type(part) is ToolCall]
    if len(ids) == len(set(ids)):
        return messages
    taken = set(ids)
    seen: set[str] = set()
    fresh: list[str] = []
    told: list[Message] = []
    for message in messages:
        if message.role == "assistant":
            fresh = [_fresh(call.id, seen, taken) for call in message.tool_calls]
            told.append(replace(message, parts=_renamed(message.parts, fresh)))
        elif message.role == "tool":
            told.append(replace(message, parts=_renamed(message.parts, fresh)))
        else:
            told.append(message)
    return tuple(told)


def _fresh(call_id: str, seen: set[str], taken: set[str]) -> str:
    if call_id not in seen:
        seen.add(call_id)
        return call_id
    count = 2
    while f"{call_id}_{count}" in taken:
        count += 1
    taken.add(f"{call_id}_{count}")
    return f"{call_id}_{count}"


def _renamed(parts: tuple[Part, ...], ids: list[str]) -> tuple[Part, ...]:
    due = iter(ids)
    return tuple(
        replace(part, id=next(due)) if isinstance(part, ToolCall | ToolResult) else part
        for part in parts
    )
