"""One request, both ways: each row is the wire's words and the contract's for the same thing."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from majordomo.contract import (
    Artefact,
    JsonObject,
    Malformed,
    Message,
    Opaque,
    Request,
    Text,
    Thinking,
    Tool,
    user,
)
from majordomo.dialects.dialect import Ask, Wire
from majordomo.dialects.json import object_at, read
from majordomo.dialects.openai_responses import DIALECT
from support.schemas import assert_valid

HI = user("hi")
FUNCTION: JsonObject = {"type": "function", "name": "f", "parameters": {"type": "object"}}
PLAIN = Tool(name="f", parameters={"type": "object"})


def own(value: JsonObject) -> Artefact:
    return Artefact(dialect="openai_responses", value=value)


def encode(request: Request, *, stream: bool = False) -> JsonObject:
    call = DIALECT.encode_request(request, model="m", stream=stream, wire=Wire())
    return object_at(read(call.body), "body")


def decode(fields: JsonObject) -> Ask:
    return DIALECT.decode_request({"model": "m", "input": "hi", **fields})


SCHEMA: JsonObject = {"type": "object", "properties": {"a": {"type": "string"}}}
SAME: dict[str, tuple[Request, JsonObject]] = {
    "instructions": (Request(messages=(HI,), system="be kind"), {"instructions": "be kind"}),
    "knobs": (
        Request(messages=(HI,), max_tokens=99, temperature=0.5, top_p=0.9, metadata={"team": "a"}),
        {"max_output_tokens": 99, "temperature": 0.5, "top_p": 0.9, "metadata": {"team": "a"}},
    ),
    "json mode": (
        Request(messages=(HI,), schema={}),
        {"text": {"format": {"type": "json_object"}}},
    ),
    "schema": (
        Request(messages=(HI,), schema=SCHEMA, schema_name="P", schema_strict=True),
        {
            "text": {
                "format": {"type": "json_schema", "name": "P", "schema": SCHEMA, "strict": True}
            }
        },
    ),
    "schema with a description, and verbosity": (
        Request(
            messages=(HI,),
            schema=SCHEMA,
            extra={
                "openai_responses": {"text": {"verbosity": "low", "format": {"description": "d"}}}
            },
        ),
        {
            "text": {
                "verbosity": "low",
                "format": {
                    "type": "json_schema",
                    "name": "response",
                    "schema": SCHEMA,
                    "description": "d",
                },
            }
        },
    ),
    "reasoning": (
        Request(messages=(HI,), reasoning_effort="high", show_thinking=True),
        {
            "reasoning": {"effort": "high", "summary": "auto"},
            "include": ["reasoning.encrypted_content"],
        },
    ),
    "reasoning off": (
        Request(messages=(HI,), reasoning_effort="none"),
        {"reasoning": {"effort": "none"}},
    ),
    "reasoning in detail, with a word of its own": (
        Request(
            messages=(HI,),
            show_thinking=True,
            extra={"openai_responses": {"reasoning": {"summary": "detailed", "mode": "pro"}}},
        ),
        {
            "reasoning": {"summary": "detailed", "mode": "pro"},
            "include": ["reasoning.encrypted_content"],
        },
    ),
    "fields only this dialect has": (
        Request(
            messages=(HI,),
            extra={
                "openai_responses": {
                    "store": True,
                    "include": ["web_search_call.action.sources"],
                    "previous_response_id": "resp_1",
                    "prompt_cache_key": "k",
                    "client_metadata": {"x": "y"},
                }
            },
        ),
        {
            "store": True,
            "include": ["web_search_call.action.sources"],
            "previous_response_id": "resp_1",
            "prompt_cache_key": "k",
            "client_metadata": {"x": "y"},
        },
    ),
}


@pytest.mark.parametrize(("request_", "fields"), SAME.values(), ids=SAME.keys())
def test_same_both_ways(request_: Request, fields: JsonObject) -> None:
    item: JsonObject = {"type": "message", "role": "user", "content": "hi"}
    expected: JsonObject = {"model": "m", "input": [item], "store": False, **fields}
    assert encode(request_) == expected
    assert decode(fields).request == request_


@pytest.mark.parametrize("stream", [True, False])
def test_the_stream_flag_goes_both_ways(*, stream: bool) -> None:
    body = encode(Request(messages=(HI,)), stream=stream)
    assert body.get("stream", False) is stream
    assert DIALECT.decode_request(body).stream is stream


def test_options_of_a_stream_go_only_with_a_stream() -> None:
    options: JsonObject = {"include_obfuscation": False}
    request = decode({"stream": True, "stream_options": options}).request
    assert encode(request, stream=True)["stream_options"] == options
    assert "stream_options" not in encode(request)


def test_what_this_dialect_has_no_word_for_is_not_sent() -> None:
    plain = Request(messages=(HI,))
    knobs = Request(messages=(HI,), stop=("x",), seed=1, top_k=2, presence_penalty=0.1)
    assert encode(knobs) == encode(plain)


def test_a_foreign_hosted_tool_and_a_foreign_artefact_are_withheld() -> None:
    gemini = Artefact(dialect="gemini", value={"googleSearch": {}})
    tools = (Tool(name="g", hosted=True, artefact=gemini), PLAIN)
    thought = Thinking(text="hm", artefact=Artefact(dialect="anthropic", value={"signature": "s"}))
    block = Opaque(dialect="gemini", value={"x": 1})
    messages = (HI, Message(role="assistant", parts=(thought, block, Text(text="a"))))
    body = encode(Request(messages=messages, tools=tools))
    assert body["tools"] == [FUNCTION]
    assert body["input"] == [
        {"type": "message", "role": "user", "content": "hi"},
        {"type": "message", "role": "assistant", "content": "a"},
    ]


def test_extra_for_everyone_goes_along_and_our_own_beats_it() -> None:
    extra: dict[str, JsonObject] = {
        "*": {"user": "u", "store": True},
        "openai_responses": {"store": False},
        "anthropic": {"speed": "fast"},
    }
    body = encode(Request(messages=(HI,), extra=extra))
    assert (body["user"], body["store"]) == ("u", False)
    assert "speed" not in body


def test_reasoning_in_the_history_asks_for_more_of_it_encrypted() -> None:
    item: JsonObject = {"type": "reasoning", "id": "rs", "summary": [], "encrypted_content": "g"}
    body = encode(decode({"input": [item]}).request)
    assert body["input"] == [item]
    assert body["include"] == ["reasoning.encrypted_content"]


def test_null_is_absence() -> None:
    names = "instructions tools tool_choice text reasoning metadata temperature prompt store stream"
    fields: JsonObject = dict.fromkeys([*names.split(), "max_output_tokens", "parallel_tool_calls"])
    assert decode(fields).request == Request(messages=(HI,))
    assert decode({"input": None}).request == Request(messages=())
    nothing: JsonObject = {"tools": [], "text": {"format": None}, "reasoning": {"effort": None}}
    assert decode(nothing).request == Request(messages=(HI,))


def test_model_and_stream_from_outside_win() -> None:
    ask = DIALECT.decode_request({"model": "m", "input": "hi"}, model="n", stream=True)
    assert (ask.model, ask.stream) == ("n", True)


BAD: dict[str, tuple[JsonObject, str]] = {
    "input": ({"input": 3}, "input is not a list"),
    "item": ({"input": [3]}, r"input\[0\] is not an object"),
    "role": ({"input": [{"role": "tool", "content": "x"}]}, r"input\[0\].role is not"),
    "content": ({"input": [{"role": "user", "content": 3}]}, r"input\[0\].content is not a list"),
    "image": (
        {
            "input": [
                {
                    "role": "user",
                    "content": [{"type": "input_image", "image_url": "data:image/png;base64,%"}],
                }
            ]
        },
        r"input\[0\].content\[0\].image_url is not valid base64",
    ),
    "call": ({"input": [{"type": "function_call", "call_id": "c"}]}, r"input\[0\].name is not"),
    "call id": ({"input": [{"type": "function_call", "name": "f"}]}, r"input\[0\].call_id is not"),
    "tool": ({"tools": [{"type": "function"}]}, r"tools\[0\].name is not a string"),
    "tool type": ({"tools": [{"type": 3}]}, r"tools\[0\].type is not a string"),
    "nested tool": (
        {"tools": [{"type": "namespace", "name": "n", "tools": [{"type": "function"}]}]},
        r"tools\[0\].tools\[0\].name is not",
    ),
    "choice": ({"tool_choice": "maybe"}, "tool_choice is not"),
    "temperature": ({"temperature": "hot"}, "temperature is not a number"),
    "format": ({"text": {"format": {"type": "xml"}}}, "text.format.type is not"),
    "schema": ({"text": {"format": {"type": "json_schema"}}}, "text.format.schema is not"),
    "metadata": ({"metadata": {"a": 1}}, "metadata.a is not a string"),
    "reasoning": ({"reasoning": 3}, "reasoning is not an object"),
}


@pytest.mark.parametrize(("fields", "problem"), BAD.values(), ids=BAD.keys())
def test_a_bad_request_is_told_where(fields: JsonObject, problem: str) -> None:
    with pytest.raises(Malformed, match=problem):
        decode(fields)


@pytest.mark.parametrize("name", SAME)
def test_every_request_is_valid_for_the_service(name: str) -> None:
    body = encode(SAME[name][0])
    body.pop("client_metadata", None)  # what Codex adds, and the published type lacks
    assert_valid(body, "openai.responses.request")


FIELDS = st.sampled_from(
    """input tools tool_choice text reasoning metadata instructions type role content name
    call_id output format summary image_url namespace encrypted_content""".split()  # noqa: SIM905 -- words read better
)
WORDS = st.sampled_from(
    """message user assistant function custom namespace function_call function_call_output
    reasoning input_image data:x;base64,eA json_schema""".split()  # noqa: SIM905 -- likewise
)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 2) | st.floats(allow_nan=False) | WORDS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(FIELDS, inner, max_size=4),
    max_leaves=12,
)


@given(body=st.dictionaries(FIELDS, VALUES, max_size=6))
def test_any_json_is_a_request_or_malformed(body: JsonObject) -> None:
    try:
        ask = DIALECT.decode_request(body)
    except Malformed:
        return
    encode(ask.request)
