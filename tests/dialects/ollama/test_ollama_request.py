"""Requests to Ollama: one table, the same both ways."""

import pytest

from majordomo.contract import (
    Artefact,
    Image,
    Json,
    JsonObject,
    Message,
    Request,
    Text,
    Thinking,
    Tool,
    ToolCall,
    ToolResult,
    assistant,
    system,
    tool_results,
    user,
)
from majordomo.dialects.dialect import Call, Wire
from majordomo.dialects.json import read
from majordomo.dialects.ollama import DIALECT
from support.schemas import assert_valid

PNG = b"\x89PNG\r\n\x1a\n1"
PNG64 = "iVBORw0KGgox"
SCHEMA: JsonObject = {"type": "object", "properties": {"city": {"type": "string"}}}
TOOL_WIRE: Json = {
    "type": "function",
    "function": {"name": "get_weather", "description": "Get it", "parameters": SCHEMA},
}
CALL = ToolCall(id="call_a", name="get_weather", arguments='{"city":"Paris"}')
CALL_WIRE: Json = {
    "id": "call_a",
    "function": {"name": "get_weather", "arguments": {"city": "Paris"}},
}
HI: Json = {"role": "user", "content": "hi"}

SAME_BOTH_WAYS: dict[str, tuple[Request, JsonObject]] = {
    "text": (Request(messages=(user("hi"),)), {"messages": [HI]}),
    "system": (
        Request(system="be brief", messages=(user("hi"),)),
        {"messages": [{"role": "system", "content": "be brief"}, HI]},
    ),
    "a later system message stays where it is": (
        Request(messages=(user("hi"), system("now in French"))),
        {"messages": [HI, {"role": "system", "content": "now in French"}]},
    ),
    "image": (
        Request(messages=(user(Image(data=PNG, mime="image/png"), "what"),)),
        {"messages": [{"role": "user", "content": "what", "images": [PNG64]}]},
    ),
    "a tool turn": (
        Request(
            messages=(
                assistant(Thinking(text="hm"), "I look.", CALL),
                tool_results(
                    ToolResult(id="call_a", name="get_weather", content=(Text(text="18C"),))
                ),
            ),
            tools=(Tool(name="get_weather", description="Get it", parameters=SCHEMA),),
        ),
        {
            "messages": [
                {
                    "role": "assistant",
                    "content": "I look.",
                    "thinking": "hm",
                    "tool_calls": [CALL_WIRE],
                },
                {
                    "role": "tool",
                    "tool_name": "get_weather",
                    "tool_call_id": "call_a",
                    "content": "18C",
                },
            ],
            "tools": [TOOL_WIRE],
        },
    ),
    "a failed result": (
        Request(
            messages=(
                tool_results(
                    ToolResult(id="a", name="f", content=(Text(text="no"),), is_error=True)
                ),
            )
        ),
        {
            "messages": [
                {"role": "tool", "tool_name": "f", "tool_call_id": "a", "content": "ERROR: no"}
            ]
        },
    ),
    "an image in a result": (
        Request(
            messages=(
                tool_results(
                    ToolResult(id="a", name="f", content=(Image(data=PNG, mime="image/png"),))
                ),
            )
        ),
        {
            "messages": [
                {
                    "role": "tool",
                    "tool_name": "f",
                    "tool_call_id": "a",
                    "content": "",
                    "images": [PNG64],
                }
            ]
        },
    ),
    "a tool without arguments": (
        Request(messages=(user("hi"),), tools=(Tool(name="now"),)),
        {
            "messages": [HI],
            "tools": [
                {
                    "type": "function",
                    "function": {
                        "name": "now",
                        "parameters": {"type": "object", "properties": {}},
                    },
                }
            ],
        },
    ),
    "tools with words of their own": (
        Request(
            messages=(user("hi"),),
            tools=(
                Tool(
                    name="f",
                    parameters=SCHEMA,
                    artefact=Artefact(
                        dialect="ollama", value={"items": 1, "function": {"returns": "x"}}
                    ),
                ),
                Tool(
                    name="web_search",
                    hosted=True,
                    artefact=Artefact(dialect="ollama", value={"type": "web_search"}),
                ),
            ),
        ),
        {
            "messages": [HI],
            "tools": [
                {
                    "type": "function",
                    "function": {"name": "f", "parameters": SCHEMA, "returns": "x"},
                    "items": 1,
                },
                {"type": "web_search"},
            ],
        },
    ),
    "options": (
        Request(
            messages=(user("hi"),),
            max_tokens=5,
            temperature=0.5,
            top_p=0.9,
            top_k=4,
            seed=1,
            presence_penalty=0.1,
            frequency_penalty=0.2,
            stop=("x",),
            extra={"ollama": {"keep_alive": "5m", "options": {"num_ctx": 8192}}},
        ),
        {
            "messages": [HI],
            "keep_alive": "5m",
            "options": {
                "num_predict": 5,
                "temperature": 0.5,
                "top_p": 0.9,
                "top_k": 4,
                "seed": 1,
                "presence_penalty": 0.1,
                "frequency_penalty": 0.2,
                "stop": ["x"],
                "num_ctx": 8192,
            },
        },
    ),
    "JSON of any shape": (
        Request(messages=(user("hi"),), schema={}),
        {"messages": [HI], "format": "json"},
    ),
    "JSON by schema": (
        Request(messages=(user("hi"),), schema=SCHEMA),
        {"messages": [HI], "format": SCHEMA},
    ),
    "no thinking": (
        Request(messages=(user("hi"),), reasoning_effort="none"),
        {"messages": [HI], "think": False},
    ),
    "thinking": (
        Request(messages=(user("hi"),), reasoning_budget=-1, show_thinking=True),
        {"messages": [HI], "think": True},
    ),
    "hard thinking": (
        Request(messages=(user("hi"),), reasoning_effort="max"),
        {"messages": [HI], "think": "max"},
    ),
    "unknown fields of a message": (
        Request(
            messages=(
                Message(
                    role="user",
                    parts=(Text(text="hi"),),
                    artefact=Artefact(dialect="ollama", value={"name": "Ann"}),
                ),
            )
        ),
        {"messages": [{"role": "user", "content": "hi", "name": "Ann"}]},
    ),
}


@pytest.mark.parametrize(("request_", "wire"), SAME_BOTH_WAYS.values(), ids=SAME_BOTH_WAYS.keys())
def test_same_both_ways(request_: Request, wire: JsonObject) -> None:
    whole = {"model": "m", "stream": True} | wire
    call = encode(request_)
    assert call.path == "/api/chat"
    assert read(call.body) == whole
    ask = DIALECT.decode_request(whole)
    assert (ask.request, ask.model, ask.stream) == (request_, "m", True)


KNOWN = [row[0] for name, row in SAME_BOTH_WAYS.items() if "of their own" not in name]


@pytest.mark.parametrize("request_", KNOWN)
def test_what_is_sent_is_valid_in_the_sdk(request_: Request) -> None:
    assert_valid(read(encode(request_).body), "ollama.request")


def test_has_a_name() -> None:
    assert DIALECT.name == "ollama"


def encode(request: Request) -> Call:
    return DIALECT.encode_request(request, model="m", stream=True, wire=Wire())
