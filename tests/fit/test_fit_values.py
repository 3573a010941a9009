"""Values of lowered schemas turned back, and schemas brought to one form before."""

import pytest

from majordomo.contract import (
    Capabilities,
    Event,
    Finish,
    Json,
    JsonObject,
    PartDone,
    Request,
    Text,
    TextDelta,
    fold,
    pump,
    user,
)
from majordomo.fit import Again, fit
from majordomo.fit.schema import SUBSETS, lower, restore

CIRCLE: JsonObject = {
    "type": "object",
    "properties": {
        "kind": {"const": "circle"},
        "radius": {"type": "number"},
        "label": {"type": "string"},
    },
    "required": ["kind", "radius"],
}
SQUARE: JsonObject = {
    "type": "object",
    "properties": {"kind": {"const": "square"}, "side": {"type": "number"}, "note": {}},
    "required": ["kind", "side"],
}
SHAPES: JsonObject = {
    "type": "object",
    "properties": {
        "shape": {"oneOf": [CIRCLE, SQUARE]},
        "tags": {"anyOf": [{"type": "string"}, {"type": "array", "items": CIRCLE}]},
        "free": {"anyOf": [{"type": "string"}, {"type": "object"}]},
    },
}

VALUES: dict[str, tuple[Json, Json]] = {
    "one option of a union": (
        {"shape": {"kind": "circle", "radius": 1, "label": None}, "tags": None, "free": None},
        {"shape": {"kind": "circle", "radius": 1}},
    ),
    "the other option": (
        {"shape": {"kind": "square", "side": 2, "note": "[1, 2]"}, "tags": None, "free": None},
        {"shape": {"kind": "square", "side": 2, "note": [1, 2]}},
    ),
    "a list among options": (
        {"shape": None, "tags": [{"kind": "circle", "radius": 1, "label": None}], "free": None},
        {"tags": [{"kind": "circle", "radius": 1}]},
    ),
    "a string beside JSON text stays a string": (
        {"shape": None, "tags": "x", "free": "12"},
        {"tags": "x", "free": "12"},
    ),
    "JSON text beside a string becomes what it says": (
        {"shape": None, "tags": "x", "free": '{"a":1}'},
        {"tags": "x", "free": {"a": 1}},
    ),
    "text that is no JSON stays text": (
        {"shape": {"kind": "square", "side": 2, "note": "just words"}, "tags": "x", "free": "y"},
        {"shape": {"kind": "square", "side": 2, "note": "just words"}, "tags": "x", "free": "y"},
    ),
    "a value of another shape is left alone": ([1], [1]),
}


@pytest.mark.parametrize(("theirs", "ours"), VALUES.values(), ids=VALUES.keys())
def test_values_are_turned_back(theirs: Json, ours: Json) -> None:
    lowered = lower(SHAPES, SUBSETS["openai_strict"])
    assert lowered.undo is not None
    assert restore(theirs, lowered.undo) == ours


FORMS: dict[str, tuple[JsonObject, JsonObject]] = {
    "allOf keeps the tighter bound": (
        {"allOf": [{"type": "integer", "minimum": 1, "maximum": 9}, {"minimum": 3, "maximum": 8}]},
        {"type": "integer", "minimum": 3, "maximum": 8},
    ),
    "allOf keeps what both list": (
        {"allOf": [{"enum": ["a", "b"]}, {"enum": ["b", "c"]}]},
        {"type": "string", "enum": ["b"]},
    ),
    "allOf merges a property both describe": (
        {
            "allOf": [
                {"type": "object", "properties": {"a": {"type": "integer", "minimum": 1}}},
                {"properties": {"a": {"maximum": 5}, "b": {"type": "string"}}},
            ]
        },
        {
            "type": "object",
            "properties": {
                "a": {"type": "integer", "minimum": 1, "maximum": 5},
                "b": {"type": "string"},
            },
        },
    ),
    "descriptions are joined": (
        {"allOf": [{"type": "string", "description": "One."}, {"description": "Two."}]},
        {"type": "string", "description": "One. Two."},
    ),
    "references may have odd letters": (
        {"$defs": {"a/b~c": {"type": "string"}}, "$ref": "#/$defs/a~1b~0c"},
        {"type": "string"},
    ),
    "references may point into lists": (
        {"anyOf": [{"type": "string"}, {"$ref": "#/anyOf/0"}]},
        {"anyOf": [{"type": "string"}]},
    ),
    "a type is found where none is said": (
        {"properties": {"a": {"pattern": "x"}, "b": {"minimum": 1}, "c": {"items": {}}}},
        {
            "type": "object",
            "properties": {
                "a": {"type": "string", "description": "(pattern: x)"},
                "b": {"type": "number", "minimum": 1},
                "c": {"type": "array", "items": {}},
            },
        },
    ),
    "values of several types become a union": (
        {"enum": ["a", 1, None]},
        {
            "anyOf": [
                {"type": "string", "enum": ["a"]},
                {"type": "integer", "minimum": 1, "maximum": 1, "description": "(one of: [1])"},
                {"type": "null"},
            ]
        },
    ),
    "an old tuple": (
        {"type": "array", "items": [{"type": "string"}], "additionalItems": {"type": "null"}},
        {
            "type": "array",
            "description": '(additionalItems: {"type":"null"}; in this order: [{"type":"string"}])',
            "items": {"anyOf": [{"type": "string"}, {"type": "null"}]},
        },
    ),
    "true takes anything and false nothing": (
        {"type": "object", "properties": {"a": True, "b": False}},
        {"type": "object", "properties": {"a": {}, "b": {"description": "(not: {})"}}},
    ),
    "names that are required and not described are not demanded": (
        {"type": "object", "properties": {"a": {}}, "required": ["a", "ghost"]},
        {"type": "object", "properties": {"a": {}}, "required": ["a"]},
    ),
}


@pytest.mark.parametrize(("schema", "expected"), FORMS.values(), ids=FORMS.keys())
def test_one_form(schema: JsonObject, expected: JsonObject) -> None:
    assert lower(schema, SUBSETS["gemini"]).schema == expected


def test_an_answer_given_whole_is_turned_back_too() -> None:
    schema: JsonObject = {"type": "object", "properties": {"a": {"type": "string"}}}
    request = Request(messages=(user("q"),), schema=schema)
    after = fit(request, Capabilities(schema="openai_strict"), dialect="openai_chat")
    assert after.lift is not None
    events: list[Event] = [PartDone(part=Text(text='{"a":null}')), Finish(reason="stop")]
    told = [item for item in pump(after.lift(), events) if not isinstance(item, Again)]
    assert fold(told).text == "{}"
    streamed = [TextDelta(text='{"a":'), TextDelta(text="null}"), *events]
    told = [item for item in pump(after.lift(), streamed) if not isinstance(item, Again)]
    assert fold(told).text == "{}"
