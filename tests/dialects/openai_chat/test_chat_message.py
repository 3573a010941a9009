"""Messages and their parts: one table both ways."""

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
    tool_results,
    user,
)
from majordomo.dialects.dialect import Wire
from majordomo.dialects.openai_chat.message import decode_messages, encode_messages

PNG = "data:image/png;base64,AAECAw=="
PDF = "data:application/pdf;base64,AAECAw=="
BYTES = b"\x00\x01\x02\x03"


def chat(value: JsonObject) -> Artefact:
    return Artefact(dialect="openai_chat", value=value)


def call(id: str = "c1", name: str = "f", arguments: str = "{}", **more: JsonObject) -> JsonObject:
    function: JsonObject = {"name": name, "arguments": arguments}
    return {"id": id, "type": "function", "function": function, **more}


SAME_BOTH_WAYS: dict[str, tuple[Message, list[JsonObject]]] = {
    "text": (user("hi"), [{"role": "user", "content": "hi"}]),
    "nothing said": (user(), [{"role": "user", "content": ""}]),
    "two texts": (
        user("a", "b"),
        [
            {
                "role": "user",
                "content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}],
            }
        ],
    ),
    "cache mark on a text": (
        user(Text(text="a", artefact=chat({"cache_control": {"type": "ephemeral"}}))),
        [
            {
                "role": "user",
                "content": [{"cache_control": {"type": "ephemeral"}, "type": "text", "text": "a"}],
            }
        ],
    ),
    "name of a speaker": (
        Message(role="user", parts=(Text(text="hi"),), artefact=chat({"name": "Ann"})),
        [{"role": "user", "content": "hi", "name": "Ann"}],
    ),
    "image": (
        user("see", Image(data=BYTES, mime="image/png")),
        [
            {
                "role": "user",
                "content": [
                    {"type": "text", "text": "see"},
                    {"type": "image_url", "image_url": {"url": PNG}},
                ],
            }
        ],
    ),
    "image detail": (
        user(Image(data=BYTES, mime="image/png", artefact=chat({"image_url": {"detail": "low"}}))),
        [
            {
                "role": "user",
                "content": [{"type": "image_url", "image_url": {"url": PNG, "detail": "low"}}],
            }
        ],
    ),
    "image by address": (
        user(
            Opaque(
                dialect="openai_chat",
                value={"type": "image_url", "image_url": {"url": "https://example.org/a.png"}},
            )
        ),
        [
            {
                "role": "user",
                "content": [
                    {"type": "image_url", "image_url": {"url": "https://example.org/a.png"}}
                ],
            }
        ],
    ),
    "document": (
        user(Document(data=BYTES, mime="application/pdf", name="a.pdf")),
        [
            {
                "role": "user",
                "content": [{"type": "file", "file": {"file_data": PDF, "filename": "a.pdf"}}],
            }
        ],
    ),
    "document by id": (
        user(Opaque(dialect="openai_chat", value={"type": "file", "file": {"file_id": "f1"}})),
        [{"role": "user", "content": [{"type": "file", "file": {"file_id": "f1"}}]}],
    ),
    "audio": (
        user(
            Opaque(
                dialect="openai_chat",
                value={"type": "input_audio", "input_audio": {"data": "AA==", "format": "wav"}},
            )
        ),
        [
            {
                "role": "user",
                "content": [
                    {"type": "input_audio", "input_audio": {"data": "AA==", "format": "wav"}}
                ],
            }
        ],
    ),
    "developer": (
        Message(role="system", parts=(Text(text="x"),), artefact=chat({"role": "developer"})),
        [{"role": "developer", "content": "x"}],
    ),
    "answer": (assistant("yes"), [{"role": "assistant", "content": "yes"}]),
    "empty answer": (assistant(), [{"role": "assistant", "content": ""}]),
    "calls": (
        assistant(
            "so",
            ToolCall(id="c1", name="f", arguments="{}"),
            ToolCall(id="c2", name="g", arguments='{"x": 1}'),
        ),
        [
            {
                "role": "assistant",
                "content": "so",
                "tool_calls": [call(), call("c2", "g", '{"x": 1}')],
            }
        ],
    ),
    "call alone": (
        assistant(ToolCall(id="c1", name="f", arguments="{}")),
        [{"role": "assistant", "content": None, "tool_calls": [call()]}],
    ),
    "invalid arguments are kept": (
        assistant(ToolCall(id="c1", name="f", arguments='{"x": ')),
        [{"role": "assistant", "content": None, "tool_calls": [call(arguments='{"x": ')]}],
    ),
    "custom tool call": (
        assistant(
            ToolCall(id="c1", name="sh", arguments="ls -l", artefact=chat({"type": "custom"}))
        ),
        [
            {
                "role": "assistant",
                "content": None,
                "tool_calls": [
                    {"id": "c1", "type": "custom", "custom": {"name": "sh", "input": "ls -l"}}
                ],
            }
        ],
    ),
    "Gemini's signature on a call": (
        assistant(
            ToolCall(
                id="c1",
                name="f",
                arguments="{}",
                artefact=chat({"extra_content": {"google": {"thought_signature": "s"}}}),
            )
        ),
        [
            {
                "role": "assistant",
                "content": None,
                "tool_calls": [call(extra_content={"google": {"thought_signature": "s"}})],
            }
        ],
    ),
    "refusal": (
        assistant(Text(text="no", artefact=chat({"type": "refusal"}))),
        [{"role": "assistant", "content": None, "refusal": "no"}],
    ),
    "DeepSeek's reasoning": (
        assistant(Thinking(text="hm", artefact=chat({"field": "reasoning_content"})), "yes"),
        [{"role": "assistant", "content": "yes", "reasoning_content": "hm"}],
    ),
    "Ollama's reasoning": (
        assistant(Thinking(text="hm", artefact=chat({"field": "reasoning"})), "yes"),
        [{"role": "assistant", "content": "yes", "reasoning": "hm"}],
    ),
    "OpenRouter's reasoning": (
        assistant(
            Thinking(
                text="hm",
                artefact=chat(
                    {
                        "field": "reasoning",
                        "reasoning_details": [
                            {"type": "reasoning.text", "text": "hm", "signature": "s", "index": 0}
                        ],
                    }
                ),
            ),
            "yes",
        ),
        [
            {
                "role": "assistant",
                "content": "yes",
                "reasoning": "hm",
                "reasoning_details": [
                    {"type": "reasoning.text", "text": "hm", "signature": "s", "index": 0}
                ],
            }
        ],
    ),
    "encrypted reasoning without text": (
        assistant(
            Thinking(
                text="",
                artefact=chat(
                    {"reasoning_details": [{"type": "reasoning.encrypted", "data": "xx"}]}
                ),
            ),
            "yes",
        ),
        [
            {
                "role": "assistant",
                "content": "yes",
                "reasoning_details": [{"type": "reasoning.encrypted", "data": "xx"}],
            }
        ],
    ),
    "Mistral's thinking among the content": (
        assistant(Thinking(text="hm", artefact=chat({"part": {"type": "thinking"}})), "yes"),
        [
            {
                "role": "assistant",
                "content": [
                    {"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]},
                    {"type": "text", "text": "yes"},
                ],
            }
        ],
    ),
    "audio of an earlier answer": (
        Message(role="assistant", parts=(), artefact=chat({"audio": {"id": "a1"}})),
        [{"role": "assistant", "content": "", "audio": {"id": "a1"}}],
    ),
    "result": (
        tool_results(ToolResult(id="c1", content=(Text(text="18"),))),
        [{"role": "tool", "tool_call_id": "c1", "content": "18"}],
    ),
    "empty result": (
        tool_results(ToolResult(id="c1")),
        [{"role": "tool", "tool_call_id": "c1", "content": ""}],
    ),
    "failed result": (
        tool_results(ToolResult(id="c1", content=(Text(text="no file"),), is_error=True)),
        [{"role": "tool", "tool_call_id": "c1", "content": "ERROR: no file"}],
    ),
    "failed result that says nothing": (
        tool_results(ToolResult(id="c1", is_error=True)),
        [{"role": "tool", "tool_call_id": "c1", "content": "ERROR: "}],
    ),
    "several results are one message": (
        tool_results(
            ToolResult(id="c1", content=(Text(text="1"),)),
            ToolResult(id="c2", content=(Text(text="2"), Text(text="3"))),
        ),
        [
            {"role": "tool", "tool_call_id": "c1", "content": "1"},
            {
                "role": "tool",
                "tool_call_id": "c2",
                "content": [{"type": "text", "text": "2"}, {"type": "text", "text": "3"}],
            },
        ],
    ),
}


@pytest.mark.parametrize(("message", "wire"), SAME_BOTH_WAYS.values(), ids=SAME_BOTH_WAYS.keys())
def test_a_message_is_the_same_both_ways(message: Message, wire: list[Json]) -> None:
    assert encode(message) == wire
    assert decode_messages(wire) == ("", (message,))


def encode(message: Message) -> list[JsonObject]:
    return list(encode_messages(Request(messages=(message,)), Wire()))
