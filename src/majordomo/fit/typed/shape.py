"""A type as the schema of an answer, and the answer's text as a value of the type."""

from functools import lru_cache

from msgspec import Struct

from majordomo.contract import Json, JsonObject, Malformed
from majordomo.fit.validation import json_in, violations

from .compile import form_of
from .form import Form, schema_of

WRAPPED = "value"


class Shape(Struct, frozen=True, kw_only=True):
    """The schema's root is always an object, because most targets insist on one."""

    name: str
    schema: JsonObject
    form: Form
    wrapped: bool  # the answer stands under `value`

    def read(self, text: str) -> tuple[object, tuple[str, ...]]:
        """Give the value, or what is wrong with the text."""
        try:
            value = json_in(text)
        except Malformed as error:
            return None, (f"it is no JSON: {error.problem}",)
        faults = violations(value, self.schema)
        if faults:
            return None, faults
        try:
            return self.form.read(self.unwrapped(value), ""), ()
        except Malformed as error:
            return None, (str(error),)

    def unwrapped(self, value: Json) -> Json:
        if self.wrapped and isinstance(value, dict):
            return value.get(WRAPPED)
        return value


def shape_of(kind: object) -> Shape:
    """Raises `TypeError` for a type that JSON has no words for."""
    try:
        return _cached(kind)
    except TypeError:  # unhashable, or no good: say which
        return _shape(kind)


def _shape(kind: object) -> Shape:
    form = form_of(kind)
    schema = schema_of(form)
    wrapped = schema.get("type") != "object"
    return Shape(
        name=_name(kind),
        schema=_in_object(schema) if wrapped else schema,
        form=form,
        wrapped=wrapped,
    )


def _in_object(schema: JsonObject) -> JsonObject:
    definitions: JsonObject = {"$defs": schema["$defs"]} if "$defs" in schema else {}
    return {
        "type": "object",
        "properties": {WRAPPED: {key: schema[key] for key in schema if key != "$defs"}},
        "required": [WRAPPED],
        "additionalProperties": False,
        **definitions,
    }


_cached = lru_cache(maxsize=256)(_shape)


def _name(kind: object) -> str:
    name: object = getattr(kind, "__name__", None)
    if not isinstance(name, str) or not isinstance(kind, type):
        return "answer"
    clean = "".join(char if char.isascii() and char.isalnum() else "_" for char in name)
    return clean[:64] or "answer"
