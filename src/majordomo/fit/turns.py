"""Whose turn it is: where system messages may stand, who speaks first, last and in between."""

from typing import TypeAlias

from msgspec.structs import replace

from majordomo.contract import DialectName, Message, Note, Request, Text, user

from .goal import Goal
from .shim import Fitted

OPENING = "(The conversation begins with your own words.)"
GO_ON = "Go on from exactly where your last message ends."

# Their system prompt is a list of blocks at the head, not a message among messages.
_SYSTEM_BLOCKS: frozenset[DialectName] = frozenset({"anthropic", "gemini"})
_USER_OPENS: frozenset[DialectName] = frozenset({"anthropic", "gemini"})
_Told: TypeAlias = tuple[Request, tuple[Note, ...]]


def fit_turns(request: Request, goal: Goal) -> Fitted | None:
    """Runs after everything that adds messages or prompt text."""
    capabilities = goal.capabilities
    told = request
    notes: tuple[Note, ...] = ()
    if capabilities.system != "anywhere":
        told, notes = _fold_system(request, goal)
    if capabilities.alternate or goal.dialect in _USER_OPENS:
        told, more = _open(told)
        notes += more
    if not capabilities.prefill and told.messages and told.messages[-1].role == "assistant":
        told, more = _hand_over(told)
        notes += more
    if capabilities.alternate:
        told, more = _alternate(told)
        notes += more
    return None if told is request else Fitted(request=told, notes=notes)


def _fold_system(request: Request, goal: Goal) -> _Told:
    where = goal.capabilities.system
    leading, rest = _split(request.messages)
    late = "system" in [message.role for message in rest]
    # Folding blocks into one text would lose their marks, caching among them.
    kept = leading if where == "first" and goal.dialect in _SYSTEM_BLOCKS else ()
    folded = leading[len(kept) :]
    if not (late or folded or (where == "none" and request.system)):
        return request, ()
    why = "it takes no system message after the first turn" if late else "it takes only one"
    if where == "none":
        why = "it takes no system message"
    system = "\n\n".join(filter(None, (request.system, *(one.text for one in folded))))
    told = [_told_by_user(message) for message in rest if message.parts]
    if where == "none" and system:
        told = _with_preface(told, f"<system>\n{system}\n</system>")
        system = ""
    note = Note(kind="mapped", what="system", why=why)
    return replace(request, system=system, messages=(*kept, *told)), (note,)


def _split(messages: tuple[Message, ...]) -> tuple[tuple[Message, ...], tuple[Message, ...]]:
    """Part the system messages at the head from what follows."""
    count = 0
    while count < len(messages) and messages[count].role == "system":
        count += 1
    return messages[:count], messages[count:]


def _told_by_user(message: Message) -> Message:
    """Say a late system message in its place; what is marked in it stays marked."""
    if message.role != "system":
        return message
    texts = [part for part in message.parts if isinstance(part, Text)] or [Text(text="")]
    texts[0] = replace(texts[0], text=f"<system>\n{texts[0].text}")
    texts[-1] = replace(texts[-1], text=f"{texts[-1].text}\n</system>")
    return user(*texts)


def _with_preface(messages: list[Message], preface: str) -> list[Message]:
    if messages and messages[0].role == "user":
        first = messages[0]
        return [replace(first, parts=(Text(text=preface), *first.parts)), *messages[1:]]
    return [user(preface), *messages]


def _open(request: Request) -> _Told:
    if _first_to_speak(request.messages) != "assistant":
        return request, ()
    note = Note(kind="repaired", what="messages[0]", why="the user must speak first there")
    return replace(request, messages=(user(OPENING), *request.messages)), (note,)


def _first_to_speak(messages: tuple[Message, ...]) -> str:
    for message in messages:
        if message.role != "system":
            return message.role
    return ""


def _hand_over(request: Request) -> _Told:
    why = "it cannot go on from an unfinished turn: it is asked to"
    note = Note(kind="repaired", what="last message", why=why)
    return replace(request, messages=(*request.messages, user(GO_ON))), (note,)


def _alternate(request: Request) -> _Told:
    """Join neighbours of one role; tool results answer their own assistant turn."""
    merged: list[Message] = []
    for message in request.messages:
        if merged and merged[-1].role == message.role and message.role in {"user", "assistant"}:
            merged[-1] = _joined(merged[-1], message)
        else:
            merged.append(message)
    if len(merged) == len(request.messages):
        return request, ()
    note = Note(kind="repaired", what="messages", why="neighbours of one role were joined")
    return replace(request, messages=tuple(merged)), (note,)


def _joined(first: Message, second: Message) -> Message:
    """Keep a line between two texts: some dialects write neighbouring text as one string."""
    last = first.parts[-1]
    if isinstance(last, Text) and isinstance(second.parts[0], Text):
        last = replace(last, text=f"{last.text}\n\n")
    return replace(first, parts=(*first.parts[:-1], last, *second.parts))
