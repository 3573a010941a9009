"""What another dialect wrote stays at home: withheld from this target, kept by the caller."""

import operator
from collections import Counter
from typing import assert_never

from msgspec.structs import replace

from majordomo.contract import (
    Artefact,
    DialectName,
    Document,
    Image,
    Message,
    Note,
    Opaque,
    Part,
    Text,
    Thinking,
    ToolCall,
    ToolResult,
)

OMITTED = "[an attachment was here that this model cannot be shown]"

# Everyone else verifies a signature and refuses reasoning that carries none.
_TAKES_UNSIGNED: frozenset[DialectName] = frozenset({"openai_chat", "ollama", "gemini"})
# Attributes whose loss the caller pays for; ids, roles and phases are only bookkeeping.
_TELLING = ("cache_control", "prompt_cache_breakpoint", "citations", "detail", "transformations")
_CONTENT_WORDS = ("image", "file", "document", "audio", "video", "search_result", "upload")


class Withholding:
    """Walks a history once, for one dialect, counting what it leaves out."""

    def __init__(self, dialect: DialectName, *, thinking: bool) -> None:
        self._dialect = dialect
        self._thinking = thinking
        self._lost: Counter[tuple[str, str]] = Counter()
        self._blocks: Counter[tuple[str, str]] = Counter()
        self._reasoning = 0

    def message(self, message: Message) -> Message:
        if _is_bare(message):
            return message
        parts = self._parts(message.parts, is_input=message.role != "assistant")
        artefact = self._artefact(message.artefact)
        if parts is message.parts and artefact is message.artefact:
            return message
        return replace(message, parts=parts, artefact=artefact)

    def notes(self) -> tuple[Note, ...]:
        notes = [
            Note(kind="dropped", what=key, why=f"only {owner} knows it ({count} times)")
            for (owner, key), count in self._lost.items()
        ]
        notes += [
            Note(kind="dropped", what=f"block {kind}", why=f"only {owner} reads it ({count} times)")
            for (owner, kind), count in self._blocks.items()
        ]
        if self._reasoning:
            why = f"{self._reasoning} thoughts this target could not verify were withheld"
            notes.append(Note(kind="repaired", what="reasoning", why=why))
        return tuple(notes)

    def _parts(self, parts: tuple[Part, ...], *, is_input: bool) -> tuple[Part, ...]:
        kept: list[Part] = []
        for part in parts:
            known = self._part(part, is_input=is_input)
            if known is not None:
                kept.append(known)
        same = len(kept) == len(parts) and all(map(operator.is_, kept, parts))
        return parts if same else tuple(kept)

    def _part(self, part: Part, *, is_input: bool) -> Part | None:
        match part:
            case Opaque():
                return self._opaque(part, is_input=is_input)
            case Thinking():
                return self._thought(part)
            case ToolResult():
                return self._result(part)
            case Text() | Image() | Document() | ToolCall():
                artefact = self._artefact(part.artefact)
                return part if artefact is part.artefact else replace(part, artefact=artefact)
            case _:
                assert_never(part)

    def _artefact(self, artefact: Artefact | None) -> Artefact | None:
        if artefact is None or artefact.dialect == self._dialect:
            return artefact
        for key in _TELLING:
            if artefact.value.get(key):
                self._lost[artefact.dialect, key] += 1
        return None

    def _opaque(self, part: Opaque, *, is_input: bool) -> Part | None:
        if part.dialect == self._dialect:
            return part
        kind = part.value.get("type")
        word = kind if isinstance(kind, str) else next(iter(part.value), "unknown")
        self._blocks[part.dialect, word] += 1
        carried = any(known in word.lower() for known in _CONTENT_WORDS)
        return Text(text=OMITTED) if is_input and carried else None

    def _thought(self, part: Thinking) -> Thinking | None:
        if part.artefact is None:
            own = self._dialect in _TAKES_UNSIGNED
        else:
            own = part.artefact.dialect == self._dialect
        if own and self._thinking:
            return part
        self._reasoning += 1
        return None

    def _result(self, part: ToolResult) -> ToolResult:
        content = self._parts(part.content, is_input=True)
        artefact = self._artefact(part.artefact)
        if content is part.content and artefact is part.artefact:
            return part
        return replace(part, content=content, artefact=artefact)


def _is_bare(message: Message) -> bool:
    """Whether it is text and calls that nobody marked: most of a long history."""
    if message.artefact is not None:
        return False
    for part in message.parts:
        if type(part) is ToolResult:
            if part.artefact is not None:
                return False
            for item in part.content:
                if type(item) is not Text or item.artefact is not None:
                    return False
        elif (type(part) is not Text and type(part) is not ToolCall) or part.artefact is not None:
            return False
    return True
