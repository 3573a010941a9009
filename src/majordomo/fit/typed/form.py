"""What every type becomes: something that can say its JSON Schema and read its JSON."""

from collections.abc import Callable
from typing import Protocol

from msgspec import Struct

from majordomo.contract import Json, JsonObject, Malformed

from .book import Book


class Form(Protocol):
    def schema(self, book: Book) -> JsonObject:
        """Say what JSON it takes; what refers to itself is defined in the book."""
        ...

    def read(self, value: Json, where: str) -> object:
        """Give the value that the JSON stands for, or raise `Malformed`."""
        ...


def schema_of(form: Form) -> JsonObject:
    """Give the whole schema, with its definitions; a root that is only a reference is resolved."""
    book = Book()
    return book.closed(form.schema(book))


class Scalar(Struct, frozen=True, kw_only=True):
    """One JSON type and how it is read; `take` gives None for what it does not take."""

    name: str
    take: Callable[[Json], object | None]

    def schema(self, book: Book) -> JsonObject:
        del book
        return {"type": self.name}

    def read(self, value: Json, where: str) -> object:
        taken = self.take(value)
        if taken is None:
            raise Malformed(where, f"is not {_ARTICLES[self.name]}")
        return taken


class Nothing(Struct, frozen=True):
    def schema(self, book: Book) -> JsonObject:
        del book
        return {"type": "null"}

    def read(self, value: Json, where: str) -> object:
        if value is not None:
            raise Malformed(where, "is not null")
        return None


class Anything(Struct, frozen=True):
    def schema(self, book: Book) -> JsonObject:
        del book
        return {}

    def read(self, value: Json, where: str) -> object:
        del where
        return value


_ARTICLES = {
    "string": "a string",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
}


def _whole(value: Json) -> int | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return int(value) if isinstance(value, int) or value.is_integer() else None


def _number(value: Json) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value)


STRING = Scalar(name="string", take=lambda value: value if isinstance(value, str) else None)
INTEGER = Scalar(name="integer", take=_whole)
NUMBER = Scalar(name="number", take=_number)
BOOLEAN = Scalar(name="boolean", take=lambda value: value if isinstance(value, bool) else None)
