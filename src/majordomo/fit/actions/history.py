"""Tool history as chat: calls as the blocks the model wrote, results framed and attributed."""

from collections.abc import Iterable, Sequence
from typing import assert_never

from msgspec import Struct

from majordomo.contract import (
    Document,
    Image,
    JsonObject,
    Message,
    Note,
    Opaque,
    Part,
    Text,
    Thinking,
    Tool,
    ToolCall,
    ToolResult,
)
from majordomo.dialects.json import arguments_object

from .block_text import block
from .wording import (
    NEXT,
    NEXT_AFTER_ERROR,
    RESULT,
    RESULT_ELIDED,
    RESULT_EMPTY,
    RESULT_ERROR,
    RESULT_ERROR_EMPTY,
    RESULT_MEDIA,
)

LONGEST_RESULT = 24_000  # characters
_MEDIA = (Image, Document)  # made once: a union would be built for every part


class Projection(Struct, frozen=True, kw_only=True):
    messages: tuple[Message, ...]
    notes: tuple[Note, ...] = ()
    found: bool = False  # there were calls or results


def has_history(messages: Iterable[Message]) -> bool:
    return any(_is_told(message) for message in messages)


def _is_told(message: Message) -> bool:
    """Whether it holds a call or a result, which have to be said in words."""
    kinds = [type(part) for part in message.parts]
    return ToolCall in kinds or ToolResult in kinds


def recovered_tools(messages: Iterable[Message]) -> tuple[Tool, ...]:
    """Give the tools the history shows, for turns that no longer define them."""
    seen: dict[str, dict[str, JsonObject]] = {}
    for message in messages:
        for call in message.tool_calls:
            keys = seen.setdefault(call.name, {})
            keys.update({key: {} for key in arguments_object(call.arguments) if key != "_raw"})
    return tuple(
        Tool(name=name, parameters={"type": "object", "properties": {**keys}})
        for name, keys in seen.items()
    )


def project(
    messages: Sequence[Message], *, nonce: str, longest: int = LONGEST_RESULT
) -> Projection:
    """Say calls and results in words; every other part stays what it is."""
    work = _Projector(nonce, longest)
    for index, message in enumerate(messages):
        work.add(message, index)
    return Projection(
        messages=tuple(work.messages), notes=tuple(work.notes), found=has_history(messages)
    )


class _Projector:
    def __init__(self, nonce: str, longest: int) -> None:
        self.messages: list[Message] = []
        self.notes: list[Note] = []
        self._nonce = nonce
        self._longest = longest
        self._names: dict[str, str] = {}  # of the tools, by call id

    def add(self, message: Message, index: int) -> None:
        if not _is_told(message):
            self._append(message)
            return
        parts: list[Part] = []
        results = [part for part in message.parts if isinstance(part, ToolResult)]
        for part in message.parts:
            parts += self._part(part, f"messages[{index}]")
        if results:
            failed = any(result.is_error for result in results)
            words = any(isinstance(part, Text) for part in message.parts)
            if not words:
                parts.append(Text(text=NEXT_AFTER_ERROR if failed else NEXT))
        role = "user" if message.role == "tool" else message.role
        self._append(Message(role=role, parts=_joined(parts)))

    def _part(self, part: Part, where: str) -> list[Part]:
        match part:
            case ToolCall():
                self._names[part.id] = part.name
                text = block(part.name, part.arguments, nonce=self._nonce, id=part.id)
                return [Text(text=text)]
            case ToolResult():
                return self._result(part, where)
            case Text() | Image() | Document() | Thinking() | Opaque():
                return [part]
            case _:
                assert_never(part)

    def _result(self, result: ToolResult, where: str) -> list[Part]:
        tool = result.name or self._names.get(result.id, "tool")
        media = [part for part in result.content if isinstance(part, _MEDIA)]
        text = self._elided(result.text, where)
        if media:
            count = f"{len(media)} image{'s' if len(media) > 1 else ''} or document"
            text = "\n".join(filter(None, (text, RESULT_MEDIA.format(count=count))))
        if not text.strip():
            text = RESULT_ERROR_EMPTY if result.is_error else RESULT_EMPTY
        form = RESULT_ERROR if result.is_error else RESULT
        return [Text(text=form.format(tool=tool, id=result.id, content=text)), *media]

    def _elided(self, text: str, where: str) -> str:
        """Leave out the middle of what is too long: the ends tell most."""
        if len(text) <= self._longest:
            return text
        head, tail = self._longest * 6 // 10, self._longest * 4 // 10
        gone = len(text) - head - tail
        self.notes.append(
            Note(kind="downgraded", what=where, why=f"{gone} characters of a result left out")
        )
        mark = RESULT_ELIDED.format(count=gone, total=len(text))
        return text[:head] + mark + text[-tail:]

    def _append(self, message: Message) -> None:
        """Add a message; neighbours of one role become one, as chat templates want them."""
        last = self.messages[-1] if self.messages else None
        projected = message.role == "user" and last is not None and last.role == "user"
        if projected and last is not None and self._names:
            self.messages[-1] = Message(role="user", parts=_joined([*last.parts, *message.parts]))
        else:
            self.messages.append(message)


def _joined(parts: Sequence[Part]) -> tuple[Part, ...]:
    """Join neighbouring text, a blank line between."""
    result: list[Part] = []
    for part in parts:
        last = result[-1] if result else None
        if isinstance(part, Text) and isinstance(last, Text):
            result[-1] = Text(text=f"{last.text.rstrip()}\n\n{part.text.lstrip()}")
        else:
            result.append(part)
    return tuple(result)
