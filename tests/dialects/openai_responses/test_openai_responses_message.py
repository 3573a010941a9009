"""The conversation, both ways: items on the wire, messages of parts in the contract."""

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


REASONING: JsonObject = {
    "type": "reasoning",
    "id": "rs_1",
    "summary": [
        {"type": "summary_text", "text": "One."},
        {"type": "summary_text", "text": "Two."},
    ],
    "content": None,
    "encrypted_content": "gAAA",
}
CALL: JsonObject = {
    "type": "function_call",
    "id": "fc_1",
    "call_id": "c1",
    "name": "f",
    "arguments": '{"a": 1}',
    "status": "completed",
}
CITATION: JsonObject = {
    "type": "url_citation",
    "url": "https://x",
    "title": "x",
    "start_index": 0,
    "end_index": 1,
}
PICTURE: JsonObject = {
    "type": "input_image",
    "image_url": "data:image/png;base64,cG5n",
    "detail": "high",
}
REMOTE: JsonObject = {"type": "input_image", "image_url": "https://x/y.png", "detail": "auto"}
PAPER: JsonObject = {
    "type": "input_file",
    "filename": "a.pdf",
    "file_data": "data:application/pdf;base64,cGRm",
}
REFERENCE: JsonObject = {"type": "item_reference", "id": "msg_1"}
SHELL: JsonObject = {"type": "local_shell_call_output", "id": "s", "output": "x"}

SAME: dict[str, tuple[tuple[Message, ...], list[JsonObject]]] = {
    "a user": ((user("hi"),), [said("user", "hi")]),
    "two users stay two": ((user("a"), user("b")), [said("user", "a"), said("user", "b")]),
    "an id and a developer": (
        (
            Message(
                role="system",
                parts=(Text(text="a"), Text(text="b")),
                artefact=own({"role": "developer", "item": {"id": "msg_1"}}),
            ),
        ),
        [
            said(
                "developer",
                [{"type": "input_text", "text": "a"}, {"type": "input_text", "text": "b"}],
                id="msg_1",
            )
        ],
    ),
    "a system message stays in its place": (
        (user("a"), Message(role="system", parts=(Text(text="s"),)), user("b")),
        [said("user", "a"), said("system", "s"), said("user", "b")],
    ),
    "images, near and far, and a paper": (
        (
            user(
                "look",
                Image(data=b"png", mime="image/png", artefact=own({"detail": "high"})),
                Opaque(dialect="openai_responses", value=REMOTE),
                Document(data=b"pdf", mime="application/pdf", name="a.pdf"),
            ),
        ),
        [said("user", [{"type": "input_text", "text": "look"}, PICTURE, REMOTE, PAPER])],
    ),
    "two plain texts of the model": (
        (assistant("a", "b"),),
        [said("assistant", "a"), said("assistant", "b")],
    ),
    "a message with an id, a phase, a citation and a second text": (
        (
            assistant(
                Text(
                    text="a",
                    artefact=own(
                        {
                            "part": {"annotations": [CITATION]},
                            "item": {
                                "id": "msg_1",
                                "status": "completed",
                                "phase": "commentary",
                            },
                        }
                    ),
                ),
                Text(text="b", artefact=own({"joined": True})),
            ),
        ),
        [
            said(
                "assistant",
                [output("a", annotations=[CITATION]), output("b")],
                id="msg_1",
                status="completed",
                phase="commentary",
            )
        ],
    ),
    "a refusal in the history": (
        (
            assistant(
                Text(
                    text="No.",
                    artefact=own(
                        {
                            "part": {"type": "refusal"},
                            "item": {"id": "msg_1", "status": "completed"},
                        }
                    ),
                )
            ),
        ),
        [
            said(
                "assistant",
                [{"type": "refusal", "refusal": "No."}],
                id="msg_1",
                status="completed",
            )
        ],
    ),
    "one turn: reasoning, words, a call; then its result": (
        (
            user("go"),
            assistant(
                Thinking(text="One.\n\nTwo.", artefact=own(REASONING)),
                Text(text="Well."),
                ToolCall(
                    id="c1",
                    name="f",
                    arguments='{"a": 1}',
                    artefact=own({"item": {"id": "fc_1", "status": "completed"}}),
                ),
            ),
            tool_results(
                ToolResult(id="c1", content=(Text(text="ok"),)),
                ToolResult(id="c2", is_error=True, content=(Text(text="bad"),)),
            ),
            user("next"),
        ),
        [
            said("user", "go"),
            REASONING,
            said("assistant", "Well."),
            CALL,
            {"type": "function_call_output", "call_id": "c1", "output": "ok"},
            {"type": "function_call_output", "call_id": "c2", "output": "ERROR: bad"},
            said("user", "next"),
        ],
    ),
    "results with pictures, without words, and with an id": (
        (
            tool_results(
                ToolResult(
                    id="c1",
                    content=(
                        Text(text="see"),
                        Image(data=b"png", mime="image/png", artefact=own({"detail": "high"})),
                    ),
                    artefact=own({"item": {"id": "fco_1"}}),
                ),
                ToolResult(id="c2"),
                ToolResult(id="c3", is_error=True),
            ),
        ),
        [
            {
                "type": "function_call_output",
                "call_id": "c1",
                "id": "fco_1",
                "output": [{"type": "input_text", "text": "see"}, PICTURE],
            },
            {"type": "function_call_output", "call_id": "c2", "output": ""},
            {"type": "function_call_output", "call_id": "c3", "output": "ERROR: "},
        ],
    ),
    "a custom tool": (
        (
            assistant(
                ToolCall(
                    id="c1",
                    name="apply_patch",
                    arguments='{"input":"*** \\"Begin\\""}',
                    artefact=own({"custom": True}),
                )
            ),
            tool_results(
                ToolResult(id="c1", content=(Text(text="ok"),), artefact=own({"custom": True}))
            ),
        ),
        [
            {
                "type": "custom_tool_call",
                "call_id": "c1",
                "name": "apply_patch",
                "input": '*** "Begin"',
            },
            {"type": "custom_tool_call_output", "call_id": "c1", "output": "ok"},
        ],
    ),
    "a call into a namespace": (
        (
            assistant(
                ToolCall(
                    id="c1",
                    name="crm__find",
                    arguments="{}",
                    artefact=own({"item": {"namespace": "crm"}}),
                )
            ),
        ),
        [
            {
                "type": "function_call",
                "call_id": "c1",
                "name": "find",
                "namespace": "crm",
                "arguments": "{}",
            }
        ],
    ),
    "what we do not model": (
        (
            assistant(Opaque(dialect="openai_responses", value=REFERENCE)),
            Message(role="tool", parts=(Opaque(dialect="openai_responses", value=SHELL),)),
        ),
        [REFERENCE, SHELL],
    ),
}


@pytest.mark.parametrize(("messages", "items"), SAME.values(), ids=SAME.keys())
def test_same_both_ways(messages: tuple[Message, ...], items: list[JsonObject]) -> None:
    assert encode(*messages) == items
    assert decode(*items) == messages
