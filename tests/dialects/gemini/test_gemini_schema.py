"""Schemas in the notation of OpenAPI, read as JSON Schema."""

from majordomo.contract import Json, JsonObject, Request, Tool, user
from majordomo.dialects.gemini import DIALECT

HI: Json = {"role": "user", "parts": [{"text": "hi"}]}
WIRE: JsonObject = {
    "contents": [HI],
    "tools": [
        {
            "functionDeclarations": [
                {
                    "name": "f",
                    "parameters": {
                        "type": "OBJECT",
                        "properties": {
                            "type": {"type": "STRING", "nullable": True},
                            "many": {
                                "type": "ARRAY",
                                "min_items": "1",
                                "items": {"type": "INTEGER"},
                            },
                            "either": {
                                "any_of": [{"type": "NUMBER"}, {"type": "BOOLEAN"}],
                                "nullable": True,
                            },
                            "any": {"type": "TYPE_UNSPECIFIED", "title": None},
                            "old": {"type": ["STRING", "null", 1]},
                        },
                        "required": ["type"],
                    },
                }
            ]
        }
    ],
    "generationConfig": {
        "responseMimeType": "application/json",
        "responseSchema": {"type": "STRING", "enum": ["STRING"]},
    },
}
MEANT = Request(
    messages=(user("hi"),),
    tools=(
        Tool(
            name="f",
            parameters={
                "type": "object",
                "properties": {
                    "type": {"type": ["string", "null"]},
                    "many": {
                        "type": "array",
                        "minItems": 1,
                        "items": {"type": "integer"},
                    },
                    "either": {
                        "anyOf": [
                            {"anyOf": [{"type": "number"}, {"type": "boolean"}]},
                            {"type": "null"},
                        ]
                    },
                    "any": {},
                    "old": {"type": ["string", "null", 1]},
                },
                "required": ["type"],
            },
        ),
    ),
    schema={"type": "string", "enum": ["STRING"]},
)


def test_reads_schemas_of_openapi() -> None:
    assert DIALECT.decode_request(WIRE, model="m").request == MEANT


def test_leaves_json_schema_as_it_is() -> None:
    schema: JsonObject = {
        "type": "object",
        "$defs": {"a_b": {"const": None}},
        "properties": {"any_of": {"$ref": "#/$defs/a_b"}, "all": True},
        "additionalProperties": False,
        "x": None,
    }
    body: JsonObject = {
        "contents": [{"parts": [{"text": "hi"}]}],
        "generationConfig": {"responseJsonSchema": schema},
    }
    found = DIALECT.decode_request(body, model="m").request.schema
    assert found == {name: value for name, value in schema.items() if name != "x"}
