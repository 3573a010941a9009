"""The budget of a whole request: what is not media is weighed, the images share the rest."""

from collections.abc import Iterable, Iterator

from majordomo.contract import Document, Image, Part, Request, Text, Thinking, ToolCall, ToolResult
from majordomo.dialects.json import write

from .limits import counted

_MEDIA = (Image, Document)  # made once: a union would be built for every part
_FRAME_BYTES = 96  # keys, quotes and brackets around one part, in the wordiest dialect
_LETTER_BYTES = 6  # at most: a control character is written as six
_REST_BYTES = 2 * 1024 * 1024  # tools, schemas and what else there is
_MOVING_BYTES = 320  # the lines that say where it went, should it have to move
_FLOOR_BYTES = 1024  # an image smaller than this shows nothing


def attachments(request: Request) -> Iterator[Image | Document]:
    """Every image and document, those inside tool results too."""
    for message in request.messages:
        for part in message.parts:
            if isinstance(part, Text):  # nearly always: one test instead of two
                continue
            if isinstance(part, _MEDIA):
                yield part
            elif isinstance(part, ToolResult):
                for item in part.content:
                    if isinstance(item, _MEDIA):
                        yield item


def ample_weight(request: Request) -> int:
    """Give more than `weight` would, at a hundredth of the cost: enough for nearly everyone."""
    letters = len(request.system)
    parts = 0
    for message in request.messages:
        parts += len(message.parts)
        for part in message.parts:
            match part:
                case Text() | Thinking():
                    letters += len(part.text)
                case ToolCall():
                    letters += len(part.arguments)
                case ToolResult():
                    letters += len(part.text)
                    parts += len(part.content)
                case _:
                    pass
    return letters * _LETTER_BYTES + parts * _FRAME_BYTES + _REST_BYTES


def weight(request: Request) -> int:
    """Give the bytes of everything but the media, nearly as the wire will have them."""
    total = len(request.system.encode()) + 512
    total += sum(len(write(tool.parameters)) for tool in request.tools)
    total += sum(len(tool.name) + len(write(tool.description)) + 96 for tool in request.tools)
    total += len(write(request.schema)) + sum(
        len(write(fields)) for fields in request.extra.values()
    )
    for message in request.messages:
        total += _FRAME_BYTES + sum(_part_weight(part) for part in message.parts)
    return total


def share(images: Iterable[int], budget: int) -> int | None:
    """Give the most bytes each image may have so that all fit; None if that is hopeless.

    Small images keep what they have, the large ones share the rest: level water.
    """
    sizes = sorted(images)
    left = budget
    for index, size in enumerate(sizes):
        level = left // (len(sizes) - index)
        if size > level:
            return level if level >= _FLOOR_BYTES else None
        left -= size
    return budget


def encoded_length(part: Image | Document) -> int:
    return counted(len(part.data), base64=True) + _FRAME_BYTES + _MOVING_BYTES


def _part_weight(part: Part) -> int:
    match part:
        case Text(text=text) | Thinking(text=text):
            return len(write(text)) + _FRAME_BYTES
        case ToolCall():
            return len(write(part.arguments)) + _FRAME_BYTES
        case ToolResult():
            return sum(_part_weight(item) for item in part.content) + _FRAME_BYTES
        case Image() | Document():
            return 0
        case _:
            return len(write(part.value)) + _FRAME_BYTES
