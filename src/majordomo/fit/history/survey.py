"""One quick look at a history, so that the repairs it does not need cost nothing."""

from typing import NamedTuple, assert_never

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


class Survey(NamedTuple):
    foreign: bool = False  # something another dialect wrote, or thoughts to be judged
    empty: bool = False
    calls: bool = False


def survey(messages: tuple[Message, ...], dialect: DialectName) -> Survey:
    foreign = empty = calls = False
    for message in messages:
        if message.artefact is not None:
            foreign = foreign or _is_foreign(message.artefact, dialect)
        if message.role == "tool":
            calls = True
        if not message.parts:
            empty = True
        for part in message.parts:
            # Most parts are plain text: settled in one line, a tenth of a microsecond.
            if isinstance(part, Text) and part.artefact is None and part.text[:1] > " ":
                continue
            seen = _look(part, dialect)
            foreign = foreign or seen.foreign
            empty = empty or seen.empty
            calls = calls or seen.calls
    return Survey(foreign, empty, calls)


def _is_foreign(artefact: Artefact | None, dialect: DialectName) -> bool:
    return artefact is not None and artefact.dialect != dialect


def _look(part: Part, dialect: DialectName) -> Survey:
    match part:
        case Text():
            blank = not part.text or part.text.isspace()
            return Survey(_is_foreign(part.artefact, dialect), empty=blank)
        case ToolCall():
            return Survey(_is_foreign(part.artefact, dialect), calls=True)
        case ToolResult():
            return _look_inside(part, dialect)
        case Image() | Document():
            return Survey(_is_foreign(part.artefact, dialect))
        case Thinking() | Opaque():
            return Survey(foreign=True)
        case _:
            assert_never(part)


def _look_inside(result: ToolResult, dialect: DialectName) -> Survey:
    foreign = _is_foreign(result.artefact, dialect)
    empty = False
    for part in result.content:
        if isinstance(part, Text) and part.artefact is None and part.text[:1] > " ":
            continue
        seen = _look(part, dialect)
        foreign = foreign or seen.foreign
        empty = empty or seen.empty
    return Survey(foreign, empty, calls=True)
