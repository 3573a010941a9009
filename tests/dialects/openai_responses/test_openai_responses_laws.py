"""What goes out comes back: any request and any reply this dialect can say."""

from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from majordomo.contract import (
    Artefact,
    Event,
    Finish,
    FinishReason,
    Image,
    JsonObject,
    Message,
    Opaque,
    Part,
    PartDone,
    ReasoningEffort,
    Request,
    Response,
    Role,
    Start,
    Text,
    TextDelta,
    Thinking,
    ThinkingDelta,
    Tool,
    ToolCall,
    ToolCallDelta,
    ToolChoice,
    ToolChoiceMode,
    ToolResult,
    Usage,
    fold,
    pump,
)
from majordomo.dialects.dialect import Ask, Stamp, Wire
from majordomo.dialects.json import object_at, read, write_text
from majordomo.dialects.openai_responses import DIALECT
from support.cuts import draw_pieces
from support.responses_stream import assert_grammar


def own(value: JsonObject) -> Artefact:
    return Artefact(dialect="openai_responses", value=value)


def reasoning(mark: str, text: str) -> Thinking:
    item: JsonObject = {
        "type": "reasoning",
        "id": f"rs_{mark}",
        "summary": [{"type": "summary_text", "text": text}],
        "encrypted_content": "gAAA",
    }
    return Thinking(text=text, artefact=own(item))


def call(mark: str, name: str, key: str) -> ToolCall:
    return ToolCall(id=f"call_{mark}", name=name, arguments=f'{{"{key}": 1}}')


def custom_call(mark: str, text: str) -> ToolCall:
    arguments = write_text({"input": text})
    return ToolCall(
        id=f"free_{mark}", name="patch", arguments=arguments, artefact=own({"custom": True})
    )


def search(mark: str) -> Opaque:
    item: JsonObject = {
        "type": "web_search_call",
        "id": f"ws_{mark}",
        "status": "completed",
        "action": {"type": "search", "query": mark},
    }
    return Opaque(dialect="openai_responses", value=item)


def unprefixed(text: Text) -> bool:
    return not text.text.startswith("ERROR: ")  # that would be read as a failed tool


def usage(prompt: int, cached: int, spoken: int, thought: int) -> Usage:
    return Usage(input=prompt + cached, cached=cached, output=spoken + thought, reasoning=thought)


WORDS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=12)
NAMES = st.from_regex(r"[a-z]{1,8}", fullmatch=True)
IDS = st.from_regex(r"[a-z0-9]{1,8}", fullmatch=True)
REASONING = st.builds(reasoning, IDS, WORDS)
CALLS = st.builds(call, IDS, NAMES, NAMES)
CUSTOM_CALLS = st.builds(custom_call, IDS, WORDS)
OPAQUE = st.builds(search, IDS)
TEXTS = st.builds(Text, text=WORDS)
IMAGES = st.builds(Image, data=st.binary(max_size=8), mime=st.just("image/png"))
CONTENT = st.lists(TEXTS.filter(unprefixed) | IMAGES, max_size=2).map(tuple)
RESULTS = st.builds(ToolResult, id=IDS, content=CONTENT, is_error=st.booleans())
FOREIGN = Artefact(dialect="anthropic", value={"signature": "s"})
THOUGHTS = st.builds(Thinking, text=WORDS, artefact=st.sampled_from([None, FOREIGN]))
SIGNATURES = st.just(Thinking(text="", artefact=FOREIGN))


def messages_of(role: Role, parts: st.SearchStrategy[Part]) -> st.SearchStrategy[Message]:
    found = st.lists(parts, min_size=1, max_size=3)
    return found.map(lambda some: Message(role=role, parts=tuple(some)))


def apart(messages: list[Message]) -> tuple[Message, ...]:
    """Keep neighbours apart that the wire would read as one turn."""
    kept: list[Message] = []
    for message in messages:
        grouped = message.role in {"assistant", "tool"}
        if not (grouped and kept and kept[-1].role == message.role):
            kept.append(message)
    return tuple(kept)


def name_of(tool: Tool) -> str:
    return tool.name


def sayable(request: Request) -> Request:
    """Nothing is said of the choice among no tools."""
    return request if request.tools else replace(request, tool_choice=ToolChoice())


def call_id(part: Part) -> object:
    return part.id if isinstance(part, ToolCall) else object()


MESSAGES = st.lists(
    st.one_of(
        messages_of("user", TEXTS | IMAGES),
        messages_of("system", TEXTS),
        messages_of("assistant", TEXTS | REASONING | CALLS | CUSTOM_CALLS | OPAQUE),
        messages_of("tool", RESULTS),
    ),
    max_size=5,
).map(apart)
TOOLS = st.lists(
    st.builds(
        Tool,
        name=NAMES,
        description=st.sampled_from(["", "Does it."]),
        strict=st.sampled_from([None, True, False]),
    ),
    max_size=3,
    unique_by=name_of,
).map(tuple)
MODES: list[ToolChoiceMode] = ["auto", "none", "required"]
CHOICES = st.builds(
    ToolChoice, mode=st.sampled_from(MODES), parallel=st.sampled_from([None, True, False])
)
SCHEMAS: list[JsonObject | None] = [None, {}, {"type": "object"}]
EFFORTS: list[ReasoningEffort | None] = [None, "none", "low", "max"]
REQUESTS = st.builds(
    Request,
    messages=MESSAGES,
    tools=TOOLS,
    tool_choice=CHOICES,
    system=st.sampled_from(["", "be kind"]),
    schema=st.sampled_from(SCHEMAS),
    max_tokens=st.none() | st.integers(1, 9),
    temperature=st.sampled_from([None, 0.5]),
    reasoning_effort=st.sampled_from(EFFORTS),
    metadata=st.sampled_from([{}, {"team": "a"}]),
).map(sayable)


@given(request=REQUESTS, stream=st.booleans())
def test_a_request_comes_back(request: Request, *, stream: bool) -> None:
    call = DIALECT.encode_request(request, model="m", stream=stream, wire=Wire())
    ask = DIALECT.decode_request(object_at(read(call.body), "body"))
    assert ask == Ask(model="m", stream=stream, request=request)


PARTS = st.lists(
    st.one_of(TEXTS, THOUGHTS, SIGNATURES, REASONING, CALLS, CUSTOM_CALLS, OPAQUE),
    max_size=5,
    unique_by=call_id,
)
COUNTS = st.integers(1, 9)
USAGES = st.builds(usage, COUNTS, COUNTS, COUNTS, COUNTS)
ENDS: st.SearchStrategy[FinishReason] = st.sampled_from(["stop", "length", "content_filter"])
STAMP = Stamp(id="s1", created=1700000000, model="m")


@st.composite
def replies(draw: st.DrawFn) -> list[Event]:
    """Tell a reply in one of the ways it may be told."""
    parts = draw(PARTS)
    events: list[Event] = [Start(model="m", id="x")] if draw(st.booleans()) else []
    for part in parts:
        if draw(st.booleans()):
            events.extend(deltas(part, draw(st.integers(0, 12))))
        events.append(PartDone(part=part))
    reason = draw(ENDS)
    called = any(isinstance(part, ToolCall) for part in parts)
    end: FinishReason = "tool_calls" if called and reason == "stop" else reason
    return [*events, Finish(reason=end, usage=draw(USAGES))]


def deltas(part: Part, cut: int) -> list[Event]:
    match part:
        case Text(text=text) if text:
            return [TextDelta(text=piece) for piece in (text[:cut], text[cut:]) if piece]
        case Thinking(text=text) if text:
            return [ThinkingDelta(text=piece) for piece in (text[:cut], text[cut:]) if piece]
        case ToolCall(id=id, name=name, arguments=arguments):
            pieces = (arguments[:cut], arguments[cut:])
            return [ToolCallDelta(id=id, name=name, arguments=p) for p in pieces]
        case _:
            return []


@given(events=replies(), data=st.data(), stream=st.booleans())
def test_a_reply_comes_back_however_it_is_cut(
    events: list[Event], data: st.DataObject, *, stream: bool
) -> None:
    ask = Ask(model="m", stream=stream, request=Request(messages=(), tools=(PATCH,)))
    wire = b"".join(pump(DIALECT.encoder(ask, STAMP), events))
    expected = fold(events)
    for chunks in ([wire], [wire[i : i + 1] for i in range(len(wire))], draw_pieces(data, wire)):
        heard = fold(pump(DIALECT.decoder(stream=stream), chunks))
        assert facts(heard) == facts(expected)


@settings(max_examples=25)  # validating each event against a union of sixty types is slow
@given(events=replies())
def test_any_reply_is_a_valid_stream(events: list[Event]) -> None:
    ask = Ask(model="m", stream=True, request=Request(messages=(), tools=(PATCH,)))
    assert_grammar(b"".join(pump(DIALECT.encoder(ask, STAMP), events)))


# Fragments of a call say only its name; that it is custom, its tool must say.
PATCH = Tool(name="patch", artefact=own({"definition": {"type": "custom", "name": "patch"}}))


def facts(response: Response) -> tuple[tuple[Part, ...], str, Usage]:
    parts = tuple(unnamed(part) for part in response.parts)
    return parts, response.finish_reason, response.usage


def unnamed(part: Part) -> Part:
    """Set aside the ids of messages and calls: a stream names them before it knows better."""
    match part:
        case Text() | ToolCall() if part.artefact is not None:
            value = {k: v for k, v in part.artefact.value.items() if k != "item"}
            return replace(part, artefact=own(value) if value else None)
        case _:
            return part
