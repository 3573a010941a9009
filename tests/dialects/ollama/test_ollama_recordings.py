"""True bytes: what a real Ollama answered, what its real client asks, and the golden stream."""

from pathlib import Path

import pytest

from majordomo.contract import (
    Json,
    JsonObject,
    PartDone,
    Start,
    TextDelta,
    ThinkingDelta,
    ToolCall,
    Usage,
    fold,
)
from majordomo.dialects.dialect import Decoder, Wire
from majordomo.dialects.json import list_at, object_at, read
from majordomo.dialects.ollama import DIALECT, decode_generate_request
from support.cuts import read_bytewise, read_whole

TESTS = Path(__file__).parents[2]
FOLDER = TESTS / "recordings" / "ollama"
REPLIES: dict[str, tuple[str, str, Usage]] = {
    "chat": ("Paris, France, is a city renowned", "length", Usage(input=16, output=24)),
    "chat-stream": ("Paris, France's capital", "length", Usage(input=16, output=5)),
    "chat-format-schema": ('{\n  "name"', "stop", Usage(input=12, output=34)),
    "chat-image": ("The first sentence", "length", Usage(input=15, output=3)),
    "chat-tool-result": ("The weather in Paris is 18°C.", "stop", Usage(input=216, output=12)),
    "chat-tools": ("The weather in Paris, France,", "length", Usage(input=161, output=24)),
    "generate": ("In our conversation today", "length", Usage(input=10, output=4)),
}


@pytest.mark.parametrize("case", REPLIES)
def test_reads_what_a_real_server_said(case: str) -> None:
    body = text(recording(f"ollama-{case}.json")["text"]).encode()
    beginning, reason, usage = REPLIES[case]
    for events in (read_whole(decoder, body), read_bytewise(decoder, body)):
        reply = fold(events)
        assert reply.text.startswith(beginning)
        assert (reply.finish_reason, reply.usage, reply.model) == (reason, usage, "smollm2")


@pytest.mark.parametrize(
    ("case", "kind"), [("unknown-model", "ModelNotFound"), ("bad-json", "InvalidRequest")]
)
def test_reads_what_a_real_server_refused(case: str, kind: str) -> None:
    found = recording(f"ollama-chat-{case}.json")
    status, body = found["status"], text(found["text"]).encode()
    assert isinstance(status, int)
    failure = DIALECT.decode_failure(status, {}, body)
    assert type(failure).__name__ == kind
    assert {"error": failure.message} == read(body)


def test_reads_the_golden_stream() -> None:
    wire = (TESTS / "wire" / "golden" / "ollama.stream.ndjson").read_bytes()
    events = read_whole(decoder, wire)
    call = ToolCall(id="call_0", name="get_weather", arguments='{"city":"Paris"}')
    assert events[:-1] == [
        Start(model="m"),
        ThinkingDelta(text="Need weather."),
        TextDelta(text="Let me "),
        TextDelta(text="check."),
        PartDone(part=call),
        PartDone(part=ToolCall(id="call_1", name="now", arguments="{}")),
    ]
    reply = fold(events)
    assert (reply.finish_reason, reply.usage) == ("tool_calls", Usage(input=11, output=7))
    assert fold(read_bytewise(decoder, wire)) == reply


REQUESTS = sorted(path.name for path in (FOLDER / "requests").iterdir())


@pytest.mark.parametrize("name", REQUESTS)
def test_loses_nothing_of_a_real_request(name: str) -> None:
    found = recording(f"requests/{name}")
    body = object_at(found["body"], "body")
    if found["path"] == "/api/generate":
        ask = decode_generate_request(body)
        assert ask.request.system == "s"
        assert ask.request.messages[0].text == "hi"
        return
    ask = DIALECT.decode_request(body)
    call = DIALECT.encode_request(ask.request, model=ask.model, stream=ask.stream, wire=Wire())
    assert normal(object_at(read(call.body), "body")) == normal(body)


def normal(body: JsonObject) -> JsonObject:
    """Drop what changes and means nothing: empty `tools` and `content`, ids we made."""
    kept: JsonObject = {name: value for name, value in body.items() if name != "tools" or value}
    messages: list[Json] = []
    for item in list_at(body["messages"], "messages"):
        message = dict(object_at(item, "message"))
        message.pop("tool_call_id", None)
        if not message.get("content"):
            message.pop("content", None)
        if calls := message.get("tool_calls"):
            message["tool_calls"] = [
                {"function": object_at(call, "call")["function"]} for call in list_at(calls, "")
            ]
        messages.append(message)
    kept["messages"] = messages
    return kept


def recording(name: str) -> JsonObject:
    return object_at(read((FOLDER / name).read_bytes()), name)


def text(value: Json) -> str:
    assert isinstance(value, str)
    return value


def decoder() -> Decoder:
    return DIALECT.decoder(stream=True)
