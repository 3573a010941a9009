"""Dataclasses, TypedDicts and NamedTuples: named fields, each with its form."""

from collections.abc import Callable, Mapping

from msgspec import Struct

from majordomo.contract import Json, JsonObject, Malformed
from majordomo.dialects.json import object_at

from .book import Book
from .form import Form

NO_DEFAULT: Json = "\x00no default"


class Field(Struct, frozen=True, kw_only=True):
    name: str
    form: Form
    required: bool = True
    description: str = ""
    default: Json = NO_DEFAULT  # where it can be told as JSON

    def schema(self, book: Book) -> JsonObject:
        schema = self.form.schema(book)
        if self.description:
            schema = {**schema, "description": self.description}
        return schema if self.default is NO_DEFAULT else {**schema, "default": self.default}


class Record(Struct, kw_only=True):
    """Made before its fields are known: a type may contain itself."""

    name: str
    build: Callable[[dict[str, object]], object]
    description: str = ""
    fields: tuple[Field, ...] = ()

    def schema(self, book: Book) -> JsonObject:
        return book.written(id(self), self.name, lambda: self._schema(book))

    def _schema(self, book: Book) -> JsonObject:
        schema: JsonObject = {"type": "object"}
        if self.description:
            schema["description"] = self.description
        schema["properties"] = {field.name: field.schema(book) for field in self.fields}
        schema["required"] = [field.name for field in self.fields if field.required]
        schema["additionalProperties"] = False
        return schema

    def read(self, value: Json, where: str) -> object:
        values = self.values(object_at(value, where or "the value"), where)
        try:
            return self.build(values)
        except (TypeError, ValueError) as error:  # what a constructor of theirs objects to
            raise Malformed(where, _plain(error)) from error

    def values(self, wire: Mapping[str, Json], where: str) -> dict[str, object]:
        known = {field.name: field for field in self.fields}
        for name in wire:
            if name not in known:
                raise Malformed(_at(where, name), "is not known here")
        for field in self.fields:
            if field.required and field.name not in wire:
                raise Malformed(_at(where, field.name), "is missing")
        return {name: known[name].form.read(item, _at(where, name)) for name, item in wire.items()}


def _at(where: str, name: str) -> str:
    return f"{where}.{name}" if where else name


def _plain(error: Exception) -> str:
    return str(error) or type(error).__name__
