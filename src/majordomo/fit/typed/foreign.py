"""Types of other libraries, which know best how they are said and read.

Nothing is imported for them: a pydantic type brings pydantic with it.
"""

from collections.abc import Callable
from typing import Protocol, TypedDict, TypeGuard

import msgspec
from msgspec import Struct

from majordomo.contract import Json, JsonObject, Malformed

from .book import Book
from .form import Form


def is_pydantic(kind: type[object]) -> bool:
    """Say whether pydantic reads it: a model, or another type such as `HttpUrl`."""
    return hasattr(kind, "__get_pydantic_core_schema__")


def pydantic_form(kind: type[object]) -> "Pydantic":
    from pydantic import TypeAdapter  # noqa: PLC0415 -- whoever has such a type has pydantic

    return Pydantic(adapter=TypeAdapter(kind))


class Adapter(Protocol):
    """What is used of `pydantic.TypeAdapter`."""

    def json_schema(self) -> JsonObject: ...

    def validate_python(self, value: object, /) -> object: ...


class Pydantic(Struct, frozen=True, kw_only=True):
    adapter: Adapter

    def schema(self, book: Book) -> JsonObject:
        return book.adopt(_untitled(self.adapter.json_schema()))

    def read(self, value: Json, where: str) -> object:
        try:
            return self.adapter.validate_python(value)
        except ValueError as error:
            raise Malformed(where, _pydantic_words(error)) from error


class Native(Struct, frozen=True, kw_only=True):
    """Whatever msgspec knows: its own structs, attrs, dates, UUIDs, decimals, bytes."""

    kind: object
    inner: Callable[[object], Form]  # for what stands in it that msgspec does not know

    def schema(self, book: Book) -> JsonObject:
        def hook(kind: type) -> JsonObject:
            return self.inner(kind).schema(book)

        template = "#/$defs/{name}"
        (schema,), definitions = msgspec.json.schema_components(
            (self.kind,), schema_hook=hook, ref_template=template
        )
        whole: JsonObject = {**schema, **self._format()}
        if definitions:
            whole["$defs"] = definitions
        return book.adopt(_untitled(_inlined(whole)))

    def _format(self) -> JsonObject:
        """Say how a time is written, which msgspec leaves open where there may be no zone."""
        match msgspec.inspect.type_info(self.kind):
            case msgspec.inspect.DateTimeType():
                return {"format": "date-time"}
            case msgspec.inspect.TimeType():
                return {"format": "time"}
            case _:
                return {}

    def read(self, value: Json, where: str) -> object:
        def hook(kind: type, inner: object) -> object:
            return self.inner(kind).read(_as_json(inner), where)

        try:
            read: object = msgspec.convert(value, self.kind, dec_hook=hook)
        except msgspec.ValidationError as error:
            raise Malformed(where, f"is not right: {error}") from error
        except OverflowError as error:
            raise Malformed(where, str(error)) from error
        return read


def _as_json(value: object) -> Json:
    plain: Json = msgspec.to_builtins(value)
    return plain


def _inlined(schema: JsonObject) -> JsonObject:
    """Put the one definition of a struct in its place; only what is shared stays a definition."""
    match schema:
        case {"$ref": str(reference), "$defs": dict(definitions)} if len(definitions) == 1:
            ((name, whole),) = definitions.items()
            used = f'"#/$defs/{name}"'.encode() in msgspec.json.encode(whole)
            if reference == f"#/$defs/{name}" and not used and isinstance(whole, dict):
                return whole
        case _:
            pass
    return schema


def _untitled(schema: JsonObject) -> JsonObject:
    """Leave out titles, which only repeat the names; closing objects is said where it is not."""
    return {key: _plain(value, key) for key, value in schema.items() if not _is_title(key, value)}


def _plain(value: Json, key: str) -> Json:
    match value:
        case dict() if key in {"properties", "$defs"}:
            return {name: _plain(item, "") for name, item in value.items()}
        case dict() if key not in {"default", "const", "example"}:
            return _untitled(value)
        case list() if key in {"anyOf", "oneOf", "allOf", "prefixItems"}:
            return [_plain(item, "") for item in value]
        case _:
            return value


def _is_title(key: str, value: Json) -> bool:
    return key == "title" and isinstance(value, str)


class _Fault(TypedDict):
    loc: tuple[str | int, ...]
    msg: str


class _Explains(Protocol):
    """What is used of `pydantic.ValidationError`."""

    def errors(self) -> list[_Fault]: ...


def _pydantic_words(error: ValueError) -> str:
    """Say each fault with its place; pydantic's own text has links to its documentation."""
    if not _explains(error):
        return str(error)
    words: list[str] = []
    for fault in error.errors():
        place = fault["loc"]
        steps = [str(step) for step in place]
        said = fault["msg"]
        words.append(f"{'.'.join(steps)}: {said}" if steps else said)
    return "; ".join(words)


def _explains(error: object) -> TypeGuard[_Explains]:
    return hasattr(error, "errors")
