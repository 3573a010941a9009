"""The fields of a struct, as rows of a table."""

import re
from collections.abc import Iterator

import msgspec
from msgspec import NODEFAULT, Struct

from .comment import comments


class Row(Struct, frozen=True, kw_only=True):
    name: str
    kind: str
    default: str
    words: str
    table: type[Struct] | None = None  # when the field is a struct of its own


def rows(kind: type[Struct]) -> Iterator[Row]:
    said = comments(kind)
    for field in msgspec.structs.fields(kind):
        yield Row(
            name=field.name,
            kind=type_name(field.type),
            default=_default(field),
            words=said.get(field.name, ""),
            table=_struct(field.type),
        )


def type_name(kind: object) -> str:
    """Write a type as a person would: `str`, `float | None`, `tuple[Key, ...]`."""
    if isinstance(kind, type) and not getattr(kind, "__args__", None):
        return kind.__name__
    text = re.sub(r"\b(?:typing|collections\.abc|majordomo(?:\.\w+)*)\.", "", str(kind))
    return text.replace("NoneType", "None")


def _struct(kind: object) -> type[Struct] | None:
    return kind if isinstance(kind, type) and issubclass(kind, Struct) else None


def _default(field: msgspec.structs.FieldInfo) -> str:
    if field.default is not NODEFAULT:
        return shown(field.default)
    if field.default_factory is not NODEFAULT:
        return shown(field.default_factory())
    return ""


def shown(value: object) -> str:
    if isinstance(value, Struct):
        name = type(value).__name__
        return f"{name}()" if value == type(value)() else f"{name}(…)"
    return repr(value)


def table(head: tuple[str, ...], lines: list[tuple[str, ...]]) -> Iterator[str]:
    """Write a Markdown table; what would end a cell is escaped."""
    yield "| " + " | ".join(head) + " |"
    yield "|---" * len(head) + "|"
    for line in lines:
        yield "| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |"


def code(text: str) -> str:
    return f"`{text}`" if text else ""
