"""Messages: one table read both ways, and what is never sent."""

import pytest

from majordomo.contract import (
    Artefact,
    Document,
    Image,
    Json,
    JsonObject,
    Message,
    Opaque,
    Request,
    Text,
    Thinking,
    ToolCall,
    ToolResult,
    assistant,
    system,
    tool_results,
    user,
)
from majordomo.dialects.anthropic import DIALECT
from majordomo.dialects.artefact import seal
from majordomo.dialects.dialect import Wire
from majordomo.dialects.json import object_at, read
from support.schemas import assert_valid

MARK: JsonObject = {"cache_control": {"type": "ephemeral", "ttl": "1h"}}
HI: JsonObject = {"role": "user", "content": "hi"}


def mine(**value: Json) -> Artefact:
    return Artefact(dialect="anthropic", value={**value})


MARKED = mine(**MARK)
MESSAGES: dict[str, tuple[tuple[Message, ...], list[Json]]] = {
    "text": ((user("hi"),), [HI]),
    "neighbours of one role stay apart": (
        (user("a"), user("b")),
        [{"role": "user", "content": "a"}, {"role": "user", "content": "b"}],
    ),
    "a cache mark": (
        (user(Text(text="hi", artefact=MARKED)),),
        [{"role": "user", "content": [{"type": "text", "text": "hi", **MARK}]}],
    ),
    "an image": (
        (user("see", Image(data=b"\x89PNG", mime="image/png", artefact=MARKED)),),
        [
            {
                "role": "user",
                "content": [
                    {"type": "text", "text": "see"},
                    {
                        "type": "image",
                        "source": {"type": "base64", "media_type": "image/png", "data": "iVBORw=="},
                        **MARK,
                    },
                ],
            }
        ],
    ),
    "an image by URL": (
        (
            user(
                Opaque(
                    dialect="anthropic",
                    value={"type": "image", "source": {"type": "url", "url": "https://x/y.png"}},
                )
            ),
        ),
        [
            {
                "role": "user",
                "content": [{"type": "image", "source": {"type": "url", "url": "https://x/y.png"}}],
            }
        ],
    ),
    "documents": (
        (
            user(
                Document(
                    data=b"%PDF-",
                    mime="application/pdf",
                    name="Law",
                    artefact=mine(citations={"enabled": True}),
                ),
                Document(data=b"plain", mime="text/plain"),
            ),
        ),
        [
            {
                "role": "user",
                "content": [
                    {
                        "type": "document",
                        "source": {
                            "type": "base64",
                            "media_type": "application/pdf",
                            "data": "JVBERi0=",
                        },
                        "title": "Law",
                        "citations": {"enabled": True},
                    },
                    {
                        "type": "document",
                        "source": {"type": "text", "media_type": "text/plain", "data": "plain"},
                    },
                ],
            }
        ],
    ),
    "thinking, signed and redacted, and a call": (
        (
            user("hi"),
            assistant(
                Thinking(text="hm", artefact=mine(signature="EqQB")),
                Thinking(text="", artefact=mine(signature="only")),
                Thinking(text="", artefact=mine(redacted_thinking="Eno")),
                "well",
                ToolCall(id="toolu_1", name="weather", arguments='{"city":"Oslo"}'),
            ),
        ),
        [
            HI,
            {
                "role": "assistant",
                "content": [
                    {"type": "thinking", "thinking": "hm", "signature": "EqQB"},
                    {"type": "thinking", "thinking": "", "signature": "only"},
                    {"type": "redacted_thinking", "data": "Eno"},
                    {"type": "text", "text": "well"},
                    {
                        "type": "tool_use",
                        "id": "toolu_1",
                        "name": "weather",
                        "input": {"city": "Oslo"},
                    },
                ],
            },
        ],
    ),
    "results, then words in the same turn": (
        (
            tool_results(
                ToolResult(id="a", content=(Text(text="18"),)),
                ToolResult(id="b", is_error=True, artefact=MARKED),
                ToolResult(
                    id="c",
                    content=(
                        Text(text="seen"),
                        Image(data=b"\x89PNG", mime="image/png"),
                        Opaque(
                            dialect="anthropic",
                            value={"type": "tool_reference", "tool_name": "weather"},
                        ),
                    ),
                ),
            ),
            user("go on"),
        ),
        [
            {
                "role": "user",
                "content": [
                    {"type": "tool_result", "tool_use_id": "a", "content": "18"},
                    {"type": "tool_result", "tool_use_id": "b", "is_error": True, **MARK},
                    {
                        "type": "tool_result",
                        "tool_use_id": "c",
                        "content": [
                            {"type": "text", "text": "seen"},
                            {
                                "type": "image",
                                "source": {
                                    "type": "base64",
                                    "media_type": "image/png",
                                    "data": "iVBORw==",
                                },
                            },
                            {"type": "tool_reference", "tool_name": "weather"},
                        ],
                    },
                    {"type": "text", "text": "go on"},
                ],
            }
        ],
    ),
    "the provider's own tools": (
        (
            user("hi"),
            assistant(
                Opaque(
                    dialect="anthropic",
                    value={
                        "type": "server_tool_use",
                        "id": "srvtoolu_1",
                        "name": "web_search",
                        "input": {"query": "x"},
                    },
                ),
                Opaque(
                    dialect="anthropic",
                    value={
                        "type": "web_search_tool_result",
                        "tool_use_id": "srvtoolu_1",
                        "content": [],
                    },
                ),
            ),
        ),
        [
            HI,
            {
                "role": "assistant",
                "content": [
                    {
                        "type": "server_tool_use",
                        "id": "srvtoolu_1",
                        "name": "web_search",
                        "input": {"query": "x"},
                    },
                    {"type": "web_search_tool_result", "tool_use_id": "srvtoolu_1", "content": []},
                ],
            },
        ],
    ),
    "a system message in the middle": (
        (user("hi"), system("be brief")),
        [HI, {"role": "system", "content": "be brief"}],
    ),
}


@pytest.mark.parametrize(("messages", "wire"), MESSAGES.values(), ids=MESSAGES.keys())
def test_messages_are_the_same_both_ways(messages: tuple[Message, ...], wire: list[Json]) -> None:
    body = sent(Request(messages=messages))
    assert_valid(body, "anthropic.request")
    assert body["messages"] == wire
    assert taken(messages=wire).messages == messages


NEVER_SENT: dict[str, tuple[tuple[Message, ...], list[Json]]] = {
    "empty text": ((user("hi"), assistant(""), user("", "hi")), [HI, HI]),
    "an unsigned thought": ((user("hi"), assistant(Thinking(text="hm"))), [HI]),
    "another dialect's block": (
        (user("hi", Opaque(dialect="gemini", value={"fileData": {}})),),
        [HI],
    ),
    "another dialect's mark": (
        (user(Text(text="hi", artefact=Artefact(dialect="openai_chat", value={"x": 1}))),),
        [HI],
    ),
    "a result after words": (
        (user("hi", ToolResult(id="a")),),
        [
            {
                "role": "user",
                "content": [
                    {"type": "tool_result", "tool_use_id": "a"},
                    {"type": "text", "text": "hi"},
                ],
            }
        ],
    ),
    "a system message first": ((system("be kind"), user("hi")), [HI]),
    "arguments that are no object": (
        (assistant(ToolCall(id="a", name="f", arguments="[1")),),
        [
            {
                "role": "assistant",
                "content": [{"type": "tool_use", "id": "a", "name": "f", "input": {"_raw": "[1"}}],
            }
        ],
    ),
    "a document of marked-up text": (
        (user(Document(data="ß".encode(), mime="text/markdown")),),
        [
            {
                "role": "user",
                "content": [
                    {
                        "type": "document",
                        "source": {"type": "text", "media_type": "text/plain", "data": "ß"},
                    }
                ],
            }
        ],
    ),
}


@pytest.mark.parametrize(("messages", "wire"), NEVER_SENT.values(), ids=NEVER_SENT.keys())
def test_never_sends_what_the_api_refuses(messages: tuple[Message, ...], wire: list[Json]) -> None:
    body = sent(Request(messages=messages))
    assert body["messages"] == wire
    assert_valid(body, "anthropic.request")


def test_foreign_thinking_goes_out_to_clients_sealed_and_comes_back() -> None:
    foreign = Artefact(dialect="gemini", value={"thoughtSignature": "abc"})
    block: JsonObject = {"type": "thinking", "thinking": "hm", "signature": seal(foreign)}
    request = taken(messages=[HI, {"role": "assistant", "content": [block]}])
    assert request.messages[1] == assistant(Thinking(text="hm", artefact=foreign))
    # To a target of this dialect it means nothing, and an unsigned thought is refused there.
    assert sent(request)["messages"] == [HI]


def taken(**fields: Json) -> Request:
    body: JsonObject = {"model": "m", "max_tokens": 1, "messages": [HI]}
    return DIALECT.decode_request({**body, **fields}).request


def sent(request: Request) -> JsonObject:
    call = DIALECT.encode_request(request, model="m", stream=False, wire=Wire())
    return object_at(read(call.body), "body")
