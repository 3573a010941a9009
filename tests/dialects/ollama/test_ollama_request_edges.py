"""What Ollama's clients write in more than one way, and what it can only nearly say."""

import pytest

from majordomo.contract import (
    NONE,
    REQUIRED,
    Document,
    Image,
    Json,
    JsonObject,
    Malformed,
    Opaque,
    Request,
    Text,
    Tool,
    ToolCall,
    ToolChoice,
    ToolResult,
    assistant,
    named,
    tool_results,
    user,
)
from majordomo.dialects.dialect import Call, Wire
from majordomo.dialects.json import object_at, read
from majordomo.dialects.ollama import DIALECT, decode_generate_request

PNG = b"\x89PNG\r\n\x1a\n1"
PNG64 = "iVBORw0KGgox"
HI: Json = {"role": "user", "content": "hi"}

ONLY_READ: dict[str, tuple[JsonObject, Request]] = {
    "nulls and empty lists": (
        {"messages": [HI], "tools": [], "format": None, "think": None, "options": None},
        Request(messages=(user("hi"),)),
    ),
    "an empty format": ({"messages": [HI], "format": ""}, Request(messages=(user("hi"),))),
    "no messages: load the model": ({}, Request(messages=())),
    "a role in capitals": (
        {"messages": [{"role": "User", "content": "hi"}]},
        Request(messages=(user("hi"),)),
    ),
    "pictures of every kind": (
        {"messages": [{"role": "user", "images": ["UklGRjEyMzRXRUJQ", "/9j/", "R0lGOA==", "MQ"]}]},
        Request(
            messages=(
                user(
                    Image(data=b"RIFF1234WEBP", mime="image/webp"),
                    Image(data=b"\xff\xd8\xff", mime="image/jpeg"),
                    Image(data=b"GIF8", mime="image/gif"),
                    Image(data=b"1", mime="application/octet-stream"),
                ),
            )
        ),
    ),
    "a data URL": (
        {"messages": [{"role": "user", "images": [f"data:image/png;base64,{PNG64}"]}]},
        Request(messages=(user(Image(data=PNG, mime="image/png")),)),
    ),
    "content in blocks": (
        {"messages": [{"role": "user", "content": [{"type": "text", "text": "hi"}]}]},
        Request(messages=(user("hi"),)),
    ),
    "one stop as text": (
        {"messages": [HI], "options": {"stop": "x"}},
        Request(messages=(user("hi"),), stop=("x",)),
    ),
    "no limit stays Ollama's own word": (
        {"messages": [HI], "options": {"num_predict": -1}},
        Request(messages=(user("hi"),), extra={"ollama": {"options": {"num_predict": -1}}}),
    ),
    "results find their calls by tool and by order": (
        {
            "messages": [
                {
                    "role": "assistant",
                    "tool_calls": [
                        {"function": {"name": "f", "arguments": {"n": 1}}},
                        {"function": {"name": "f", "arguments": '{"n": 2}'}},
                        {"function": {"name": "g"}},
                    ],
                },
                {"role": "tool", "tool_name": "g", "content": "3"},
                {"role": "tool", "tool_name": "f", "content": "1"},
                {"role": "tool", "content": "2"},
            ]
        },
        Request(
            messages=(
                assistant(
                    ToolCall(id="call_0", name="f", arguments='{"n":1}'),
                    ToolCall(id="call_1", name="f", arguments='{"n": 2}'),
                    ToolCall(id="call_2", name="g", arguments="{}"),
                ),
                tool_results(
                    ToolResult(id="call_2", name="g", content=(Text(text="3"),)),
                    ToolResult(id="call_0", name="f", content=(Text(text="1"),)),
                    ToolResult(id="call_1", name="f", content=(Text(text="2"),)),
                ),
            )
        ),
    ),
    "a result nobody asked for": (
        {"messages": [{"role": "tool", "content": "1"}]},
        Request(messages=(tool_results(ToolResult(id="call_0", content=(Text(text="1"),))),)),
    ),
}


@pytest.mark.parametrize(("wire", "request_"), ONLY_READ.values(), ids=ONLY_READ.keys())
def test_reads_what_clients_write(wire: JsonObject, request_: Request) -> None:
    assert DIALECT.decode_request({"model": "m"} | wire).request == request_


ONLY_WRITTEN: dict[str, tuple[Request, JsonObject]] = {
    "choosing none offers nothing": (
        Request(messages=(), tools=(Tool(name="f"),), tool_choice=NONE),
        {},
    ),
    "effort it has no word for": (
        Request(messages=(), reasoning_effort="xhigh"),
        {"think": "max"},
    ),
    "the least effort": (Request(messages=(), reasoning_effort="minimal"), {"think": "low"}),
    "no budget to think": (Request(messages=(), reasoning_budget=0), {"think": False}),
    "a budget": (Request(messages=(), reasoning_budget=512), {"think": True}),
    "fields for whichever serves": (
        Request(messages=(), extra={"*": {"keep_alive": 0}, "gemini": {"labels": {}}}),
        {"keep_alive": 0},
    ),
    "another dialect's hosted tool": (
        Request(messages=(), tools=(Tool(name="web", hosted=True),)),
        {},
    ),
    "another dialect's block": (
        Request(messages=(user("hi", Opaque(dialect="gemini", value={})),)),
        {"messages": [HI]},
    ),
    "several texts": (
        Request(messages=(user("a", "b"), assistant("a", "b"))),
        {
            "messages": [
                {"role": "user", "content": "a\nb"},
                {"role": "assistant", "content": "ab"},
            ]
        },
    ),
    "documents": (
        Request(
            messages=(
                user(
                    Document(data=b"a,b", mime="text/csv"),
                    Document(data=b"%PDF", mime="application/pdf", name="x.pdf"),
                ),
            )
        ),
        {
            "messages": [
                {
                    "role": "user",
                    "content": "a,b\n[document x.pdf: application/pdf, not shown]",
                }
            ]
        },
    ),
    "a result says whose it is, where that is known": (
        Request(
            messages=(
                assistant(ToolCall(id="a", name="f", arguments="{}")),
                tool_results(ToolResult(id="a"), ToolResult(id="b")),
            )
        ),
        {
            "messages": [
                {
                    "role": "assistant",
                    "content": "",
                    "tool_calls": [{"id": "a", "function": {"name": "f", "arguments": {}}}],
                },
                {"role": "tool", "tool_name": "f", "tool_call_id": "a", "content": ""},
                {"role": "tool", "tool_call_id": "b", "content": ""},
            ]
        },
    ),
    "arguments that are no object": (
        Request(messages=(assistant(ToolCall(id="a", name="f", arguments="[1")),)),
        {
            "messages": [
                {
                    "role": "assistant",
                    "content": "",
                    "tool_calls": [
                        {"id": "a", "function": {"name": "f", "arguments": {"_raw": "[1"}}}
                    ],
                }
            ]
        },
    ),
}


@pytest.mark.parametrize(("request_", "wire"), ONLY_WRITTEN.values(), ids=ONLY_WRITTEN.keys())
def test_writes_the_nearest_it_can_say(request_: Request, wire: JsonObject) -> None:
    body = object_at(read(encode(request_).body), "body")
    assert body == {"model": "m", "stream": True, "messages": []} | wire


@pytest.mark.parametrize("choice", [REQUIRED, named("f"), ToolChoice(parallel=False)])
def test_a_choice_it_has_no_word_for_changes_nothing(choice: ToolChoice) -> None:
    tools = (Tool(name="f"), Tool(name="g"))
    plain = encode(Request(messages=(), tools=tools))
    assert encode(Request(messages=(), tools=tools, tool_choice=choice)) == plain


REFUSED: dict[str, tuple[JsonObject, str]] = {
    "model": ({"model": ""}, "model is missing"),
    "messages": ({"messages": {}}, "messages is not a list"),
    "message": ({"messages": ["hi"]}, "messages[0] is not an object"),
    "role": ({"messages": [{"content": ""}]}, "messages[0].role is missing"),
    "unknown role": (
        {"messages": [{"role": "boss"}]},
        "messages[0].role is not one of system, user, assistant, tool",
    ),
    "content": (
        {"messages": [{"role": "user", "content": 1}]},
        "messages[0].content is not a string",
    ),
    "image": (
        {"messages": [{"role": "user", "images": ["?"]}]},
        "messages[0].images[0] is not valid base64",
    ),
    "call": (
        {"messages": [{"role": "assistant", "tool_calls": [{}]}]},
        "messages[0].tool_calls[0].function is not an object",
    ),
    "call without a name": (
        {"messages": [{"role": "assistant", "tool_calls": [{"function": {}}]}]},
        "messages[0].tool_calls[0].function.name is missing",
    ),
    "block": (
        {"messages": [{"role": "user", "content": [{"type": "image_url"}]}]},
        "messages[0].content[0] is not text; images go into `images`",
    ),
    "a tool of no kind": ({"tools": [{}]}, "tools[0] has neither a function nor a name"),
    "tool": ({"tools": [{"type": "function", "function": {}}]}, "tools[0].function.name"),
    "format": ({"format": "xml"}, 'format is neither "json" nor a JSON Schema'),
    "think": ({"think": "deep"}, "think is not true, false, low, medium, high or max"),
    "option": ({"options": {"top_k": "many"}}, "options.top_k is not a whole number"),
}


@pytest.mark.parametrize(("wire", "problem"), REFUSED.values(), ids=REFUSED.keys())
def test_says_where_a_request_is_wrong(wire: JsonObject, problem: str) -> None:
    with pytest.raises(Malformed) as caught:
        DIALECT.decode_request({"model": "m"} | wire)
    assert str(caught.value).startswith(problem)


def test_a_prompt_may_be_missing() -> None:
    assert decode_generate_request({"model": "m"}).request == Request(messages=())


def test_streams_unless_told_not_to() -> None:
    assert DIALECT.decode_request({"model": "m"}).stream
    assert not DIALECT.decode_request({"model": "m", "stream": False}).stream


def test_reads_a_prompt_as_a_turn() -> None:
    ask = decode_generate_request(
        {
            "model": "m",
            "prompt": "hi",
            "system": "s",
            "images": [PNG64],
            "suffix": "end",
            "raw": True,
            "context": [1, 2],
            "stream": False,
            "options": {"seed": 1},
        }
    )
    assert ask.request == Request(
        system="s",
        messages=(user(Image(data=PNG, mime="image/png"), "hi"),),
        seed=1,
        extra={"ollama": {"suffix": "end", "raw": True}},
    )
    assert not ask.stream


def encode(request: Request) -> Call:
    return DIALECT.encode_request(request, model="m", stream=True, wire=Wire())
