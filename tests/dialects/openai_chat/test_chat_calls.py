"""Tool calls put together however a compatible server cuts them."""

import pytest

from majordomo.contract import (
    Event,
    JsonObject,
    Malformed,
    PartDone,
    ToolCall,
    ToolCallDelta,
    fold,
    pump,
)
from majordomo.dialects.openai_chat import DIALECT
from support.chat_stream import DONE, calls, chunk, fragment

START = chunk({"role": "assistant", "content": ""})
END = chunk({}, "tool_calls") + DONE

Row = tuple[list[bytes], list[tuple[str, str, str]]]

ROWS: dict[str, Row] = {
    "as the book says": (
        [
            calls(fragment("", name="f", index=0, id="a", type="function")),
            calls(fragment('{"x"', index=0)),
            calls(fragment(":1}", index=0)),
            calls(fragment("", name="g", index=1, id="b", type="function")),
            calls(fragment("{}", index=1)),
        ],
        [("a", "f", '{"x":1}'), ("b", "g", "{}")],
    ),
    "interleaved": (
        [
            calls(fragment("", name="f", index=0, id="a"), fragment("", name="g", index=1, id="b")),
            calls(fragment("{", index=0), fragment("[", index=1)),
            calls(fragment("]", index=1), fragment("}", index=0)),
        ],
        [("a", "f", "{}"), ("b", "g", "[]")],
    ),
    "whole calls in one chunk": (
        [
            calls(
                fragment('{"x":1}', name="f", index=0, id="a"),
                fragment('{"x":2}', name="f", index=1, id="b"),
            )
        ],
        [("a", "f", '{"x":1}'), ("b", "f", '{"x":2}')],
    ),
    "every parallel call has index 0": (
        [
            calls(fragment('{"x":1}', name="f", index=0, id="a")),
            calls(fragment('{"x":', name="f", index=0, id="b")),
            calls(fragment("2}", index=0)),
        ],
        [("a", "f", '{"x":1}'), ("b", "f", '{"x":2}')],
    ),
    "index 0 throughout, the id on every fragment": (
        [
            calls(fragment("{", name="f", index=0, id="a")),
            calls(fragment("[", name="g", index=0, id="b")),
            calls(fragment("}", index=0, id="a")),
            calls(fragment("]", index=0, id="b")),
        ],
        [("a", "f", "{}"), ("b", "g", "[]")],
    ),
    "index 0 throughout and no ids, told apart by name": (
        [
            calls(fragment('{"x":1}', name="f", index=0)),
            calls(fragment('{"x":2}', name="g", index=0)),
        ],
        [("call_0", "f", '{"x":1}'), ("call_1", "g", '{"x":2}')],
    ),
    "index 0, no ids, the same function twice": (
        [
            calls(fragment('{"x":1}', name="f", index=0)),
            calls(fragment('{"x":2}', name="f", index=0)),
        ],
        [("call_0", "f", '{"x":1}'), ("call_1", "f", '{"x":2}')],
    ),
    "no index, matched by id": (
        [
            calls(fragment("{", name="f", id="a")),
            calls(fragment("[", name="g", id="b")),
            calls(fragment("}", id="a")),
            calls(fragment("]", id="b")),
        ],
        [("a", "f", "{}"), ("b", "g", "[]")],
    ),
    "no index, no id: a name opens a call": (
        [
            calls(fragment("{", name="f")),
            calls(fragment("}")),
            calls(fragment("[", name="g")),
            calls(fragment("]")),
        ],
        [("call_0", "f", "{}"), ("call_1", "g", "[]")],
    ),
    "id and name repeated on every fragment": (
        [
            calls(fragment("{", name="f", index=0, id="a", type="function")),
            calls(fragment("}", name="f", index=0, id="a", type="function")),
        ],
        [("a", "f", "{}")],
    ),
    "empty id and name on later fragments": (
        [
            calls(fragment("{", name="f", index=0, id="a")),
            calls(fragment("}", name="", index=0, id="")),
        ],
        [("a", "f", "{}")],
    ),
    "indices from one": (
        [calls(fragment("{}", name="f", index=1, id="a"))],
        [("a", "f", "{}")],
    ),
    "one id for two calls": (
        [
            calls(fragment("{}", name="f", index=0, id="a")),
            calls(fragment("{}", name="g", index=1, id="a")),
        ],
        [("a", "f", "{}"), ("call_1", "g", "{}")],
    ),
    "ids are empty strings": (
        [
            calls(fragment("{}", name="f", index=0, id="")),
            calls(fragment("{}", name="g", index=1, id="")),
        ],
        [("call_0", "f", "{}"), ("call_1", "g", "{}")],
    ),
    "arguments as an object": (
        [calls(fragment({"x": 1}, name="f", index=0, id="a"))],
        [("a", "f", '{"x":1}')],
    ),
    "arguments null": (
        [calls({"index": 0, "id": "a", "function": {"name": "f", "arguments": None}})],
        [("a", "f", "{}")],
    ),
    "arguments never come": (
        [calls(fragment(name="f", index=0, id="a"))],
        [("a", "f", "{}")],
    ),
    "arguments are kept as written": (
        [calls(fragment('{ "x" : 1 }', name="f", index=0, id="a"))],
        [("a", "f", '{ "x" : 1 }')],
    ),
    "an empty fragment is noise": (
        [calls({}), calls(fragment("{}", name="f", index=0, id="a")), calls({"index": 1})],
        [("a", "f", "{}")],
    ),
    "the deprecated function_call": (
        [
            chunk({"function_call": {"name": "f", "arguments": "{"}}),
            chunk({"function_call": {"arguments": "}"}}),
        ],
        [("call_0", "f", "{}")],
    ),
    "a custom tool's free text": (
        [
            calls({"index": 0, "id": "a", "type": "custom", "custom": {"name": "sh"}}),
            calls({"index": 0, "custom": {"input": "ls"}}),
        ],
        [("a", "sh", "ls")],
    ),
}


@pytest.mark.parametrize(("chunks", "expected"), ROWS.values(), ids=ROWS.keys())
def test_calls_come_whole_and_in_order(
    chunks: list[bytes], expected: list[tuple[str, str, str]]
) -> None:
    reply = fold(read(START, *chunks, END))
    assert [(call.id, call.name, call.arguments) for call in reply.tool_calls] == expected
    assert reply.finish_reason == "tool_calls"


@pytest.mark.parametrize(("chunks", "expected"), ROWS.values(), ids=ROWS.keys())
def test_fragments_of_a_call_add_up_to_it(
    chunks: list[bytes], expected: list[tuple[str, str, str]]
) -> None:
    del expected
    events = read(START, *chunks, END, partial=True)
    told: dict[str, str] = {}
    for event in events:
        match event:
            case ToolCallDelta(id=id, arguments=arguments):
                told[id] = told.get(id, "") + arguments
            case PartDone(part=ToolCall(id=id, arguments=arguments, artefact=None)):
                assert told[id] in (arguments, "")
            case _:
                pass


def test_fragments_are_told_as_they_come_only_to_who_asks() -> None:
    wire = [START, calls(fragment("{", name="f", index=0, id="a")), calls(fragment("}", index=0))]
    whole = ToolCall(id="a", name="f", arguments="{}")
    assert read(*wire, END, partial=True)[1:-1] == [
        ToolCallDelta(id="a", name="f", arguments="{"),
        ToolCallDelta(id="a", name="f", arguments="}"),
        PartDone(part=whole),
    ]
    assert read(*wire, END)[1:-1] == [PartDone(part=whole)]


def test_a_call_of_another_kind_says_so_in_its_artefact() -> None:
    chunks, _ = ROWS["a custom tool's free text"]
    (call,) = fold(read(START, *chunks, END)).tool_calls
    assert call.artefact is not None
    assert call.artefact.value == {"type": "custom"}


def test_a_signature_on_a_call_is_kept() -> None:
    extra: JsonObject = {"google": {"thought_signature": "s"}}
    piece = fragment("{}", name="f", index=0, id="a", extra_content=extra)
    (call,) = fold(read(START, calls(piece), END)).tool_calls
    assert call.artefact is not None
    assert call.artefact.value == {"extra_content": extra}


WRONG: dict[str, tuple[bytes, str]] = {
    "arguments of no call": (calls(fragment("{}")), "event 2.choices[0].delta.tool_calls[0]"),
    "a call without a name": (calls(fragment("{}", index=0)), "tool_calls holds a call"),
    "not a list": (chunk({"tool_calls": {}}), "event 2.choices[0].delta.tool_calls is not"),
    "not an object": (chunk({"tool_calls": [1]}), "event 2.choices[0].delta.tool_calls[0] is"),
    "function is a string": (
        calls({"index": 0, "function": "f"}),
        "event 2.choices[0].delta.tool_calls[0].function is not an object",
    ),
}


@pytest.mark.parametrize(("wire", "complaint"), WRONG.values(), ids=WRONG.keys())
def test_calls_nobody_could_make_sense_of_are_said_to_be_malformed(
    wire: bytes, complaint: str
) -> None:
    with pytest.raises(Malformed) as caught:
        read(START, wire, END)
    assert str(caught.value).startswith(complaint)


def read(*chunks: bytes, partial: bool = False) -> list[Event]:
    return list(pump(DIALECT.decoder(stream=True, partial_tool_calls=partial), chunks))
