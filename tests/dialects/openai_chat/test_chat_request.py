"""Whole requests, both ways: every knob, tools and choices, formats, and what comes in odd."""

import pytest
from msgspec.structs import replace

from majordomo.contract import (
    Artefact,
    Json,
    JsonObject,
    Malformed,
    Request,
    Tool,
    ToolChoice,
    named,
    user,
)
from majordomo.dialects.dialect import Wire
from majordomo.dialects.json import object_at, read
from majordomo.dialects.openai_chat import DIALECT
from support.schemas import assert_valid

SCHEMA: JsonObject = {"type": "object", "properties": {"x": {"type": "integer"}}}
EMPTY_SCHEMA: JsonObject = {"type": "object", "properties": {}}
FUNCTION: JsonObject = {"type": "function", "function": {"name": "f", "parameters": SCHEMA}}
GRAMMAR: JsonObject = {"type": "custom", "custom": {"name": "sh", "format": {"type": "text"}}}
PLAIN = Tool(name="f", parameters=SCHEMA)
CUSTOM = Tool(name="sh", hosted=True, artefact=Artefact(dialect="openai_chat", value=GRAMMAR))


def ask(**fields: Json) -> JsonObject:
    return {"model": "m", "messages": [{"role": "user", "content": "hi"}], **fields}


HI = Request(messages=(user("hi"),))
WITH_TOOL = replace(HI, tools=(PLAIN,))

SAME_BOTH_WAYS: dict[str, tuple[Request, JsonObject]] = {
    "nothing special": (HI, ask()),
    "system": (
        replace(HI, system="be brief"),
        ask(
            messages=[
                {"role": "system", "content": "be brief"},
                {"role": "user", "content": "hi"},
            ]
        ),
    ),
    "sampling": (
        replace(
            HI,
            max_tokens=9,
            temperature=0.5,
            top_p=0.9,
            presence_penalty=0.1,
            frequency_penalty=-0.1,
            stop=("a", "b"),
            seed=7,
        ),
        ask(
            max_completion_tokens=9,
            temperature=0.5,
            top_p=0.9,
            presence_penalty=0.1,
            frequency_penalty=-0.1,
            stop=["a", "b"],
            seed=7,
        ),
    ),
    "effort": (replace(HI, reasoning_effort="xhigh"), ask(reasoning_effort="xhigh")),
    "metadata": (replace(HI, metadata={"a": "b"}), ask(metadata={"a": "b"})),
    "fields we do not model": (
        replace(HI, extra={"openai_chat": {"logprobs": True, "user": "u", "verbosity": "low"}}),
        ask(logprobs=True, user="u", verbosity="low"),
    ),
    "tool": (WITH_TOOL, ask(tools=[FUNCTION])),
    "tool without parameters": (
        replace(HI, tools=(Tool(name="now"),)),
        ask(tools=[{"type": "function", "function": {"name": "now", "parameters": EMPTY_SCHEMA}}]),
    ),
    "strict tool with a description": (
        replace(HI, tools=(replace(PLAIN, strict=True, description="d"),)),
        ask(
            tools=[
                {
                    "type": "function",
                    "function": {
                        "name": "f",
                        "description": "d",
                        "parameters": SCHEMA,
                        "strict": True,
                    },
                }
            ]
        ),
    ),
    "custom tool": (
        replace(HI, tools=(CUSTOM,), tool_choice=named("sh")),
        ask(tools=[GRAMMAR], tool_choice={"type": "custom", "custom": {"name": "sh"}}),
    ),
    "choice none": (
        replace(WITH_TOOL, tool_choice=ToolChoice(mode="none")),
        ask(tools=[FUNCTION], tool_choice="none"),
    ),
    "choice required": (
        replace(WITH_TOOL, tool_choice=ToolChoice(mode="required")),
        ask(tools=[FUNCTION], tool_choice="required"),
    ),
    "choice named": (
        replace(WITH_TOOL, tool_choice=named("f")),
        ask(tools=[FUNCTION], tool_choice={"type": "function", "function": {"name": "f"}}),
    ),
    "one call at a time forces none": (
        replace(WITH_TOOL, tool_choice=ToolChoice(parallel=False)),
        ask(tools=[FUNCTION], parallel_tool_calls=False),
    ),
    "allowed tools": (
        replace(WITH_TOOL, tool_choice=ToolChoice(mode="required", allowed=("f",))),
        ask(
            tools=[FUNCTION],
            tool_choice={
                "type": "allowed_tools",
                "allowed_tools": {
                    "mode": "required",
                    "tools": [{"type": "function", "function": {"name": "f"}}],
                },
            },
        ),
    ),
    "JSON of any shape": (
        replace(HI, schema={}),
        ask(response_format={"type": "json_object"}),
    ),
    "schema": (
        replace(HI, schema=SCHEMA, schema_name="point", schema_strict=True),
        ask(
            response_format={
                "type": "json_schema",
                "json_schema": {"name": "point", "schema": SCHEMA, "strict": True},
            }
        ),
    ),
    "described schema": (
        replace(
            HI,
            schema=SCHEMA,
            extra={"openai_chat": {"response_format": {"json_schema": {"description": "d"}}}},
        ),
        ask(
            response_format={
                "type": "json_schema",
                "json_schema": {"name": "response", "schema": SCHEMA, "description": "d"},
            }
        ),
    ),
}


@pytest.mark.parametrize(("request_", "body"), SAME_BOTH_WAYS.values(), ids=SAME_BOTH_WAYS.keys())
def test_a_request_is_the_same_both_ways(request_: Request, body: JsonObject) -> None:
    assert encode(request_) == body
    assert DIALECT.decode_request(body).request == request_
    assert_valid(body, "openai.chat.request")


# Read as the compatibles and careless clients write it; written as the book says.
ONLY_READ: dict[str, tuple[JsonObject, Request]] = {
    "old name of the limit": (ask(max_tokens=9), replace(HI, max_tokens=9)),
    "both names of the limit": (
        ask(max_tokens=9, max_completion_tokens=8),
        replace(HI, max_tokens=8),
    ),
    "one stop string": (ask(stop="a"), replace(HI, stop=("a",))),
    "Mistral's seed": (ask(random_seed=7), replace(HI, seed=7)),
    "top_k": (ask(top_k=5), replace(HI, top_k=5)),
    "nulls everywhere": (
        ask(tools=None, tool_choice=None, stop=None, temperature=None, metadata=None, n=None),
        HI,
    ),
    "no tools": (ask(tools=[]), HI),
    "n of one": (ask(n=1), HI),
    "text format": (ask(response_format={"type": "text"}), HI),
    "llama.cpp's schema": (
        ask(response_format={"type": "json_object", "schema": SCHEMA}),
        replace(HI, schema=SCHEMA),
    ),
    "llama.cpp's other schema": (
        ask(response_format={"type": "json_schema", "schema": SCHEMA}),
        replace(HI, schema=SCHEMA),
    ),
    "a format nobody else knows": (
        ask(response_format={"type": "grammar", "grammar": "g"}),
        replace(
            HI, extra={"openai_chat": {"response_format": {"type": "grammar", "grammar": "g"}}}
        ),
    ),
    "explicit auto": (ask(tools=[FUNCTION], tool_choice="auto"), WITH_TOOL),
    "Mistral's any": (
        ask(tools=[FUNCTION], tool_choice="any"),
        replace(WITH_TOOL, tool_choice=ToolChoice(mode="required")),
    ),
    "choice as in Anthropic": (
        ask(tools=[FUNCTION], tool_choice={"type": "tool", "name": "f"}),
        replace(WITH_TOOL, tool_choice=named("f")),
    ),
    "choice as in Responses": (
        ask(tools=[FUNCTION], tool_choice={"type": "function", "name": "f"}),
        replace(WITH_TOOL, tool_choice=named("f")),
    ),
    "flat tool as in Responses": (
        ask(tools=[{"type": "function", "name": "f", "parameters": SCHEMA}]),
        WITH_TOOL,
    ),
    "deprecated functions": (
        ask(functions=[{"name": "f", "parameters": SCHEMA}], function_call={"name": "f"}),
        replace(WITH_TOOL, tool_choice=named("f")),
    ),
    "attributes inside a function": (
        ask(tools=[{"type": "function", "function": {"name": "f", "parameters": SCHEMA, "x": 1}}]),
        replace(
            HI,
            tools=(
                replace(
                    PLAIN, artefact=Artefact(dialect="openai_chat", value={"function": {"x": 1}})
                ),
            ),
        ),
    ),
    "a tool the server runs": (
        ask(tools=[{"type": "web_search"}], tool_choice={"type": "web_search"}),
        replace(
            HI,
            tools=(
                Tool(
                    name="web_search",
                    hosted=True,
                    artefact=Artefact(dialect="openai_chat", value={"type": "web_search"}),
                ),
            ),
            tool_choice=named("web_search"),
        ),
    ),
    "attributes of a tool": (
        ask(tools=[{**FUNCTION, "cache_control": {"type": "ephemeral"}}]),
        replace(
            HI,
            tools=(
                replace(
                    PLAIN,
                    artefact=Artefact(
                        dialect="openai_chat", value={"cache_control": {"type": "ephemeral"}}
                    ),
                ),
            ),
        ),
    ),
    "an effort of one server": (
        ask(reasoning_effort="ultra"),
        replace(HI, extra={"openai_chat": {"reasoning_effort": "ultra"}}),
    ),
    "metadata that is not text": (
        ask(metadata={"a": 1}),
        replace(HI, extra={"openai_chat": {"metadata": {"a": 1}}}),
    ),
    "OpenRouter's reasoning": (
        ask(reasoning={"effort": "high"}),
        replace(HI, extra={"openai_chat": {"reasoning": {"effort": "high"}}}),
    ),
}


@pytest.mark.parametrize(("body", "request_"), ONLY_READ.values(), ids=ONLY_READ.keys())
def test_odd_requests_are_read(body: JsonObject, request_: Request) -> None:
    assert DIALECT.decode_request(body).request == request_


def test_what_only_one_server_knows_goes_back_as_it_came() -> None:
    for name in (
        "a format nobody else knows",
        "an effort of one server",
        "OpenRouter's reasoning",
        "attributes of a tool",
        "attributes inside a function",
        "a tool the server runs",
    ):
        body, request = ONLY_READ[name]
        assert encode(request) == body


WRONG: dict[str, tuple[JsonObject, str]] = {
    "no model": ({"messages": [{"role": "user"}]}, "model is missing"),
    "no messages": ({"model": "m"}, "messages is missing or empty"),
    "empty messages": (ask(messages=[]), "messages is missing or empty"),
    "two answers": (ask(n=2), "n is not supported above 1"),
    "temperature": (ask(temperature="warm"), "temperature is not a number"),
    "limit": (ask(max_tokens=1.5), "max_tokens is not a whole number"),
    "stop": (ask(stop=[1]), "stop is neither"),
    "stream": (ask(stream="yes"), "stream is not true or false"),
    "tools": (ask(tools={}), "tools is not a list"),
    "tool": (ask(tools=[{}]), "tools[0] is not a tool"),
    "tool name": (ask(tools=[{"type": "function", "function": {}}]), "tools[0].function.name is"),
    "parameters": (
        ask(tools=[{"type": "function", "function": {"name": "f", "parameters": 1}}]),
        "tools[0].function.parameters is not an object",
    ),
    "choice word": (ask(tool_choice="maybe"), "tool_choice is not one of"),
    "choice shape": (ask(tool_choice={"type": "function"}), "tool_choice names no function"),
    "format": (ask(response_format="json"), "response_format is not an object"),
    "format without schema": (
        ask(response_format={"type": "json_schema"}),
        "response_format.json_schema is missing",
    ),
}


@pytest.mark.parametrize(("body", "complaint"), WRONG.values(), ids=WRONG.keys())
def test_a_malformed_request_is_named_by_its_place(body: JsonObject, complaint: str) -> None:
    with pytest.raises(Malformed) as caught:
        DIALECT.decode_request(body)
    assert str(caught.value).startswith(complaint)


def encode(request: Request, wire: Wire | None = None, *, stream: bool = False) -> JsonObject:
    call = DIALECT.encode_request(request, model="m", stream=stream, wire=wire or Wire())
    assert call.path == "/chat/completions"
    return object_at(read(call.body), "body")
