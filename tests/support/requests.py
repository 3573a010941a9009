"""Requests and capabilities of every kind, for properties: sensible ones and absurd ones."""

from functools import cache
from typing import cast

from hypothesis import strategies as st

from majordomo.contract import (
    ALL_KNOBS,
    Artefact,
    Capabilities,
    DialectName,
    Document,
    DocumentLimits,
    Image,
    ImageLimits,
    JsonObject,
    Message,
    Opaque,
    Part,
    ReasoningEffort,
    Request,
    Text,
    Thinking,
    Tool,
    ToolCall,
    ToolChoice,
    ToolChoiceMode,
    ToolResult,
)

from .gallery import made

DIALECTS: tuple[DialectName, ...] = (
    "openai_chat",
    "openai_responses",
    "anthropic",
    "ollama",
    "gemini",
)
EFFORTS: tuple[ReasoningEffort, ...] = (
    "none",
    "minimal",
    "low",
    "medium",
    "high",
    "xhigh",
    "max",
)
_MODES: tuple[ToolChoiceMode, ...] = ("auto", "none", "required", "named")
_NAMES = ("f", "g", "mcp server/do.it", "x" * 90, "Ünïcode")
_IDS = ("call_0", "call_1", "toolu_01abc", "id with: odd/letters", "y" * 80)
_SCHEMAS: tuple[JsonObject, ...] = (
    {},
    {"type": "object", "properties": {"a": {"type": "string", "minLength": 1}}},
    {"type": "object", "additionalProperties": {"type": "integer", "exclusiveMinimum": 0}},
    {
        "$defs": {"N": {"type": "object", "properties": {"n": {"$ref": "#/$defs/N"}}}},
        "$ref": "#/$defs/N",
    },
    {
        "type": "object",
        "properties": {"k": {"enum": [1, "a", None]}, "t": {"type": ["string", "null"]}},
        "required": ["k"],
    },
)

dialects = st.sampled_from(DIALECTS)
texts = st.sampled_from(["", " ", "hello", "give me json", "grüße\n"])
artefacts = st.none() | st.builds(
    Artefact,
    dialect=dialects,
    value=st.sampled_from(
        cast("list[JsonObject]", [{"cache_control": {"type": "ephemeral"}}, {"signature": "s"}])
    ),
)


@cache
def _pictures() -> tuple[Image, ...]:
    names = (
        "png",
        "jpeg",
        "bmp",
        "gif animated",
        "webp with alpha",
        "png thin",
        "jpeg of one pixel",
    )
    return tuple(Image(data=made(name), mime="image/png") for name in names)


pictures = st.deferred(lambda: st.sampled_from(_pictures()))
documents = st.sampled_from(
    [
        Document(data=b"%PDF-1.7", mime="application/pdf"),
        Document(data=b"words", mime="text/plain", name="w.txt"),
    ]
)
_plain_parts: st.SearchStrategy[Part] = st.one_of(
    st.builds(Text, text=texts, artefact=artefacts),
    pictures,
    documents,
    st.builds(
        Opaque,
        dialect=dialects,
        value=st.sampled_from(cast("list[JsonObject]", [{"type": "image_url"}, {"x": 1}])),
    ),
)
calls = st.builds(
    ToolCall,
    id=st.sampled_from(_IDS),
    name=st.sampled_from(_NAMES),
    arguments=st.sampled_from(["{}", '{"a":"b"}', "{broken"]),
    artefact=artefacts,
)
results = st.builds(
    ToolResult,
    id=st.sampled_from(_IDS),
    name=st.sampled_from([*_NAMES, ""]),
    content=st.lists(_plain_parts, max_size=2).map(tuple),
    is_error=st.booleans(),
    artefact=artefacts,
)
thoughts = st.builds(Thinking, text=texts, artefact=artefacts)
parts: st.SearchStrategy[Part] = st.one_of(_plain_parts, calls, results, thoughts)
messages = st.builds(
    Message,
    role=st.sampled_from(["system", "user", "assistant", "tool"]),
    parts=st.lists(parts, max_size=4).map(tuple),
    artefact=artefacts,
)
tools = st.builds(
    Tool,
    name=st.sampled_from(_NAMES),
    parameters=st.sampled_from(_SCHEMAS),
    artefact=artefacts,
    hosted=st.booleans(),
)
choices = st.builds(
    ToolChoice,
    mode=st.sampled_from(_MODES),
    name=st.sampled_from(_NAMES),
    allowed=st.sets(st.sampled_from(_NAMES), max_size=2).map(tuple),
    parallel=st.none() | st.booleans(),
)
requests = st.builds(
    Request,
    messages=st.lists(messages, max_size=5).map(tuple),
    system=texts,
    tools=st.lists(tools, max_size=3).map(tuple),
    tool_choice=choices,
    schema=st.none() | st.sampled_from(_SCHEMAS),
    max_tokens=st.none() | st.integers(1, 10_000),
    temperature=st.none() | st.floats(0, 3),
    top_p=st.none() | st.floats(0, 1),
    top_k=st.none() | st.integers(1, 100),
    presence_penalty=st.none() | st.floats(-2, 2),
    frequency_penalty=st.none() | st.floats(-2, 2),
    stop=st.lists(st.sampled_from("abcdefg"), max_size=7).map(tuple),
    seed=st.none() | st.integers(0, 9),
    reasoning_effort=st.none() | st.sampled_from(EFFORTS),
    reasoning_budget=st.none() | st.integers(-1, 50_000),
    show_thinking=st.none() | st.booleans(),
    metadata=st.dictionaries(st.sampled_from(["user_id", "x"]), st.just("v")),
    extra=st.dictionaries(
        st.sampled_from([*DIALECTS, "*"]), st.just(cast("JsonObject", {"odd": 1})), max_size=2
    ),
)

image_limits = st.builds(
    ImageLimits,
    mimes=st.sampled_from(
        [("image/jpeg", "image/png", "image/gif", "image/webp"), ("image/jpeg",), ("image/png",)]
    ),
    max_count=st.none() | st.integers(1, 4),
    max_bytes=st.none() | st.sampled_from([800, 4_000, 5_000_000]),
    max_side=st.none() | st.sampled_from([16, 64, 8000]),
    max_pixels=st.none() | st.sampled_from([500, 10_000_000]),
    base64=st.booleans(),
    animated=st.booleans(),
    crowd=st.none() | st.just(1),
    crowd_side=st.none() | st.just(40),
)
capabilities = st.builds(
    Capabilities,
    tools=st.sampled_from(["native", "native", "emulated", "off"]),
    tool_choice=st.sets(st.sampled_from(_MODES)).map(lambda modes: ("auto", *sorted(modes))),
    parallel_control=st.booleans(),
    max_tools=st.none() | st.integers(1, 4),
    tool_name=st.sampled_from([r"[A-Za-z0-9_-]{1,64}", r"[a-z_][A-Za-z0-9_.:-]{0,127}"]),
    call_id=st.sampled_from([r"[A-Za-z0-9_-]{1,40}", r"[a-zA-Z0-9]{9}", r".+"]),
    structured=st.sampled_from(["native", "tool", "prompt", "off"]),
    json_mode=st.booleans(),
    schema=st.sampled_from(["full", "openai_strict", "anthropic", "gemini", "plain"]),
    tool_schema=st.sampled_from(["full", "openai_strict", "gemini", "plain"]),
    images=st.none() | image_limits,
    documents=st.none() | st.builds(DocumentLimits, max_count=st.none() | st.just(1)),
    result_media=st.booleans(),
    max_request_bytes=st.none() | st.sampled_from([6_000, 30_000_000]),
    thinking=st.booleans(),
    efforts=st.sets(st.sampled_from(EFFORTS)).map(tuple),
    knobs=st.sets(st.sampled_from(ALL_KNOBS)).map(tuple),
    thinks=st.booleans(),
    sampling_with_thinking=st.booleans(),
    tools_with_thinking=st.booleans(),
    system=st.sampled_from(["anywhere", "first", "none"]),
    alternate=st.booleans(),
    prefill=st.booleans(),
    max_output=st.none() | st.integers(1, 5_000),
)
