"""Lists, sets, tuples and maps."""

from collections.abc import Callable, Iterable

from msgspec import Struct

from majordomo.contract import Json, JsonObject, Malformed
from majordomo.dialects.json import list_at, object_at

from .book import Book
from .form import Form


class Many(Struct, frozen=True, kw_only=True):
    """Any number of one kind."""

    item: Form
    build: Callable[[Iterable[object]], object] = list
    unique: bool = False

    def schema(self, book: Book) -> JsonObject:
        schema: JsonObject = {"type": "array", "items": self.item.schema(book)}
        return {**schema, "uniqueItems": True} if self.unique else schema

    def read(self, value: Json, where: str) -> object:
        try:
            return self.build(
                self.item.read(item, f"{where}[{index}]")
                for index, item in enumerate(list_at(value, where))
            )
        except TypeError as error:  # a set of what cannot be in one
            raise Malformed(where, str(error)) from error


class Fixed(Struct, frozen=True, kw_only=True):
    """A tuple whose places each have their own form."""

    items: tuple[Form, ...]

    def schema(self, book: Book) -> JsonObject:
        count = len(self.items)
        return {
            "type": "array",
            "prefixItems": [item.schema(book) for item in self.items],
            "items": False,
            "minItems": count,
            "maxItems": count,
        }

    def read(self, value: Json, where: str) -> object:
        items = list_at(value, where)
        if len(items) != len(self.items):
            raise Malformed(where, f"has {len(items)} items, not {len(self.items)}")
        return tuple(
            form.read(item, f"{where}[{index}]")
            for index, (form, item) in enumerate(zip(self.items, items, strict=True))
        )


class Map(Struct, frozen=True, kw_only=True):
    key: Form
    value: Form
    whole_keys: bool = False  # whole numbers, which JSON can only write as text

    def schema(self, book: Book) -> JsonObject:
        schema: JsonObject = {
            "type": "object",
            "additionalProperties": self.value.schema(book) or True,
        }
        if self.whole_keys:
            return {**schema, "propertyNames": {"pattern": "^-?[0-9]+$"}}
        names = self.key.schema(book)
        return schema if names == {"type": "string"} else {**schema, "propertyNames": names}

    def read(self, value: Json, where: str) -> object:
        return {
            self.key.read(self._key(name, where), where): self.value.read(item, f"{where}.{name}")
            for name, item in object_at(value, where).items()
        }

    def _key(self, name: str, where: str) -> Json:
        if not self.whole_keys:
            return name
        try:
            return int(name)
        except ValueError:
            raise Malformed(f"{where}.{name}", "is not a whole number") from None
