"""Replies as a server writes them: valid in the SDK's own types for any legal run of events."""

import pytest

from majordomo.contract import (
    UNKNOWN,
    Artefact,
    Document,
    Event,
    Finish,
    Image,
    Json,
    JsonObject,
    Opaque,
    PartDone,
    RateLimited,
    Request,
    Response,
    ResponseDone,
    Start,
    Text,
    TextDelta,
    Thinking,
    ThinkingDelta,
    ToolCall,
    ToolCallDelta,
    Truncated,
    Usage,
    pump,
    user,
)
from majordomo.dialects.artefact import unseal
from majordomo.dialects.dialect import Ask, Stamp
from majordomo.dialects.json import list_at, object_at, read
from majordomo.dialects.openai_chat import DIALECT
from support.schemas import assert_valid

STAMP = Stamp(id="1", created=1_700_000_000, model="m")
USAGE = Usage(input=10, cached=4, output=5, reasoning=2)
END = Finish(reason="stop", usage=USAGE)
CALL = ToolCall(id="a", name="f", arguments='{"x":1}')
FOREIGN = Artefact(dialect="anthropic", value={"signature": "s"})
EXTENSIONS = ("reasoning_content", "reasoning_details", "images")  # no SDK type has these

SEQUENCES: dict[str, list[Event]] = {
    "nothing but the end": [END],
    "a start and the end": [Start(model="x"), END],
    "text without a start": [TextDelta(text="hi"), END],
    "text given twice": [TextDelta(text="hi"), PartDone(part=Text(text="hi")), END],
    "text given whole": [PartDone(part=Text(text="hi")), END],
    "two texts": [PartDone(part=Text(text="a")), PartDone(part=Text(text="b")), END],
    "an empty delta": [TextDelta(text=""), TextDelta(text=""), END],
    "thinking, text, thinking": [
        ThinkingDelta(text="hm"),
        TextDelta(text="a"),
        ThinkingDelta(text="hm"),
        PartDone(part=Thinking(text="hm")),
        TextDelta(text="b"),
        END,
    ],
    "a signed thought": [
        ThinkingDelta(text="hm"),
        PartDone(part=Thinking(text="hm", artefact=FOREIGN)),
        PartDone(part=Thinking(text="", artefact=FOREIGN)),
        TextDelta(text="hi"),
        END,
    ],
    "a call": [PartDone(part=CALL), Finish(reason="tool_calls")],
    "a call in fragments": [
        ToolCallDelta(id="a", name="f", arguments='{"x"'),
        ToolCallDelta(id="a", name="f", arguments=":1}"),
        PartDone(part=CALL),
        Finish(reason="tool_calls"),
    ],
    "fragments of two calls in turn": [
        TextDelta(text="so"),
        ToolCallDelta(id="a", name="f", arguments='{"x"'),
        ToolCallDelta(id="b", name="g", arguments="{"),
        ToolCallDelta(id="a", name="f", arguments=":1}"),
        ToolCallDelta(id="b", name="g", arguments="}"),
        PartDone(part=CALL),
        PartDone(part=ToolCall(id="b", name="g", arguments="{}")),
        Finish(reason="tool_calls"),
    ],
    "a call with another's signature": [
        PartDone(part=ToolCall(id="a", name="f", arguments="{}", artefact=FOREIGN)),
        Finish(reason="tool_calls"),
    ],
    "parts without a place": [
        PartDone(part=Opaque(dialect="gemini", value={"x": 1})),
        PartDone(part=Document(data=b"x", mime="application/pdf")),
        PartDone(part=Image(data=b"x", mime="image/png")),
        END,
    ],
    "a word after the end": [
        TextDelta(text="hi"),
        END,
        ResponseDone(response=Response(parts=(), finish_reason="stop")),
    ],
    "refused": [TextDelta(text="no"), Finish(reason="refusal")],
    "cancelled": [TextDelta(text="hi"), Finish(reason="cancelled")],
    "paused": [Finish(reason="pause")],
    "unknown": [Finish(reason="unknown")],
}


@pytest.mark.parametrize("events", SEQUENCES.values(), ids=SEQUENCES.keys())
@pytest.mark.parametrize("usage", [True, False], ids=["with usage", "without"])
def test_a_stream_obeys_its_grammar(events: list[Event], *, usage: bool) -> None:
    *chunks, done = encode_stream(events, usage=usage)
    assert done == b"[DONE]"
    wires = [object_at(read(chunk), "chunk") for chunk in chunks]
    for wire in wires:
        assert_valid(without_extensions(wire), "openai.chat.chunk")
        assert (wire["id"], wire["created"], wire["model"]) == ("chatcmpl-1", 1_700_000_000, "m")
        assert ("usage" in wire) is usage
    if usage:
        last = wires.pop()
        assert last["choices"] == []
        assert last["usage"] is not None
    choices = [object_at(list_at(wire["choices"], "")[0], "") for wire in wires]
    assert choices[0]["delta"] == {"role": "assistant", "content": "", "refusal": None}
    assert all("role" not in object_at(choice["delta"], "") for choice in choices[1:])
    assert [choice["finish_reason"] is not None for choice in choices] == [
        *[False] * (len(choices) - 1),
        True,
    ]


@pytest.mark.parametrize("events", SEQUENCES.values(), ids=SEQUENCES.keys())
def test_a_whole_reply_is_valid(events: list[Event]) -> None:
    body = encode_whole(events)
    assert_valid(without_extensions(body), "openai.chat.response")
    choice = first_choice(body)
    assert {"logprobs", "finish_reason", "index"} <= choice.keys()
    assert {"role", "content", "refusal"} <= object_at(choice["message"], "").keys()
    assert "usage" in body


def test_id_name_and_type_of_a_call_are_said_once() -> None:
    chunks = encode_stream(SEQUENCES["a call in fragments"], usage=False)
    said = b"".join(chunks)
    assert said.count(b'"id":"a"') == said.count(b'"name":"f"') == 1
    assert said.count(b'"type":"function"') == 1


def test_interleaved_fragments_keep_their_index() -> None:
    told: dict[Json, str] = {}
    for chunk in encode_stream(SEQUENCES["fragments of two calls in turn"], usage=False)[:-1]:
        delta = object_at(first_choice(object_at(read(chunk), ""))["delta"], "")
        match delta.get("tool_calls"):
            case [{"index": int(index), "function": {"arguments": str(arguments)}}]:
                told[index] = told.get(index, "") + arguments
            case _:
                pass
    assert told == {0: '{"x":1}', 1: "{}"}


def test_usage_known_only_at_the_start_is_not_lost() -> None:
    start = Start(usage=USAGE)
    *_, last, _ = encode_stream([start, Finish(reason="stop", usage=UNKNOWN)], usage=True)
    assert b'"prompt_tokens":10' in last


def test_a_refusal_is_said_in_its_own_field() -> None:
    whole = encode_whole([TextDelta(text="no"), Finish(reason="refusal")])
    choice = first_choice(whole)
    message = object_at(choice["message"], "")
    assert (message["content"], message["refusal"]) == (None, "no")
    assert choice["finish_reason"] == "stop"


def test_text_already_streamed_cannot_become_a_refusal() -> None:
    stream = b"".join(encode_stream([TextDelta(text="no"), Finish(reason="refusal")], usage=False))
    assert b'"finish_reason":"content_filter"' in stream


def test_another_dialects_artefacts_travel_sealed() -> None:
    signed = PartDone(part=Thinking(text="hm", artefact=FOREIGN))
    called = PartDone(part=ToolCall(id="a", name="f", arguments="{}", artefact=FOREIGN))
    message = object_at(first_choice(encode_whole([signed, called, END]))["message"], "")
    assert message["reasoning_content"] == "hm"
    match message:
        case {
            "reasoning_details": [{"text": "hm", "signature": str(one), "index": 0}],
            "tool_calls": [{"extra_content": {"majordomo": str(two)}}],
        }:
            assert unseal(one) == unseal(two) == FOREIGN
        case _:
            pytest.fail(f"nothing sealed in {message}")


def test_our_own_details_go_out_as_they_came_but_for_an_index() -> None:
    hidden: JsonObject = {"type": "reasoning.encrypted", "data": "xx"}
    thought = Thinking(
        text="", artefact=Artefact(dialect="openai_chat", value={"reasoning_details": [hidden]})
    )
    message = object_at(first_choice(encode_whole([PartDone(part=thought), END]))["message"], "")
    assert message["reasoning_details"] == [{**hidden, "index": 0}]


def test_a_refusal_of_our_own_is_streamed_as_one() -> None:
    refusal = Artefact(dialect="openai_chat", value={"type": "refusal"})
    events = [PartDone(part=Text(text="no", artefact=refusal)), Finish(reason="refusal")]
    stream = b"".join(encode_stream([*events], usage=False))
    assert b'{"refusal":"no"}' in stream
    assert b'"finish_reason":"stop"' in stream


def test_a_custom_call_is_streamed_whole() -> None:
    custom = Artefact(dialect="openai_chat", value={"type": "custom"})
    call = ToolCall(id="a", name="sh", arguments="ls", artefact=custom)
    stream = b"".join(encode_stream([PartDone(part=call), END], usage=False))
    assert b'{"index":0,"id":"a","type":"custom","custom":{"name":"sh","input":"ls"}}' in stream


def test_fragments_the_whole_call_contradicts_are_left_alone() -> None:
    events = [
        ToolCallDelta(id="a", name="f", arguments="{'x'"),
        PartDone(part=CALL),
        Finish(reason="tool_calls"),
    ]
    stream = b"".join(encode_stream([*events], usage=False))
    assert stream.count(b'"arguments":"{') == 1


def test_a_block_of_our_own_goes_out_as_it_came() -> None:
    value: JsonObject = {"type": "reference", "reference_ids": [1]}
    events: list[Event] = [PartDone(part=Opaque(dialect="openai_chat", value=value)), END]
    assert object_at(first_choice(encode_whole(events))["message"], "")["content"] == [value]
    assert b'"content":[{"type":"reference"' in b"".join(encode_stream(events, usage=False))


@pytest.mark.parametrize("stream", [True, False], ids=["streamed", "whole"])
def test_a_reply_without_its_finish_is_no_reply(*, stream: bool) -> None:
    encoder = DIALECT.encoder(asked(stream=stream), STAMP)
    _ = list(encoder.feed(TextDelta(text="hi")))
    with pytest.raises(Truncated):
        _ = list(encoder.close())


@pytest.mark.parametrize("stream", [True, False], ids=["streamed", "whole"])
def test_a_failure_is_said_in_band(*, stream: bool) -> None:
    encoder = DIALECT.encoder(asked(stream=stream), STAMP)
    _ = list(encoder.feed(TextDelta(text="hi")))
    said = encoder.fail(RateLimited("slow down"))
    assert list(encoder.close()) == []
    error = read(said.removeprefix(b"data: "))
    assert_valid(error, "openai.error")
    assert said.startswith(b"data: ") is stream
    assert encoder.content_type == ("text/event-stream" if stream else "application/json")


@pytest.mark.parametrize("stream", [True, False], ids=["streamed", "whole"])
def test_an_end_in_error_is_never_a_finish_reason(*, stream: bool) -> None:
    encoder = DIALECT.encoder(asked(stream=stream), STAMP)
    said = b"".join(pump(encoder, [TextDelta(text="hi"), Finish(reason="error")]))
    assert b'"error":{"message":' in said
    assert b"[DONE]" not in said


def encode_stream(events: list[Event], *, usage: bool) -> list[bytes]:
    wire = b"".join(pump(DIALECT.encoder(asked(stream=True, usage=usage), STAMP), events))
    assert wire.endswith(b"\n\n")
    return [block.removeprefix(b"data: ") for block in wire.split(b"\n\n")[:-1]]


def encode_whole(events: list[Event]) -> JsonObject:
    body = b"".join(pump(DIALECT.encoder(asked(stream=False), STAMP), events))
    return object_at(read(body), "body")


def asked(*, stream: bool, usage: bool = False) -> Ask:
    return Ask(
        model="m", stream=stream, request=Request(messages=(user("hi"),)), stream_usage=usage
    )


def first_choice(body: JsonObject) -> JsonObject:
    return object_at(list_at(body["choices"], "choices")[0], "choices[0]")


def without_extensions(wire: Json) -> Json:
    """Leave out what compatibles and their clients know but no SDK type has."""
    match wire:
        case dict():
            return {
                name: without_extensions(value)
                for name, value in wire.items()
                if name not in (*EXTENSIONS, "extra_content")
            }
        case list():
            return [without_extensions(value) for value in wire]
        case _:
            return wire
