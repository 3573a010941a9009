"""Whose turn it is: where system messages may stand, who speaks first, last and in between."""

from typing import TypeAlias

from msgspec.structs import replace

from majordomo.contract import DialectName, Message, Note, Request, Text, user

from .goal import Goal
from .shim import Fitted

OPENING = "(The conversation begins with your own words.)"
GO_ON = "Go on from exactly where your last message ends."

_USER_OPENS: frozenset[DialectName] = frozenset({"anthropic", "gemini"})
_Told: TypeAlias = tuple[Request, tuple[Note, ...]]


def fit_turns(request: Request, goal: Goal) -> Fitted | None:
    """Runs after everything that adds messages or prompt text."""
    told, notes = _fold_system(request, goal.capabilities.system)
    told, more = _open(told, goal)
    notes += more
    told, more = _hand_over(told, goal)
    notes += more
    if goal.capabilities.alternate:
        told, more = _alternate(told)
        notes += more
    return None if told is request else Fitted(request=told, notes=notes)


def _fold_system(request: Request, where: str) -> _Told:
    if where == "anywhere":
        return request, ()
    late = any(message.role == "system" for message in request.messages)
    if not (late or (where == "none" and request.system)):
        return request, ()
    leading: list[str] = [request.system] if request.system else []
    messages: list[Message] = []
    for message in request.messages:
        if message.role != "system":
            messages.append(message)
        elif not messages:
            leading.append(message.text)
        else:
            messages.append(user(f"<system>\n{message.text}\n</system>"))
    system = "\n\n".join(leading)
    why = "it takes no system message after the first turn" if late else "it takes none at all"
    note = Note(kind="mapped", what="system", why=why)
    if where == "none" and system:
        messages = _with_preface(messages, f"<system>\n{system}\n</system>")
        system = ""
    return replace(request, system=system, messages=tuple(messages)), (note,)


def _with_preface(messages: list[Message], preface: str) -> list[Message]:
    if messages and messages[0].role == "user":
        first = messages[0]
        return [replace(first, parts=(Text(text=preface), *first.parts)), *messages[1:]]
    return [user(preface), *messages]


def _open(request: Request, goal: Goal) -> _Told:
    if not (goal.capabilities.alternate or goal.dialect in _USER_OPENS):
        return request, ()
    spoken = next((message.role for message in request.messages if message.role != "system"), "")
    if spoken != "assistant":
        return request, ()
    note = Note(kind="repaired", what="messages[0]", why="the user must speak first there")
    return replace(request, messages=(user(OPENING), *request.messages)), (note,)


def _hand_over(request: Request, goal: Goal) -> _Told:
    unfinished = bool(request.messages) and request.messages[-1].role == "assistant"
    if goal.capabilities.prefill or not unfinished:
        return request, ()
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
