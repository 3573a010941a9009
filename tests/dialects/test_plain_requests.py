"""What is read at a glance means what it means when looked at closely, right or wrong."""

from collections.abc import Iterator
from copy import deepcopy

import pytest

from majordomo.contract import Json, JsonObject, Malformed
from majordomo.dialects import anthropic, openai_chat, openai_responses
from majordomo.dialects.anthropic import message as anthropic_message
from majordomo.dialects.anthropic import request as anthropic_request
from majordomo.dialects.anthropic import tool as anthropic_tool
from majordomo.dialects.dialect import Ask, Dialect
from majordomo.dialects.openai_chat import message as chat_message
from majordomo.dialects.openai_chat import part as chat_part
from majordomo.dialects.openai_chat import request as chat_request
from majordomo.dialects.openai_chat import tool as chat_tool
from majordomo.dialects.openai_responses import part as responses_part
from majordomo.dialects.openai_responses import tool as responses_tool

CHAT: JsonObject = {
    "model": "m",
    "messages": [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": [{"type": "text", "text": "a"}, {"type": "text", "text": ""}]},
        {
            "role": "assistant",
            "content": "Reading.",
            "tool_calls": [
                {"id": "a", "type": "function", "function": {"name": "f", "arguments": "{}"}},
                {"id": "b", "type": "function", "function": {"name": "g", "arguments": ""}},
            ],
        },
        {"role": "tool", "tool_call_id": "a", "content": "found"},
        {"role": "tool", "tool_call_id": "b", "content": "ERROR: lost"},
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [
                {"id": "c", "type": "function", "function": {"name": "f", "arguments": "{"}}
            ],
        },
        {"role": "tool", "tool_call_id": "c", "content": "found"},
        {"role": "assistant", "content": "Done."},
        {"role": "system", "content": "Go on."},
        {"role": "user", "content": "Thanks."},
    ],
    "tools": [
        {
            "type": "function",
            "function": {
                "name": "f",
                "description": "Reads.",
                "parameters": {"type": "object", "properties": {"path": {"type": "string"}}},
            },
        },
        {
            "type": "function",
            "function": {
                "name": "g",
                "description": "",
                "parameters": {"type": "object", "properties": {}},
            },
        },
    ],
    "max_tokens": 10,
    "temperature": 0.5,
    "top_p": 1,
    "stream": True,
}
ANTHROPIC: JsonObject = {
    "model": "m",
    "system": [{"type": "text", "text": "Be brief.", "cache_control": {"type": "ephemeral"}}],
    "messages": [
        {"role": "user", "content": "Read it."},
        {
            "role": "assistant",
            "content": [
                {"type": "thinking", "thinking": "hm", "signature": "s"},
                {"type": "text", "text": "Reading."},
                {"type": "tool_use", "id": "a", "name": "f", "input": {"path": "x"}},
                {"type": "tool_use", "id": "b", "name": "g", "input": {"_raw": "x"}},
            ],
        },
        {
            "role": "user",
            "content": [
                {"type": "tool_result", "tool_use_id": "a", "content": "found"},
                {
                    "type": "tool_result",
                    "tool_use_id": "b",
                    "content": [{"type": "text", "text": "lost"}],
                    "is_error": True,
                },
                {"type": "text", "text": "Go on.", "cache_control": {"type": "ephemeral"}},
            ],
        },
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c", "content": ""}]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "d", "content": []}]},
        {"role": "assistant", "content": "Done."},
    ],
    "tools": [
        {"name": "f", "description": "Reads.", "input_schema": {"type": "object"}},
        {"name": "g", "description": "", "input_schema": {}},
    ],
    "max_tokens": 10,
    "temperature": 0.5,
    "stop_sequences": ["END"],
    "stream": True,
}
RESPONSES: JsonObject = {
    "model": "m",
    "instructions": "Be brief.",
    "input": [
        {
            "type": "message",
            "role": "user",
            "content": [{"type": "input_text", "text": "a"}, {"type": "input_text", "text": ""}],
        },
        {"role": "user", "content": "b"},
        {"type": "function_call", "call_id": "a", "name": "f", "arguments": "{}"},
        {"type": "function_call_output", "call_id": "a", "output": "found"},
        {
            "type": "message",
            "role": "assistant",
            "content": [{"type": "output_text", "text": "c"}],
        },
    ],
    "tools": [
        {
            "type": "function",
            "name": "f",
            "description": "Reads.",
            "parameters": {"type": "object", "properties": {"path": {"type": "string"}}},
            "strict": False,
        },
        {
            "type": "function",
            "name": "g",
            "description": "",
            "parameters": {"type": "object", "properties": {}},
            "strict": True,
        },
    ],
    "stream": True,
}
REQUESTS: dict[str, tuple[Dialect, JsonObject]] = {
    "chat": (openai_chat.DIALECT, CHAT),
    "anthropic": (anthropic.DIALECT, ANTHROPIC),
    "responses": (openai_responses.DIALECT, RESPONSES),
}
OTHERS: list[Json] = [None, "", "other", 7, True, [], {}, [None], [""], {"type": "text"}]


@pytest.mark.parametrize(("dialect", "asked"), REQUESTS.values(), ids=REQUESTS.keys())
def test_any_one_change_is_read_the_same_at_a_glance_and_closely(
    monkeypatch: pytest.MonkeyPatch, dialect: Dialect, asked: JsonObject
) -> None:
    changed = list(changes(asked))
    glanced = [outcome(dialect, wire) for wire in changed]
    look_closely(monkeypatch)
    closely = [outcome(dialect, wire) for wire in changed]
    for wire, one, other in zip(changed, glanced, closely, strict=True):
        assert one == other, wire
    assert sum(isinstance(one, Ask) for one in glanced) > len(glanced) / 4


def outcome(dialect: Dialect, wire: JsonObject) -> Ask | str:
    try:
        return dialect.decode_request(deepcopy(wire))
    except Malformed as malformed:
        return str(malformed)


def look_closely(monkeypatch: pytest.MonkeyPatch) -> None:
    def nothing(*_: object) -> None:
        return None

    monkeypatch.setattr(anthropic_message, "plain_message", nothing)
    monkeypatch.setattr(anthropic_message, "plain_part", nothing)
    monkeypatch.setattr(anthropic_tool, "plain_tool", nothing)
    monkeypatch.setattr(chat_message, "plain_message", nothing)
    monkeypatch.setattr(chat_part, "_plain_text", nothing)
    monkeypatch.setattr(chat_tool, "plain_tool", nothing)
    monkeypatch.setattr(responses_part, "_plain_text", nothing)
    monkeypatch.setattr(responses_tool, "_plain_function", nothing)
    for request in (anthropic_request, chat_request):
        monkeypatch.setattr(request, "_PLAIN", frozenset[str]())


def changes(wire: JsonObject) -> Iterator[JsonObject]:
    """Give the request as it is, and with each of its values changed, taken away, or joined."""
    yield wire
    for path in paths(wire):
        *way, last = path
        for other in OTHERS:
            copy = deepcopy(wire)
            put(copy, way, last, other)
            yield copy
        copy = deepcopy(wire)
        place = at(copy, way)
        if isinstance(place, dict):
            _ = place.pop(str(last))
            yield copy
            copy = deepcopy(wire)
            put(copy, way, "another", "field")
            yield copy


def paths(wire: Json, before: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    pairs: list[tuple[str | int, Json]] = []
    if isinstance(wire, dict):
        pairs = list(wire.items())
    elif isinstance(wire, list):
        pairs = list(enumerate(wire))
    for key, value in pairs:
        yield (*before, key)
        yield from paths(value, (*before, key))


def at(wire: Json, way: list[str | int]) -> Json:
    for key in way:
        if isinstance(wire, dict):
            wire = wire[str(key)]
        elif isinstance(wire, list):
            wire = wire[int(key)]
    return wire


def put(wire: Json, way: list[str | int], last: str | int, value: Json) -> None:
    place = at(wire, way)
    if isinstance(place, dict):
        place[str(last)] = value
    elif isinstance(place, list):
        place[int(last)] = value
