"""Tools and the choice among them, both ways."""

import pytest

from majordomo.contract import Artefact, JsonObject, Request, Tool, ToolChoice, user
from majordomo.dialects.dialect import Ask, Wire
from majordomo.dialects.json import object_at, read
from majordomo.dialects.openai_responses import DIALECT
from support.schemas import assert_valid

HI = user("hi")
FUNCTION: JsonObject = {"type": "function", "name": "f", "parameters": {"type": "object"}}


def own(value: JsonObject) -> Artefact:
    return Artefact(dialect="openai_responses", value=value)


def encode(request: Request) -> JsonObject:
    call = DIALECT.encode_request(request, model="m", stream=False, wire=Wire())
    return object_at(read(call.body), "body")


def decode(fields: JsonObject) -> Ask:
    return DIALECT.decode_request({"model": "m", "input": "hi", **fields})


CUSTOM: JsonObject = {
    "type": "custom",
    "name": "apply_patch",
    "description": "Edit files.",
    "format": {"type": "grammar", "syntax": "lark", "definition": "start: x"},
}
FIND: JsonObject = {**FUNCTION, "name": "find", "description": "Find.", "strict": False}
CRM: JsonObject = {"type": "namespace", "name": "crm", "description": "Customers."}
NAMESPACE: JsonObject = {**CRM, "tools": [FIND, CUSTOM]}
SEARCH: JsonObject = {"type": "web_search", "external_web_access": True}
FREE_TEXT: JsonObject = {
    "type": "object",
    "properties": {"input": {"type": "string"}},
    "required": ["input"],
}
GRAMMAR = "Edit files.\n\n`input` follows this lark grammar:\nstart: x"

TOOLS: tuple[Tool, ...] = (
    Tool(name="now", strict=True, artefact=own({"defer_loading": True})),
    Tool(
        name="apply_patch",
        description=GRAMMAR,
        parameters=FREE_TEXT,
        artefact=own({"definition": CUSTOM}),
    ),
    Tool(
        name="crm__find",
        description="Find.",
        parameters={"type": "object"},
        strict=False,
        artefact=own({"namespace": CRM}),
    ),
    Tool(
        name="crm__apply_patch",
        description=GRAMMAR,
        parameters=FREE_TEXT,
        artefact=own({"definition": CUSTOM, "namespace": CRM}),
    ),
    Tool(name="web_search", hosted=True, artefact=own(SEARCH)),
)
WIRE_TOOLS: list[JsonObject] = [
    {
        "type": "function",
        "name": "now",
        "parameters": {"type": "object", "properties": {}},
        "strict": True,
        "defer_loading": True,
    },
    CUSTOM,
    NAMESPACE,
    SEARCH,
]

CHOICES: dict[str, tuple[ToolChoice, JsonObject]] = {
    "auto": (ToolChoice(), {}),
    "none": (ToolChoice(mode="none"), {"tool_choice": "none"}),
    "required": (ToolChoice(mode="required"), {"tool_choice": "required"}),
    "one": (
        ToolChoice(mode="named", name="now"),
        {"tool_choice": {"type": "function", "name": "now"}},
    ),
    "a custom one": (
        ToolChoice(mode="named", name="apply_patch"),
        {"tool_choice": {"type": "custom", "name": "apply_patch"}},
    ),
    "one of a namespace": (
        ToolChoice(mode="named", name="crm__find"),
        {"tool_choice": {"type": "function", "name": "find", "namespace": "crm"}},
    ),
    "some": (
        ToolChoice(mode="required", allowed=("now", "apply_patch")),
        {
            "tool_choice": {
                "type": "allowed_tools",
                "mode": "required",
                "tools": [
                    {"type": "function", "name": "now"},
                    {"type": "custom", "name": "apply_patch"},
                ],
            }
        },
    ),
    "one at a time forces nothing": (ToolChoice(parallel=False), {"parallel_tool_calls": False}),
    "several at a time": (ToolChoice(parallel=True), {"parallel_tool_calls": True}),
}


@pytest.mark.parametrize(("choice", "fields"), CHOICES.values(), ids=CHOICES.keys())
def test_same_both_ways(choice: ToolChoice, fields: JsonObject) -> None:
    request = Request(messages=(HI,), tools=TOOLS, tool_choice=choice)
    body = encode(request)
    assert body["tools"] == WIRE_TOOLS
    assert {k: v for k, v in body.items() if k in {"tool_choice", "parallel_tool_calls"}} == fields
    assert decode({"tools": [*WIRE_TOOLS], **fields}).request == request


@pytest.mark.parametrize("name", [name for name in CHOICES if "namespace" not in name])
def test_every_choice_is_valid_for_the_service(name: str) -> None:
    request = Request(messages=(HI,), tools=TOOLS, tool_choice=CHOICES[name][0])
    assert_valid(encode(request), "openai.responses.request")


def test_a_namespace_is_rebuilt_from_the_tools_that_are_left() -> None:
    left = [tool for tool in TOOLS if tool.name in {"now", "crm__find"}]
    body = encode(Request(messages=(HI,), tools=tuple(left)))
    assert body["tools"] == [WIRE_TOOLS[0], {**CRM, "tools": [FIND]}]


HOSTED: dict[str, JsonObject] = {
    "one": {"type": "web_search_preview"},
    "among others": {
        "type": "allowed_tools",
        "mode": "auto",
        "tools": [{"type": "function", "name": "f"}, {"type": "mcp", "server_label": "x"}],
    },
}


@pytest.mark.parametrize("choice", HOSTED.values(), ids=HOSTED.keys())
def test_a_hosted_choice_is_kept_as_it_came(choice: JsonObject) -> None:
    ask = decode({"tools": [FUNCTION], "tool_choice": choice})
    assert ask.request.tool_choice == ToolChoice()
    assert encode(ask.request)["tool_choice"] == choice


def test_without_tools_nothing_is_said_of_them() -> None:
    body = encode(Request(messages=(HI,), tool_choice=ToolChoice(mode="required", parallel=True)))
    assert not {"tools", "tool_choice", "parallel_tool_calls"} & body.keys()
