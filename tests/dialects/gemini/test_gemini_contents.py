"""What is said in a request to Gemini: one table, the same both ways."""

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
    Tool,
    ToolCall,
    ToolResult,
    assistant,
    system,
    tool_results,
    user,
)
from majordomo.dialects.dialect import Call, Wire
from majordomo.dialects.gemini import DIALECT
from majordomo.dialects.json import read
from support.schemas import assert_valid

SCHEMA: JsonObject = {"type": "object", "properties": {"city": {"type": "string"}}}
HI: Json = {"role": "user", "parts": [{"text": "hi"}]}
SIGNED = Artefact(dialect="gemini", value={"thoughtSignature": "c2ln"})
CALL = ToolCall(id="a", name="get_weather", arguments='{"city":"Paris"}')
CALL_WIRE: JsonObject = {"id": "a", "name": "get_weather", "args": {"city": "Paris"}}
DECLARED: Json = [
    {
        "functionDeclarations": [
            {"name": "get_weather", "description": "Get it", "parametersJsonSchema": SCHEMA},
            {"name": "now"},
        ]
    }
]
TOOLS = (Tool(name="get_weather", description="Get it", parameters=SCHEMA), Tool(name="now"))


def answered(*wire: JsonObject) -> JsonObject:
    parts: list[Json] = [{"functionResponse": item} for item in wire]
    return {"contents": [{"role": "user", "parts": parts}]}


def result(*content: str | Image | Document | Opaque, is_error: bool = False) -> Request:
    parts = user(*content).parts
    return Request(
        messages=(tool_results(ToolResult(id="a", name="f", content=parts, is_error=is_error)),)
    )


SAME_BOTH_WAYS: dict[str, tuple[Request, JsonObject]] = {
    "text": (Request(messages=(user("hi"),)), {"contents": [HI]}),
    "system": (
        Request(system="be brief", messages=(user("hi"),)),
        {"contents": [HI], "systemInstruction": {"parts": [{"text": "be brief"}]}},
    ),
    "a system prompt in two parts": (
        Request(messages=(system("be", "brief"), user("hi"))),
        {"contents": [HI], "systemInstruction": {"parts": [{"text": "be"}, {"text": "brief"}]}},
    ),
    "two turns of one user": (
        Request(messages=(user("hi"), user("hi"))),
        {"contents": [HI, HI]},
    ),
    "media": (
        Request(
            messages=(
                user(
                    Image(data=b"1", mime="image/png"),
                    Document(data=b"2", mime="application/pdf", name="x.pdf"),
                ),
            )
        ),
        {
            "contents": [
                {
                    "role": "user",
                    "parts": [
                        {"inlineData": {"mimeType": "image/png", "data": "MQ=="}},
                        {
                            "inlineData": {
                                "mimeType": "application/pdf",
                                "data": "Mg==",
                                "displayName": "x.pdf",
                            }
                        },
                    ],
                }
            ]
        },
    ),
    "what stands beside an image": (
        Request(
            messages=(
                user(
                    Image(
                        data=b"1",
                        mime="image/png",
                        artefact=Artefact(
                            dialect="gemini",
                            value={
                                "mediaResolution": {"level": "MEDIA_RESOLUTION_LOW"},
                                "inlineData": {"displayName": "x"},
                            },
                        ),
                    )
                ),
            )
        ),
        {
            "contents": [
                {
                    "role": "user",
                    "parts": [
                        {
                            "inlineData": {
                                "mimeType": "image/png",
                                "data": "MQ==",
                                "displayName": "x",
                            },
                            "mediaResolution": {"level": "MEDIA_RESOLUTION_LOW"},
                        }
                    ],
                }
            ]
        },
    ),
    "files and sound are passed as they are": (
        Request(
            messages=(
                user(
                    Opaque(dialect="gemini", value={"fileData": {"fileUri": "gs://x"}}),
                    Opaque(
                        dialect="gemini",
                        value={"inlineData": {"mimeType": "audio/wav", "data": "MQ=="}},
                    ),
                ),
            )
        ),
        {
            "contents": [
                {
                    "role": "user",
                    "parts": [
                        {"fileData": {"fileUri": "gs://x"}},
                        {"inlineData": {"mimeType": "audio/wav", "data": "MQ=="}},
                    ],
                }
            ]
        },
    ),
    "signatures stay where they were": (
        Request(
            messages=(
                Message(
                    role="assistant",
                    parts=(
                        Thinking(text="hm"),
                        Thinking(text="", artefact=SIGNED),
                        Text(text="I look."),
                        Text(text="", artefact=SIGNED),
                        ToolCall(id="a", name="f", arguments="{}", artefact=SIGNED),
                        ToolCall(id="b", name="f", arguments="{}"),
                    ),
                ),
            )
        ),
        {
            "contents": [
                {
                    "role": "model",
                    "parts": [
                        {"text": "hm", "thought": True},
                        {"text": "", "thought": True, "thoughtSignature": "c2ln"},
                        {"text": "I look."},
                        {"text": "", "thoughtSignature": "c2ln"},
                        {
                            "functionCall": {"id": "a", "name": "f", "args": {}},
                            "thoughtSignature": "c2ln",
                        },
                        {"functionCall": {"id": "b", "name": "f", "args": {}}},
                    ],
                }
            ]
        },
    ),
    "a tool turn and what the user adds": (
        Request(
            messages=(
                assistant(CALL),
                tool_results(ToolResult(id="a", name="get_weather", content=(Text(text="18C"),))),
                user("thanks"),
            ),
            tools=TOOLS,
        ),
        {
            "contents": [
                {"role": "model", "parts": [{"functionCall": CALL_WIRE}]},
                {
                    "role": "user",
                    "parts": [
                        {
                            "functionResponse": {
                                "id": "a",
                                "name": "get_weather",
                                "response": {"output": "18C"},
                            }
                        },
                        {"text": "thanks"},
                    ],
                },
            ],
            "tools": DECLARED,
        },
    ),
    "a failed result": (
        result("no", is_error=True),
        answered({"id": "a", "name": "f", "response": {"error": "no"}}),
    ),
    "a picture as a result": (
        result(Image(data=b"1", mime="image/png")),
        answered(
            {
                "id": "a",
                "name": "f",
                "response": {"output": ""},
                "parts": [{"inlineData": {"mimeType": "image/png", "data": "MQ=="}}],
            }
        ),
    ),
    "a file as a result": (
        result(Opaque(dialect="gemini", value={"fileData": {"fileUri": "x"}})),
        answered(
            {
                "id": "a",
                "name": "f",
                "response": {"output": ""},
                "parts": [{"fileData": {"fileUri": "x"}}],
            }
        ),
    ),
    "an object as a result, with words of its own": (
        Request(
            messages=(
                tool_results(
                    ToolResult(
                        id="a",
                        name="f",
                        content=(Text(text='{"result":{"c":18}}'),),
                        artefact=Artefact(
                            dialect="gemini",
                            value={
                                "functionResponse": {"scheduling": "SILENT"},
                                "structured": True,
                            },
                        ),
                    )
                ),
            )
        ),
        answered(
            {
                "id": "a",
                "name": "f",
                "response": {"result": {"c": 18}},
                "scheduling": "SILENT",
            }
        ),
    ),
}


@pytest.mark.parametrize(("request_", "wire"), SAME_BOTH_WAYS.values(), ids=SAME_BOTH_WAYS.keys())
def test_same_both_ways(request_: Request, wire: JsonObject) -> None:
    assert read(encode(request_).body) == wire
    assert DIALECT.decode_request(wire, model="m").request == request_


@pytest.mark.parametrize("request_", [row[0] for row in SAME_BOTH_WAYS.values()])
def test_what_is_sent_is_valid_in_the_sdk(request_: Request) -> None:
    assert_valid(read(encode(request_).body), "gemini.request")


def test_has_a_name() -> None:
    assert DIALECT.name == "gemini"


def encode(request: Request) -> Call:
    return DIALECT.encode_request(request, model="m", stream=False, wire=Wire())
