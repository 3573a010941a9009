"""What real servers replied and real clients asked, byte for byte."""

from pathlib import Path

import pytest

from majordomo.contract import Json, JsonObject, ModelNotFound, Response, Usage, fold
from majordomo.dialects.dialect import Wire
from majordomo.dialects.json import object_at, read
from majordomo.dialects.openai_responses import DIALECT
from support.cuts import read_bytewise, read_whole

FOLDER = Path(__file__).parents[2] / "recordings" / "openai_responses"
REQUESTS = sorted((FOLDER / "requests").glob("*.json"))


def recorded(name: str) -> tuple[int, bytes]:
    wire = object_at(read((FOLDER / f"{name}.json").read_bytes()), name)
    status, text = wire["status"], wire["text"]
    assert isinstance(status, int)
    assert isinstance(text, str)
    return status, text.encode()


def summary(response: Response) -> tuple[str, list[tuple[str, str]], str, str, str, Usage]:
    calls = [(call.name, call.arguments) for call in response.tool_calls]
    return (
        response.text[:29],
        calls,
        response.finish_reason,
        response.finish_native,
        response.model,
        response.usage,
    )


REPLIES: dict[str, tuple[str, list[tuple[str, str]], str, str, str, Usage]] = {
    "llamacpp-text": (
        "I'm glad you're here! I",
        [],
        "stop",
        "completed",
        "smollm2",
        Usage(input=34, cached=33, output=8),
    ),
    # Its first event names no model; the final response does, when Start has gone out.
    "llamacpp-text-stream": (
        "I'm glad you're here",
        [],
        "stop",
        "completed",
        "",
        Usage(input=34, cached=33, output=6),
    ),
    "llamacpp-tool-stream": (
        "",
        [("get_weather", '{\n"city": "Paris",\n"unit": "c"\n}')],
        "tool_calls",
        "completed",
        "",
        Usage(input=209, cached=208, output=22),
    ),
    "llamacpp-required-tool-ignored-stream": (
        "The weather in Paris is a mix",
        [],
        "stop",
        "completed",
        "",
        Usage(input=222, cached=221, output=80),
    ),
    "transformers-text-stream": (
        "I'm glad you've found",
        [],
        "stop",
        "completed",
        "smol-hf@main",
        Usage(input=32, output=6),
    ),
    # Streamed though nobody asked, and without event lines.
    "transformers-text-unasked-stream": (
        "I'm glad you've found my help",
        [],
        "stop",
        "completed",
        "smol-hf@main",
        Usage(input=32, output=8),
    ),
    "vllm-text": (
        "I'm glad you've found my help",
        [],
        "length",
        "max_output_tokens",
        "smollm2",
        Usage(input=32, output=8),
    ),
    # Its event says completed, its status incomplete: the status is right.
    "vllm-text-stream": (
        "I'm glad you've found",
        [],
        "length",
        "max_output_tokens",
        "smollm2",
        Usage(input=32, output=6),
    ),
    "vllm-tool-stream": (
        "",
        [("get_weather", '"Paris"')],
        "tool_calls",
        "completed",
        "smollm2",
        Usage(input=37, output=48),
    ),
}


@pytest.mark.parametrize("name", REPLIES)
def test_a_real_reply_is_read_however_it_is_cut(name: str) -> None:
    _, body = recorded(name)
    asked = name.endswith("-stream") and "unasked" not in name
    for cut in (read_whole, read_bytewise):
        response = fold(cut(lambda: DIALECT.decoder(stream=asked), body))
        assert summary(response) == REPLIES[name]
        assert isinstance(response.raw, dict)


@pytest.mark.parametrize("name", ["llama-cpp-python-not-found", "ollama-not-found"])
def test_a_server_without_this_dialect_is_not_found(name: str) -> None:
    status, body = recorded(name)
    failure = DIALECT.decode_failure(status, {}, body)
    assert isinstance(failure, ModelNotFound)
    assert "not found" in failure.message.lower()


@pytest.mark.parametrize("path", REQUESTS, ids=lambda path: path.stem)
def test_a_real_request_comes_back_as_it_was(path: Path) -> None:
    body = object_at(read(path.read_bytes()), "body")
    ask = DIALECT.decode_request(body)
    call = DIALECT.encode_request(ask.request, model=ask.model, stream=ask.stream, wire=Wire())
    assert call.path == "/responses"
    assert normal(read(call.body)) == normal(body)


def test_there_are_recordings() -> None:
    assert len(REQUESTS) >= 20


def normal(wire: Json) -> Json:
    """Take away what says nothing: see each line for why."""
    body: JsonObject = {**object_at(wire, "body")}
    if isinstance(body["input"], str):
        body["input"] = [with_content({"role": "user", "content": body["input"]})]
    if body.get("store") is False:
        del body["store"]  # sent unless the client says otherwise
    if body.get("include") == ["reasoning.encrypted_content"]:
        del body["include"]  # likewise
    if body.get("tool_choice") == "auto":
        del body["tool_choice"]  # the default
    return sparse_deep(body)


def sparse_deep(wire: Json) -> Json:
    match wire:
        case dict():
            deep = {name: sparse_deep(value) for name, value in wire.items()}
            kept: JsonObject = {k: v for k, v in deep.items() if v is not None and v != []}
            return with_content(kept) if "role" in kept else kept
        case list():
            return [sparse_deep(item) for item in wire]
        case _:
            return wire


def with_content(item: JsonObject) -> JsonObject:
    """Say a message the long way: its type, and a string as one part of text."""
    said = item.get("content")
    kind = "output_text" if item.get("role") == "assistant" else "input_text"
    content: Json = [{"type": kind, "text": said}] if isinstance(said, str) else said
    return {"type": "message", **item, "content": content}
