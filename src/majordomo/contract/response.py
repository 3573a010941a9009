"""What a model said."""

from typing import Literal, TypeAlias

from msgspec import Struct

from .attempt import Attempt
from .json import Json
from .message import Message
from .note import Note
from .part import Part, Text, Thinking, ToolCall
from .usage import UNKNOWN, Usage

FinishReason: TypeAlias = Literal[
    "stop",
    "length",
    "tool_calls",
    "content_filter",
    "refusal",
    "pause",
    "cancelled",
    "error",
    "unknown",
]


class Response(Struct, frozen=True, kw_only=True, omit_defaults=True):
    parts: tuple[Part, ...]
    finish_reason: FinishReason
    finish_native: str = ""  # the dialect's own word for it
    stop_sequence: str | None = None
    usage: Usage = UNKNOWN
    model: str = ""  # who really served it: `provider/model-id`
    id: str = ""
    raw: Json = None
    notes: tuple[Note, ...] = ()
    attempts: tuple[Attempt, ...] = ()

    @property
    def text(self) -> str:
        return "".join(part.text for part in self.parts if isinstance(part, Text))

    @property
    def thinking(self) -> str:
        return "".join(part.text for part in self.parts if isinstance(part, Thinking))

    @property
    def tool_calls(self) -> tuple[ToolCall, ...]:
        return tuple(part for part in self.parts if isinstance(part, ToolCall))

    @property
    def message(self) -> Message:
        """The turn to append to the history."""
        return Message(role="assistant", parts=self.parts)
