"""The definitions of one schema: types that contain themselves, and those of other libraries."""

from collections.abc import Callable

from majordomo.contract import Json, JsonObject

_PREFIX = "#/$defs/"


class Book:
    def __init__(self) -> None:
        self._defs: JsonObject = {}
        self._open: dict[object, str] = {}  # being written, by who they are
        self._referred: set[str] = set()

    def written(self, key: object, name: str, write: Callable[[], JsonObject]) -> JsonObject:
        """Write a schema in place, or once in the book if it turns out to contain itself."""
        if key in self._open:
            self._referred.add(self._open[key])
            return {"$ref": _PREFIX + self._open[key]}
        free = self._free(name)
        self._open[key] = free
        schema = write()
        del self._open[key]
        if free not in self._referred:
            return schema
        self._defs[free] = schema
        return {"$ref": _PREFIX + free}

    def adopt(self, schema: JsonObject) -> JsonObject:
        """Take over what another library wrote: its definitions move into this book."""
        foreign = schema.get("$defs")
        if not isinstance(foreign, dict):
            return schema
        known = {name for name in foreign if self._defs.get(name) == foreign[name]}
        names = {name: name if name in known else self._free(name) for name in foreign}
        for name, definition in foreign.items():
            self._defs[names[name]] = _renamed(definition, names)
        rest = {key: value for key, value in schema.items() if key != "$defs"}
        return {key: _renamed(value, names, key) for key, value in rest.items()}

    def closed(self, root: JsonObject) -> JsonObject:
        if not self._defs:
            return root
        reference = root.get("$ref")
        if isinstance(reference, str):
            target = self._defs.get(reference.removeprefix(_PREFIX))
            rest = {key: value for key, value in root.items() if key != "$ref"}
            root = {**(target if isinstance(target, dict) else {}), **rest}
        return {**root, "$defs": self._defs}

    def _free(self, name: str) -> str:
        taken = {*self._defs, *self._open.values()}
        clean = "".join(char if char.isalnum() or char == "_" else "_" for char in name) or "type"
        number, free = 1, clean
        while free in taken:
            number += 1
            free = f"{clean}_{number}"
        return free


def _renamed(value: Json, names: dict[str, str], key: str = "") -> Json:
    match value:
        case str() if key == "$ref" and value.startswith(_PREFIX):
            name = value.removeprefix(_PREFIX)
            return _PREFIX + names.get(name, name)
        case dict():
            return {inner: _renamed(item, names, inner) for inner, item in value.items()}
        case list():
            return [_renamed(item, names) for item in value]
        case _:
            return value
