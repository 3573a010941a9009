"""What a message is made of.

`Part` is closed: every `match` over it ends in `assert_never`, so adding a part makes the
type checker list each place that must learn about it.
"""

from typing import Literal, TypeAlias

from msgspec import Struct

from .json import JsonObject

DialectName: TypeAlias = Literal["openai_chat", "openai_responses", "anthropic", "ollama", "gemini"]


class Artefact(Struct, frozen=True, kw_only=True):
    """What one dialect attached to a value and only that dialect understands.

    Signatures, encrypted reasoning, cache marks. It goes back byte for byte to the dialect
    that wrote it and is withheld, not destroyed, from every other.
    """

    dialect: DialectName
    value: JsonObject


class Text(Struct, frozen=True, kw_only=True, tag="text", tag_field="type", omit_defaults=True):
    text: str
    artefact: Artefact | None = None


class Image(Struct, frozen=True, kw_only=True, tag="image", tag_field="type", omit_defaults=True):
    """Bytes and their MIME type, never a URL: fitting needs the bytes, fetching is I/O."""

    data: bytes
    mime: str
    artefact: Artefact | None = None


class Document(
    Struct, frozen=True, kw_only=True, tag="document", tag_field="type", omit_defaults=True
):
    data: bytes
    mime: str
    name: str = ""
    artefact: Artefact | None = None


class Thinking(
    Struct, frozen=True, kw_only=True, tag="thinking", tag_field="type", omit_defaults=True
):
    """What the model said to itself; `text` may be empty and the artefact all there is."""

    text: str
    artefact: Artefact | None = None


class ToolCall(
    Struct, frozen=True, kw_only=True, tag="tool_call", tag_field="type", omit_defaults=True
):
    id: str
    name: str
    arguments: str  # raw JSON text: models write invalid JSON and we must not lose it
    artefact: Artefact | None = None


class ToolResult(
    Struct, frozen=True, kw_only=True, tag="tool_result", tag_field="type", omit_defaults=True
):
    id: str  # of the call it answers
    name: str = ""  # of the tool; some dialects only link by it, some never say it
    content: "tuple[Part, ...]" = ()
    is_error: bool = False
    artefact: Artefact | None = None

    @property
    def text(self) -> str:
        return "".join(part.text for part in self.content if isinstance(part, Text))


class Opaque(Struct, frozen=True, kw_only=True, tag="opaque", tag_field="type"):
    """A block we do not model: it goes back to its own dialect and nowhere else."""

    dialect: DialectName
    value: JsonObject


Part: TypeAlias = Text | Image | Document | Thinking | ToolCall | ToolResult | Opaque
