"""What must hold for every request and every reply, not only for those we thought of."""

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from majordomo.contract import (
    Artefact,
    Document,
    Failure,
    FinishReason,
    Image,
    Json,
    JsonObject,
    Malformed,
    Message,
    Opaque,
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
    pump,
    unfold,
)
from majordomo.dialects.anthropic import DIALECT
from majordomo.dialects.dialect import Ask, Decoder, Stamp, Wire
from majordomo.dialects.json import object_at, read, write_text
from majordomo.dialects.sse import SseDecoder
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
objects: st.SearchStrategy[JsonObject] = st.dictionaries(names, json_values, max_size=3)
arguments = objects.filter(lambda value: "_raw" not in value).map(write_text)


def mine(value: JsonObject) -> Artefact:
    return Artefact(dialect="anthropic", value=value)


marks = st.none() | st.sampled_from(["5m", "1h"]).map(
    lambda ttl: mine({"cache_control": {"type": "ephemeral", "ttl": ttl}})
)
texts = st.builds(Text, text=words, artefact=marks)
images = st.builds(
    Image,
    data=st.binary(max_size=8),
    mime=st.sampled_from(["image/png", "image/gif"]),
    artefact=marks,
)
documents = st.builds(
    Document,
    data=st.binary(max_size=8),
    mime=st.just("application/pdf"),
    name=st.just("") | words,
    artefact=marks,
) | st.builds(Document, data=words.map(str.encode), mime=st.just("text/plain"))
urls = words.map(
    lambda url: Opaque(
        dialect="anthropic", value={"type": "image", "source": {"type": "url", "url": url}}
    )
)
searches = objects.map(
    lambda value: Opaque(
        dialect="anthropic",
        value={"type": "server_tool_use", "id": "s", "name": "web_search", "input": value},
    )
)
thoughts = st.builds(
    Thinking,
    text=st.just("") | words,
    artefact=words.map(lambda signature: mine({"signature": f"E{signature}"})),
) | words.map(lambda data: Thinking(text="", artefact=mine({"redacted_thinking": data})))
said = st.lists(texts | images | documents | urls, min_size=1, max_size=3).map(tuple)


@st.composite
def answers(draw: st.DrawFn, start: int, text: st.SearchStrategy[Text]) -> tuple[Part, ...]:
    """Draw one turn of a model: thought, text, calls with ids of their own, in any order."""
    kinds: list[st.SearchStrategy[Part]] = [thoughts, text, searches]
    parts = draw(st.lists(st.one_of(kinds), min_size=1, max_size=4))
    for number in range(draw(st.integers(0, 2))):
        call = ToolCall(id=f"id_{start + number}", name=draw(names), arguments=draw(arguments))
        parts.insert(draw(st.integers(0, len(parts))), call)
    return tuple(parts)


@st.composite
def turns(draw: st.DrawFn) -> tuple[Message, ...]:
    messages: list[Message] = []
    for number in range(draw(st.integers(0, 3))):
        messages.append(Message(role="user", parts=draw(said)))
        answer = Message(role="assistant", parts=draw(answers(number * 10, texts)))
        messages.append(answer)
        results = tuple(
            ToolResult(
                id=call.id,
                content=draw(st.just(()) | said),
                is_error=draw(st.booleans()),
                artefact=draw(marks),
            )
            for call in answer.tool_calls
        )
        if results:
            messages.append(Message(role="tool", parts=results))
        if draw(st.booleans()):
            setting = mine({"output_config": {"effort": "low"}})
            parts = tuple(draw(st.lists(texts, max_size=1)))
            messages.append(Message(role="system", parts=parts, artefact=setting))
    return tuple(messages)


tools = st.builds(
    Tool,
    name=names,
    description=st.text(max_size=5),
    parameters=objects.map(lambda value: {**value, "type": "object"}),
    strict=st.none() | st.booleans(),
    artefact=marks | st.just(mine({"defer_loading": True})),
)
choices = st.builds(
    ToolChoice,
    mode=st.sampled_from(["auto", "required"]),
    parallel=st.none() | st.booleans(),
) | st.just(ToolChoice(mode="none"))
NOBODY: dict[str, str] = {}
thinking_knobs: st.SearchStrategy[Options] = st.sampled_from(
    [
        Options(),
        Options(reasoning_effort="none"),
        Options(reasoning_effort="max"),
        Options(reasoning_budget=2048),
        Options(reasoning_budget=2048, reasoning_effort="low", show_thinking=True),
        Options(show_thinking=True),
        Options(extra={"anthropic": {"thinking": {"type": "adaptive"}, "speed": "fast"}}),
    ]
)


@st.composite
def requests(draw: st.DrawFn) -> Request:
    offered = draw(st.lists(tools, max_size=2).map(tuple))
    request = Request(
        messages=draw(turns()),
        system=draw(st.just("") | words),
        tools=offered,
        tool_choice=draw(choices) if offered else ToolChoice(),
        schema=draw(st.none() | objects.map(lambda value: {**value, "type": "object"})),
        max_tokens=draw(st.integers(0, 9)),
        stop=draw(st.lists(words, max_size=2).map(tuple)),
        metadata=draw(st.just(NOBODY) | words.map(lambda user: {"user_id": user})),
    )
    return request.with_options(**draw(thinking_knobs))


@given(request=requests(), stream=st.booleans())
def test_a_request_comes_back_as_it_was(request: Request, *, stream: bool) -> None:
    call = DIALECT.encode_request(request, model="m", stream=stream, wire=Wire())
    body = object_at(read(call.body), "body")
    assert_valid(without_settings(body), "anthropic.request")
    assert DIALECT.decode_request(body) == Ask(model="m", stream=stream, request=request)


def without_settings(body: JsonObject) -> JsonObject:
    """Leave out `output_config` on messages: Claude Code sends it, the SDK's types lack it."""
    messages = body["messages"]
    assert isinstance(messages, list)
    kept: list[Json] = [
        {key: value for key, value in object_at(item, "").items() if key != "output_config"}
        for item in messages
    ]
    return {**body, "messages": kept}


@given(
    temperature=st.none() | st.floats(0, 1),
    top_p=st.none() | st.floats(0, 1),
    top_k=st.none() | st.integers(0, 99),
)
def test_sampling_comes_back_where_the_version_takes_it(
    temperature: float | None, top_p: float | None, top_k: int | None
) -> None:
    request = Request(messages=(), max_tokens=1, temperature=temperature, top_p=top_p, top_k=top_k)
    call = DIALECT.encode_request(request, model="m", stream=False, wire=Wire())
    assert DIALECT.decode_request(object_at(read(call.body), "")).request == request


@st.composite
def responses(draw: st.DrawFn) -> Response:
    parts = draw(answers(0, words.map(lambda text: Text(text=text))))
    calls = any(isinstance(part, ToolCall) for part in parts)
    cached, written = draw(st.integers(0, 9)), draw(st.integers(0, 9))
    usage = Usage(
        input=cached + written + draw(st.integers(0, 9)),
        cached=cached,
        cache_write=written,
        output=draw(st.integers(1, 9)),
        reasoning=draw(st.integers(0, 9)),
    )
    stop = draw(st.none() | words)
    plain: list[FinishReason] = ["length", "refusal", "pause"] if stop is None else ["stop"]
    return Response(
        parts=parts,
        finish_reason="tool_calls" if calls else draw(st.sampled_from(plain)),
        stop_sequence=None if calls else stop,
        usage=usage,
        model="m",
        id="msg_1",
    )


@given(response=responses(), stream=st.booleans(), data=st.data())
def test_a_reply_comes_back_as_it_was(
    response: Response, *, stream: bool, data: st.DataObject
) -> None:
    ask = Ask(model="m", stream=stream, request=Request(messages=()))
    step = DIALECT.encoder(ask, Stamp(id="1", created=0, model="m"))
    wire = b"".join(pump(step, unfold(response)))
    if stream:
        for sse in SseDecoder().feed(wire):
            assert_valid(read(sse.data), "anthropic.event")
    else:
        assert_valid(read(wire), "anthropic.message")
    for events in (
        read_whole(decoder, wire),
        read_bytewise(decoder, wire),
        list(pump(decoder(), draw_pieces(data, wire))),
    ):
        assert replace(fold(events), raw=None, finish_native="") == response


GOLDEN = (Path(__file__).parents[2] / "wire" / "golden" / "anthropic.stream.sse").read_bytes()
REPLY = (
    b'{"id":"msg_1","type":"message","role":"assistant","model":"m","content":[{"type":"thinking"'
    b',"thinking":"t","signature":"s"},{"type":"tool_use","id":"a","name":"f","input":{"x":1}}],'
    b'"stop_reason":"tool_use","usage":{"input_tokens":1,"output_tokens":1}}'
)


@given(
    real=st.sampled_from([GOLDEN, REPLY]),
    at=st.integers(0, len(GOLDEN)),
    junk=st.binary(max_size=6) | st.sampled_from([b"null", b"[]", b"{}", b'"x"', b"-1", b"1e9"]),
    cut=st.integers(0, 40),
)
def test_bytes_gone_wrong_are_only_ever_an_error_we_know(
    real: bytes, at: int, junk: bytes, cut: int
) -> None:
    at %= len(real)
    wire = real[:at] + junk + real[at + cut :]
    for read_it in (read_whole, read_bytewise):
        try:
            fold(read_it(decoder, wire))
        except (Failure, Malformed):
            continue


FIELDS: st.SearchStrategy[str] = st.sampled_from(
    (
        *("messages", "system", "tools", "tool_choice", "thinking", "output_config", "metadata"),
        *("role", "content", "type", "text", "source", "data", "media_type", "id", "name"),
        *("input", "tool_use_id", "signature", "format", "schema", "effort", "stop_sequences"),
    )
)
KINDS: st.SearchStrategy[str] = st.sampled_from(
    (
        *("user", "assistant", "system", "text", "image", "document", "thinking", "base64"),
        *("redacted_thinking", "tool_use", "tool_result", "enabled", "json_schema", "", "x"),
    )
)
odd_json: st.SearchStrategy[Json] = st.recursive(
    st.none() | st.booleans() | numbers | st.floats() | KINDS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(FIELDS, inner, max_size=5),
    max_leaves=25,
)


@given(body=st.dictionaries(FIELDS, odd_json, max_size=6))
def test_a_request_gone_wrong_is_malformed_and_nothing_else(body: JsonObject) -> None:
    for whole in (body, {"model": "m", "messages": [], **body}):
        try:
            ask = DIALECT.decode_request(whole)
        except Malformed:
            continue
        DIALECT.encode_request(ask.request, model="m", stream=False, wire=Wire())


BLOCKS: st.SearchStrategy[JsonObject] = st.dictionaries(FIELDS, odd_json, max_size=5)


@given(blocks=st.lists(st.tuples(KINDS, BLOCKS), max_size=4))
def test_blocks_gone_wrong_are_malformed_and_nothing_else(
    blocks: list[tuple[str, JsonObject]],
) -> None:
    content: list[Json] = [{**block, "type": kind} for kind, block in blocks]
    message: JsonObject = {"role": "user", "content": content}
    try:
        ask = DIALECT.decode_request({"model": "m", "messages": [message]})
    except Malformed:
        return
    DIALECT.encode_request(ask.request, model="m", stream=False, wire=Wire())


def decoder() -> Decoder:
    return DIALECT.decoder(stream=True)
