"""Streams of the compatible servers, each with its quirk."""

from collections.abc import Iterable

import pytest

from majordomo.contract import (
    Artefact,
    Event,
    Image,
    JsonObject,
    Opaque,
    Part,
    Response,
    Text,
    TextDelta,
    Thinking,
    ThinkingDelta,
    ToolCall,
    Usage,
    fold,
    pump,
)
from majordomo.dialects.json import write
from majordomo.dialects.openai_chat import DIALECT
from majordomo.dialects.sse import encode_sse
from support.chat_stream import DONE, calls, chunk, fragment

START = chunk({"role": "assistant", "content": ""})
STOP = chunk({}, "stop")
USAGE: JsonObject = {"prompt_tokens": 3, "completion_tokens": 2, "total_tokens": 5}
COUNTED = Usage(input=3, output=2)
USAGE_CHUNK = encode_sse(write({"id": "x1", "model": "m", "choices": [], "usage": USAGE}))


def thought(text: str, value: JsonObject) -> Thinking:
    return Thinking(text=text, artefact=Artefact(dialect="openai_chat", value=value))


DETAIL: JsonObject = {"type": "reasoning.text", "text": "hm", "index": 0, "format": "a"}
SIGNED: JsonObject = {"type": "reasoning.text", "text": "", "signature": "s", "index": 0}
HIDDEN: JsonObject = {"type": "reasoning.encrypted", "data": "xx", "index": 1}

# name: (bytes, parts, finish reason, usage)
ROWS: dict[str, tuple[bytes, tuple[Part, ...], str, Usage]] = {
    "usage chunk": (
        START + chunk({"content": "hi"}) + STOP + USAGE_CHUNK + DONE,
        (Text(text="hi"),),
        "stop",
        COUNTED,
    ),
    "usage on every chunk (vLLM)": (
        START
        + chunk({"content": "a"}, usage={**USAGE, "completion_tokens": 1})
        + chunk({"content": "b"}, "stop", usage=USAGE)
        + DONE,
        (Text(text="ab"),),
        "stop",
        COUNTED,
    ),
    "usage in x_groq": (
        START + chunk({"content": "hi"}) + chunk({}, "stop", x_groq={"usage": USAGE}) + DONE,
        (Text(text="hi"),),
        "stop",
        COUNTED,
    ),
    "DeepSeek's cache counts": (
        START
        + chunk({"content": "hi"}, "stop", usage={**USAGE, "prompt_cache_hit_tokens": 2})
        + DONE,
        (Text(text="hi"),),
        "stop",
        Usage(input=3, output=2, cached=2),
    ),
    "no [DONE] at all": (
        START + chunk({"content": "hi"}) + STOP + USAGE_CHUNK,
        (Text(text="hi"),),
        "stop",
        COUNTED,
    ),
    "last event without its blank line": (
        (START + chunk({"content": "hi"}, "stop")).rstrip(b"\n"),
        (Text(text="hi"),),
        "stop",
        Usage(),
    ),
    "comments while it waits (OpenRouter, llama.cpp, DeepSeek)": (
        b": OPENROUTER PROCESSING\n\n:\n\n: keep-alive\n\n"
        + START
        + b":\n\n"
        + chunk({"content": "hi"}, "stop")
        + DONE,
        (Text(text="hi"),),
        "stop",
        Usage(),
    ),
    "a byte order mark, CRLF and no space after the colon (proxies)": (
        b"\xef\xbb\xbf"
        + (START + chunk({"content": "hi"}, "stop") + DONE)
        .replace(b"data: ", b"data:")
        .replace(b"\n", b"\r\n"),
        (Text(text="hi"),),
        "stop",
        Usage(),
    ),
    "events with empty data": (
        START + b"data:\n\ndata: \n\n" + chunk({"content": "hi"}, "stop") + DONE,
        (Text(text="hi"),),
        "stop",
        Usage(),
    ),
    "llama.cpp's first chunk": (
        chunk({"role": "assistant", "content": None})
        + chunk({"content": "hi"}, timings={"prompt_n": 1})
        + STOP
        + DONE,
        (Text(text="hi"),),
        "stop",
        Usage(),
    ),
    "Azure's filter results first": (
        encode_sse(write({"id": "", "model": "", "choices": [], "prompt_filter_results": []}))
        + START
        + chunk({"content": "hi"}, "stop")
        + DONE,
        (Text(text="hi"),),
        "stop",
        Usage(),
    ),
    "choices null": (
        START + chunk({"content": "hi"}, "stop") + chunk(choices=None) + DONE,
        (Text(text="hi"),),
        "stop",
        Usage(),
    ),
    "an empty finish_reason means none": (
        START + chunk({"content": "hi"}, "") + chunk({"content": "!"}, "stop") + DONE,
        (Text(text="hi!"),),
        "stop",
        Usage(),
    ),
    "a second choice is not ours": (
        START
        + chunk(choices=[{"index": 1, "delta": {"content": "no"}, "finish_reason": None}])
        + chunk({"content": "hi"}, "stop")
        + DONE,
        (Text(text="hi"),),
        "stop",
        Usage(),
    ),
    "anything after [DONE]": (
        START + chunk({"content": "hi"}, "stop") + DONE + b"data: {oops\n\n" + DONE,
        (Text(text="hi"),),
        "stop",
        Usage(),
    ),
    "the last chunk as a whole message": (
        START + chunk(choices=[{"message": {"content": "hi"}, "finish_reason": "stop"}]) + DONE,
        (Text(text="hi"),),
        "stop",
        Usage(),
    ),
    "reasoning_content (DeepSeek, llama.cpp)": (
        START
        + chunk({"reasoning_content": "h", "content": None})
        + chunk({"reasoning_content": "m", "content": ""})
        + chunk({"reasoning_content": None, "content": "hi"})
        + STOP
        + DONE,
        (thought("hm", {"field": "reasoning_content"}), Text(text="hi")),
        "stop",
        Usage(),
    ),
    "reasoning (Ollama, vLLM, Groq)": (
        START + chunk({"reasoning": "hm"}) + chunk({"content": "hi"}, "stop") + DONE,
        (thought("hm", {"field": "reasoning"}), Text(text="hi")),
        "stop",
        Usage(),
    ),
    "both fields alike": (
        START
        + chunk({"reasoning": "hm", "reasoning_content": "hm", "content": "hi"}, "stop")
        + DONE,
        (thought("hm", {"field": "reasoning_content"}), Text(text="hi")),
        "stop",
        Usage(),
    ),
    "reasoning that ends in a call": (
        START
        + chunk({"reasoning": "hm"})
        + calls(fragment("{}", name="f", index=0, id="a"))
        + chunk({}, "tool_calls")
        + DONE,
        (thought("hm", {"field": "reasoning"}), ToolCall(id="a", name="f", arguments="{}")),
        "tool_calls",
        Usage(),
    ),
    "OpenRouter's details, cut in pieces": (
        START
        + chunk({"reasoning": "hm", "reasoning_details": [DETAIL]})
        + chunk({"reasoning": "!", "reasoning_details": [{**DETAIL, "text": "!"}]})
        + chunk({"reasoning_details": [SIGNED]})
        + chunk({"reasoning_details": [HIDDEN]})
        + chunk({"content": "hi"}, "stop")
        + DONE,
        (
            thought(
                "hm!",
                {
                    "field": "reasoning",
                    "reasoning_details": [{**DETAIL, "text": "hm!", "signature": "s"}, HIDDEN],
                },
            ),
            Text(text="hi"),
        ),
        "stop",
        Usage(),
    ),
    "details that are all there is": (
        START + chunk({"reasoning_details": [DETAIL]}) + chunk({"content": "hi"}, "stop") + DONE,
        (thought("hm", {"reasoning_details": [DETAIL]}), Text(text="hi")),
        "stop",
        Usage(),
    ),
    "encrypted details that come late do not break the text": (
        START
        + chunk({"content": "h"})
        + chunk({"content": "i", "reasoning_details": [HIDDEN]})
        + STOP
        + DONE,
        (Text(text="hi"), thought("", {"reasoning_details": [HIDDEN]})),
        "stop",
        Usage(),
    ),
    "Mistral's list of parts": (
        START
        + chunk({"content": [{"type": "thinking", "thinking": [{"type": "text", "text": "h"}]}]})
        + chunk({"content": [{"type": "thinking", "thinking": [{"type": "text", "text": "m"}]}]})
        + chunk({"content": [{"type": "text", "text": "hi"}]})
        + chunk({"content": [{"type": "reference", "reference_ids": [1]}]})
        + STOP
        + DONE,
        (
            thought("hm", {"part": {"type": "thinking"}}),
            Text(text="hi"),
            Opaque(dialect="openai_chat", value={"type": "reference", "reference_ids": [1]}),
        ),
        "stop",
        Usage(),
    ),
    "thinking among the content after thinking beside it": (
        START
        + chunk({"reasoning": "a"})
        + chunk({"content": [{"type": "thinking", "thinking": "b"}]})
        + chunk({"content": "hi"}, "stop")
        + DONE,
        (
            thought("a", {"field": "reasoning"}),
            thought("b", {"part": {"type": "thinking"}}),
            Text(text="hi"),
        ),
        "stop",
        Usage(),
    ),
    "an image the model drew (OpenRouter)": (
        START
        + chunk({"content": "see"})
        + chunk(
            {"images": [{"type": "image_url", "image_url": {"url": "data:image/png;base64,AA=="}}]},
            "stop",
        )
        + DONE,
        (Text(text="see"), Image(data=b"\x00", mime="image/png")),
        "stop",
        Usage(),
    ),
    "a refusal": (
        START + chunk({"refusal": "I "}) + chunk({"refusal": "won't"}, "stop") + DONE,
        (
            Text(
                text="I won't",
                artefact=Artefact(dialect="openai_chat", value={"type": "refusal"}),
            ),
        ),
        "refusal",
        Usage(),
    ),
    "a refusal after some text": (
        START + chunk({"content": "Well"}) + chunk({"refusal": "no"}, "stop") + DONE,
        (
            Text(text="Well"),
            Text(text="no", artefact=Artefact(dialect="openai_chat", value={"type": "refusal"})),
        ),
        "refusal",
        Usage(),
    ),
    "stop after a named choice (vLLM)": (
        START + calls(fragment("{}", name="f", index=0, id="a")) + STOP + DONE,
        (ToolCall(id="a", name="f", arguments="{}"),),
        "tool_calls",
        Usage(),
    ),
    "tool_calls without a call": (
        START + chunk({"content": "hi"}, "tool_calls") + DONE,
        (Text(text="hi"),),
        "stop",
        Usage(),
    ),
}


@pytest.mark.parametrize(("wire", "parts", "reason", "usage"), ROWS.values(), ids=ROWS.keys())
def test_a_compatible_stream_is_understood(
    wire: bytes, parts: tuple[Part, ...], reason: str, usage: Usage
) -> None:
    for cut in (len(wire), 1, 7):
        reply = read(wire, cut)
        assert reply.parts == parts
        assert (reply.finish_reason, reply.usage) == (reason, usage)
        assert (reply.model, reply.id) == ("m", "x1")


WORDS = {
    "stop": "stop",
    "length": "length",
    "content_filter": "content_filter",
    "eos": "stop",
    "model_length": "length",
    "abort": "cancelled",
    "repetition": "stop",
    "STOP": "stop",
    "MAX_TOKENS": "length",
    "surprise": "unknown",
}


@pytest.mark.parametrize(("word", "reason"), WORDS.items())
def test_every_word_for_the_end_has_a_meaning_and_is_kept(word: str, reason: str) -> None:
    reply = read(START + chunk({"content": "hi"}, word) + DONE)
    assert (reply.finish_reason, reply.finish_native) == (reason, word)


def test_a_matched_stop_string_is_kept() -> None:
    end: JsonObject = {"index": 0, "delta": {}, "finish_reason": "stop", "stop_reason": "END"}
    assert read(START + chunk({"content": "hi"}) + chunk(choices=[end])).stop_sequence == "END"


def test_text_and_thinking_flow_as_they_come() -> None:
    decoder = DIALECT.decoder(stream=True)
    assert told(decoder.feed(START)) == []
    assert told(decoder.feed(chunk({"reasoning": "hm"}))) == ["hm"]
    assert told(decoder.feed(chunk({"content": "hi"}))) == ["hi"]


def told(events: Iterable[Event]) -> list[str]:
    return [event.text for event in events if isinstance(event, TextDelta | ThinkingDelta)]


def read(wire: bytes, cut: int = 0) -> Response:
    size = cut or len(wire)
    pieces = [wire[start : start + size] for start in range(0, len(wire), size)]
    return fold(pump(DIALECT.decoder(stream=True), pieces))
