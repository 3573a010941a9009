"""Attachments that stand where the dialect has no place for them move to a user's message.

Chat takes no image in a tool result, hardly anyone takes one in an assistant's message. Each
leaves a line where it was and is announced by the same line where it arrives, so the model
can tell which is which. It arrives after *all* results of its turn, as targets demand.
"""

from collections.abc import Iterator

from msgspec.structs import replace

from majordomo.contract import (
    DialectName,
    Document,
    Image,
    Message,
    Note,
    Part,
    Request,
    Text,
    ToolResult,
)

_PICTURES_FROM_THE_MODEL: frozenset[DialectName] = frozenset({"gemini"})


def relocate(
    request: Request, *, dialect: DialectName, result_media: bool
) -> tuple[Request, tuple[Note, ...]]:
    moving = _Moving(dialect, result_media=result_media)
    if not any(map(moving.is_misplaced, request.messages)):
        return request, ()
    messages = tuple(told for message in request.messages for told in moving.message(message))
    why = f"{moving.count} attachments moved to a user message: it takes none where they stood"
    return replace(request, messages=messages), (Note(kind="mapped", what="media", why=why),)


class _Moving:
    def __init__(self, dialect: DialectName, *, result_media: bool) -> None:
        self._dialect = dialect
        self._result_media = result_media
        self._arriving: list[Part] = []
        self.count = 0

    def message(self, message: Message) -> Iterator[Message]:
        if self.is_misplaced(message):
            message = replace(message, parts=tuple(self._left(part) for part in message.parts))
        yield message
        # Nothing may stand between calls and their results.
        if self._arriving and not message.tool_calls:
            yield Message(role="user", parts=tuple(self._arriving))
            self._arriving = []

    def is_misplaced(self, message: Message) -> bool:
        if message.role == "user":
            return False
        if message.role == "tool":
            return not self._result_media and any(
                isinstance(item, Image | Document)
                for result in message.tool_results
                for item in result.content
            )
        return self._dialect not in _PICTURES_FROM_THE_MODEL and any(
            isinstance(part, Image | Document) for part in message.parts
        )

    def _left(self, part: Part) -> Part:
        if isinstance(part, ToolResult):
            origin = f"from the result of {part.name or part.id}"
            content = tuple(self._sent(item, origin) for item in part.content)
            return replace(part, content=content)
        return self._sent(part, "from the message before")

    def _sent(self, part: Part, origin: str) -> Part:
        if not isinstance(part, Image | Document):
            return part
        self.count += 1
        kind = "image" if isinstance(part, Image) else "document"
        self._arriving += [Text(text=f"[{kind} {self.count}, {origin}]"), part]
        return Text(text=f"[{kind} {self.count} follows in the next message]")
