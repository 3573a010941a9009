"""Bad input is named by its place, in every dialect: never a KeyError, never a stack overflow."""

import pytest

from majordomo.contract import Json, JsonObject, Malformed
from majordomo.dialects.json import object_at, read
from support.translation import dialect_named

DEEP = '{"a":' * 100_000 + "1" + "}" * 100_000

NO_JSON: dict[str, bytes] = {
    "not JSON": b"hello",
    "half of it": b'{"model": "m", "mess',
    "two values": b"{} {}",
    "invalid UTF-8": b'{"model": "\xff"}',
    "nested too deeply": DEEP.encode(),
    "nothing": b"",
    "a list": b"[]",
    "a string": b'"hi"',
    "null": b"null",
    "NaN": b'{"temperature": NaN}',
}


@pytest.mark.parametrize("body", NO_JSON.values(), ids=NO_JSON.keys())
def test_what_is_no_json_object_is_said_to_be_none(body: bytes) -> None:
    with pytest.raises(Malformed, match=r"^the body is n"):
        object_at(read(body, "the body"), "the body")


def chat(**fields: Json) -> JsonObject:
    return {"model": "m", "messages": said("hi"), **fields}


def messages(**fields: Json) -> JsonObject:
    return {**chat(max_tokens=9), **fields}


def responses(**fields: Json) -> JsonObject:
    return {"model": "m", "input": "hi", **fields}


def gemini(**fields: Json) -> JsonObject:
    return {"contents": [{"role": "user", "parts": [{"text": "hi"}]}], **fields}


def said(content: Json, role: Json = "user") -> list[Json]:
    return [{"role": role, "content": content}]


BAD: dict[str, tuple[str, JsonObject, str]] = {
    # OpenAI Chat
    "chat: no messages": ("openai_chat", {"model": "m"}, r"messages"),
    "chat: empty messages": ("openai_chat", chat(messages=[]), r"messages"),
    "chat: messages are an object": ("openai_chat", chat(messages={}), r"^messages is not a list"),
    "chat: a message is a string": ("openai_chat", chat(messages=["hi"]), r"^messages\[0\]"),
    "chat: an unknown role": ("openai_chat", chat(messages=said("x", "wizard")), r"messages\[0\]"),
    "chat: a role is a number": ("openai_chat", chat(messages=said("x", 7)), r"messages\[0\]"),
    "chat: a part without a type": (
        "openai_chat",
        chat(messages=said([{"text": "x"}])),
        r"messages\[0\]\.content\[0\]",
    ),
    "chat: text that is a number": (
        "openai_chat",
        chat(messages=said([{"type": "text", "text": 7}])),
        r"messages\[0\]\.content\[0\]",
    ),
    "chat: an image that is no base64": (
        "openai_chat",
        chat(
            messages=said([{"type": "image_url", "image_url": {"url": "data:image/png;base64,*"}}])
        ),
        r"messages\[0\]\.content\[0\].*base64",
    ),
    "chat: a tool without a name": (
        "openai_chat",
        chat(tools=[{"type": "function", "function": {}}]),
        r"tools\[0\]",
    ),
    "chat: tools are a string": ("openai_chat", chat(tools="f"), r"^tools"),
    "chat: temperature is a string": ("openai_chat", chat(temperature="hot"), r"^temperature"),
    "chat: stream is a string": ("openai_chat", chat(stream="yes"), r"^stream"),
    "chat: model is missing": (
        "openai_chat",
        {"messages": [{"role": "user", "content": "x"}]},
        r"^model",
    ),
    # OpenAI Responses
    "responses: input is a number": ("openai_responses", responses(input=7), r"^input"),
    "responses: an item without a type": ("openai_responses", responses(input=[{}]), r"input\[0\]"),
    "responses: a call without a name": (
        "openai_responses",
        responses(input=[{"type": "function_call", "call_id": "c", "arguments": "{}"}]),
        r"input\[0\]",
    ),
    "responses: an unknown role": (
        "openai_responses",
        responses(input=said("x", "wizard")),
        r"input\[0\]",
    ),
    "responses: tools are an object": ("openai_responses", responses(tools={}), r"^tools"),
    # Anthropic
    "anthropic: messages are missing": (
        "anthropic",
        {"model": "m", "max_tokens": 9},
        r"messages",
    ),
    "anthropic: an unknown role": (
        "anthropic",
        messages(messages=said("x", "wizard")),
        r"messages\[0\]",
    ),
    "anthropic: a block without a type": (
        "anthropic",
        messages(messages=said([{}])),
        r"messages\[0\]\.content\[0\]",
    ),
    "anthropic: an image without a source": (
        "anthropic",
        messages(messages=said([{"type": "image"}])),
        r"messages\[0\]\.content\[0\]\.source",
    ),
    "anthropic: a source that is a string": (
        "anthropic",
        messages(messages=said([{"type": "image", "source": "x"}])),
        r"messages\[0\]\.content\[0\]\.source",
    ),
    "anthropic: a result without an id": (
        "anthropic",
        messages(messages=said([{"type": "tool_result", "content": "x"}])),
        r"messages\[0\]\.content\[0\]",
    ),
    "anthropic: a tool without a name": (
        "anthropic",
        messages(tools=[{"input_schema": {}}]),
        r"tools\[0\]",
    ),
    "anthropic: max_tokens is a string": ("anthropic", messages(max_tokens="9"), r"^max_tokens"),
    # Ollama
    "ollama: model is missing": ("ollama", {"messages": []}, r"^model"),
    "ollama: messages are a string": ("ollama", chat(messages="hi"), r"^messages"),
    "ollama: an unknown role": ("ollama", chat(messages=said("x", "wizard")), r"messages\[0\]"),
    "ollama: an image that is no base64": (
        "ollama",
        chat(messages=[{"role": "user", "content": "x", "images": ["***"]}]),
        r"messages\[0\]\.images\[0\]",
    ),
    "ollama: options are a list": ("ollama", chat(options=[1]), r"^options"),
    # Gemini
    "gemini: contents are missing": ("gemini", {}, r"contents"),
    "gemini: an unknown role": (
        "gemini",
        gemini(contents=[{"role": "wizard", "parts": []}]),
        r"contents\[0\]",
    ),
    "gemini: parts are a string": (
        "gemini",
        gemini(contents=[{"role": "user", "parts": "x"}]),
        r"contents\[0\]\.parts",
    ),
    "gemini: a part that is nothing": (
        "gemini",
        gemini(contents=[{"role": "user", "parts": [7]}]),
        r"contents\[0\]\.parts\[0\]",
    ),
    "gemini: data that is no base64": (
        "gemini",
        gemini(
            contents=[{"parts": [{"inlineData": {"mimeType": "image/png", "data": "*"}}]}],
        ),
        r"contents\[0\]\.parts\[0\]",
    ),
    "gemini: a call without a name": (
        "gemini",
        gemini(contents=[{"role": "model", "parts": [{"functionCall": {"args": {}}}]}]),
        r"contents\[0\]\.parts\[0\]",
    ),
}


@pytest.mark.parametrize(("name", "body", "place"), BAD.values(), ids=BAD.keys())
def test_bad_input_is_named_by_its_place(name: str, body: JsonObject, place: str) -> None:
    with pytest.raises(Malformed, match=place):
        dialect_named(name).decode_request(body, model="m" if name == "gemini" else "")
