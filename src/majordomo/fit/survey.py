"""One quick look at a request's messages, so that what it does not need costs nothing.

Every request pays for this look, and most pay for little else. So what was seen is a number
of flags, and the two commonest parts are settled by their very type, without a call.
"""

from typing import TypeAlias, assert_never

from majordomo.contract import (
    Artefact,
    DialectName,
    Document,
    Image,
    Message,
    Opaque,
    Part,
    Text,
    Thinking,
    ToolCall,
    ToolResult,
)

Seen: TypeAlias = int
PLAIN: Seen = 0  # nothing but text of our own
FOREIGN: Seen = 1  # something another dialect wrote, or thoughts to be judged
EMPTY: Seen = 2
CALLS: Seen = 4
MEDIA: Seen = 8


def survey(messages: tuple[Message, ...], dialect: DialectName) -> Seen:
    """Tell which kinds of things a history holds; calls and media are never added later."""
    seen = PLAIN
    for message in messages:
        if message.artefact is not None:
            seen |= _foreign(message.artefact, dialect)
        if message.role == "tool":
            seen |= CALLS
        parts = message.parts
        if not parts:
            seen |= EMPTY
        for part in parts:
            if type(part) is Text and part.artefact is None and part.text[:1] > " ":
                continue
            if type(part) is ToolCall and part.artefact is None:
                seen |= CALLS
            else:
                seen |= _look(part, dialect)
    return seen


def has_media(messages: tuple[Message, ...]) -> bool:
    """Whether there is an image or a document anywhere, inside tool results too."""
    for message in messages:
        for part in message.parts:
            kind = type(part)
            if kind is Text or kind is ToolCall:
                continue
            if kind is Image or kind is Document:
                return True
            if type(part) is ToolResult:
                for item in part.content:
                    if type(item) is Image or type(item) is Document:
                        return True
    return False


def _foreign(artefact: Artefact | None, dialect: DialectName) -> Seen:
    return FOREIGN if artefact is not None and artefact.dialect != dialect else PLAIN


def _look(part: Part, dialect: DialectName) -> Seen:
    match part:
        case ToolResult():
            return _look_inside(part, dialect)
        case Text():
            blank = not part.text or part.text.isspace()
            return _foreign(part.artefact, dialect) | (EMPTY if blank else PLAIN)
        case ToolCall():
            return CALLS | _foreign(part.artefact, dialect)
        case Image() | Document():
            return MEDIA | _foreign(part.artefact, dialect)
        case Thinking() | Opaque():
            return FOREIGN
        case _:
            assert_never(part)


def _look_inside(result: ToolResult, dialect: DialectName) -> Seen:
    seen = CALLS | _foreign(result.artefact, dialect)
    for part in result.content:
        if type(part) is Text and part.artefact is None and part.text[:1] > " ":
            continue
        seen |= _look(part, dialect)
    return seen
