"""Replies of real servers and requests of real clients, as they were on the wire."""

from pathlib import Path

import pytest

from majordomo.contract import (
    ContextTooLong,
    Event,
    Failure,
    Finish,
    InvalidRequest,
    Json,
    JsonObject,
    ModelNotFound,
    Overloaded,
    PartDone,
    Start,
    Step,
    TextDelta,
    ToolCall,
    Truncated,
    Unsupported,
    Usage,
    fold,
)
from majordomo.dialects.dialect import Wire
from majordomo.dialects.json import object_at, read
from majordomo.dialects.openai_chat import DIALECT
from support.cuts import read_bytewise, read_whole

FOLDER = Path(__file__).parents[2] / "recordings" / "openai_chat"

# What was said (its beginning), arguments of the calls, finish reason, tokens in and out.
REPLIES: dict[str, tuple[str, list[str], str, int, int]] = {
    "llama-cpp-python-chat-json-object": ('{\n  "name": "Alejandro",', [], "length", 35, 60),
    "llama-cpp-python-chat-logprobs": ("Hello!", [], "length", 31, 2),
    "llama-cpp-python-chat-n2": ("Hello, I's", [], "length", 31, 4),
    "llama-cpp-python-chat-no-messages": ("When it comes to buildin", [], "stop", 4, 195),
    "llama-cpp-python-chat-stop": ("The number of people who", [], "stop", 38, 23),
    "llama-cpp-python-chat-stream": ("I'm glad you're", [], "length", 0, 0),
    "llama-cpp-python-chat-tool-auto": ("Paris, the City of Light", [], "length", 37, 60),
    "llama-cpp-python-chat-tool-named": (
        "",
        ['{ "city": "Paris" , "unit": "c"}'],
        "tool_calls",
        37,
        15,
    ),
    "llama-cpp-python-chat-tool-required": ("Paris, the City of Light", [], "length", 37, 80),
    "llama-cpp-python-chat-tool-stream": ("Paris, the City of Light", [], "length", 0, 0),
    "llama-cpp-python-chat-unknown-model": ("Hello!", [], "length", 31, 2),
    "llama-cpp-python-chat": ("I'm glad you're here! I'", [], "length", 32, 16),
    "llama-cpp-python-functions-chat-tool-auto": ("Paris, the City of Light", [], "length", 16, 60),
    "llama-cpp-python-functions-chat-tool-named": (
        "",
        ['{ "city": "Paris", "unit": "c"}'],
        "tool_calls",
        23,
        14,
    ),
    "llamacpp-chat-bad-role": ("🌟", [], "length", 27, 4),
    "llamacpp-chat-json-object": ('{\n    "name": "Alejandro', [], "length", 37, 60),
    "llamacpp-chat-json-schema": ('{\n    "name": "Alejandro', [], "stop", 35, 27),
    "llamacpp-chat-logprobs": ("Hello there", [], "length", 33, 2),
    "llamacpp-chat-stop": ("I'm sorry for your loss", [], "stop", 40, 7),
    "llamacpp-chat-stream": ("I'm glad you're", [], "length", 34, 5),
    "llamacpp-chat-tool-auto": ("The weather in Paris is ", [], "length", 222, 60),
    "llamacpp-chat-tool-named": ("The weather in Paris is ", [], "stop", 222, 60),
    "llamacpp-chat-tool-required": ("The weather in Paris is ", [], "length", 222, 80),
    "llamacpp-chat-tool-result": ("<tool_response>\n18 degre", [], "stop", 286, 18),
    "llamacpp-chat-tool-stream": ("The weather in Paris is ", [], "length", 0, 0),
    "llamacpp-chat-unknown-model": ("I hope", [], "length", 33, 2),
    "llamacpp-chat": ("I'm glad you're here! I'", [], "length", 34, 16),
    "llamacpp-functionary-chat-tool-required": (
        "",
        ['{\n"city": "Paris",\n"unit": "c"\n}'],
        "tool_calls",
        209,
        22,
    ),
    "llamacpp-functionary-chat-tool-stream": (
        "",
        ['{\n"city": "Paris",\n"unit": "c"\n}'],
        "tool_calls",
        0,
        0,
    ),
    "ollama-chat-json-schema": ('{\n  "name" : ",<NAME>,"\n', [], "stop", 12, 34),
    "ollama-chat-stream": ("Paris, France's", [], "length", 16, 4),
    "ollama-chat-tools": ("The weather in Paris, Fr", [], "length", 161, 40),
    "ollama-chat": ("Paris, France, is a city", [], "length", 16, 8),
    "transformers-chat-json-schema": ("A person with a passion ", [], "length", 33, 60),
    "transformers-chat-logprobs": ("Hello!", [], "length", 31, 2),
    "transformers-chat-stop": ("The number of people who", [], "stop", 38, 24),
    "transformers-chat-stream": ("I'm glad you've", [], "length", 32, 5),
    "transformers-chat-tool-required": ("Paris, the City of Light", [], "length", 37, 80),
    "transformers-chat": ("I'm glad you've found my", [], "length", 32, 16),
    "vllm-chat-bad-role": ("Hello, how are", [], "length", 31, 4),
    "vllm-chat-json-object": ('{\n  "name": "Alejandro",', [], "length", 35, 60),
    "vllm-chat-json-schema": ('{\n  "name": "Ethan"\n\n,\n"', [], "stop", 33, 23),
    "vllm-chat-logprobs": ("Hello!", [], "length", 31, 2),
    "vllm-chat-n2": ("Hello! How can", [], "length", 31, 8),
    "vllm-chat-stop": ("The number of people who", [], "stop", 38, 24),
    "vllm-chat-stream": ("I'm glad you've", [], "length", 32, 5),
    "vllm-chat-tool-auto": ("Paris, the City of Light", [], "length", 37, 60),
    "vllm-chat-tool-named": ("", ['"Paris"'], "tool_calls", 37, 48),
    "vllm-chat-tool-required": ("", ['"Paris"'], "tool_calls", 37, 48),
    "vllm-chat-tool-result": ("The weather in Paris is ", [], "stop", 53, 27),
    "vllm-chat-tool-stream": ("", ['"Paris"'], "tool_calls", 0, 0),
    "vllm-chat": ("I'm glad you've found my", [], "length", 32, 16),
}

FAILURES: dict[str, tuple[type[Failure], str]] = {
    "llama-cpp-python-chat-bad-role": (Overloaded, "internal_server_error"),
    "llama-cpp-python-chat-image-unsupported": (Overloaded, "internal_server_error"),
    "llama-cpp-python-chat-json-schema": (Overloaded, "internal_server_error"),
    "llama-cpp-python-chat-too-long": (ContextTooLong, "context_length_exceeded"),
    "llama-cpp-python-chat-tool-result": (Overloaded, "internal_server_error"),
    "llama-cpp-python-functions-chat-tool-required": (Overloaded, "internal_server_error"),
    "llama-cpp-python-functions-chat-tool-result": (Overloaded, "internal_server_error"),
    "llamacpp-chat-image-unsupported": (Unsupported, "server_error"),
    "llamacpp-chat-n2": (InvalidRequest, "invalid_request_error"),
    "llamacpp-chat-no-messages": (InvalidRequest, "invalid_request_error"),
    "llamacpp-chat-too-long": (ContextTooLong, "exceed_context_size_error"),
    "llamacpp-functionary-chat-tool-auto": (Overloaded, "server_error"),
    "llamacpp-functionary-chat-tool-named": (Overloaded, "server_error"),
    "llamacpp-functionary-chat-tool-result": (Overloaded, "server_error"),
    "llamacpp-functionary-chat": (Overloaded, "server_error"),
    "ollama-unknown-model": (ModelNotFound, "api_error"),
    "transformers-chat-no-messages": (Overloaded, ""),
    "transformers-chat-unknown-model": (ModelNotFound, ""),
    "vllm-chat-image-unsupported": (Unsupported, "BadRequestError"),
    "vllm-chat-no-messages": (InvalidRequest, "Bad Request"),
    "vllm-chat-too-long": (ContextTooLong, "BadRequestError"),
    "vllm-chat-unknown-model": (ModelNotFound, "NotFoundError"),
}

EMPTY = ["llama-cpp-python-functions-chat-tool-stream"]  # a 200 without a body


@pytest.mark.parametrize(("name", "expected"), REPLIES.items(), ids=REPLIES.keys())
def test_a_real_reply_is_understood(
    name: str, expected: tuple[str, list[str], str, int, int]
) -> None:
    recording = load(name)
    asked = object_at(recording["request"], "request").get("stream") is True

    def decoder() -> Step[bytes, Event]:
        return DIALECT.decoder(stream=asked)

    whole = fold(read_whole(decoder, body(recording)))
    arguments = [call.arguments for call in whole.tool_calls]
    text, *_ = expected
    said = whole.text[: len(text)]
    usage = whole.usage
    assert (said, arguments, whole.finish_reason, usage.input, usage.output) == expected
    assert fold(read_bytewise(decoder, body(recording))) == whole


@pytest.mark.parametrize(("name", "expected"), FAILURES.items(), ids=FAILURES.keys())
def test_a_real_error_is_sorted(name: str, expected: tuple[type[Failure], str]) -> None:
    recording = load(name)
    status = recording["status"]
    assert isinstance(status, int)
    failure = DIALECT.decode_failure(status, {}, body(recording))
    assert (type(failure), failure.code) == expected
    assert failure.message


@pytest.mark.parametrize("name", EMPTY)
def test_a_real_empty_reply_is_truncated(name: str) -> None:
    with pytest.raises(Truncated):
        _ = read_whole(lambda: DIALECT.decoder(stream=True), body(load(name)))


def test_the_golden_stream_is_told_event_by_event() -> None:
    wire = (FOLDER.parents[1] / "wire" / "golden" / "openai.chat.stream.sse").read_bytes()
    assert read_whole(lambda: DIALECT.decoder(stream=True), wire) == [
        Start(model="m", id="chatcmpl-1"),
        TextDelta(text="Let me "),
        TextDelta(text="check."),
        PartDone(part=ToolCall(id="call_a", name="get_weather", arguments='{"city":"Paris"}')),
        PartDone(part=ToolCall(id="call_b", name="now", arguments="{}")),
        Finish(
            reason="tool_calls",
            native="tool_calls",
            usage=Usage(input=11, cached=4, output=7, reasoning=2),
        ),
    ]


def test_no_recording_is_left_out() -> None:
    assert {path.stem for path in FOLDER.glob("*.json")} == {*REPLIES, *FAILURES, *EMPTY}


REQUESTS = {path.stem: path for path in sorted((FOLDER / "requests").glob("*.json"))}


@pytest.mark.parametrize("path", REQUESTS.values(), ids=REQUESTS.keys())
def test_a_real_request_loses_nothing_on_the_way_through(path: Path) -> None:
    sent = object_at(read(path.read_bytes()), "request")
    ask = DIALECT.decode_request(sent)
    wire = Wire(stream_usage=ask.stream_usage)
    call = DIALECT.encode_request(ask.request, model=ask.model, stream=ask.stream, wire=wire)
    assert normal(read(call.body)) == normal(sent)


def normal(wire: Json) -> Json:
    """Drop what says nothing: nulls, defaults spelt out, one text part instead of a string."""
    match wire:
        case [{"type": "text", "text": str(text)} as only] if len(only) == 2:
            return text
        case list():
            return [normal(item) for item in wire]
        case dict():
            return {
                name: normal(value)
                for name, value in wire.items()
                if value is not None and DEFAULTS.get(name, ...) != value
            }
        case _:
            return wire


DEFAULTS: JsonObject = {"stream": False, "tool_choice": "auto", "content": ""}


def load(name: str) -> JsonObject:
    return object_at(read((FOLDER / f"{name}.json").read_bytes()), name)


def body(recording: JsonObject) -> bytes:
    text = recording["text"]
    assert isinstance(text, str)
    return text.encode()
