"""The conversation, in other forms than its own: what is read, and what becomes of odd parts."""

import pytest

from majordomo.contract import (
    Artefact,
    Document,
    Image,
    Json,
    JsonObject,
    Message,
    Opaque,
    Part,
    Request,
    Text,
    Thinking,
    ToolCall,
    ToolResult,
    assistant,
    tool_results,
    user,
)
from majordomo.dialects.artefact import seal
from majordomo.dialects.dialect import Wire
from majordomo.dialects.json import object_at, objects, read
from majordomo.dialects.openai_responses import DIALECT
from support.schemas import assert_valid


def own(value: JsonObject) -> Artefact:
    return Artefact(dialect="openai_responses", value=value)


def encode(*messages: Message) -> Json:
    request = Request(messages=messages)
    call = DIALECT.encode_request(request, model="m", stream=False, wire=Wire())
    body = object_at(read(call.body), "body")
    items = [published(item) for item, _ in objects(body["input"], "input")]
    assert_valid({**body, "input": [*items]}, "openai.responses.request")
    return body["input"]


def published(item: JsonObject) -> JsonObject:
    """Take away what clients echo and the service accepts, though no request type has it."""
    unnamed = item.get("role") in {"user", "system", "developer"}
    return {k: v for k, v in item.items() if v is not None and not (unnamed and k == "id")}


def decode(*items: JsonObject) -> tuple[Message, ...]:
    return DIALECT.decode_request({"model": "m", "input": [*items]}).request.messages


def said(role: str, content: Json, **rest: str) -> JsonObject:
    return {"type": "message", "role": role, "content": content, **rest}


def output(text: str, **rest: Json) -> JsonObject:
    return {"type": "output_text", "text": text, "annotations": [], "logprobs": [], **rest}


PICTURE: JsonObject = {
    "type": "input_image",
    "image_url": "data:image/png;base64,cG5n",
    "detail": "high",
}


READ: dict[str, tuple[JsonObject, Part | None]] = {
    "the short form": ({"role": "user", "content": "hi"}, Text(text="hi")),
    "a list of one text": (
        {"role": "user", "content": [{"type": "input_text", "text": "hi"}]},
        Text(text="hi"),
    ),
    "parts that are strings": ({"role": "user", "content": ["hi"]}, Text(text="hi")),
    "no content": ({"role": "assistant", "content": None}, None),
    "arguments as an object": (
        {"type": "function_call", "call_id": "c", "name": "f", "arguments": {"a": 1}},
        ToolCall(id="c", name="f", arguments='{"a":1}'),
    ),
    "an image in capitals": (
        {
            "role": "user",
            "content": [{"type": "input_image", "image_url": "DATA:image/png;base64,cG5n"}],
        },
        Image(data=b"png", mime="image/png"),
    ),
    "a file as bare base64": (
        {
            "role": "user",
            "content": [{"type": "input_file", "file_data": "cGRm", "filename": "a.txt"}],
        },
        Document(data=b"pdf", mime="text/plain", name="a.txt"),
    ),
    "another's signature, sealed in ours": (
        {
            "type": "reasoning",
            "id": "rs_mjd_s_0",
            "summary": [{"type": "summary_text", "text": "hm"}],
            "encrypted_content": seal(Artefact(dialect="anthropic", value={"signature": "s"})),
        },
        Thinking(text="hm", artefact=Artefact(dialect="anthropic", value={"signature": "s"})),
    ),
    "a thought we named and nothing is attached to": (
        {
            "type": "reasoning",
            "id": "rs_mjd_s_0",
            "summary": [{"type": "summary_text", "text": "hm"}],
        },
        Thinking(text="hm"),
    ),
    "a result of a namespace": (
        {
            "type": "function_call_output",
            "call_id": "c",
            "name": "f",
            "namespace": "n",
            "output": None,
        },
        ToolResult(id="c", name="n__f", artefact=own({"item": {"name": "f", "namespace": "n"}})),
    ),
    "a result that names its tool": (
        {"type": "function_call_output", "call_id": "c", "name": "f", "output": "x"},
        ToolResult(
            id="c", name="f", content=(Text(text="x"),), artefact=own({"item": {"name": "f"}})
        ),
    ),
}


@pytest.mark.parametrize(("item", "part"), READ.values(), ids=READ.keys())
def test_other_forms_are_read(item: JsonObject, part: Part | None) -> None:
    (message,) = decode(item)
    assert message.parts == (() if part is None else (part,))


def test_the_result_of_a_custom_call_is_one_too() -> None:
    call = ToolCall(id="c1", name="p", arguments="not JSON", artefact=own({"custom": True}))
    result = ToolResult(id="c1", content=(Text(text="ok"),))
    assert encode(assistant(call), tool_results(result)) == [
        {"type": "custom_tool_call", "call_id": "c1", "name": "p", "input": "not JSON"},
        {"type": "custom_tool_call_output", "call_id": "c1", "output": "ok"},
    ]


def test_free_text_that_is_no_object_stays_what_it_was() -> None:
    call = ToolCall(id="c1", name="p", arguments='{"patch":1}', artefact=own({"custom": True}))
    assert encode(assistant(call)) == [
        {"type": "custom_tool_call", "call_id": "c1", "name": "p", "input": '{"patch":1}'}
    ]


def test_a_second_text_without_its_first_is_a_message_of_its_own() -> None:
    text = Text(text="b", artefact=own({"joined": True}))
    assert encode(user("a"), assistant(text)) == [
        said("user", "a"),
        said("assistant", "b"),
    ]


def test_texts_of_a_message_without_an_id_are_messages_of_their_own() -> None:
    short: JsonObject = {
        "role": "assistant",
        "phase": "commentary",
        "content": [{"type": "output_text", "text": "a"}, {"type": "output_text", "text": "b"}],
    }
    assert encode(*decode(short)) == [
        said("assistant", "a", phase="commentary"),
        said("assistant", "b", phase="commentary"),
    ]


def test_a_picture_the_model_made_is_shown_to_it_by_the_user() -> None:
    wire = encode(assistant("see", Image(data=b"png", mime="image/png")))
    assert wire == [
        said("assistant", "see"),
        said("user", [{**PICTURE, "detail": "auto"}]),
    ]


def test_words_among_results_are_the_users() -> None:
    result = ToolResult(id="c", content=(Text(text="ok"),))
    block = Opaque(dialect="gemini", value={})
    wire = encode(Message(role="tool", parts=(result, Text(text="go on"), block)), user(result))
    done: JsonObject = {"type": "function_call_output", "call_id": "c", "output": "ok"}
    assert wire == [done, said("user", "go on"), done]


def test_parts_out_of_place_are_not_lost() -> None:
    call = ToolCall(id="c", name="f", arguments="{}")
    result = ToolResult(id="c", content=(Text(text="ok"),))
    wire = encode(user(call, result, "and?"))
    assert isinstance(wire, list)
    kinds = [object_at(item, "item")["type"] for item in wire]
    assert kinds == ["function_call", "function_call_output", "message"]
