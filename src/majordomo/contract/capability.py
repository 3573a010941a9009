"""What a target can take. Declared, never guessed at run time: the fit pipeline obeys it."""

from typing import Literal, TypeAlias

from msgspec import Struct

from .tool import ToolChoiceMode

ToolMode: TypeAlias = Literal["native", "emulated", "off"]
SchemaMode: TypeAlias = Literal["native", "tool", "prompt", "off"]
SchemaDialect: TypeAlias = Literal["full", "openai_strict", "anthropic", "gemini", "plain"]
Knob: TypeAlias = Literal[
    "temperature",
    "top_p",
    "top_k",
    "presence_penalty",
    "frequency_penalty",
    "stop",
    "seed",
    "max_tokens",
    "reasoning_effort",
    "reasoning_budget",
    "show_thinking",
    "metadata",
]

ALL_KNOBS: tuple[Knob, ...] = (
    "temperature",
    "top_p",
    "top_k",
    "presence_penalty",
    "frequency_penalty",
    "stop",
    "seed",
    "max_tokens",
    "reasoning_effort",
    "reasoning_budget",
    "show_thinking",
    "metadata",
)


class ImageLimits(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """None means no limit is known."""

    mimes: tuple[str, ...] = ("image/jpeg", "image/png", "image/gif", "image/webp")
    max_count: int | None = None
    max_bytes: int | None = None  # of one image, as the target counts it
    max_side: int | None = None  # pixels
    max_pixels: int | None = None
    base64: bool = True  # the target counts the base64 text, a third more than the bytes
    animated: bool = False
    crowd: int | None = None  # above this many images ...
    crowd_side: int | None = None  # ... each may only be this large


class DocumentLimits(Struct, frozen=True, kw_only=True, omit_defaults=True):
    mimes: tuple[str, ...] = ("application/pdf",)
    max_count: int | None = None
    max_bytes: int | None = None


class Capabilities(Struct, frozen=True, kw_only=True, omit_defaults=True):
    streaming: bool = True
    tools: ToolMode = "native"
    tool_choice: tuple[ToolChoiceMode, ...] = ("auto", "none", "required", "named")
    parallel_control: bool = True  # can be told to make one call at a time
    max_tools: int | None = None
    rescue: bool = False  # may print calls as text instead of making them: take them out of it
    tool_name: str = r"[A-Za-z0-9_-]{1,64}"
    call_id: str = r"[A-Za-z0-9_-]{1,40}"

    structured: SchemaMode = "native"
    json_mode: bool = True
    schema: SchemaDialect = "full"  # which JSON Schema its structured output takes
    tool_schema: SchemaDialect = "full"  # and which its tools take

    images: ImageLimits | None = ImageLimits()
    documents: DocumentLimits | None = None
    result_media: bool = False  # images and documents inside tool results
    max_request_bytes: int | None = None

    thinking: bool = True  # takes its own reasoning back
    efforts: tuple[str, ...] = ("none", "minimal", "low", "medium", "high", "xhigh", "max")
    knobs: tuple[Knob, ...] = ALL_KNOBS
    thinks: bool = False  # unless told not to (effort "none")
    sampling_with_thinking: bool = True  # takes temperature and its like while it thinks
    tools_with_thinking: bool = True  # takes tools while it thinks

    system: Literal["anywhere", "first", "none"] = "anywhere"  # where a system message may stand
    alternate: bool = False  # insists on user and assistant taking turns
    prefill: bool = False  # goes on from an unfinished assistant turn
    max_context: int | None = None
    max_output: int | None = None
