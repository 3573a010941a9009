"""What stands beside a type in `Annotated`: a description, bounds, patterns.

Read by the names of its attributes, so that msgspec's `Meta`, pydantic's `Field` and the
`annotated_types` all work and none of them is needed.
"""

from msgspec import Struct

from majordomo.contract import Json, JsonObject

from .book import Book
from .form import Form

_NUMBERS = {
    "ge": "minimum",
    "gt": "exclusiveMinimum",
    "le": "maximum",
    "lt": "exclusiveMaximum",
    "multiple_of": "multipleOf",
}
_LENGTHS = {"min_length": "min", "max_length": "max"}
_SIZES = {"string": "Length", "array": "Items", "object": "Properties"}


class Constrained(Struct, frozen=True, kw_only=True):
    """The bounds are held by checking the schema, before anything is read."""

    form: Form
    metadata: tuple[object, ...]

    def schema(self, book: Book) -> JsonObject:
        schema = self.form.schema(book)
        kind = schema.get("type")
        for item in self.metadata:
            schema = {**schema, **_said(item, kind if isinstance(kind, str) else "")}
        return schema

    def read(self, value: Json, where: str) -> object:
        return self.form.read(value, where)


def description_of(metadata: tuple[object, ...]) -> str:
    """Find the words about a value: a plain string, or the `description` of some object."""
    for item in metadata:
        said: object = item if isinstance(item, str) else getattr(item, "description", None)
        if isinstance(said, str) and said:
            return said
    return ""


def _said(item: object, kind: str) -> JsonObject:
    found: JsonObject = {}
    if words := description_of((item,)):
        found["description"] = words
    for inner in (item, *_inner(item)):
        for name, keyword in _NUMBERS.items():
            bound: object = getattr(inner, name, None)
            if isinstance(bound, int | float) and not isinstance(bound, bool):
                found[keyword] = bound
        for name, word in _LENGTHS.items():
            size: object = getattr(inner, name, None)
            if isinstance(size, int) and kind in _SIZES:
                found[word + _SIZES[kind]] = size
        pattern: object = getattr(inner, "pattern", None)
        if isinstance(pattern, str) and kind == "string":
            found["pattern"] = pattern
    return found


def _inner(item: object) -> tuple[object, ...]:
    """Give what pydantic's `Field` keeps its bounds in."""
    kept: object = getattr(item, "metadata", None)
    return tuple(kept) if isinstance(kept, list) else ()  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType] -- anything may be in it
