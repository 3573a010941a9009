"""The tolerant reader: valid JSON as it is, broken JSON as it was meant, cut JSON never."""

import json
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from majordomo.contract import Json, JsonObject, Tool
from majordomo.dialects.json import list_at, object_at, read
from majordomo.fit.actions import parse
from majordomo.fit.actions.coerce import coerce
from majordomo.fit.actions.names import Offer
from majordomo.fit.actions.schema import validator
from majordomo.fit.actions.signature import signature
from majordomo.fit.actions.tape import Tape
from majordomo.fit.actions.tolerant import Reader

_WORDS = ["type", "properties", "required", "enum", "items", "anyOf", "allOf", "$ref", "const"]
_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**9), 10**9) | st.text(max_size=12),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4)
    ),
    max_leaves=12,
).filter(lambda value: isinstance(value, dict | list))


def _read(text: str, size: int = 1) -> Reader:
    """Read a text that arrives in pieces, so that the fast way cannot be taken."""
    tape, reader = Tape(), Reader()
    reading = reader.read(tape)
    at = 0
    while next(reading, "done") is None:
        tape.feed(text[at : at + size])
        at += size
        tape.ended = at >= len(text)
    return reader


@given(_VALUES, st.integers(1, 9), st.sampled_from([None, 1]))
def test_valid_json_is_read_as_it_is_and_for_nothing(
    value: Json, size: int, indent: int | None
) -> None:
    reader = _read(json.dumps(value, ensure_ascii=False, indent=indent), size)
    assert (reader.value, reader.fault, reader.cost) == (value, "", 0)


@given(_VALUES, st.data())
def test_no_object_that_was_cut_is_ever_completed(value: Json, data: st.DataObject) -> None:
    whole = json.dumps({"all": value})
    reader = _read(whole[: data.draw(st.integers(1, len(whole) - 1))])
    assert reader.fault
    assert reader.truncated


BROKEN: dict[str, tuple[str, Json]] = {
    "trailing comma": ('{"a": [1, 2,], }', {"a": [1, 2]}),
    "single quotes": ("{'a': 'it''s'}", {"a": "it''s"}),
    "comments": ('{"a": 1, // one\n /* two */ "b": 2 # three\n}', {"a": 1, "b": 2}),
    "bare keys": ("{a: 1, b_c: 2}", {"a": 1, "b_c": 2}),
    "python": ("{'a': True, 'b': None}", {"a": True, "b": None}),
    "smart quotes": ("{“a”: “b”}", {"a": "b"}),
    "inner quotes": ('{"a": "say "hi" now", "b": 1}', {"a": 'say "hi" now', "b": 1}),
    "raw line break": ('{"a": "x\ny"}', {"a": "x\ny"}),
    "missing comma": ('{"a": 1 "b": 2}', {"a": 1, "b": 2}),
    "escaped whole": ('{\\"a\\": \\"b\\\\n\\"}', {"a": "b\n"}),
    "entities": ("{&quot;a&quot;: &quot;b &amp; c&quot;}", {"a": "b & c"}),
    "bad escape": (r'{"a": "\d+"}', {"a": r"\d+"}),
    "joined": ('{"a": "x" + "y"}', {"a": "xy"}),
    "hexadecimal": ('{"a": 0x1F}', {"a": 31}),
    "triple quotes": ('{"a": """x "y" z"""}', {"a": 'x "y" z'}),
    "curly quotes inside": ('{"a": "“b”, c"}', {"a": "“b”, c"}),
    "wrong bracket": ('{"a": [1, 2}', {"a": [1, 2]}),
    "lone surrogate": ('{"a": "\\ud800"}', {"a": "\ufffd"}),
}


@pytest.mark.parametrize(("text", "value"), BROKEN.values(), ids=BROKEN.keys())
def test_a_slip_of_the_pen_is_repaired(text: str, value: Json) -> None:
    reader = _read(text)
    assert (reader.value, reader.fault) == (value, "")


REFUSED = {
    "left out": '{"a": 1, ...}',
    "no value": '{"a": , "b": 1}',
    "too deep": "[" * 99 + "]" * 99,
    "noise": '{"a" "b" "c" : : "d" ] ) "e" ; "f" ! ? {{ "g" ] ) : : , "h" ) ] ) ] ) ] ) ] )',
}


@pytest.mark.parametrize("text", REFUSED.values(), ids=REFUSED.keys())
def test_what_cannot_be_meant_is_refused(text: str) -> None:
    assert _read(text).fault


_SCHEMA: JsonObject = {
    "type": "object",
    "properties": {
        "count": {"type": "integer"},
        "unit": {"enum": ["celsius", "fahrenheit"]},
        "tags": {"type": "array", "items": {"type": "string"}},
        "nested": {"type": "object", "properties": {"isOn": {"type": "boolean"}}},
        "either": {"anyOf": [{"type": "integer"}, {"type": "null"}]},
        "text": {"type": "string"},
    },
    "required": ["count"],
    "additionalProperties": False,
}
MEANT: dict[str, tuple[JsonObject, JsonObject]] = {
    "right already": ({"count": 1, "tags": ["a"]}, {"count": 1, "tags": ["a"]}),
    "number in text": ({"count": " 1,000 "}, {"count": 1000}),
    "float for whole": ({"count": 2.0}, {"count": 2}),
    "enum case": ({"count": 1, "unit": "CELSIUS"}, {"count": 1, "unit": "celsius"}),
    "one for a list": ({"count": 1, "tags": "a"}, {"count": 1, "tags": ["a"]}),
    "list in text": ({"count": 1, "tags": "['a', 'b']"}, {"count": 1, "tags": ["a", "b"]}),
    "object in text": (
        {"count": 1, "nested": '{"is_on": "yes"}'},
        {"count": 1, "nested": {"isOn": True}},
    ),
    "null for nothing": ({"count": 1, "text": None}, {"count": 1}),
    "null that may be": ({"count": 1, "either": "null"}, {"count": 1, "either": None}),
    "number for text": ({"count": 1, "text": 5}, {"count": 1, "text": "5"}),
    "unknown key": ({"count": 1, "mood": "x"}, {"count": 1}),
    "other spelling": ({"Count": 1}, {"count": 1}),
}


def _listed(values: str) -> list[Json]:
    return list_at(read(values), "values")


_PROPERTIES = _listed("""[
    {"type": "string"}, {"type": "integer"}, {"type": "number"}, {"type": "boolean"},
    {"type": "null"}, {"type": "array"}, {"type": ["string", "null"]}, {"const": 1}, {},
    {"type": "string", "enum": ["1", "x"]}, {"type": "string", "nullable": true},
    {"type": "integer", "default": 3}, {"type": "object", "properties": {"a": {}}},
    {"anyOf": [{"type": "integer"}, {"type": "string"}]}, {"allOf": [{"type": "string"}]},
    {"$ref": "#/properties/b"}, {"type": "unheard of"}, true, false
]""")
_ARGUMENTS = _listed(
    '["", "1", "x", "null", "true", 0, 1, 2.5, 3.0, true, null, [], ["x"], {}, {"a": 1}]'
)
_OBJECTS = _listed("""[
    {}, {"type": "object"}, {"type": ["object", "null"]}, {"type": "array"},
    {"required": ["a"]}, {"required": ["b"]}, {"required": ["a", "c"]},
    {"additionalProperties": false}, {"additionalProperties": {"type": "string"}},
    {"anyOf": [{"required": ["b"], "properties": {"b": {"default": 1}}}]},
    {"allOf": [{"required": ["b"], "properties": {"b": {"default": 1}}}]},
    {"enum": [{"a": 1}]}, {"$ref": "#/properties/a"}
]""")
_GIVEN = ("a", "b", "A", "c")


def test_what_is_taken_at_a_glance_is_what_coercion_would_not_change() -> None:
    taken = 0
    for around, declared in product(_OBJECTS, _PROPERTIES):
        properties: JsonObject = {"a": declared, "b": {"type": "string"}}
        schema: JsonObject = {**object_at(around, ""), "properties": properties}
        offer = Offer(Tool(name="f", parameters=schema))
        whole = schema if "type" in schema else {"type": "object", **schema}
        for name, value in product(_GIVEN, _ARGUMENTS):
            for arguments in ({}, {name: value}, {name: value, "b": "x"}):
                if offer.takes(arguments):
                    taken += 1
                    assert coerce(arguments, whole) == (arguments, ()), (schema, arguments)
    assert taken > 1000


def test_plain_arguments_are_taken_at_a_glance() -> None:
    offer = Offer(Tool(name="f", parameters={"properties": {"a": {"type": "string"}}}))
    assert offer.takes({"a": "x"})
    assert offer.takes({})
    assert not offer.takes({"a": 1})
    assert not offer.takes({"b": "x"})


@pytest.mark.parametrize(("given", "meant"), MEANT.values(), ids=MEANT.keys())
def test_arguments_are_coerced_towards_their_schema(given: JsonObject, meant: JsonObject) -> None:
    value, changes = coerce(given, _SCHEMA)
    assert value == meant
    assert bool(changes) == (given != meant)
    assert validator(_SCHEMA)(value) == ""


@given(_VALUES)
def test_coercion_never_touches_what_is_valid(value: Json) -> None:
    schema: JsonObject = {"type": "object", "properties": {"any": {}}}
    assert coerce({"any": value}, schema) == ({"any": value}, ())


_ANY: JsonObject = {"$ref": "#/$defs/any"}
_LIST: JsonObject = {"type": "array", "items": _ANY}
_UNION: JsonObject = {
    "type": "object",
    "properties": {"x": _ANY},
    "$defs": {"any": {"anyOf": [_ANY, _ANY, _LIST, {**_LIST, "minItems": 1}, {"type": "integer"}]}},
}


@pytest.mark.parametrize(
    ("given", "meant"),
    [("5", 5), (5, 5), ([[5]], [[5]]), ("no number", "no number")],
    ids=["to be read", "right", "nested", "none of them"],
)
def test_a_union_that_is_its_own_branch_comes_to_an_end(given: Json, meant: Json) -> None:
    assert coerce({"x": given}, _UNION)[0] == {"x": meant}


def test_what_is_not_meant_stays_wrong() -> None:
    value, _ = coerce({"count": "many"}, _SCHEMA)
    assert "count" in validator(_SCHEMA)(value)


@given(st.dictionaries(st.sampled_from(_WORDS), _VALUES | st.text(max_size=5), max_size=6))
def test_no_schema_however_wrong_breaks_the_parser(schema: JsonObject) -> None:
    tool = Tool(name="Read", parameters=schema)
    text, calls, _ = parse('```json action\n{"tool":"Read","parameters":{"a":[1]}}\n```', [tool])
    assert bool(calls) != bool(text)
    assert signature(tool)


@pytest.mark.parametrize("opening", ["[", '{"a":'])
def test_nesting_without_end_is_text(opening: str) -> None:
    deep = opening * 5000
    text = f'```json action\n{{"tool":"Read","parameters":{deep}\n```'
    assert parse(text, [Tool(name="Read")])[:2] == (text, ())


def test_valid_nesting_beyond_all_measure_is_refused() -> None:
    deep = "[" * 500 + "]" * 500
    text = f'{{"tool":"Read","parameters":{{"a":{deep}}}}}'
    assert parse(text, [Tool(name="Read", parameters={"type": "object"})])[1] == ()
