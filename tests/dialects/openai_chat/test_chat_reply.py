"""Whole replies, replies of the other kind than asked, errors inside a 200, and cut-off ones."""

import pytest

from majordomo.contract import (
    Artefact,
    ContextTooLong,
    Failure,
    Image,
    InvalidRequest,
    Json,
    JsonObject,
    Malformed,
    Overloaded,
    Part,
    RateLimited,
    Response,
    Text,
    Thinking,
    ToolCall,
    Truncated,
    Usage,
    fold,
    pump,
)
from majordomo.dialects.json import write
from majordomo.dialects.openai_chat import DIALECT
from support.chat_stream import DONE, chunk

START = chunk({"role": "assistant", "content": ""})


def reply(message: JsonObject, finish: str = "stop", **fields: Json) -> JsonObject:
    choice: JsonObject = {"index": 0, "message": message, "finish_reason": finish}
    return {"id": "x1", "object": "chat.completion", "model": "m", "choices": [choice], **fields}


def thought(text: str, value: JsonObject) -> Thinking:
    return Thinking(text=text, artefact=Artefact(dialect="openai_chat", value=value))


ROWS: dict[str, tuple[JsonObject, tuple[Part, ...], str]] = {
    "text": (reply({"role": "assistant", "content": "hi"}), (Text(text="hi"),), "stop"),
    "nothing": (reply({"role": "assistant", "content": ""}), (), "stop"),
    "no content key": (reply({"role": "assistant"}), (), "stop"),
    "calls": (
        reply(
            {
                "content": None,
                "tool_calls": [
                    {"id": "a", "type": "function", "function": {"name": "f", "arguments": ""}},
                    {"type": "function", "function": {"name": "g", "arguments": {"x": 1}}},
                ],
            },
            "tool_calls",
        ),
        (
            ToolCall(id="a", name="f", arguments="{}"),
            ToolCall(id="call_1", name="g", arguments='{"x":1}'),
        ),
        "tool_calls",
    ),
    "the deprecated function_call": (
        reply(
            {"content": None, "function_call": {"name": "f", "arguments": "{}"}}, "function_call"
        ),
        (ToolCall(id="call_0", name="f", arguments="{}"),),
        "tool_calls",
    ),
    "stop with calls": (
        reply({"tool_calls": [{"id": "a", "function": {"name": "f", "arguments": "{}"}}]}),
        (ToolCall(id="a", name="f", arguments="{}"),),
        "tool_calls",
    ),
    "reasoning": (
        reply({"content": "hi", "reasoning_content": "hm"}),
        (thought("hm", {"field": "reasoning_content"}), Text(text="hi")),
        "stop",
    ),
    "Mistral's list": (
        reply(
            {
                "content": [
                    {"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]},
                    {"type": "text", "text": "hi"},
                ]
            }
        ),
        (thought("hm", {"part": {"type": "thinking"}}), Text(text="hi")),
        "stop",
    ),
    "refusal": (
        reply({"content": None, "refusal": "no"}),
        (Text(text="no", artefact=Artefact(dialect="openai_chat", value={"type": "refusal"})),),
        "refusal",
    ),
    "image": (
        reply(
            {
                "content": "see",
                "images": [
                    {"type": "image_url", "image_url": {"url": "data:image/png;base64,AA=="}}
                ],
            }
        ),
        (Text(text="see"), Image(data=b"\x00", mime="image/png")),
        "stop",
    ),
}


@pytest.mark.parametrize(("body", "parts", "reason"), ROWS.values(), ids=ROWS.keys())
@pytest.mark.parametrize("stream", [True, False], ids=["asked to stream", "asked whole"])
def test_a_whole_reply_is_read(
    body: JsonObject, parts: tuple[Part, ...], reason: str, *, stream: bool
) -> None:
    response = read(write(body), stream=stream)
    assert response.parts == parts
    assert response.finish_reason == reason
    assert (response.model, response.id, response.raw) == ("m", "x1", body)


def test_usage_is_read_whole() -> None:
    body = reply(
        {"content": "hi"},
        usage={
            "prompt_tokens": 10,
            "completion_tokens": 5,
            "total_tokens": 15,
            "prompt_tokens_details": {"cached_tokens": 4, "cache_write_tokens": 3},
            "completion_tokens_details": {"reasoning_tokens": 2},
        },
    )
    usage = Usage(input=10, cached=4, cache_write=3, output=5, reasoning=2)
    assert read(write(body)).usage == usage


def test_blank_lines_before_the_body_are_skipped() -> None:
    body = b"\n\n \r\n\n" + write(reply({"content": "hi"}))
    assert read(body, stream=False).text == "hi"
    assert fold(pump(DIALECT.decoder(stream=False), [b"\n", b"\n", body])).text == "hi"


def test_a_stream_is_read_though_a_whole_was_asked() -> None:
    wire = START + chunk({"content": "hi"}, "stop") + DONE
    assert read(wire, stream=False).text == "hi"


def error(**fields: Json) -> JsonObject:
    return {"error": {**fields}}


IN_BAND: dict[str, tuple[JsonObject, type[Failure]]] = {
    "OpenRouter, the status as text": (error(code="429", message="slow down"), RateLimited),
    "OpenRouter, at the top": (error(code=429, message="slow down"), RateLimited),
    "OpenRouter, the provider's words": (
        error(code=502, message="Provider returned error", metadata={"raw": "upstream died"}),
        Overloaded,
    ),
    "OpenRouter, in the choice": (
        {"choices": [{"error": {"code": 503, "message": "gone"}, "finish_reason": "error"}]},
        Overloaded,
    ),
    "OpenAI's words": (error(message="x", type="rate_limit_error"), RateLimited),
    "overloaded": (error(message="x", code="server_is_overloaded"), Overloaded),
    "a server error": (error(message="x", type="server_error"), Overloaded),
    "llama.cpp": (
        error(code=400, message="too long", type="exceed_context_size_error"),
        ContextTooLong,
    ),
    "vLLM": (error(code=400, message="bad", type="BadRequestError"), InvalidRequest),
    "a plain string": ({"error": "something broke"}, Overloaded),
    "an error object": (
        {"object": "error", "message": "bad", "type": "invalid_request_error"},
        InvalidRequest,
    ),
}


@pytest.mark.parametrize(("body", "kind"), IN_BAND.values(), ids=IN_BAND.keys())
def test_an_error_inside_a_200_is_raised(body: JsonObject, kind: type[Failure]) -> None:
    for wire in (write(body), START + b"data: " + write(body) + b"\n\n" + DONE):
        with pytest.raises(Failure) as caught:
            read(wire)
        assert type(caught.value) is kind


def test_the_provider_behind_openrouter_is_quoted() -> None:
    body, _ = IN_BAND["OpenRouter, the provider's words"]
    with pytest.raises(Overloaded, match="Provider returned error: upstream died"):
        read(write(body))


def test_an_event_named_error_is_an_error() -> None:
    with pytest.raises(RateLimited, match="slow down"):
        read(START + b'event: error\ndata: {"message":"slow down","type":"rate_limit_error"}\n\n')


@pytest.mark.parametrize("word", ["error", "insufficient_system_resource"])
def test_a_reply_that_ends_in_error_is_a_failure(word: str) -> None:
    for wire in (write(reply({"content": "hi"}, word)), START + chunk({"content": "h"}, word)):
        with pytest.raises(Overloaded, match=word):
            read(wire)


CUT_SHORT: dict[str, bytes] = {
    "an empty body": b"",
    "blank lines": b"\n\n  \n",
    "comments alone": b": keep-alive\n\n",
    "no finish_reason": START + chunk({"content": "hi"}),
    "no finish_reason but [DONE]": START + chunk({"content": "hi"}) + DONE,
    "Ollama's swallowed error": START + chunk({"content": "hi"}) + chunk({}),
    "cut inside an event": START + chunk({"content": "hi"}, "stop")[:-20],
    "cut inside a whole body": write(reply({"content": "hi"}))[:-9],
    "a call nobody finished": START
    + chunk({"tool_calls": [{"index": 0, "id": "a", "function": {"name": "f"}}]}),
}


@pytest.mark.parametrize("wire", CUT_SHORT.values(), ids=CUT_SHORT.keys())
def test_a_reply_without_its_end_is_truncated(wire: bytes) -> None:
    with pytest.raises(Truncated):
        read(wire)


WRONG: dict[str, tuple[bytes, str]] = {
    "an unreadable event": (
        START + b'data: {"garbage\n\n' + chunk({}, "stop") + DONE,
        "event 2 is not valid JSON",
    ),
    "an event that is no object": (START + b"data: 1\n\n", "event 2 is not an object"),
    "bytes that are no text": (START + b'data: {"a":"\xff"}\n\n', "event 2 is not valid"),
    "choices are no list": (START + chunk(choices=1), "event 2.choices is not a list"),
    "a delta that is no object": (
        START + chunk(choices=[{"delta": 1}]),
        "event 2.choices[0].delta is not an object",
    ),
    "no choices at all": (write({"id": "x1", "choices": None}), "choices holds no choice"),
    "an empty list of choices": (write({"choices": []}), "choices holds no choice"),
    "a choice without message": (write({"choices": [{}]}), "choices[0].message is not"),
    "a page": (b"<html>Welcome</html>", "body is not valid JSON"),
    "a list": (b"[1, 2]", "body is not an object"),
    "nested too deeply": (b'{"a":' + b"[" * 100_000, "body is nested too deeply"),
}


@pytest.mark.parametrize(("wire", "complaint"), WRONG.values(), ids=WRONG.keys())
def test_a_malformed_reply_is_named_by_its_place(wire: bytes, complaint: str) -> None:
    with pytest.raises(Malformed) as caught:
        read(wire)
    assert str(caught.value).startswith(complaint)


def read(wire: bytes, *, stream: bool = True) -> Response:
    return fold(pump(DIALECT.decoder(stream=stream), [wire]))
