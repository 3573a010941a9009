"""What Gemini's clients write in more than one way."""

import pytest

from majordomo.contract import (
    AUTO,
    NONE,
    Artefact,
    Image,
    Json,
    JsonObject,
    Opaque,
    Request,
    Text,
    Thinking,
    Tool,
    ToolCall,
    ToolResult,
    assistant,
    tool_results,
    user,
)
from majordomo.dialects.gemini import DIALECT

HI: Json = {"role": "user", "parts": [{"text": "hi"}]}
ASKED = Request(messages=(user("hi"),))

ONLY_READ: dict[str, tuple[JsonObject, Request]] = {
    "contents as text": ({"contents": "hi"}, ASKED),
    "contents as one turn": ({"contents": HI}, ASKED),
    "no role": ({"contents": [{"parts": [{"text": "hi"}]}]}, ASKED),
    "nulls and nothing": (
        {
            "contents": [HI, {"role": "model", "parts": []}, {"role": "user", "parts": None}],
            "tools": [],
            "toolConfig": None,
            "generationConfig": {},
            "systemInstruction": {"parts": []},
            "safetySettings": None,
        },
        ASKED,
    ),
    "an instruction as text": (
        {"contents": [HI], "system_instruction": "s"},
        Request(system="s", messages=(user("hi"),)),
    ),
    "both notations in one body": (
        {
            "contents": [
                {
                    "parts": [
                        {"inline_data": {"mime_type": "image/png", "data": "MQ"}},
                        {"file_data": {"file_uri": "x"}},
                    ]
                },
                {
                    "role": "model",
                    "parts": [
                        {
                            "function_call": {"name": "f", "args": {"a_b": {"c_d": 1}}},
                            "thought_signature": "c2ln",
                        }
                    ],
                },
                {
                    "role": "function",
                    "parts": [{"function_response": {"name": "f", "response": {"x_y": 1}}}],
                },
            ],
            "tools": [
                {
                    "function_declarations": [
                        {"name": "f", "parameters_json_schema": {"type": "object"}}
                    ]
                },
                {"google_search": {}},
            ],
            "tool_config": {"function_calling_config": {"mode": "none"}},
            "generation_config": {
                "max_output_tokens": 5,
                "thinkingConfig": {"include_thoughts": True, "thinking_level": "low"},
            },
            "cached_content": "c",
        },
        Request(
            messages=(
                user(
                    Image(data=b"1", mime="image/png"),
                    Opaque(dialect="gemini", value={"fileData": {"file_uri": "x"}}),
                ),
                assistant(
                    ToolCall(
                        id="call_0",
                        name="f",
                        arguments='{"a_b":{"c_d":1}}',
                        artefact=Artefact(dialect="gemini", value={"thoughtSignature": "c2ln"}),
                    )
                ),
                tool_results(
                    ToolResult(
                        id="call_0",
                        name="f",
                        content=(Text(text='{"x_y":1}'),),
                        artefact=Artefact(dialect="gemini", value={"structured": True}),
                    )
                ),
            ),
            tools=(
                Tool(name="f", parameters={"type": "object"}),
                Tool(
                    name="googleSearch",
                    hosted=True,
                    artefact=Artefact(dialect="gemini", value={"googleSearch": {}}),
                ),
            ),
            tool_choice=NONE,
            max_tokens=5,
            show_thinking=True,
            reasoning_effort="low",
            extra={"gemini": {"cachedContent": "c"}},
        ),
    ),
    "parallel calls of one function, results apart": (
        {
            "contents": [
                {
                    "role": "model",
                    "parts": [
                        {"functionCall": {"name": "f", "args": {"n": 1}}},
                        {"functionCall": {"name": "f", "args": {"n": 2}}},
                        {"functionCall": {"name": "g"}},
                    ],
                },
                {"parts": [{"functionResponse": {"name": "g", "response": {"output": "3"}}}]},
                {"parts": [{"functionResponse": {"name": "f", "response": {"output": "1"}}}]},
                {
                    "parts": [
                        {"text": "more"},
                        {"functionResponse": {"name": "f", "response": {}}},
                    ]
                },
            ]
        },
        Request(
            messages=(
                assistant(
                    ToolCall(id="call_0", name="f", arguments='{"n":1}'),
                    ToolCall(id="call_1", name="f", arguments='{"n":2}'),
                    ToolCall(id="call_2", name="g", arguments="{}"),
                ),
                tool_results(
                    ToolResult(id="call_2", name="g", content=(Text(text="3"),)),
                    ToolResult(id="call_0", name="f", content=(Text(text="1"),)),
                    ToolResult(id="call_1", name="f"),
                ),
                user("more"),
            )
        ),
    ),
    "a result without a name": (
        {
            "contents": [
                {"role": "model", "parts": [{"functionCall": {"id": "a", "name": "f"}}]},
                {
                    "parts": [
                        {"functionResponse": {"id": "a", "response": {"error": "x", "code": 1}}}
                    ]
                },
            ]
        },
        Request(
            messages=(
                assistant(ToolCall(id="a", name="f", arguments="{}")),
                tool_results(
                    ToolResult(
                        id="a",
                        name="f",
                        content=(Text(text='{"error":"x","code":1}'),),
                        is_error=True,
                        artefact=Artefact(dialect="gemini", value={"structured": True}),
                    )
                ),
            )
        ),
    ),
    "arguments as text, and a signature that is no base64": (
        {
            "contents": [
                {
                    "role": "model",
                    "parts": [
                        {
                            "functionCall": {"id": "a", "name": "f", "args": '{"n": 1}'},
                            "thoughtSignature": "?",
                        }
                    ],
                }
            ]
        },
        Request(
            messages=(
                assistant(
                    ToolCall(
                        id="a",
                        name="f",
                        arguments='{"n": 1}',
                        artefact=Artefact(dialect="gemini", value={"thoughtSignature": "?"}),
                    )
                ),
            )
        ),
    ),
    "what stands beside a thought is not its signature": (
        {"contents": [{"role": "model", "parts": [{"text": "hm", "thought": True, "x": 1}]}]},
        Request(
            messages=(
                assistant(Thinking(text="hm", artefact=Artefact(dialect="gemini", value={"x": 1}))),
            )
        ),
    ),
    "a signature and nothing else": (
        {"contents": [{"role": "model", "parts": [{"thoughtSignature": "c2ln"}]}]},
        Request(
            messages=(
                assistant(
                    Text(
                        text="",
                        artefact=Artefact(dialect="gemini", value={"thoughtSignature": "c2ln"}),
                    )
                ),
            )
        ),
    ),
    "free calls held to their schema": (
        {
            "contents": [HI],
            "toolConfig": {"functionCallingConfig": {"mode": "VALIDATED"}},
        },
        Request(
            messages=(user("hi"),),
            tool_choice=AUTO,
            extra={"gemini": {"toolConfig": {"functionCallingConfig": {"mode": "VALIDATED"}}}},
        ),
    ),
}


@pytest.mark.parametrize(("wire", "request_"), ONLY_READ.values(), ids=ONLY_READ.keys())
def test_reads_what_clients_write(wire: JsonObject, request_: Request) -> None:
    assert DIALECT.decode_request(wire, model="m").request == request_
