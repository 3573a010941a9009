"""What must hold for every request and every reply, not only for those we thought of."""

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from majordomo.contract import (
    AUTO,
    NONE,
    REQUIRED,
    Artefact,
    Document,
    Failure,
    FinishReason,
    Image,
    Json,
    JsonObject,
    Malformed,
    Message,
    Options,
    Part,
    Request,
    Response,
    Text,
    Thinking,
    Tool,
    ToolCall,
    ToolChoice,
    ToolResult,
    Usage,
    fold,
    named,
    pump,
    unfold,
)
from majordomo.dialects.dialect import Ask, Decoder, Stamp, Wire
from majordomo.dialects.gemini import DIALECT
from majordomo.dialects.json import object_at, read, write_text
from support.cuts import draw_pieces, read_bytewise, read_whole
from support.schemas import assert_valid

words = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=12)
names = st.from_regex(r"[a-z_]{1,8}", fullmatch=True)
numbers = st.integers(-(2**53), 2**53)
json_values: st.SearchStrategy[Json] = st.recursive(
    st.none() | st.booleans() | numbers | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=8,
)
json_objects: st.SearchStrategy[JsonObject] = st.dictionaries(names, json_values, max_size=3)
signatures = st.binary(min_size=1, max_size=6).map(
    lambda data: Artefact(dialect="gemini", value={"thoughtSignature": data.hex() * 4})
)
images = st.binary(max_size=8).map(lambda data: Image(data=data, mime="image/png"))
documents = st.builds(
    Document, data=st.binary(max_size=8), mime=st.just("application/pdf"), name=st.text(max_size=3)
)
NOTHING: JsonObject = {}


def schema(properties: list[str]) -> JsonObject:
    return {"type": "object", "properties": {name: {"type": "string"} for name in properties}}


schemas = st.lists(names, min_size=1, max_size=3).map(schema)
tools = st.builds(
    Tool, name=names, description=st.text(max_size=5), parameters=st.just(NOTHING) | schemas
)


@st.composite
def said(draw: st.DrawFn, start: int) -> tuple[Part, ...]:
    """Draw what a model says.

    No two plain parts of one kind side by side, for increments cannot be told apart;
    signatures on calls and on parts of their own.
    """
    parts: list[Part] = []
    for number in range(draw(st.integers(0, 4))):
        kind = draw(st.sampled_from(["text", "thought", "call", "signed", "image"]))
        text = draw(words)
        last = parts[-1] if parts else None
        match kind:
            case "text" if not (isinstance(last, Text) and last.text):
                parts.append(Text(text=text))
            case "thought" if not (isinstance(last, Thinking) and last.text):
                parts.append(Thinking(text=text))
            case "signed":
                alone = draw(st.sampled_from([Text, Thinking]))
                parts.append(alone(text="", artefact=draw(signatures)))
            case "call":
                parts.append(
                    ToolCall(
                        id=f"id_{start + number}",
                        name=draw(names),
                        arguments=write_text(draw(json_objects)),
                        artefact=draw(st.none() | signatures),
                    )
                )
            case _:
                parts.append(draw(images))
    return tuple(parts)


@st.composite
def told(draw: st.DrawFn, least: int) -> tuple[Part, ...]:
    media = draw(st.lists(images | documents, max_size=2, min_size=least))
    text = draw(st.none() | words)
    return (*((Text(text=text),) if text else ()), *media)


@st.composite
def turns(draw: st.DrawFn) -> tuple[Message, ...]:
    messages: list[Message] = []
    for number in range(draw(st.integers(1, 3))):
        messages.append(Message(role="user", parts=draw(told(1))))
        answer = Message(role="assistant", parts=draw(said(number * 10)))
        if answer.parts:
            messages.append(answer)
        results = tuple(
            ToolResult(id=c.id, name=c.name, content=draw(told(0)), is_error=draw(st.booleans()))
            for c in answer.tool_calls
        )
        if results:
            messages.append(Message(role="tool", parts=results))
    return tuple(messages)


thinking_knobs: st.SearchStrategy[Options] = st.sampled_from(
    [
        Options(),
        Options(reasoning_effort="minimal", show_thinking=False),
        Options(reasoning_effort="high"),
        Options(reasoning_budget=-1, show_thinking=True),
        Options(reasoning_budget=0),
    ]
)
choices: st.SearchStrategy[ToolChoice] = st.sampled_from(
    [AUTO, NONE, REQUIRED, named("f"), ToolChoice(allowed=("f", "g"))]
)


@st.composite
def requests(draw: st.DrawFn) -> Request:
    offered = draw(st.lists(tools, max_size=2).map(tuple))
    request = Request(
        messages=draw(turns()),
        system=draw(st.just("") | words),
        tools=offered,
        tool_choice=draw(choices) if offered else AUTO,
        schema=draw(st.none() | st.just(NOTHING) | schemas),
        max_tokens=draw(st.none() | st.integers(1, 9)),
        temperature=draw(st.none() | st.floats(0, 2)),
        top_k=draw(st.none() | st.integers(0, 99)),
        seed=draw(st.none() | numbers),
        stop=draw(st.lists(words, max_size=2).map(tuple)),
        extra=draw(st.sampled_from([{}, {"gemini": {"generationConfig": {"logprobs": 5}}}])),
    )
    return request.with_options(**draw(thinking_knobs))


@given(request=requests(), stream=st.booleans())
def test_a_request_comes_back_as_it_was(request: Request, *, stream: bool) -> None:
    call = DIALECT.encode_request(request, model="m", stream=stream, wire=Wire())
    body = object_at(read(call.body), "body")
    assert_valid(body, "gemini.request")
    ask = DIALECT.decode_request(body, model="m", stream=stream)
    assert ask == Ask(model="m", stream=stream, request=request)


REASONS: list[FinishReason] = ["stop", "length", "content_filter"]


@st.composite
def responses(draw: st.DrawFn) -> Response:
    parts = draw(said(0))
    calls = any(isinstance(part, ToolCall) for part in parts)
    reasoning = draw(st.integers(0, 9))
    usage = Usage(
        input=draw(st.integers(1, 9)),
        cached=draw(st.integers(0, 9)),
        output=reasoning + draw(st.integers(0, 9)),
        reasoning=reasoning,
    )
    reason: FinishReason = "tool_calls" if calls else draw(st.sampled_from(REASONS))
    return Response(parts=parts, finish_reason=reason, usage=usage, model="m", id="1")


@given(response=responses(), stream=st.booleans(), data=st.data())
def test_a_reply_comes_back_as_it_was(
    response: Response, *, stream: bool, data: st.DataObject
) -> None:
    ask = Ask(model="m", stream=stream, request=Request(messages=()))
    step = DIALECT.encoder(ask, Stamp(id="1", created=0, model="m"))
    wire = b"".join(pump(step, unfold(response)))
    for chunk in wire.split(b"\n\n"):
        if chunk:
            assert_valid(read(chunk.removeprefix(b"data: ")), "gemini.response")
    for events in (
        read_whole(decoder, wire),
        read_bytewise(decoder, wire),
        list(pump(decoder(), draw_pieces(data, wire))),
    ):
        assert replace(fold(events), raw=None, finish_native="") == response


REAL = (
    b'data: {"candidates":[{"content":{"parts":[{"text":"hi"}]}}],"modelVersion":"m"}\n\n'
    b'data: {"candidates":[{"content":{"parts":[{"text":"t","thought":true}]}}]}\n\n'
    b'data: {"candidates":[{"content":{"parts":[{"functionCall":{"name":"f","args":{}},'
    b'"thoughtSignature":"c2ln"}]},"finishReason":"STOP"}],"usageMetadata":{"x":1}}\n\n'
)


@given(at=st.integers(0, len(REAL)), junk=st.binary(max_size=6), cut=st.integers(0, 9))
def test_bytes_gone_wrong_are_only_ever_an_error_we_know(at: int, junk: bytes, cut: int) -> None:
    wire = REAL[:at] + junk + REAL[at + cut :]
    for read_it in (read_whole, read_bytewise):
        try:
            fold(read_it(decoder, wire))
        except (Failure, Malformed):
            continue


FIELDS: st.SearchStrategy[str] = st.sampled_from(
    (
        *("contents", "tools", "tool_config", "generationConfig", "systemInstruction", "parts"),
        *("functionCall", "functionResponse", "response", "inlineData", "mimeType", "data"),
        *("functionDeclarations", "parameters", "responseSchema", "thinkingConfig", "type"),
        *("thinkingLevel", "functionCallingConfig", "mode", "items", "anyOf", "properties"),
        *("allowedFunctionNames", "stopSequences", "text", "thought", "thoughtSignature", "name"),
    )
)
odd_json: st.SearchStrategy[Json] = st.recursive(
    st.none() | st.booleans() | numbers | st.floats() | st.sampled_from(["user", "ANY", "", "f"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(FIELDS, inner, max_size=4),
    max_leaves=20,
)


@given(body=st.dictionaries(FIELDS, odd_json, max_size=6))
def test_a_request_gone_wrong_is_malformed_and_nothing_else(body: JsonObject) -> None:
    try:
        DIALECT.decode_request(body, model="m")
    except Malformed:
        return


@given(body=st.dictionaries(FIELDS, odd_json, max_size=6), status=st.integers(400, 599))
def test_an_error_of_any_shape_is_a_failure(body: JsonObject, status: int) -> None:
    wires: list[Json] = [body, {"error": body}, [{"error": {"details": [body]}}]]
    for wire in wires:
        assert DIALECT.decode_failure(status, {}, write_text(wire).encode()).message


def decoder() -> Decoder:
    return DIALECT.decoder(stream=True)
