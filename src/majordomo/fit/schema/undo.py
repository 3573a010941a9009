"""What lowering a schema did to the values it describes, and turning a value back."""

from __future__ import annotations

from msgspec import Struct

from majordomo.contract import Json, JsonObject, Malformed
from majordomo.dialects.json import read

WRAPPED = "value"  # the one property of a root that had to become an object


class Undo(Struct, frozen=True, kw_only=True):
    unwrap: bool = False
    text: bool = False  # written as JSON text, because the subset cannot describe it
    optional: frozenset[str] = frozenset()  # null here means that it was left out
    properties: dict[str, Undo] = {}
    items: Undo | None = None
    options: tuple[Undo, ...] = ()
    names: frozenset[str] = frozenset()  # all properties, to tell one option from another

    @property
    def needed(self) -> bool:
        return bool(
            self.unwrap
            or self.text
            or self.optional
            or self.properties
            or self.items
            or any(option.needed for option in self.options)
        )


def restore(value: Json, undo: Undo) -> Json:
    """Give the value the original schema describes."""
    if undo.unwrap and isinstance(value, dict) and WRAPPED in value:
        return restore(value[WRAPPED], undo.properties.get(WRAPPED, Undo()))
    if undo.options:
        chosen = _chosen(value, undo.options)
        return value if chosen is None else restore(value, chosen)
    match value:
        case str() if undo.text:
            return _read(value)
        case dict():
            return _restored(value, undo)
        case list() if undo.items is not None:
            return [restore(item, undo.items) for item in value]
        case _:
            return value


def _restored(value: JsonObject, undo: Undo) -> JsonObject:
    return {
        name: restore(item, undo.properties[name]) if name in undo.properties else item
        for name, item in value.items()
        if item is not None or name not in undo.optional
    }


def _chosen(value: Json, options: tuple[Undo, ...]) -> Undo | None:
    match value:
        case dict():
            exact = (option for option in options if option.names == value.keys())
            return next(exact, None) or next((one for one in options if one.names), None)
        case list():
            return next((option for option in options if option.items is not None), None)
        case str():
            # Next to a plain string, only an object or a list can have been meant as JSON.
            meant = isinstance(_read(value), dict | list)
            return next((option for option in options if option.text and meant), None)
        case _:
            return None


def _read(text: str) -> Json:
    try:
        return read(text)
    except Malformed:
        return text
