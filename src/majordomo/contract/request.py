"""Everything a caller may ask of a model."""

from collections.abc import Sequence
from typing import Literal, TypeAlias, TypedDict, Unpack

from msgspec import Struct
from msgspec.structs import replace

from .json import JsonObject
from .message import Message, user
from .tool import AUTO, Tool, ToolChoice

ReasoningEffort: TypeAlias = Literal["none", "minimal", "low", "medium", "high", "xhigh", "max"]


class Request(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A reusable value: per-call options make a copy, see `Request.with_options`."""

    messages: tuple[Message, ...]
    system: str = ""
    tools: tuple[Tool, ...] = ()
    tool_choice: ToolChoice = AUTO

    schema: JsonObject | None = None  # structured output; `{}` asks for JSON of any shape
    schema_name: str = "response"
    schema_strict: bool | None = None

    max_tokens: int | None = None
    temperature: float | None = None
    top_p: float | None = None
    top_k: int | None = None
    presence_penalty: float | None = None
    frequency_penalty: float | None = None
    stop: tuple[str, ...] = ()
    seed: int | None = None

    reasoning_effort: ReasoningEffort | None = None
    reasoning_budget: int | None = None  # tokens it may think for; 0 none, -1 as it likes
    show_thinking: bool | None = None  # None: the dialect's default

    metadata: dict[str, str] = {}
    # Fields only one dialect knows, by dialect; "*" goes to whichever serves.
    extra: dict[str, JsonObject] = {}

    def with_options(self, **options: Unpack["Options"]) -> "Request":
        """Apply per-call options to a copy."""
        return replace(self, **options) if options else self


class Options(TypedDict, total=False):
    """What `generate` and `stream` take by keyword: the fields of `Request`."""

    system: str
    tools: tuple[Tool, ...]
    tool_choice: ToolChoice
    schema: JsonObject | None
    schema_name: str
    schema_strict: bool | None
    max_tokens: int | None
    temperature: float | None
    top_p: float | None
    top_k: int | None
    presence_penalty: float | None
    frequency_penalty: float | None
    stop: tuple[str, ...]
    seed: int | None
    reasoning_effort: ReasoningEffort | None
    reasoning_budget: int | None
    show_thinking: bool | None
    metadata: dict[str, str]
    extra: dict[str, JsonObject]


Prompt: TypeAlias = str | Message | Sequence[Message] | Request


def as_request(prompt: Prompt, **options: Unpack[Options]) -> Request:
    """Read whatever a caller finds natural to write as the one request it means."""
    if isinstance(prompt, Request):
        return prompt.with_options(**options)
    if isinstance(prompt, str):
        messages: tuple[Message, ...] = (user(prompt),)
    elif isinstance(prompt, Message):
        messages = (prompt,)
    else:
        messages = tuple(prompt)
    return Request(messages=messages).with_options(**options)
