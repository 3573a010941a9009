"""JSON Schema lowered to each target's subset, and values turned back."""

from pathlib import Path
from typing import cast, get_args

import jsonschema_rs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from majordomo.contract import Json, JsonObject, SchemaDialect
from majordomo.dialects.json import object_at, read
from majordomo.fit.schema import SUBSETS, Unlowerable, lower, restore
from support.subsets import CHECKS

_TOOLS = Path(__file__).parent / "client_tools"


def client_tools() -> dict[str, JsonObject]:
    found: dict[str, JsonObject] = {}
    for client in ("claude-code", "codex"):
        document = object_at(read((_TOOLS / f"{client}.json").read_bytes()), client)
        found |= {f"{client} {name}": object_at(one, name) for name, one in document.items()}
    return found


CLIENT_TOOLS = client_tools()
TARGETS = tuple(SUBSETS)


def test_every_dialect_of_schema_but_the_full_one_has_its_row() -> None:
    assert {*SUBSETS, "full"} == set(get_args(SchemaDialect))


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("name", CLIENT_TOOLS)
def test_tools_of_real_clients_pass_to_every_target(name: str, target: SchemaDialect) -> None:
    lowered = lower(CLIENT_TOOLS[name], SUBSETS[target], object_root=True)
    CHECKS[target](lowered.schema)
    jsonschema_rs.validator_for(lowered.schema)


ROWS: dict[str, tuple[SchemaDialect, JsonObject, JsonObject]] = {
    "a bound Gemini lacks is widened and described": (
        "gemini",
        {"type": "integer", "exclusiveMinimum": 0, "description": "Lines."},
        {"type": "integer", "minimum": 0, "description": "Lines. (exclusiveMinimum: 0)"},
    ),
    "numbers Gemini cannot list are kept between the least and the most": (
        "gemini",
        {"type": "integer", "enum": [3, 1, 2]},
        {"type": "integer", "minimum": 1, "maximum": 3, "description": "(one of: [3,1,2])"},
    ),
    "const is a list of one": ("gemini", {"const": "a"}, {"type": "string", "enum": ["a"]}),
    "true of a boolean is described": (
        "gemini",
        {"type": "boolean", "const": True},
        {"type": "boolean", "description": "(one of: [true])"},
    ),
    "several types become a union": (
        "gemini",
        {"type": ["string", "null"], "minLength": 2},
        {"anyOf": [{"type": "string", "description": "(minLength: 2)"}, {"type": "null"}]},
    ),
    "nullable becomes a union": (
        "anthropic",
        {"type": "string", "nullable": True},
        {"anyOf": [{"type": "string"}, {"type": "null"}]},
    ),
    "oneOf becomes anyOf": (
        "anthropic",
        {"oneOf": [{"type": "string"}, {"type": "integer", "minimum": 3}]},
        {"anyOf": [{"type": "string"}, {"type": "integer", "description": "(minimum: 3)"}]},
    ),
    "optional becomes required and nullable for OpenAI": (
        "openai_strict",
        {"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "number"}},
         "required": ["b"]},
        {"type": "object",
         "properties": {"a": {"anyOf": [{"type": "string"}, {"type": "null"}]},
                        "b": {"type": "number"}},
         "required": ["a", "b"], "additionalProperties": False},
    ),
    "a root that is no object is wrapped for OpenAI": (
        "openai_strict",
        {"type": "array", "items": {"type": "integer"}},
        {"type": "object",
         "properties": {"value": {"type": "array", "items": {"type": "integer"}}},
         "required": ["value"], "additionalProperties": False},
    ),
    "a map becomes JSON text where objects must be closed": (
        "anthropic",
        {"type": "object", "additionalProperties": {"type": "integer"}},
        {"type": "string",
         "description": "Write an object as JSON text. "
                        '(type: object; additionalProperties: {"type":"integer"})'},
    ),
    "references are written out": (
        "gemini",
        {"$defs": {"Name": {"type": "string"}}, "type": "object",
         "properties": {"a": {"$ref": "#/$defs/Name", "description": "who"}}},
        {"type": "object", "properties": {"a": {"type": "string", "description": "who"}}},
    ),
    "allOf is merged": (
        "anthropic",
        {"allOf": [{"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]},
                   {"properties": {"b": {"type": "string"}}, "required": ["b"]}]},
        {"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "string"}},
         "required": ["a", "b"], "additionalProperties": False},
    ),
    "a tuple becomes a union of its places": (
        "openai_strict",
        {"type": "object", "required": ["p"], "additionalProperties": False, "properties": {
            "p": {"type": "array", "prefixItems": [{"type": "string"}, {"type": "integer"}]}}},
        {"type": "object", "required": ["p"], "additionalProperties": False, "properties": {
            "p": {"type": "array",
                  "description": '(in this order: [{"type":"string"},{"type":"integer"}])',
                  "items": {"anyOf": [{"type": "string"}, {"type": "integer"}]}}}},
    ),
    "one thing or another that must be there is described": (
        "gemini",
        {"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "string"}},
         "anyOf": [{"required": ["a"]}, {"required": ["b"]}]},
        {"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "string"}},
         "description": '(anyOf: [{"required":["a"]},{"required":["b"]}])'},
    ),
    "a default is told": (
        "openai_strict",
        {"type": "object", "properties": {"a": {"type": "integer", "default": 5}},
         "required": ["a"], "additionalProperties": False},
        {"type": "object", "properties": {"a": {"type": "integer", "description": "(default: 5)"}},
         "required": ["a"], "additionalProperties": False},
    ),
    "minItems is said as far as it goes": (
        "anthropic",
        {"type": "array", "items": {"type": "string"}, "minItems": 3},
        {"type": "array", "items": {"type": "string"}, "minItems": 1,
         "description": "(minItems: 3)"},
    ),
    "a format nobody checks is described": (
        "openai_strict",
        {"type": "object", "properties": {"u": {"type": "string", "format": "uri"}},
         "required": ["u"]},
        {"type": "object",
         "properties": {"u": {"type": "string", "description": "(format: uri)"}},
         "required": ["u"], "additionalProperties": False},
    ),
    "a lookahead no grammar takes is described": (
        "anthropic",
        {"type": "string", "pattern": "^(?=a).*$"},
        {"type": "string", "description": "(pattern: ^(?=a).*$)"},
    ),
    "a union with null needs no union in plain": (
        "plain",
        {"anyOf": [{"type": "string"}, {"type": "null"}], "description": "x"},
        {"type": "string", "description": "x May be null."},
    ),
}  # fmt: skip


@pytest.mark.parametrize(("target", "schema", "expected"), ROWS.values(), ids=ROWS.keys())
def test_lowering(target: SchemaDialect, schema: JsonObject, expected: JsonObject) -> None:
    lowered = lower(schema, SUBSETS[target]).schema
    assert lowered == expected
    CHECKS[target](lowered)


TREE: JsonObject = {
    "type": "object",
    "properties": {
        "name": {"type": "string"},
        "children": {"type": "array", "items": {"$ref": "#"}},
    },
    "required": ["name"],
}


@pytest.mark.parametrize("target", TARGETS)
def test_recursion_is_unrolled_and_then_left_open(target: SchemaDialect) -> None:
    lowered = lower(TREE, SUBSETS[target])
    CHECKS[target](lowered.schema)


def test_a_recursive_value_written_as_text_comes_back_whole() -> None:
    lowered = lower(TREE, SUBSETS["openai_strict"])
    assert lowered.undo is not None
    value: Json = {"name": "a", "children": [{"name": "b", "children": None}]}
    assert restore(value, lowered.undo) == {"name": "a", "children": [{"name": "b"}]}


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize(
    ("schema", "problem"),
    [
        ({"$ref": "https://example.com/schema"}, "outside of it"),
        ({"$ref": "#/$defs/Missing"}, "not in it"),
        ({"type": "object", "properties": {"a": 5}}, "where a schema should be"),
    ],
)
def test_what_cannot_be_said_is_refused_with_the_reason(
    target: SchemaDialect, schema: JsonObject, problem: str
) -> None:
    with pytest.raises(Unlowerable, match=problem):
        lower(schema, SUBSETS[target])


def test_limits_on_the_whole_are_refused_with_the_reason() -> None:
    many: JsonObject = {f"p{n}": {"type": "string"} for n in range(30)}
    with pytest.raises(Unlowerable, match="30 optional properties; 24"):
        lower({"type": "object", "properties": many}, SUBSETS["anthropic"])


def test_references_that_multiply_are_stopped() -> None:
    definitions: JsonObject = {"d0": {"type": "string"}}
    for n in range(1, 24):
        ref: Json = {"$ref": f"#/$defs/d{n - 1}"}
        definitions[f"d{n}"] = {"type": "object", "properties": {"a": ref, "b": ref}}
    with pytest.raises(Unlowerable, match="more than 20000 nodes"):
        lower({"$defs": definitions, "$ref": "#/$defs/d23"}, SUBSETS["gemini"])


def test_a_schema_nested_without_end_does_no_harm() -> None:
    schema: JsonObject = {"type": "string"}
    for _ in range(2000):
        schema = {"type": "array", "items": schema}
    for target in TARGETS:
        lowered = lower(schema, SUBSETS[target], object_root=True)
        CHECKS[target](lowered.schema)


# --- values: whatever the lowered schema admits means the same under the original ---------

scalars = st.sampled_from(
    cast(
        "list[JsonObject]",
        [
            {"type": "string"},
            {"type": "integer"},
            {"type": "boolean"},
            {"type": "string", "enum": ["a", "b"]},
            {"type": "integer", "enum": [1, 2]},
            {"type": ["string", "null"]},
            {"type": "object", "additionalProperties": {"type": "integer"}},
        ],
    )
)


def _objects(children: st.SearchStrategy[JsonObject]) -> st.SearchStrategy[JsonObject]:
    names = st.sampled_from(["p", "q", "r"])
    return st.dictionaries(names, children, min_size=1).flatmap(
        lambda properties: st.sets(st.sampled_from(sorted(properties))).map(
            lambda required: {
                "type": "object",
                "properties": cast("Json", properties),
                "required": cast("Json", sorted(required)),
                "additionalProperties": False,
            }
        )
    )


schemas = st.recursive(
    scalars,
    lambda children: (
        _objects(children)
        | children.map(lambda item: cast("JsonObject", {"type": "array", "items": item}))
    ),
    max_leaves=8,
)


def values(schema: JsonObject) -> st.SearchStrategy[Json]:
    """Values of a *lowered* schema."""
    match schema:
        case {"anyOf": list(options)}:
            return st.one_of(*(values(cast("JsonObject", option)) for option in options))
        case {"enum": list(listed)}:
            return st.sampled_from(listed)
        case {"type": "object", "properties": dict(properties)}:
            return st.fixed_dictionaries(
                {name: values(cast("JsonObject", one)) for name, one in properties.items()}
            )
        case {"type": "array", "items": dict(item)}:
            return st.lists(values(item), max_size=2)
        case {"type": "string", "description": str(said)} if "JSON text" in said:
            return st.sampled_from(['{"x":1}', "{}"])
        case _:
            plain: dict[str, st.SearchStrategy[Json]] = {
                "string": st.sampled_from(["a", "b", "null", "1"]),
                "integer": st.integers(1, 2),
                "boolean": st.booleans(),
                "null": st.none(),
            }
            return plain[str(schema["type"])]


@given(st.data(), schemas)
def test_a_value_of_the_lowered_schema_is_turned_into_one_of_the_original(
    data: st.DataObject, schema: JsonObject
) -> None:
    lowered = lower(schema, SUBSETS["openai_strict"])
    CHECKS["openai_strict"](lowered.schema)
    value = data.draw(values(lowered.schema))
    jsonschema_rs.validate(lowered.schema, value)
    original = restore(value, lowered.undo) if lowered.undo is not None else value
    jsonschema_rs.validate(schema, original)


@given(schemas, st.sampled_from(TARGETS))
def test_every_lowered_schema_is_within_its_subset(
    schema: JsonObject, target: SchemaDialect
) -> None:
    CHECKS[target](lower(schema, SUBSETS[target], object_root=True).schema)
