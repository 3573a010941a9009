"""What each built-in provider takes, whatever the model; `families` knows the exceptions."""

from msgspec.structs import replace

from majordomo.contract import ALL_KNOBS, Capabilities, DocumentLimits, ImageLimits, Knob

_MB = 1024 * 1024


def _all_but(*names: Knob) -> tuple[Knob, ...]:
    return tuple(knob for knob in ALL_KNOBS if knob not in names)


_OPENAI_IMAGES = ImageLimits(
    max_count=1500,
    max_pixels=30_000 * 32 * 32,  # more 32-pixel patches are a 400
)
_OPENAI_DOCUMENTS = DocumentLimits(max_bytes=50 * _MB)

OPENAI_CHAT = Capabilities(
    max_tools=128,
    schema="openai_strict",
    images=_OPENAI_IMAGES,
    documents=_OPENAI_DOCUMENTS,
    max_request_bytes=512 * _MB,
    thinking=False,  # keeps its reasoning to itself: nothing to give back
    knobs=_all_but("top_k", "reasoning_budget", "show_thinking"),
)

OPENAI_RESPONSES = replace(
    OPENAI_CHAT,
    max_tools=None,
    tool_name=r"[A-Za-z0-9_-]{1,128}",
    call_id=r"[A-Za-z0-9_-]{1,64}",
    result_media=True,
    thinking=True,
    knobs=(
        "temperature",
        "top_p",
        "max_tokens",
        "reasoning_effort",
        "show_thinking",
        "metadata",
    ),
)

ANTHROPIC = Capabilities(
    call_id=r"[A-Za-z0-9_-]{1,64}",
    json_mode=False,
    schema="anthropic",
    images=ImageLimits(
        max_count=100,
        max_bytes=10_000_000,
        max_side=8000,
        crowd=20,
        crowd_side=2000,
    ),
    documents=DocumentLimits(mimes=("application/pdf", "text/plain")),
    result_media=True,
    max_request_bytes=32 * _MB,
    efforts=("none", "low", "medium", "high", "xhigh", "max"),
    knobs=_all_but("presence_penalty", "frequency_penalty", "seed"),
    system="first",
    prefill=True,
)

GEMINI = Capabilities(
    parallel_control=False,
    tool_name=r"[A-Za-z_][A-Za-z0-9_.:-]{0,127}",
    call_id=r"[A-Za-z0-9_-]{1,64}",
    schema="gemini",
    tool_schema="gemini",
    images=ImageLimits(
        mimes=("image/png", "image/jpeg", "image/webp", "image/heic", "image/heif"),
        max_count=3600,
    ),
    documents=DocumentLimits(max_bytes=50 * _MB),
    max_request_bytes=20 * _MB,
    efforts=("none", "minimal", "low", "medium", "high"),
    knobs=_all_but("metadata"),
    system="first",
)

OLLAMA = Capabilities(
    rescue=True,  # chat templates that fail to match leave the call in the text
    tool_choice=("auto", "none"),
    parallel_control=False,
    tool_name=r".{1,256}",
    call_id=r".{1,256}",
    images=ImageLimits(mimes=("image/jpeg", "image/png", "image/webp"), base64=False),
    efforts=("none", "low", "medium", "high", "max"),
    knobs=_all_but("reasoning_budget", "metadata"),
)

OLLAMA_CLOUD = replace(OLLAMA, structured="prompt", json_mode=False)

COMPATIBLE = Capabilities(
    rescue=True,  # chat templates that fail to match leave the call in the text
    images=ImageLimits(),
    knobs=_all_but("reasoning_budget", "show_thinking", "metadata"),
)

OPENROUTER = replace(COMPATIBLE, documents=DocumentLimits())

GROQ = replace(
    COMPATIBLE,
    images=ImageLimits(max_count=5, max_bytes=4 * _MB),
    knobs=_all_but("top_k", "reasoning_budget", "show_thinking", "metadata"),
)

MISTRAL = replace(
    COMPATIBLE,
    # No named choice in the older API, and none is missed: `allowed` tools are fitted.
    tool_choice=("auto", "none", "required"),
    call_id=r"[A-Za-z0-9]{9}",
    images=ImageLimits(max_count=8, max_bytes=10_000_000),
    thinking=False,  # refuses reasoning_content in history as an unknown field
    knobs=_all_but("top_k", "reasoning_budget", "show_thinking", "metadata"),
    prefill=False,
)

DEEPSEEK = replace(
    COMPATIBLE,
    parallel_control=False,
    structured="prompt",  # JSON mode only
    images=None,
    knobs=_all_but("top_k", "seed", "reasoning_budget", "show_thinking", "metadata"),
)

CEREBRAS = replace(
    COMPATIBLE,
    images=None,
    knobs=_all_but(
        "top_k",
        "presence_penalty",
        "frequency_penalty",
        "reasoning_budget",
        "show_thinking",
        "metadata",
    ),
)

MOONSHOT = replace(
    COMPATIBLE,
    tool_choice=("auto", "none"),
    knobs=_all_but("top_k", "seed", "reasoning_budget", "show_thinking", "metadata"),
)

VLLM = COMPATIBLE

LLAMACPP = replace(
    COMPATIBLE,
    # What its image reader decodes; WebP is not among it.
    images=ImageLimits(mimes=("image/jpeg", "image/png", "image/bmp", "image/gif")),
    prefill=True,  # goes on from a last assistant message
)

# Small models in GGUF, run by ourselves. Few of them call tools when they could, but llama.cpp
# holds all of them to a schema: so calls go through the text, and forced ones cannot fail.
LOCAL = replace(
    LLAMACPP,
    tools="emulated",
    images=None,
    max_context=8192,  # as `majordomo.local` starts it, whatever the model was made for
    knobs=_all_but(
        "reasoning_effort",
        "reasoning_budget",
        "show_thinking",
        "metadata",
    ),
)

LM_STUDIO = replace(COMPATIBLE, json_mode=False)  # json_object is refused by many versions
