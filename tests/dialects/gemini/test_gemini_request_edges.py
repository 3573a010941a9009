"""What Gemini can only nearly say, what depends on its model, and what it refuses."""

import pytest

from majordomo.contract import (
    Artefact,
    Json,
    JsonObject,
    Malformed,
    Message,
    Opaque,
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
from majordomo.dialects.gemini import DIALECT, decode_count_request
from majordomo.dialects.json import object_at, read
from majordomo.dialects.media import encode_base64

HI: Json = {"role": "user", "parts": [{"text": "hi"}]}
ASKED = Request(messages=(user("hi"),))

ANTHROPIC = Artefact(dialect="anthropic", value={"signature": "s"})
ONLY_WRITTEN: dict[str, tuple[Request, list[Json]]] = {
    "a later system message is told by the user": (
        Request(messages=(user("hi"), system("s"))),
        [HI, {"role": "user", "parts": [{"text": "s"}]}],
    ),
    "another dialect's signature is withheld": (
        Request(
            messages=(
                Message(
                    role="assistant",
                    parts=(
                        Thinking(text="hm", artefact=ANTHROPIC),
                        Thinking(text="", artefact=ANTHROPIC),
                        Text(text=""),
                        Opaque(dialect="anthropic", value={"type": "x"}),
                    ),
                ),
            )
        ),
        [{"role": "model", "parts": [{"text": "hm", "thought": True}]}],
    ),
    "a structured result that was changed on the way": (
        Request(
            messages=(
                tool_results(
                    ToolResult(
                        id="a",
                        name="f",
                        content=(Text(text='{"a": 1'), Thinking(text="no")),
                        artefact=Artefact(dialect="gemini", value={"structured": True}),
                    ),
                    ToolResult(
                        id="b",
                        name="f",
                        content=(Text(text="[1]"),),
                        artefact=Artefact(dialect="gemini", value={"structured": True}),
                    ),
                ),
            )
        ),
        [
            {
                "role": "user",
                "parts": [
                    {
                        "functionResponse": {
                            "id": "a",
                            "name": "f",
                            "response": {"output": '{"a": 1'},
                        }
                    },
                    {"functionResponse": {"id": "b", "name": "f", "response": {"output": "[1]"}}},
                ],
            }
        ],
    ),
    "nothing to say is not said": (Request(messages=(assistant(), user(""))), []),
    "the name of a result is looked up": (
        Request(
            messages=(
                assistant(ToolCall(id="a", name="f", arguments="no JSON")),
                tool_results(ToolResult(id="a", content=(Text(text="1"), Text(text="2")))),
                tool_results(ToolResult(id="b")),
            )
        ),
        [
            {
                "role": "model",
                "parts": [{"functionCall": {"id": "a", "name": "f", "args": {"_raw": "no JSON"}}}],
            },
            {
                "role": "user",
                "parts": [
                    {
                        "functionResponse": {
                            "id": "a",
                            "name": "f",
                            "response": {"output": "1\n2"},
                        }
                    },
                    {"functionResponse": {"id": "b", "name": "b", "response": {"output": ""}}},
                ],
            },
        ],
    ),
}


@pytest.mark.parametrize(("request_", "contents"), ONLY_WRITTEN.values(), ids=ONLY_WRITTEN.keys())
def test_writes_the_nearest_it_can_say(request_: Request, contents: list[Json]) -> None:
    assert body_of(request_) == {"contents": contents}


def test_a_call_another_model_made_is_signed_for() -> None:
    signed = Artefact(dialect="gemini", value={"thoughtSignature": "c2ln"})
    plain = assistant("a")
    foreign = assistant("a", *(ToolCall(id=i, name="f", arguments="{}") for i in "ab"))
    own = assistant(ToolCall(id="c", name="f", arguments="{}", artefact=signed))
    request = Request(messages=(plain, foreign, own))
    assert signatures(request, "gemini-3-pro") == [
        None,
        None,
        "skip_thought_signature_validator",
        None,
        "c2ln",
    ]
    assert signatures(request, "gemini-2.5-flash") == [None, None, None, None, "c2ln"]


def test_what_was_sealed_comes_back_as_it_was() -> None:
    sealed = encode_base64(seal(ANTHROPIC).encode())
    wire: Json = [
        {"text": "hm", "thought": True},
        {"text": "", "thought": True, "thoughtSignature": sealed},
        {"functionCall": {"id": "a", "name": "f"}, "thoughtSignature": sealed},
    ]
    ask = DIALECT.decode_request({"contents": [{"role": "model", "parts": wire}]}, model="m")
    assert ask.request.messages == (
        assistant(
            Thinking(text="hm", artefact=ANTHROPIC),
            ToolCall(id="a", name="f", arguments="{}", artefact=ANTHROPIC),
        ),
    )


@pytest.mark.parametrize(
    ("model", "request_", "config"),
    [
        ("gemini-2.5-pro", Request(messages=(), reasoning_effort="none"), {"thinkingBudget": 0}),
        ("gemini-2.5-pro", Request(messages=(), reasoning_effort="low"), {"thinkingBudget": 1024}),
        (
            "gemini-3-pro",
            Request(messages=(), reasoning_effort="none"),
            {"thinkingLevel": "MINIMAL"},
        ),
        ("gemini-3-pro", Request(messages=(), reasoning_effort="xhigh"), {"thinkingLevel": "HIGH"}),
        (
            "gemini-3-pro",
            Request(messages=(), reasoning_effort="low", reasoning_budget=9),
            {"thinkingLevel": "LOW"},
        ),
        (
            "gemini-2.5-pro",
            Request(messages=(), reasoning_effort="low", reasoning_budget=9),
            {"thinkingBudget": 9},
        ),
    ],
)
def test_effort_is_said_as_the_model_takes_it(model: str, request_: Request, config: Json) -> None:
    assert body_of(request_, model)["generationConfig"] == {"thinkingConfig": config}


@pytest.mark.parametrize(
    ("model", "version", "stream", "path"),
    [
        ("m", "", False, "/v1beta/models/m:generateContent"),
        ("m", "v1", True, "/v1/models/m:streamGenerateContent?alt=sse"),
        ("models/m", "", False, "/v1beta/models/m:generateContent"),
        ("tunedModels/m", "", False, "/v1beta/tunedModels/m:generateContent"),
        ("a b?", "", False, "/v1beta/models/a%20b%3F:generateContent"),
    ],
)
def test_the_path_says_model_and_stream(
    model: str, version: str, path: str, *, stream: bool
) -> None:
    wire = Wire(version=version)
    assert DIALECT.encode_request(ASKED, model=model, stream=stream, wire=wire).path == path


def test_model_and_stream_come_from_the_path() -> None:
    ask = DIALECT.decode_request({"contents": [HI]}, model="models/m", stream=True)
    assert (ask.model, ask.stream) == ("m", True)
    assert DIALECT.decode_request({"contents": [HI], "model": "models/x"}).model == "x"


REFUSED: dict[str, tuple[JsonObject, str]] = {
    "contents": ({"contents": 1}, "contents is not a list"),
    "turn": ({"contents": [1]}, "contents[0] is not an object"),
    "role": ({"contents": [{"role": "boss"}]}, "contents[0].role is not user or model"),
    "parts": ({"contents": [{"parts": {"text": "hi"}}]}, "contents[0].parts is not a list"),
    "call": (
        {"contents": [{"parts": [{"functionCall": {}}]}]},
        "contents[0].parts[0].functionCall.name is missing",
    ),
    "args": (
        {"contents": [{"parts": [{"functionCall": {"name": "f", "args": [1]}}]}]},
        "contents[0].parts[0].functionCall.args is not an object",
    ),
    "data": (
        {"contents": [{"parts": [{"inlineData": {"mimeType": "image/png", "data": "?"}}]}]},
        "contents[0].parts[0].inlineData.data is not valid base64",
    ),
    "response": (
        {"contents": [{"parts": [{"functionResponse": {"response": "x"}}]}]},
        "contents[0].parts[0].functionResponse.response is not an object",
    ),
    "mode": (
        {"toolConfig": {"functionCallingConfig": {"mode": "MAYBE"}}},
        "toolConfig.functionCallingConfig.mode is not AUTO, ANY, NONE or VALIDATED",
    ),
    "level": (
        {"generationConfig": {"thinkingConfig": {"thinkingLevel": "DEEP"}}},
        "generationConfig.thinkingConfig.thinkingLevel is not MINIMAL, LOW, MEDIUM or HIGH",
    ),
    "tool": (
        {
            "contents": [{"parts": [{"text": "hi"}]}],
            "tools": [{"functionDeclarations": [{}]}],
        },
        "tools[0].functionDeclarations[0].name is missing",
    ),
    "number": (
        {"generationConfig": {"topK": "many"}},
        "generationConfig.topK is not a whole number",
    ),
}


@pytest.mark.parametrize(("wire", "problem"), REFUSED.values(), ids=REFUSED.keys())
def test_says_where_a_request_is_wrong(wire: JsonObject, problem: str) -> None:
    with pytest.raises(Malformed) as caught:
        DIALECT.decode_request(wire, model="m")
    assert str(caught.value).startswith(problem)


def test_a_schema_without_end_is_refused() -> None:
    schema: JsonObject = {}
    for _ in range(900):
        schema = {"items": schema}
    body: JsonObject = {"generationConfig": {"responseJsonSchema": schema}}
    with pytest.raises(Malformed, match="nested too deeply"):
        DIALECT.decode_request(body, model="m")


def test_arguments_too_deep_to_write_are_refused() -> None:
    args: JsonObject = {}
    for _ in range(5000):
        args = {"a": args}
    call: Json = {"functionCall": {"name": "f", "args": args}}
    with pytest.raises(Malformed, match="nested too deeply"):
        DIALECT.decode_request({"contents": [{"role": "model", "parts": [call]}]}, model="m")


def test_a_request_needs_a_model() -> None:
    with pytest.raises(Malformed, match="model is missing"):
        DIALECT.decode_request({"contents": []})


def test_counts_contents_or_a_whole_request() -> None:
    whole: JsonObject = {"model": "models/m", "contents": [HI], "systemInstruction": "s"}
    assert decode_count_request({"contents": [HI]}, model="m").request == ASKED
    counted = decode_count_request({"generate_content_request": whole}).request
    assert counted == Request(system="s", messages=ASKED.messages)


def body_of(request: Request, model: str = "m") -> JsonObject:
    call = DIALECT.encode_request(request, model=model, stream=False, wire=Wire())
    return object_at(read(call.body), "body")


def signatures(request: Request, model: str) -> list[Json]:
    contents = body_of(request, model)["contents"]
    assert isinstance(contents, list)
    found: list[Json] = []
    for content in contents:
        parts = object_at(content, "content")["parts"]
        assert isinstance(parts, list)
        found.extend(object_at(part, "part").get("thoughtSignature") for part in parts)
    return found
