"""Text that says nothing is left out: `text content blocks must be non-empty`, say several."""

from msgspec.structs import replace

from majordomo.contract import DialectName, Message, Note, Part, Text, ToolResult


def drop_empty(
    messages: tuple[Message, ...], dialect: DialectName
) -> tuple[tuple[Message, ...], tuple[Note, ...]]:
    """Drop empty text, then messages that hold nothing at all."""
    if not any(_has_empty(message.parts, dialect) for message in messages):
        return messages, ()
    kept: list[Message] = []
    notes: list[Note] = []
    for index, message in enumerate(messages):
        parts = _spoken(message.parts, dialect)
        if parts is not message.parts:
            notes.append(
                Note(kind="repaired", what=f"messages[{index}]", why="empty text left out")
            )
        # Claude Code sets the effort from here on by a system message without content.
        if parts or (message.role == "system" and message.artefact is not None):
            kept.append(message if parts is message.parts else replace(message, parts=parts))
    return tuple(kept), tuple(notes)


def _has_empty(parts: tuple[Part, ...], dialect: DialectName) -> bool:
    return not parts or any(
        _has_empty_inside(part, dialect) or _is_empty(part, dialect) for part in parts
    )


def _has_empty_inside(part: Part, dialect: DialectName) -> bool:
    return isinstance(part, ToolResult) and any(_is_empty(item, dialect) for item in part.content)


def _is_empty(part: Part, dialect: DialectName) -> bool:
    if not isinstance(part, Text):
        return False
    if dialect == "anthropic":  # it refuses blanks too
        return not part.text or part.text.isspace()
    # Gemini hangs signatures on empty text; without them it refuses the next turn.
    return not part.text and (part.artefact is None or dialect != "gemini")


def _spoken(parts: tuple[Part, ...], dialect: DialectName) -> tuple[Part, ...]:
    kept: list[Part] = []
    for part in parts:
        if _is_empty(part, dialect):
            continue
        if isinstance(part, ToolResult) and _has_empty_inside(part, dialect):
            content = tuple(item for item in part.content if not _is_empty(item, dialect))
            kept.append(replace(part, content=content))
        else:
            kept.append(part)
    if len(kept) == len(parts) and all(a is b for a, b in zip(kept, parts, strict=True)):
        return parts
    return tuple(kept)
