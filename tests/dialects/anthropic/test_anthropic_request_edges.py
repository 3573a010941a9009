"""Requests that are odd, wrong, or said in words this dialect does not have."""

import pytest

from majordomo.contract import (
    REQUIRED,
    Artefact,
    Json,
    JsonObject,
    Malformed,
    Opaque,
    Options,
    Request,
    Thinking,
    Tool,
    ToolChoice,
    ToolResult,
    assistant,
    tool_results,
    user,
)
from majordomo.dialects.anthropic import DIALECT
from majordomo.dialects.dialect import Wire
from majordomo.dialects.json import object_at, read

HI: JsonObject = {"role": "user", "content": "hi"}
ASK = Request(messages=(user("hi"),))


def content(*blocks: Json, role: str = "user") -> JsonObject:
    return {"messages": [{"role": role, "content": [*blocks]}]}


MALFORMED: dict[str, tuple[JsonObject, str]] = {
    "no messages": ({"messages": None}, "messages is not a list"),
    "no model": ({"model": None}, "model is missing"),
    "a message that is none": ({"messages": [1]}, "messages[0] is not an object"),
    "no role": ({"messages": [{}]}, "messages[0].role is not a string"),
    "an unknown role": (
        {"messages": [HI, {"role": "tool", "content": "x"}]},
        "messages[1].role is 'tool', not user, assistant or system",
    ),
    "content of no kind": (
        {"messages": [{"role": "user", "content": 5}]},
        "messages[0].content is not a list",
    ),
    "a block without a type": (content({}), "messages[0].content[0].type is not a string"),
    "text that is none": (
        content({"type": "text", "text": 1}),
        "messages[0].content[0].text is not a string",
    ),
    "an image without a source": (
        content({"type": "image"}),
        "messages[0].content[0].source is not an image source",
    ),
    "an image that is no base64": (
        content(
            {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "%"}}
        ),
        "messages[0].content[0].source.data is not valid base64",
    ),
    "a document without a source": (
        content({"type": "document", "source": {"type": "base64"}}),
        "messages[0].content[0].source is not a document source",
    ),
    "a call without a name": (
        content({"type": "tool_use", "id": "a"}, role="assistant"),
        "messages[0].content[0].name is not a string",
    ),
    "a call whose input is a list": (
        content({"type": "tool_use", "id": "a", "name": "f", "input": []}, role="assistant"),
        "messages[0].content[0].input is not an object",
    ),
    "a result of no call": (
        content({"type": "tool_result"}),
        "messages[0].content[0].tool_use_id is not a string",
    ),
    "a result of numbers": (
        content({"type": "tool_result", "tool_use_id": "a", "content": [1]}),
        "messages[0].content[0].content[0] is not an object",
    ),
    "a nameless tool": ({"tools": [{}]}, "tools[0].name is not a string"),
    "an unknown choice": (
        {"tool_choice": {"type": "maybe"}},
        "tool_choice.type is 'maybe', not auto, any, tool or none",
    ),
    "max_tokens in words": ({"max_tokens": "many"}, "max_tokens is not a whole number"),
    "a stop that is none": ({"stop_sequences": [1]}, "stop_sequences[0] is not a string"),
    "thinking in a word": ({"thinking": "hard"}, "thinking is not an object"),
    "metadata in a word": ({"metadata": "me"}, "metadata is not an object"),
}


@pytest.mark.parametrize(("fields", "words"), MALFORMED.values(), ids=MALFORMED.keys())
def test_says_where_a_request_is_wrong(fields: JsonObject, words: str) -> None:
    with pytest.raises(Malformed) as caught:
        taken(fields)
    assert str(caught.value).startswith(words)


TOLERATED: dict[str, tuple[JsonObject, Request]] = {
    "null is nothing": (
        dict.fromkeys(
            ("system", "tools", "tool_choice", "stop_sequences", "thinking", "temperature")
        ),
        ASK,
    ),
    "empty is nothing": ({"system": [], "tools": [], "stop_sequences": []}, ASK),
    "sampling": (
        {"temperature": 0.5, "top_p": 0.9, "top_k": 4},
        ASK.with_options(temperature=0.5, top_p=0.9, top_k=4),
    ),
    "one plain block is the plain prompt": (
        {"system": [{"type": "text", "text": "be kind"}]},
        ASK.with_options(system="be kind"),
    ),
    "the older name of the format": (
        {"output_format": {"type": "json_schema", "schema": {"type": "object"}}},
        ASK.with_options(schema={"type": "object"}),
    ),
    "a custom tool says so": (
        {"tools": [{"type": "custom", "name": "f", "input_schema": {"type": "object"}}]},
        ASK.with_options(tools=(Tool(name="f", parameters={"type": "object"}),)),
    ),
    "words before a result come after it": (
        content({"type": "text", "text": "here"}, {"type": "tool_result", "tool_use_id": "a"}),
        Request(messages=(tool_results(ToolResult(id="a")), user("here"))),
    ),
    "results of two turns in a row are one message": (
        {
            "messages": [
                {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "a"}]},
                {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "b"}]},
            ]
        },
        Request(messages=(tool_results(ToolResult(id="a"), ToolResult(id="b")),)),
    ),
    "an unsigned thought": (
        content({"type": "thinking", "thinking": "hm", "signature": ""}, role="assistant"),
        Request(messages=(assistant(Thinking(text="hm")),)),
    ),
    "effort beside disabled thinking stays in its place": (
        {"thinking": {"type": "disabled"}, "output_config": {"effort": "low"}},
        ASK.with_options(
            reasoning_effort="none", extra={"anthropic": {"output_config": {"effort": "low"}}}
        ),
    ),
    "a display of null is none": (
        {"thinking": {"type": "enabled", "budget_tokens": 1024, "display": None}},
        ASK.with_options(reasoning_budget=1024),
    ),
    "a budget without a size": (
        {"thinking": {"type": "enabled"}},
        ASK.with_options(extra={"anthropic": {"thinking": {"type": "enabled"}}}),
    ),
    "adaptive thinking goes back as it came": (
        {"thinking": {"type": "adaptive", "display": "omitted"}},
        ASK.with_options(
            show_thinking=False,
            extra={"anthropic": {"thinking": {"type": "adaptive", "display": "omitted"}}},
        ),
    ),
    "a format we do not know": (
        {"output_format": {"type": "grammar"}},
        ASK.with_options(extra={"anthropic": {"output_format": {"type": "grammar"}}}),
    ),
    "no content": (
        {"messages": [{"role": "assistant", "content": None}]},
        Request(messages=(assistant(),)),
    ),
    "a document by its id": (
        content({"type": "document", "source": {"type": "file", "file_id": "f"}}),
        Request(
            messages=(
                user(
                    Opaque(
                        dialect="anthropic",
                        value={"type": "document", "source": {"type": "file", "file_id": "f"}},
                    )
                ),
            )
        ),
    ),
    "metadata of any other shape": (
        {"metadata": {"user_id": "u", "team": 5}},
        ASK.with_options(extra={"anthropic": {"metadata": {"user_id": "u", "team": 5}}}),
    ),
}


@pytest.mark.parametrize(("fields", "request_"), TOLERATED.values(), ids=TOLERATED.keys())
def test_takes_what_clients_really_send(fields: JsonObject, request_: Request) -> None:
    assert taken(fields) == request_


SENT: dict[str, tuple[Options, str, Json]] = {
    "a default where the API insists": ({}, "max_tokens", 8192),
    "a budget is below max_tokens": ({"reasoning_budget": 9000}, "max_tokens", 8192 + 9000),
    "a budget of nothing": ({"reasoning_budget": 0}, "thinking", {"type": "disabled"}),
    "a budget of its own choice": ({"reasoning_budget": -1}, "thinking", {"type": "adaptive"}),
    "hiding thinking does not ask for any": ({"show_thinking": False}, "thinking", None),
    "the least effort": ({"reasoning_effort": "minimal"}, "output_config", {"effort": "low"}),
    "JSON without a schema has no word": ({"schema": {}}, "output_config", None),
    "a choice among no tools": ({"tool_choice": REQUIRED}, "tool_choice", None),
    "metadata of others": ({"metadata": {"team": "a"}}, "metadata", None),
    "a tool that takes nothing": (
        {"tools": (Tool(name="now"),)},
        "tools",
        [{"name": "now", "input_schema": {"type": "object"}}],
    ),
    "another provider's tool": (
        {
            "tools": (
                Tool(
                    name="code",
                    hosted=True,
                    artefact=Artefact(dialect="gemini", value={"codeExecution": {}}),
                ),
            ),
            "tool_choice": ToolChoice(parallel=False),
        },
        "tools",
        None,
    ),
    "an extra for whoever serves": ({"extra": {"*": {"speed": "fast"}}}, "speed", "fast"),
    "an extra beside the output format": (
        {
            "reasoning_effort": "high",
            "extra": {"anthropic": {"output_config": {"task_budget": {"type": "tokens"}}}},
        },
        "output_config",
        {"effort": "high", "task_budget": {"type": "tokens"}},
    ),
    "a field of another dialect": ({"extra": {"gemini": {"labels": {}}}}, "labels", None),
}


@pytest.mark.parametrize(("options", "field", "value"), SENT.values(), ids=SENT.keys())
def test_sends_what_the_api_takes(options: Options, field: str, value: Json) -> None:
    assert sent(ASK.with_options(**options)).get(field) == value


@pytest.mark.parametrize(
    ("version", "taken_there"), [("", True), ("2023-06-01", True), ("2026-10-21", False)]
)
def test_sampling_is_sent_only_to_versions_that_take_it(version: str, *, taken_there: bool) -> None:
    call = DIALECT.encode_request(
        ASK.with_options(temperature=0.0, top_p=0.5, top_k=3),
        model="m",
        stream=True,
        wire=Wire(version=version),
    )
    body = object_at(read(call.body), "body")
    assert call.path == "/v1/messages"
    assert call.headers == {"anthropic-version": version or "2023-06-01"}
    assert body["stream"] is True
    assert [body.get(knob) for knob in ("temperature", "top_p", "top_k")] == (
        [0.0, 0.5, 3] if taken_there else [None, None, None]
    )


@pytest.mark.parametrize("betas", [["a-2026", "b-2026"], "a-2026,b-2026"])
def test_betas_go_in_the_header(betas: Json) -> None:
    request = ASK.with_options(extra={"anthropic": {"betas": betas}})
    call = DIALECT.encode_request(request, model="m", stream=False, wire=Wire())
    assert call.headers["anthropic-beta"] == "a-2026,b-2026"
    assert "betas" not in object_at(read(call.body), "body")


def test_a_setting_on_a_first_system_message_keeps_it_in_the_history() -> None:
    first: JsonObject = {"role": "system", "content": [], "output_config": {"effort": "low"}}
    assert sent(taken({"messages": [first, HI]}))["messages"] == [first, HI]


def test_what_a_client_says_of_streaming_yields_to_what_the_door_knows() -> None:
    body: JsonObject = {"model": "m", "messages": [HI], "stream": True}
    assert DIALECT.decode_request(body).stream
    assert not DIALECT.decode_request(body, stream=False).stream
    assert DIALECT.decode_request({"messages": [HI]}, model="door").model == "door"


def taken(fields: JsonObject) -> Request:
    return DIALECT.decode_request({"model": "m", "messages": [HI], **fields}).request


def sent(request: Request) -> JsonObject:
    call = DIALECT.encode_request(request, model="m", stream=False, wire=Wire())
    return object_at(read(call.body), "body")
