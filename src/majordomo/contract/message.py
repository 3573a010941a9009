"""Who said what."""

from typing import Literal, TypeAlias

from msgspec import Struct

from .part import Artefact, Part, Text, ToolCall, ToolResult

Role: TypeAlias = Literal["system", "user", "assistant", "tool"]


class Message(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """`parts` is the one ordered truth; the rest are views over it."""

    role: Role
    parts: tuple[Part, ...]
    artefact: Artefact | None = None

    @property
    def text(self) -> str:
        return "".join([part.text for part in self.parts if isinstance(part, Text)])

    @property
    def tool_calls(self) -> tuple[ToolCall, ...]:
        return tuple([part for part in self.parts if isinstance(part, ToolCall)])

    @property
    def tool_results(self) -> tuple[ToolResult, ...]:
        return tuple([part for part in self.parts if isinstance(part, ToolResult)])


def system(*content: str | Part) -> Message:
    return Message(role="system", parts=parts(*content))


def user(*content: str | Part) -> Message:
    return Message(role="user", parts=parts(*content))


def assistant(*content: str | Part) -> Message:
    return Message(role="assistant", parts=parts(*content))


def tool_results(*results: ToolResult) -> Message:
    return Message(role="tool", parts=results)


def parts(*content: str | Part) -> tuple[Part, ...]:
    """Let plain strings stand for text."""
    return tuple(Text(text=item) if isinstance(item, str) else item for item in content)
