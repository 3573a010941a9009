"""How one provider's Chat differs from the book: each option of `Wire`, and streaming."""

import pytest
from msgspec.structs import replace

from majordomo.contract import Artefact, Json, JsonObject, Request, Tool, ToolChoice, user
from majordomo.dialects.dialect import Wire
from majordomo.dialects.json import object_at, read
from majordomo.dialects.openai_chat import DIALECT

HI = Request(messages=(user("hi"),))
TOOL = Tool(name="f", parameters={"type": "object"})

ROWS: dict[str, tuple[Request, Wire, JsonObject]] = {
    "Ollama and Mistral read only max_tokens": (
        replace(HI, max_tokens=9),
        Wire(max_tokens_field="max_tokens"),
        {"max_tokens": 9, "max_completion_tokens": None},
    ),
    "Mistral's seed": (
        replace(HI, seed=7),
        Wire(seed_field="random_seed"),
        {"random_seed": 7, "seed": None},
    ),
    "Mistral's required": (
        replace(HI, tools=(TOOL,), tool_choice=ToolChoice(mode="required")),
        Wire(required_word="any"),
        {"tool_choice": "any"},
    ),
    "top_k for the compatibles": (replace(HI, top_k=5), Wire(), {"top_k": 5}),
    "no tools, no choice": (
        replace(HI, tool_choice=ToolChoice(mode="required", parallel=False)),
        Wire(),
        {"tools": None, "tool_choice": None, "parallel_tool_calls": None},
    ),
    "tools that others run are skipped": (
        replace(
            HI,
            tools=(
                Tool(
                    name="web_search",
                    hosted=True,
                    artefact=Artefact(dialect="anthropic", value={"type": "web_search"}),
                ),
            ),
            tool_choice=ToolChoice(mode="required"),
        ),
        Wire(),
        {"tools": None, "tool_choice": None},
    ),
    "fields for whoever serves": (
        replace(HI, extra={"*": {"user": "u"}, "anthropic": {"speed": "fast"}}),
        Wire(),
        {"user": "u", "speed": None},
    ),
    "what the dialect has no word for": (
        replace(HI, reasoning_budget=100, show_thinking=True),
        Wire(),
        {"reasoning_budget": None, "show_thinking": None, "stream": None},
    ),
}


@pytest.mark.parametrize(("request_", "wire", "expected"), ROWS.values(), ids=ROWS.keys())
def test_a_provider_gets_its_own_words(request_: Request, wire: Wire, expected: JsonObject) -> None:
    body = encode(request_, wire)
    assert {name: body.get(name) for name in expected} == expected


STREAMS: dict[str, tuple[Request, Wire, Json]] = {
    "usage is asked for": (HI, Wire(), {"include_usage": True}),
    "a server that does not know the option": (HI, Wire(stream_usage=False), None),
    "other options go along": (
        replace(HI, extra={"openai_chat": {"stream_options": {"include_obfuscation": False}}}),
        Wire(),
        {"include_usage": True, "include_obfuscation": False},
    ),
}


@pytest.mark.parametrize(("request_", "wire", "options"), STREAMS.values(), ids=STREAMS.keys())
def test_a_stream_is_asked_for(request_: Request, wire: Wire, options: Json) -> None:
    body = encode(request_, wire, stream=True)
    assert body["stream"] is True
    assert body.get("stream_options") == options


def test_the_door_remembers_whether_usage_was_asked_for() -> None:
    body: JsonObject = {
        "model": "m",
        "messages": [{"role": "user", "content": "hi"}],
        "stream": True,
        "stream_options": {"include_usage": True, "include_obfuscation": False},
    }
    ask = DIALECT.decode_request(body)
    assert (ask.model, ask.stream, ask.stream_usage) == ("m", True, True)
    assert ask.request.extra == {"openai_chat": {"stream_options": {"include_obfuscation": False}}}
    assert not DIALECT.decode_request(body | {"stream_options": None}).stream_usage
    assert not DIALECT.decode_request(body | {"stream": None}).stream


def encode(request: Request, wire: Wire, *, stream: bool = False) -> JsonObject:
    call = DIALECT.encode_request(request, model="m", stream=stream, wire=wire)
    return object_at(read(call.body), "body")
