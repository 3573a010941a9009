"""True bytes: what real servers answered, what real clients ask, and the golden stream."""

from pathlib import Path

import pytest

from majordomo.contract import (
    Artefact,
    Event,
    Finish,
    Image,
    Json,
    JsonObject,
    PartDone,
    Start,
    Text,
    TextDelta,
    Thinking,
    ThinkingDelta,
    ToolCall,
    ToolResult,
    Usage,
    fold,
)
from majordomo.dialects.anthropic import DIALECT
from majordomo.dialects.anthropic.count import decode_count_request, decode_count_response
from majordomo.dialects.dialect import Ask, Decoder, Wire
from majordomo.dialects.json import object_at, read, sparse
from support.cuts import read_bytewise, read_whole

TESTS = Path(__file__).parents[2]
FOLDER = TESTS / "recordings" / "anthropic"
REQUESTS = sorted(path.name for path in (FOLDER / "requests").iterdir())

# The beginning of the text, the calls' arguments, the finish reason, the usage.
REPLIES: dict[str, tuple[str, list[str], str, Usage]] = {
    "llamacpp-messages": (
        "I'm glad you're here!",
        [],
        "length",
        Usage(input=34, cached=26, output=12),
    ),
    "llamacpp-messages-stream": (
        "I'm glad you're here",
        [],
        "length",
        Usage(input=34, cached=33, output=6),
    ),
    "llamacpp-messages-tool-result": (
        "<tool_response>\n18 degrees",
        [],
        "stop",
        Usage(input=284, cached=222, output=16),
    ),
    "llamacpp-messages-tool-stream": (
        "The weather in Paris is a mix",
        [],
        "length",
        Usage(input=222, cached=221, output=80),
    ),
    "llamacpp-functionary-messages-tool-any": (
        "",
        ['{"city":"Paris","unit":"c"}'],
        "tool_calls",
        Usage(input=209, cached=208, output=22),
    ),
    "llamacpp-functionary-messages-tool-stream": (
        "",
        ['{\n"city": "Paris",\n"unit": "c"\n}'],
        "tool_calls",
        Usage(input=209, cached=208, output=22),
    ),
    "vllm-messages": ("I'm glad you've found", [], "length", Usage(input=32, output=12)),
    "vllm-messages-stream": ("I'm glad you've found", [], "length", Usage(input=32, output=6)),
    "vllm-messages-tool-result": ("Paris is a city", [], "length", Usage(input=51, output=20)),
    # What the model wrote is no object; it is handed on as it is, not mended or dropped.
    "vllm-messages-tool-stream": ("", ['"Paris"'], "tool_calls", Usage(input=37, output=48)),
}
REFUSALS: dict[str, tuple[str, str]] = {
    "llamacpp-functionary-messages-tool-result": ("Overloaded", "The model produced output"),
    "vllm-messages-tool-any": ("InvalidRequest", "1 validation error"),
    "llama-cpp-python-messages": ("ModelNotFound", "Not Found"),
    "transformers-messages": ("ModelNotFound", "Not Found"),
    "ollama-messages": ("ModelNotFound", "404 page not found"),
}


@pytest.mark.parametrize("case", REPLIES)
def test_reads_what_a_real_server_said(case: str) -> None:
    body = text(recording(f"{case}.json")["text"]).encode()
    beginning, calls, reason, usage = REPLIES[case]
    for events in (read_whole(decoder, body), read_bytewise(decoder, body)):
        reply = fold(events)
        assert reply.text.startswith(beginning)
        assert [call.arguments for call in reply.tool_calls] == calls
        assert (reply.finish_reason, reply.usage, reply.model) == (reason, usage, "smollm2")


@pytest.mark.parametrize("case", REFUSALS)
def test_reads_what_a_real_server_refused(case: str) -> None:
    found = recording(f"{case}.json")
    status, body = found["status"], text(found["text"]).encode()
    assert isinstance(status, int)
    failure = DIALECT.decode_failure(status, {}, body)
    kind, words = REFUSALS[case]
    assert type(failure).__name__ == kind
    assert failure.message.startswith(words)
    assert failure.status == status


@pytest.mark.parametrize(("server", "tokens"), [("llamacpp", 222), ("vllm", 37)])
def test_reads_what_a_real_server_counted(server: str, tokens: int) -> None:
    body = text(recording(f"{server}-messages-count.json")["text"]).encode()
    assert decode_count_response(body) == tokens


def test_reads_the_golden_stream() -> None:
    wire = (TESTS / "wire" / "golden" / "anthropic.stream.sse").read_bytes()
    signed = Artefact(dialect="anthropic", value={"signature": "EqQB"})
    usage = Usage(input=11, cached=4, output=7, reasoning=2)
    expected: list[Event] = [
        Start(model="m", id="msg_1", usage=Usage(input=11, cached=4, output=1)),
        ThinkingDelta(text="Need weather."),
        PartDone(part=Thinking(text="Need weather.", artefact=signed)),
        TextDelta(text="Let me "),
        TextDelta(text="check."),
        PartDone(part=Text(text="Let me check.")),
        PartDone(part=ToolCall(id="toolu_a", name="get_weather", arguments='{"city":"Paris"}')),
        PartDone(part=ToolCall(id="toolu_b", name="now", arguments="{}")),
        Finish(reason="tool_calls", native="tool_use", usage=usage),
    ]
    assert read_whole(decoder, wire) == expected
    assert read_bytewise(decoder, wire) == expected


@pytest.mark.parametrize("name", REQUESTS)
def test_loses_nothing_of_a_real_request(name: str) -> None:
    body = object_at(recording(f"requests/{name}")["body"], "body")
    ask = asked(name)
    call = DIALECT.encode_request(ask.request, model=ask.model, stream=ask.stream, wire=Wire())
    sent = object_at(read(call.body), "body")
    if "max_tokens" not in body:  # counting does not ask for any; the API's other call must
        del sent["max_tokens"]
    assert normal(sent) == normal(body)


def test_a_picture_inside_a_real_tool_result_is_bytes() -> None:
    request = asked("claude-code-tool-image-02.json").request
    (image,) = [
        part
        for message in request.messages
        for result in message.parts
        if isinstance(result, ToolResult)
        for part in result.content
    ]
    assert isinstance(image, Image)
    assert (image.mime, image.data[:4]) == ("image/png", b"\x89PNG")


def test_a_system_message_with_nothing_but_a_setting_stands_where_it_stood() -> None:
    messages = asked("claude-code-minimal-bash-02.json").request.messages
    empty = [message for message in messages if message.role == "system" and not message.parts]
    assert [message.artefact for message in empty] == [
        Artefact(dialect="anthropic", value={"output_config": {"effort": "medium"}})
    ]


def test_what_claude_code_asks_of_thinking_is_understood() -> None:
    thinking = asked("claude-code-haiku-02.json").request
    assert (thinking.reasoning_budget, thinking.show_thinking) == (4000, False)
    adaptive = asked("claude-code-tui-03.json").request
    assert adaptive.reasoning_effort == "medium"
    assert adaptive.extra["anthropic"]["thinking"] == {"type": "adaptive", "display": "updates"}
    assert {"safeguards", "context_management"} < adaptive.extra["anthropic"].keys()
    title = asked("claude-code-tui-02.json").request
    assert title.schema is not None
    assert "title" in object_at(title.schema["properties"], "properties")


def test_a_thread_is_kept_for_the_gateway_to_refuse() -> None:
    request = asked("js-anthropic-06.json").request
    assert object_at(request.extra["anthropic"]["thread"], "thread")["type"] == "continue"


def normal(body: JsonObject) -> Json:
    """Say the same request in one way.

    The API reads each of these alike: a string and the one text block it stands for, a flag
    at its default and none, an empty list and nothing, an explicit `type: custom`.
    """
    found = sparse(body)
    for name in ("tools", "stream"):
        if not found.get(name):
            found.pop(name, None)
    if found.get("tool_choice") == {"type": "auto"}:
        del found["tool_choice"]
    return _normal(found)


def _normal(wire: Json) -> Json:
    if isinstance(wire, list):
        return [_normal(item) for item in wire]
    if not isinstance(wire, dict):
        return wire
    found = {key: _normal(value) for key, value in wire.items()}
    if isinstance(found.get("content"), str):
        found["content"] = [{"type": "text", "text": found["content"]}]
    if found.get("is_error") is False:
        del found["is_error"]
    return found


def asked(name: str) -> Ask:
    found = recording(f"requests/{name}")
    body = object_at(found["body"], "body")
    if text(found["path"]).endswith("/count_tokens"):
        return decode_count_request(body)
    return DIALECT.decode_request(body)


def decoder() -> Decoder:
    return DIALECT.decoder(stream=True)


def recording(name: str) -> JsonObject:
    return object_at(read((FOLDER / name).read_bytes()), name)


def text(wire: Json) -> str:
    assert isinstance(wire, str)
    return wire
