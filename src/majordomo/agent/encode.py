"""What a tool gave back, as the parts of a result."""

from collections.abc import Sequence
from typing import Protocol, TypeGuard

import msgspec

from majordomo.contract import Document, Image, Json, Part, Text, ToolResult


class ToolError(Exception):
    """Raise it in a tool to tell the model what went wrong, in these words and no others."""


def content_of(value: object) -> tuple[Part, ...]:
    """Take text and images as they are, several of them in their order; the rest is JSON."""
    match value:
        case str():
            return (Text(text=value),)
        case Text() | Image() | Document():
            return (value,)
        case ToolResult(content=content):
            return content
        case _:
            pass
    if _has_parts(value):
        return tuple(part for item in value for part in content_of(item))
    return (Text(text=msgspec.json.encode(value, enc_hook=_plain).decode()),)


def failure_text(error: BaseException) -> str:
    """Say what happened without a stack trace: paths and code are nobody's business."""
    if isinstance(error, ToolError):
        return str(error) or "The tool failed."
    said = str(error).strip()
    name = type(error).__name__
    return f"The tool failed: {name}: {said}" if said else f"The tool failed: {name}"


def _has_parts(value: object) -> TypeGuard[Sequence[object]]:
    return _is_sequence(value) and any(isinstance(item, Text | Image | Document) for item in value)


def _is_sequence(value: object) -> TypeGuard[Sequence[object]]:
    return isinstance(value, list | tuple)


class _Dumps(Protocol):
    """What is used of `pydantic.BaseModel`."""

    def model_dump(self, *, mode: str) -> Json: ...


def _dumps(value: object) -> TypeGuard[_Dumps]:
    return hasattr(value, "model_dump")


def _plain(value: object) -> object:
    if _dumps(value):
        return value.model_dump(mode="json")
    if isinstance(value, BaseException):
        return failure_text(value)
    return str(value)
