"""`response_format`, both ways.

https://platform.openai.com/docs/api-reference/chat/create#chat-create-response_format
"""

from msgspec import Struct

from majordomo.contract import Json, JsonObject, Malformed, Request
from majordomo.dialects.json import object_at, optional_bool, optional_string, sparse

from .attribute import inner, rest

_DEFAULT_NAME = "response"


class Format(Struct, frozen=True, kw_only=True):
    schema: JsonObject | None = None
    name: str = _DEFAULT_NAME
    strict: bool | None = None


def encode_format(request: Request, extra: Json) -> Json:
    """Ask for the shape; without a schema of ours, whatever the caller wrote goes along."""
    if request.schema is None:
        return extra
    if not request.schema:
        return {"type": "json_object"}
    around = extra if isinstance(extra, dict) else {}
    form: JsonObject = {
        "name": request.schema_name,
        "schema": request.schema,
        "strict": request.schema_strict,
    }
    return {"type": "json_schema", "json_schema": sparse(form) | inner(around, "json_schema")}


def decode_format(body: JsonObject, extra: JsonObject) -> Format:
    """Read the shape asked for; what we do not model of it is left in `extra`."""
    wire = body.get("response_format")
    match wire:
        case None | {"type": "text"}:
            return Format()
        case {"type": "json_schema", "json_schema": dict(form)}:
            return _decode_schema(form, extra)
        case {"type": "json_schema" | "json_object", "schema": dict(schema)}:  # llama.cpp
            return Format(schema=schema)
        case {"type": "json_object"}:
            return Format(schema={})
        case {"type": "json_schema"}:
            raise Malformed("response_format.json_schema", "is missing")
        case dict():
            extra["response_format"] = wire
            return Format()
        case _:
            raise Malformed("response_format", "is not an object")


def _decode_schema(form: JsonObject, extra: JsonObject) -> Format:
    where = "response_format.json_schema"
    around = rest(form, {"name", "schema", "strict"})
    if around:
        extra["response_format"] = {"json_schema": around}
    schema = form.get("schema")
    return Format(
        schema={} if schema is None else object_at(schema, f"{where}.schema"),
        name=optional_string(form, "name", where) or _DEFAULT_NAME,
        strict=optional_bool(form, "strict", where),
    )
