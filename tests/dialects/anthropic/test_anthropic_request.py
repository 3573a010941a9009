"""Requests: one table read both ways, then what is read one way only, or written so."""

import pytest

from majordomo.contract import (
    NONE,
    REQUIRED,
    Artefact,
    Json,
    JsonObject,
    Options,
    Request,
    Text,
    Tool,
    ToolChoice,
    named,
    system,
    user,
)
from majordomo.dialects.anthropic import DIALECT
from majordomo.dialects.dialect import Ask, Wire
from majordomo.dialects.json import object_at, read
from support.schemas import assert_valid

MARK: JsonObject = {"cache_control": {"type": "ephemeral", "ttl": "1h"}}
HI: JsonObject = {"role": "user", "content": "hi"}
SCHEMA: JsonObject = {"type": "object", "properties": {"city": {"type": "string"}}}


def mine(**value: Json) -> Artefact:
    return Artefact(dialect="anthropic", value={**value})


MARKED = mine(**MARK)
WEATHER = Tool(name="weather", parameters=SCHEMA)
WEATHER_WIRE: JsonObject = {"name": "weather", "input_schema": SCHEMA}

FIELDS: dict[str, tuple[Options, JsonObject]] = {
    "system": ({"system": "be kind"}, {"system": "be kind"}),
    "tools": (
        {
            "tools": (
                Tool(
                    name="weather",
                    description="Look up",
                    parameters=SCHEMA,
                    strict=True,
                    artefact=mine(defer_loading=True, eager_input_streaming=True, **MARK),
                ),
                Tool(
                    name="web_search",
                    hosted=True,
                    artefact=mine(type="web_search_20250305", name="web_search", max_uses=2),
                ),
                Tool(
                    name="browser_toolset_20260801",
                    hosted=True,
                    artefact=mine(type="browser_toolset_20260801"),
                ),
            )
        },
        {
            "tools": [
                {
                    "name": "weather",
                    "description": "Look up",
                    "input_schema": SCHEMA,
                    "strict": True,
                    "defer_loading": True,
                    "eager_input_streaming": True,
                    **MARK,
                },
                {"type": "web_search_20250305", "name": "web_search", "max_uses": 2},
                {"type": "browser_toolset_20260801"},
            ]
        },
    ),
    "a call is required": (
        {"tools": (WEATHER,), "tool_choice": REQUIRED},
        {"tools": [WEATHER_WIRE], "tool_choice": {"type": "any"}},
    ),
    "no call is allowed": (
        {"tools": (WEATHER,), "tool_choice": NONE},
        {"tools": [WEATHER_WIRE], "tool_choice": {"type": "none"}},
    ),
    "one call is named": (
        {"tools": (WEATHER,), "tool_choice": named("weather")},
        {"tools": [WEATHER_WIRE], "tool_choice": {"type": "tool", "name": "weather"}},
    ),
    "one call at a time forces none": (
        {"tools": (WEATHER,), "tool_choice": ToolChoice(parallel=False)},
        {
            "tools": [WEATHER_WIRE],
            "tool_choice": {"type": "auto", "disable_parallel_tool_use": True},
        },
    ),
    "a schema": (
        {"schema": SCHEMA},
        {"output_config": {"format": {"type": "json_schema", "schema": SCHEMA}}},
    ),
    "effort": ({"reasoning_effort": "xhigh"}, {"output_config": {"effort": "xhigh"}}),
    "no thinking": ({"reasoning_effort": "none"}, {"thinking": {"type": "disabled"}}),
    "a budget": (
        {"reasoning_budget": 2048},
        {"thinking": {"type": "enabled", "budget_tokens": 2048}},
    ),
    "a budget, unseen": (
        {"reasoning_budget": 2048, "show_thinking": False},
        {"thinking": {"type": "enabled", "budget_tokens": 2048, "display": "omitted"}},
    ),
    "thinking to be seen": (
        {"show_thinking": True},
        {"thinking": {"type": "adaptive", "display": "summarized"}},
    ),
    "stop": ({"stop": ("END",)}, {"stop_sequences": ["END"]}),
    "who is asking": ({"metadata": {"user_id": "u"}}, {"metadata": {"user_id": "u"}}),
    "fields of this dialect alone": (
        {"extra": {"anthropic": {"service_tier": "auto", "cache_control": {"type": "ephemeral"}}}},
        {"service_tier": "auto", "cache_control": {"type": "ephemeral"}},
    ),
}


@pytest.mark.parametrize(("options", "fields"), FIELDS.values(), ids=FIELDS.keys())
def test_fields_are_the_same_both_ways(options: Options, fields: JsonObject) -> None:
    request = Request(messages=(user("hi"),), max_tokens=9000).with_options(**options)
    body = sent(request)
    assert_valid(body, "anthropic.request")
    assert body == {"model": "m", "max_tokens": 9000, "messages": [HI], **fields}
    assert DIALECT.decode_request(body) == Ask(model="m", stream=False, request=request)


def test_a_prompt_in_blocks_keeps_its_cache_marks_and_leads() -> None:
    blocks: list[Json] = [
        {"type": "text", "text": "one"},
        {"type": "text", "text": "two", **MARK},
    ]
    request = taken(system=blocks)
    assert request.system == ""
    assert request.messages == (system("one", Text(text="two", artefact=MARKED)), user("hi"))
    assert sent(request)["system"] == blocks


def taken(**fields: Json) -> Request:
    body: JsonObject = {"model": "m", "max_tokens": 1, "messages": [HI]}
    return DIALECT.decode_request({**body, **fields}).request


def sent(request: Request) -> JsonObject:
    call = DIALECT.encode_request(request, model="m", stream=False, wire=Wire())
    return object_at(read(call.body), "body")
