"""What steers a reply of Gemini's: one table, the same both ways."""

import pytest

from majordomo.contract import (
    NONE,
    REQUIRED,
    Artefact,
    Json,
    JsonObject,
    Request,
    Tool,
    ToolChoice,
    named,
    user,
)
from majordomo.dialects.dialect import Call, Wire
from majordomo.dialects.gemini import DIALECT
from majordomo.dialects.json import read
from support.schemas import assert_valid

SCHEMA: JsonObject = {"type": "object", "properties": {"city": {"type": "string"}}}
HI: Json = {"role": "user", "parts": [{"text": "hi"}]}
DECLARED: Json = [
    {
        "functionDeclarations": [
            {"name": "get_weather", "description": "Get it", "parametersJsonSchema": SCHEMA},
            {"name": "now"},
        ]
    }
]
TOOLS = (Tool(name="get_weather", description="Get it", parameters=SCHEMA), Tool(name="now"))


SAME_BOTH_WAYS: dict[str, tuple[Request, JsonObject]] = {
    "hosted tools": (
        Request(
            messages=(user("hi"),),
            tools=(
                Tool(
                    name="f",
                    artefact=Artefact(dialect="gemini", value={"behavior": "BLOCKING"}),
                ),
                Tool(
                    name="googleSearch",
                    hosted=True,
                    artefact=Artefact(dialect="gemini", value={"googleSearch": {}}),
                ),
            ),
        ),
        {
            "contents": [HI],
            "tools": [
                {"functionDeclarations": [{"name": "f", "behavior": "BLOCKING"}]},
                {"googleSearch": {}},
            ],
        },
    ),
    "sampling": (
        Request(
            messages=(user("hi"),),
            max_tokens=5,
            temperature=0.5,
            top_p=0.9,
            top_k=4,
            seed=1,
            presence_penalty=0.1,
            frequency_penalty=0.2,
            stop=("x",),
            extra={
                "gemini": {
                    "safetySettings": [],
                    "cachedContent": "cachedContents/1",
                    "labels": {"a_b": "c"},
                    "generationConfig": {"candidateCount": 1},
                }
            },
        ),
        {
            "contents": [HI],
            "safetySettings": [],
            "cachedContent": "cachedContents/1",
            "labels": {"a_b": "c"},
            "generationConfig": {
                "maxOutputTokens": 5,
                "temperature": 0.5,
                "topP": 0.9,
                "topK": 4,
                "seed": 1,
                "presencePenalty": 0.1,
                "frequencyPenalty": 0.2,
                "stopSequences": ["x"],
                "candidateCount": 1,
            },
        },
    ),
    "JSON of any shape": (
        Request(messages=(user("hi"),), schema={}),
        {"contents": [HI], "generationConfig": {"responseMimeType": "application/json"}},
    ),
    "JSON by schema": (
        Request(messages=(user("hi"),), schema=SCHEMA),
        {
            "contents": [HI],
            "generationConfig": {
                "responseMimeType": "application/json",
                "responseJsonSchema": SCHEMA,
            },
        },
    ),
    "another format": (
        Request(
            messages=(user("hi"),),
            extra={"gemini": {"generationConfig": {"responseMimeType": "text/x.enum"}}},
        ),
        {"contents": [HI], "generationConfig": {"responseMimeType": "text/x.enum"}},
    ),
    "thinking by level": (
        Request(messages=(user("hi"),), reasoning_effort="high", show_thinking=True),
        {
            "contents": [HI],
            "generationConfig": {
                "thinkingConfig": {"includeThoughts": True, "thinkingLevel": "HIGH"}
            },
        },
    ),
    "thinking in words only it knows": (
        Request(
            messages=(user("hi"),),
            reasoning_budget=0,
            extra={"gemini": {"generationConfig": {"thinkingConfig": {"x": 1}}}},
        ),
        {
            "contents": [HI],
            "generationConfig": {"thinkingConfig": {"thinkingBudget": 0, "x": 1}},
        },
    ),
    "thinking by budget": (
        Request(messages=(user("hi"),), reasoning_budget=-1, show_thinking=False),
        {
            "contents": [HI],
            "generationConfig": {
                "thinkingConfig": {"includeThoughts": False, "thinkingBudget": -1}
            },
        },
    ),
}


@pytest.mark.parametrize(("request_", "wire"), SAME_BOTH_WAYS.values(), ids=SAME_BOTH_WAYS.keys())
def test_same_both_ways(request_: Request, wire: JsonObject) -> None:
    assert read(encode(request_).body) == wire
    assert DIALECT.decode_request(wire, model="m").request == request_


KNOWN = [row[0] for name, row in SAME_BOTH_WAYS.items() if "only it knows" not in name]


@pytest.mark.parametrize("request_", KNOWN)
def test_what_is_sent_is_valid_in_the_sdk(request_: Request) -> None:
    assert_valid(read(encode(request_).body), "gemini.request")


CHOICES: dict[str, tuple[ToolChoice, Json]] = {
    "none": (NONE, {"mode": "NONE"}),
    "required": (REQUIRED, {"mode": "ANY"}),
    "named": (named("now"), {"mode": "ANY", "allowedFunctionNames": ["now"]}),
    "one of some": (
        ToolChoice(mode="required", allowed=("a", "b")),
        {"mode": "ANY", "allowedFunctionNames": ["a", "b"]},
    ),
    "freely one of some": (
        ToolChoice(allowed=("a",)),
        {"mode": "VALIDATED", "allowedFunctionNames": ["a"]},
    ),
}


@pytest.mark.parametrize(("choice", "config"), CHOICES.values(), ids=CHOICES.keys())
def test_a_choice_is_the_same_both_ways(choice: ToolChoice, config: Json) -> None:
    request = Request(messages=(user("hi"),), tools=TOOLS, tool_choice=choice)
    wire: JsonObject = {
        "contents": [HI],
        "tools": DECLARED,
        "toolConfig": {"functionCallingConfig": config},
    }
    assert read(encode(request).body) == wire
    assert DIALECT.decode_request(wire, model="m").request == request
    assert_valid(wire, "gemini.request")


def encode(request: Request) -> Call:
    return DIALECT.encode_request(request, model="m", stream=False, wire=Wire())
