"""Messages that are only read, or only written: oddities, faults, foreign parts."""

import pytest

from majordomo.contract import (
    Artefact,
    Document,
    Image,
    Json,
    JsonObject,
    Malformed,
    Message,
    Opaque,
    Part,
    Request,
    Text,
    Thinking,
    ToolCall,
    ToolResult,
    assistant,
    system,
    tool_results,
    user,
)
from majordomo.dialects.artefact import seal
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


ONLY_READ: dict[str, tuple[list[Json], tuple[Message, ...]]] = {
    "null content": ([{"role": "user", "content": None}], (user(),)),
    "missing content": ([{"role": "user"}], (user(),)),
    "plain strings as parts": ([{"role": "user", "content": ["a", "b"]}], (user("a", "b"),)),
    "image address as a string": (
        [{"role": "user", "content": [{"type": "image_url", "image_url": PNG}]}],
        (user(Image(data=BYTES, mime="image/png")),),
    ),
    "file as bare base64": (
        [{"role": "user", "content": [{"type": "file", "file": {"file_data": "AAECAw=="}}]}],
        (user(Document(data=BYTES, mime="application/pdf")),),
    ),
    "empty string beside calls": (
        [{"role": "assistant", "content": "", "tool_calls": [call()]}],
        (assistant(ToolCall(id="c1", name="f", arguments="{}")),),
    ),
    "nulls of a dumped SDK object": (
        [
            {
                "role": "assistant",
                "content": "yes",
                "refusal": None,
                "tool_calls": None,
                "function_call": None,
                "audio": None,
            }
        ],
        (assistant("yes"),),
    ),
    "arguments as an object": (
        [
            {
                "role": "assistant",
                "tool_calls": [{"id": "c1", "function": {"name": "f", "arguments": {"x": 1}}}],
            }
        ],
        (assistant(ToolCall(id="c1", name="f", arguments='{"x":1}')),),
    ),
    "arguments left out": (
        [{"role": "assistant", "tool_calls": [{"id": "c1", "function": {"name": "f"}}]}],
        (assistant(ToolCall(id="c1", name="f", arguments="{}")),),
    ),
    "refusal as a part": (
        [{"role": "assistant", "content": [{"type": "refusal", "refusal": "no"}]}],
        (assistant(Text(text="no", artefact=chat({"type": "refusal"}))),),
    ),
    "the deprecated function role": (
        [
            {"role": "assistant", "function_call": {"name": "f", "arguments": "{}"}},
            {"role": "function", "name": "f", "content": "1"},
        ],
        (
            assistant(ToolCall(id="call_0", name="f", arguments="{}")),
            tool_results(ToolResult(id="call_0", name="f", content=(Text(text="1"),))),
        ),
    ),
    "calls and results without ids meet in order": (
        [
            {
                "role": "assistant",
                "tool_calls": [
                    {"function": {"name": "f"}},
                    {"id": "", "function": {"name": "g"}},
                ],
            },
            {"role": "tool", "content": "1"},
            {"role": "tool", "content": "2"},
        ],
        (
            assistant(
                ToolCall(id="call_0", name="f", arguments="{}"),
                ToolCall(id="call_1", name="g", arguments="{}"),
            ),
            tool_results(
                ToolResult(id="call_0", name="f", content=(Text(text="1"),)),
                ToolResult(id="call_1", name="g", content=(Text(text="2"),)),
            ),
        ),
    ),
}


@pytest.mark.parametrize(("wire", "messages"), ONLY_READ.values(), ids=ONLY_READ.keys())
def test_odd_messages_are_read(wire: list[Json], messages: tuple[Message, ...]) -> None:
    assert decode_messages(wire) == ("", messages)


WRONG: dict[str, tuple[Json, str]] = {
    "not a list": ({}, "messages is not a list"),
    "not an object": (["hi"], "messages[0] is not an object"),
    "no role": ([{"content": "x"}], "messages[0].role is not one of"),
    "unknown role": ([{"role": "model"}], "messages[0].role is not one of"),
    "content is a number": ([{"role": "user", "content": 1}], "messages[0].content is neither"),
    "part is a number": ([{"role": "user", "content": [1]}], "messages[0].content[0] is not"),
    "part without type": ([{"role": "user", "content": [{}]}], "messages[0].content[0].type is"),
    "text is missing": (
        [{"role": "user", "content": [{"type": "text"}]}],
        "messages[0].content[0].text is not a string",
    ),
    "image without url": (
        [{"role": "user", "content": [{"type": "image_url", "image_url": {}}]}],
        "messages[0].content[0].image_url.url is not a string",
    ),
    "bad base64": (
        [
            {
                "role": "user",
                "content": [
                    {"type": "image_url", "image_url": {"url": "data:image/png;base64,%%"}}
                ],
            }
        ],
        "messages[0].content[0].image_url.url is not valid base64",
    ),
    "call without a name": (
        [{"role": "assistant", "tool_calls": [{"id": "c1", "function": {}}]}],
        "messages[0].tool_calls[0] names no function",
    ),
    "id is a number": (
        [{"role": "assistant", "tool_calls": [{"id": 1, "function": {"name": "f"}}]}],
        "messages[0].tool_calls[0].id is not a string",
    ),
    "reasoning is a number": (
        [{"role": "assistant", "reasoning_content": 1}],
        "messages[0].reasoning_content is not a string",
    ),
}


@pytest.mark.parametrize(("wire", "complaint"), WRONG.values(), ids=WRONG.keys())
def test_a_malformed_message_is_named_by_its_place(wire: Json, complaint: str) -> None:
    with pytest.raises(Malformed) as caught:
        decode_messages(wire)
    assert str(caught.value).startswith(complaint)


def test_one_leading_plain_system_message_is_the_system_prompt() -> None:
    first: Json = {"role": "system", "content": "be brief"}
    later: Json = {"role": "system", "content": "be kind"}
    assert decode_messages([first, {"role": "user", "content": "hi"}, later]) == (
        "be brief",
        (user("hi"), system("be kind")),
    )
    named: Json = {"role": "system", "content": "x", "name": "n"}
    assert decode_messages([named])[0] == ""


def test_the_system_prompt_is_said_in_the_role_the_provider_wants() -> None:
    request = Request(system="be brief", messages=())
    wire = Wire(system_role="developer")
    assert list(encode_messages(request, wire)) == [{"role": "developer", "content": "be brief"}]


def test_images_in_a_tool_result_follow_all_results_in_a_user_message() -> None:
    image = Image(data=BYTES, mime="image/png")
    message = tool_results(
        ToolResult(id="c1", content=(Text(text="a"), image)),
        ToolResult(id="c2", content=(Text(text="b"),)),
    )
    first, second, third = encode(message)
    placeholder = "[image/png: in the message after the tool results]"
    assert first["content"] == [
        {"type": "text", "text": "a"},
        {"type": "text", "text": placeholder},
    ]
    assert second == {"role": "tool", "tool_call_id": "c2", "content": "b"}
    assert third == {
        "role": "user",
        "content": [
            {"type": "text", "text": "From the result of tool call c1:"},
            {"type": "image_url", "image_url": {"url": PNG}},
        ],
    }


def test_results_inside_a_user_turn_come_first() -> None:
    message = user(ToolResult(id="c1", content=(Text(text="1"),)), "and now?")
    assert encode(message) == [
        {"role": "tool", "tool_call_id": "c1", "content": "1"},
        {"role": "user", "content": "and now?"},
    ]


def test_a_failed_result_that_begins_with_an_image_is_still_marked() -> None:
    image = Image(data=BYTES, mime="image/png")
    first, _ = encode(tool_results(ToolResult(id="c1", content=(image,), is_error=True)))
    assert first["content"] == "ERROR: [image/png: in the message after the tool results]"


def test_only_what_a_tool_can_say_is_said_in_its_result() -> None:
    strange = ToolResult(id="c1", content=(Thinking(text="hm"), Text(text="1")))
    assert encode(tool_results(strange))[0]["content"] == "1"


def test_an_image_an_assistant_drew_leaves_a_mark_where_it_stood() -> None:
    drawn = assistant("look", Image(data=BYTES, mime="image/png"))
    assert encode(drawn)[0]["content"] == [
        {"type": "text", "text": "look"},
        {"type": "text", "text": "[image/png]"},
    ]


FOREIGN: dict[str, Part] = {
    "thinking": Thinking(
        text="hm", artefact=Artefact(dialect="anthropic", value={"signature": "s"})
    ),
    "thinking of nobody": Thinking(text="hm"),
    "opaque block": Opaque(dialect="gemini", value={"executableCode": {}}),
}


@pytest.mark.parametrize("part", FOREIGN.values(), ids=FOREIGN.keys())
def test_what_another_dialect_wrote_is_withheld(part: Part) -> None:
    assert encode(assistant(part, "yes")) == [{"role": "assistant", "content": "yes"}]
    assert encode(user(part)) == [{"role": "user", "content": ""}]


def test_reasoning_of_any_origin_goes_in_the_field_the_provider_reads() -> None:
    own = Thinking(text="a", artefact=chat({"field": "reasoning"}))
    foreign = Thinking(text="b", artefact=Artefact(dialect="anthropic", value={"signature": "s"}))
    request = Request(messages=(assistant(own, foreign, "yes"), assistant("plain")))
    wire = Wire(reasoning_field="reasoning_content")
    assert list(encode_messages(request, wire)) == [
        {"role": "assistant", "content": "yes", "reasoning_content": "ab"},
        {"role": "assistant", "content": "plain", "reasoning_content": ""},
    ]


def test_sealed_reasoning_and_calls_come_back_to_who_wrote_them() -> None:
    signed = Artefact(dialect="anthropic", value={"signature": "s"})
    hidden = Artefact(dialect="anthropic", value={"redacted": "r"})
    thought = Artefact(dialect="gemini", value={"thoughtSignature": "t"})
    wire: JsonObject = {
        "role": "assistant",
        "content": "yes",
        "reasoning_content": "hm",
        "reasoning_details": [
            {"type": "reasoning.text", "text": "hm", "signature": seal(signed), "index": 0},
            {"type": "reasoning.encrypted", "data": seal(hidden), "index": 1},
        ],
        "tool_calls": [call(extra_content={"majordomo": seal(thought)})],
    }
    assert decode_messages([wire]) == (
        "",
        (
            assistant(
                Thinking(text="hm", artefact=signed),
                Thinking(text="", artefact=hidden),
                "yes",
                ToolCall(id="c1", name="f", arguments="{}", artefact=thought),
            ),
        ),
    )


def encode(message: Message) -> list[JsonObject]:
    return list(encode_messages(Request(messages=(message,)), Wire()))
