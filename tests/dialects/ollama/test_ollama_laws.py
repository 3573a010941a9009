"""What must hold for every request and every reply, not only for those we thought of."""

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from majordomo.contract import (
    Failure,
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
    ToolResult,
    Usage,
    fold,
    pump,
    unfold,
)
from majordomo.dialects.dialect import Ask, Decoder, Stamp, Wire
from majordomo.dialects.json import object_at, read, write_text
from majordomo.dialects.ollama import DIALECT
from support.cuts import draw_pieces, read_bytewise, read_whole
from support.schemas import assert_valid

words = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=12)
plain = words.filter(lambda text: not text.startswith("ERROR: "))
names = st.from_regex(r"[a-z_]{1,8}", fullmatch=True)
numbers = st.integers(-(2**53), 2**53)
json_values: st.SearchStrategy[Json] = st.recursive(
    st.none() | st.booleans() | numbers | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=8,
)
json_objects: st.SearchStrategy[JsonObject] = st.dictionaries(names, json_values, max_size=3)
images = st.binary(max_size=8).map(
    lambda data: Image(data=b"\x89PNG\r\n\x1a\n" + data, mime="image/png")
)
NOTHING: JsonObject = {}


def schema(properties: list[str]) -> JsonObject:
    return {"type": "object", "properties": {name: {"type": "string"} for name in properties}}


schemas = st.lists(names, min_size=1, max_size=3).map(schema)
tools = st.builds(
    Tool, name=names, description=st.text(max_size=5), parameters=st.just(NOTHING) | schemas
)


@st.composite
def said(draw: st.DrawFn, start: int, text: st.SearchStrategy[str]) -> tuple[Part, ...]:
    """Draw what fits one message: thought, pictures, text, calls with ids of their own."""
    parts: list[Part] = []
    if thought := draw(st.none() | words):
        parts.append(Thinking(text=thought))
    parts.extend(draw(st.lists(images, max_size=2)))
    if spoken := draw(st.none() | text):
        parts.append(Text(text=spoken))
    for number in range(draw(st.integers(0, 2))):
        arguments = write_text(draw(json_objects))
        parts.append(ToolCall(id=f"id_{start + number}", name=draw(names), arguments=arguments))
    return tuple(parts)


@st.composite
def turns(draw: st.DrawFn) -> tuple[Message, ...]:
    messages: list[Message] = []
    for number in range(draw(st.integers(0, 3))):
        messages.append(Message(role="user", parts=draw(pictured())))
        answer = Message(role="assistant", parts=draw(said(number * 10, words)))
        messages.append(answer)
        results = tuple(
            ToolResult(
                id=call.id, name=call.name, content=draw(pictured()), is_error=draw(st.booleans())
            )
            for call in answer.tool_calls
        )
        if results:
            messages.append(Message(role="tool", parts=results))
    return tuple(messages)


@st.composite
def pictured(draw: st.DrawFn) -> tuple[Part, ...]:
    text = draw(st.none() | plain)
    return (*draw(st.lists(images, max_size=1)), *((Text(text=text),) if text else ()))


thinking_knobs: st.SearchStrategy[Options] = st.sampled_from(
    [
        Options(),
        Options(reasoning_effort="none"),
        Options(reasoning_effort="high"),
        Options(reasoning_budget=-1, show_thinking=True),
    ]
)


@st.composite
def requests(draw: st.DrawFn) -> Request:
    request = Request(
        messages=draw(turns()),
        system=draw(st.just("") | words),
        tools=draw(st.lists(tools, max_size=2).map(tuple)),
        schema=draw(st.none() | st.just(NOTHING) | schemas),
        max_tokens=draw(st.none() | st.integers(1, 9)),
        temperature=draw(st.none() | st.floats(0, 2)),
        top_k=draw(st.none() | st.integers(0, 99)),
        seed=draw(st.none() | numbers),
        stop=draw(st.lists(words, max_size=2).map(tuple)),
        extra=draw(st.sampled_from([{}, {"ollama": {"options": {"num_ctx": 5}}}])),
    )
    return request.with_options(**draw(thinking_knobs))


@given(request=requests(), stream=st.booleans())
def test_a_request_comes_back_as_it_was(request: Request, *, stream: bool) -> None:
    call = DIALECT.encode_request(request, model="m", stream=stream, wire=Wire())
    body = object_at(read(call.body), "body")
    assert_valid(body, "ollama.request")
    assert DIALECT.decode_request(body) == Ask(model="m", stream=stream, request=request)


@st.composite
def responses(draw: st.DrawFn) -> Response:
    parts = draw(said(0, words))
    calls = any(isinstance(part, ToolCall) for part in parts)
    return Response(
        parts=parts,
        finish_reason="tool_calls" if calls else draw(st.sampled_from(["stop", "length"])),
        usage=draw(st.builds(Usage, input=st.integers(0, 9), output=st.integers(0, 9))),
        model="m",
    )


@given(response=responses(), stream=st.booleans(), data=st.data())
def test_a_reply_comes_back_as_it_was(
    response: Response, *, stream: bool, data: st.DataObject
) -> None:
    ask = Ask(model="m", stream=stream, request=Request(messages=()))
    step = DIALECT.encoder(ask, Stamp(id="1", created=0, model="m"))
    wire = b"".join(pump(step, unfold(response)))
    for line in wire.split(b"\n"):
        if line:
            assert_valid(read(line), "ollama.response")
    for events in (
        read_whole(decoder, wire),
        read_bytewise(decoder, wire),
        list(pump(decoder(), draw_pieces(data, wire))),
    ):
        assert replace(fold(events), raw=None, finish_native="") == response


REAL = (
    b'{"model":"m","message":{"role":"assistant","content":"hi","thinking":"t"},"done":false}\n'
    b'{"message":{"tool_calls":[{"function":{"name":"f","arguments":{"a":1}}}]},"done":false}\n'
    b'{"message":{"content":""},"done":true,"done_reason":"stop","eval_count":1}\n'
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
        *("messages", "tools", "options", "format", "think", "stream", "role", "content"),
        *("images", "tool_calls", "function", "name", "arguments", "parameters", "stop"),
    )
)
odd_json: st.SearchStrategy[Json] = st.recursive(
    st.none() | st.booleans() | numbers | st.floats() | st.sampled_from(["user", "tool", "", "x"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(FIELDS, inner, max_size=4),
    max_leaves=20,
)


@given(body=st.dictionaries(FIELDS, odd_json, max_size=6))
def test_a_request_gone_wrong_is_malformed_and_nothing_else(body: JsonObject) -> None:
    for whole in (body, {"model": "m"} | body):
        try:
            DIALECT.decode_request(whole)
        except Malformed:
            continue


def decoder() -> Decoder:
    return DIALECT.decoder(stream=True)
