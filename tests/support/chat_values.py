"""Hypothesis strategies for what Chat can say, in its normal form."""

from hypothesis import strategies as st

from majordomo.contract import (
    Artefact,
    Document,
    FinishReason,
    Image,
    Json,
    JsonObject,
    Message,
    Opaque,
    Part,
    ReasoningEffort,
    Request,
    Response,
    Text,
    Thinking,
    Tool,
    ToolCall,
    ToolChoice,
    ToolResult,
    Usage,
)

said = st.text(min_size=1).filter(lambda text: not text.startswith("ERROR: "))
names = st.from_regex(r"[a-z_]{1,12}", fullmatch=True)
json_values: st.SearchStrategy[Json] = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.floats(-1e9, 1e9) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


def _schema(names: list[str]) -> JsonObject:
    return {"type": "object", "properties": {name: {"type": "string"} for name in names}}


NOTHING: JsonObject = {}
AUDIO: JsonObject = {
    "type": "input_audio",
    "input_audio": {"data": "AA==", "format": "wav"},
}
schemas = st.lists(names, min_size=1, max_size=3, unique=True).map(_schema)
some_or_none = st.just(NOTHING) | schemas


def chat(value: JsonObject) -> Artefact:
    return Artefact(dialect="openai_chat", value=value)


texts = st.builds(Text, text=said)
marked_texts = st.builds(
    Text, text=said, artefact=st.just(chat({"cache_control": {"type": "ephemeral"}}))
)
images = st.builds(
    Image,
    data=st.binary(max_size=20),
    mime=st.sampled_from(["image/png", "image/webp"]),
    artefact=st.sampled_from([None, chat({"image_url": {"detail": "low"}})]),
)
documents = st.builds(
    Document, data=st.binary(max_size=20), mime=st.just("application/pdf"), name=st.text()
)
opaques = st.just(Opaque(dialect="openai_chat", value=AUDIO))
thoughts = st.builds(Thinking, text=said, artefact=st.just(chat({"field": "reasoning_content"})))
arguments = st.dictionaries(names, st.integers(0, 9), max_size=2).map(
    lambda value: str(value).replace("'", '"')
)

user_messages = st.lists(
    st.one_of(texts, marked_texts, images, documents, opaques), max_size=4
).map(lambda parts: Message(role="user", parts=tuple(parts)))
later_system_messages = st.builds(
    Message,
    role=st.just("system"),
    parts=st.tuples(texts),
    artefact=st.sampled_from([None, chat({"role": "developer"})]),
)


@st.composite
def turns(draw: st.DrawFn, number: int) -> list[Message]:
    """Draw an assistant message, and the results of whatever it called."""
    parts: list[Part] = [*draw(st.lists(thoughts, max_size=1)), *draw(st.lists(texts, max_size=2))]
    calls = [
        ToolCall(id=f"call_x{number}_{place}", name=draw(names), arguments=draw(arguments))
        for place in range(draw(st.integers(0, 3)))
    ]
    turn = [Message(role="assistant", parts=(*parts, *calls))]
    if calls:
        results = tuple(
            ToolResult(
                id=call.id,
                name=call.name,
                content=tuple(draw(st.lists(texts, max_size=2))),
                is_error=draw(st.booleans()),
            )
            for call in calls
        )
        turn.append(Message(role="tool", parts=results))
    return turn


@st.composite
def requests(draw: st.DrawFn) -> Request:
    messages = [draw(user_messages)]
    for number in range(draw(st.integers(0, 3))):
        messages += draw(st.lists(later_system_messages, max_size=1))
        messages += draw(turns(number))
        messages.append(draw(user_messages))
    tools = draw(st.lists(_tools, max_size=3, unique_by=lambda tool: tool.name))
    schema = draw(st.none() | some_or_none)
    numbers = st.none() | st.floats(0, 1)
    efforts: list[ReasoningEffort | None] = [None, "none", "low", "max"]
    return Request(
        system=draw(st.text()),
        messages=tuple(messages),
        tools=tuple(tools),
        tool_choice=draw(_choices(tools)),
        schema=schema,
        schema_name=draw(names) if schema else "response",
        schema_strict=draw(st.none() | st.booleans()) if schema else None,
        max_tokens=draw(st.none() | st.integers(1, 9999)),
        temperature=draw(numbers),
        top_p=draw(numbers),
        top_k=draw(st.none() | st.integers(1, 99)),
        presence_penalty=draw(numbers),
        frequency_penalty=draw(numbers),
        stop=tuple(draw(st.lists(said, max_size=2))),
        seed=draw(st.none() | st.integers(0, 99)),
        reasoning_effort=draw(st.sampled_from(efforts)),
        metadata=draw(st.dictionaries(names, st.text(), max_size=2)),
        extra=draw(st.sampled_from([{}, {"openai_chat": {"user": "u", "logprobs": True}}])),
    )


_tools = st.builds(
    Tool,
    name=names,
    description=st.text(),
    parameters=some_or_none,
    strict=st.none() | st.booleans(),
)


@st.composite
def _choices(draw: st.DrawFn, tools: list[Tool]) -> ToolChoice:
    if not tools:
        return ToolChoice()
    mode = draw(st.sampled_from(["auto", "none", "required", "named"]))
    parallel = draw(st.none() | st.booleans())
    match mode:
        case "named":
            return ToolChoice(mode="named", name=tools[0].name, parallel=parallel)
        case "none":
            return ToolChoice(mode="none", parallel=parallel)
        case _:
            allowed = draw(st.sampled_from([(), (tools[-1].name,)]))
            required = mode == "required"
            return ToolChoice(
                mode="required" if required else "auto", allowed=allowed, parallel=parallel
            )


@st.composite
def responses(draw: st.DrawFn) -> Response:
    parts: list[Part] = [*draw(st.lists(thoughts, max_size=1)), *draw(st.lists(texts, max_size=1))]
    calls = [
        ToolCall(id=f"call_{place}x", name=draw(names), arguments=draw(arguments))
        for place in range(draw(st.integers(0, 3)))
    ]
    plain: list[FinishReason] = ["stop", "length", "content_filter"]
    reason: FinishReason = "tool_calls" if calls else draw(st.sampled_from(plain))
    counts = st.integers(0, 999)
    return Response(
        parts=(*parts, *calls),
        finish_reason=reason,
        finish_native=reason,
        usage=Usage(
            input=draw(counts),
            cached=draw(counts),
            cache_write=draw(counts),
            output=1 + draw(counts),
            reasoning=draw(counts),
        ),
        model="m",
        id="chatcmpl-1",
    )
