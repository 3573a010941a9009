"""Arguments as the tool's schema means them: what a model meant, said in the right types.

Nothing is invented. A value is changed only where the schema rules out what was written and
allows exactly what it plainly stands for: `"3"` for a number, `"Celsius"` for the enum value
`celsius`, one item for a list of them.
"""

import re
from collections.abc import Callable
from math import isfinite

from majordomo.contract import Json, JsonObject
from majordomo.dialects.json import write_text

from .schema import (
    Schema,
    branches,
    closed,
    fits,
    is_integer,
    properties,
    required,
    resolve,
    types,
)
from .text_value import read_text

_THOUSANDS = re.compile(r"-?\d{1,3}(?:,\d{3})+(?:\.\d+)?")
_NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
_TRUE = frozenset({"true", "yes", "on", "1"})
_FALSE = frozenset({"false", "no", "off", "0"})
_NOTHING = frozenset({"null", "none", "nil", "undefined"})
_WORDS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")
_WRAPPERS = frozenset({"value", "text", "#text", "element", "item", "content"})
_ITEMS = frozenset({"item", "items", "element"})
_MAX_DEPTH = 32
_MAX_STEPS = 5_000  # unions of unions can ask for more than anybody waits for


def squeezed(name: str) -> str:
    """Give a name without case and separators: `filePath`, `file_path` and `file-path` agree."""
    return "".join(char for char in name.casefold() if char.isalnum())


def coerce(value: Json, schema: Schema) -> tuple[Json, tuple[str, ...]]:
    """Give the value in the schema's types, and what had to be changed."""
    work = _Coercion(schema)
    return work.value(value, schema, ""), tuple(dict.fromkeys(work.changes))


def _far(value: Json, option: Schema) -> tuple[bool, bool]:
    """Try text last, as anything can be that, and a list around a value after the value itself."""
    kind = option.get("type")
    return kind == "string", kind == "array" and not isinstance(value, list)


class _Coercion:
    def __init__(self, root: Schema) -> None:
        self.root = root
        self.changes: list[str] = []
        self.depth = 0
        self.steps = 0
        self.unions: set[tuple[int, str]] = set()  # being tried, and for which value
        self.into: dict[str, Callable[[Json, Schema, str], Json]] = {
            "string": self._string,
            "integer": self._integer,
            "number": self._number,
            "boolean": self._boolean,
            "null": self._null,
            "array": self._array,
            "object": self._object,
        }

    def value(self, value: Json, schema: Json, where: str) -> Json:
        if self.depth >= _MAX_DEPTH or self.steps >= _MAX_STEPS:
            return value
        self.depth += 1
        self.steps += 1
        try:
            return self._typed(value, resolve(schema, self.root), where)
        finally:
            self.depth -= 1

    def _typed(self, value: Json, schema: Schema, where: str) -> Json:
        for part in _all_of(schema):
            value = self.value(value, part, where)
        options = branches(schema, self.root)
        if options != [schema]:
            return self._one_of(value, schema, options, where)
        if isinstance(schema.get("enum"), list) or "const" in schema:
            return self._enum(value, schema, where)
        names = types(schema, self.root)
        for name in self._preferred(value, names):
            changed = self.into[name](value, schema, where)
            if len(names) == 1 or fits(changed, schema, self.root):
                return changed
        return value

    def _preferred(self, value: Json, names: tuple[str, ...]) -> list[str]:
        """Order the types a value may become: what it already is, then anything but text."""
        known = [name for name in names if name in self.into]
        now = [name for name in known if fits(value, {"type": name}, self.root)]
        return [
            *now,
            *(n for n in known if n not in now and n != "string"),
            *(n for n in known if n not in now and n == "string"),
        ]

    def _one_of(self, value: Json, schema: Schema, options: list[Schema], where: str) -> Json:
        union = (id(schema), where)
        if union in self.unions:  # a branch of itself: the other branches are being tried
            return value
        self.unions.add(union)
        try:
            return self._branched(value, schema, options, where)
        finally:
            self.unions.discard(union)

    def _branched(self, value: Json, schema: Schema, options: list[Schema], where: str) -> Json:
        plain = {k: v for k, v in schema.items() if k not in {"anyOf", "oneOf"}}
        if "properties" in plain or "type" in plain:
            value = self.value(value, plain, where)
        for option in options:
            if fits(value, option, self.root):
                return self.value(value, option, where)
        for option in sorted(options, key=lambda option: _far(value, option)):
            before = len(self.changes)
            changed = self.value(value, option, where)
            if fits(changed, option, self.root):
                return changed
            del self.changes[before:]
        return value

    def _enum(self, value: Json, schema: Schema, where: str) -> Json:
        listed = schema.get("enum")
        allowed = listed if isinstance(listed, list) else [schema.get("const")]
        if value in allowed:
            return value
        if isinstance(value, list) and len(value) == 1:
            return self._enum(value[0], schema, where)
        if isinstance(value, dict | list):
            return value
        wanted = squeezed(_as_text(value)) or _as_text(value)
        alike = [item for item in allowed if (squeezed(_as_text(item)) or _as_text(item)) == wanted]
        return self._changed(where, alike[0]) if len(alike) == 1 else value

    def _string(self, value: Json, schema: Schema, where: str) -> Json:
        del schema
        match value:
            case str() | None:
                return value
            case [str(only)]:
                return self._changed(where, only)
            case dict() if len(value) == 1 and _WRAPPERS.issuperset(value):
                return self._changed(where, _as_text(next(iter(value.values()))))
            case list():
                return value  # several lines, or several values? ask again rather than guess
            case _:
                return self._changed(where, _as_text(value))

    def _integer(self, value: Json, schema: Schema, where: str) -> Json:
        number = self._number(value, schema, where)
        if isinstance(number, float) and number.is_integer():
            return int(number)
        return number if is_integer(number) else value

    def _number(self, value: Json, schema: Schema, where: str) -> Json:
        match value:
            case [only] | {"value": only} | {"#text": only}:
                return self._number(only, schema, where)
            case str():
                text = value.strip().strip("\"'")
                if _THOUSANDS.fullmatch(text):
                    text = text.replace(",", "")
                if _NUMBER.fullmatch(text) and len(text) < 300:
                    plain = text.lstrip("+")
                    whole = plain.lstrip("-").isdigit()
                    number = int(plain) if whole else float(plain)
                    return self._changed(where, number) if isfinite(number) else value
                return value
            case _:
                return value

    def _boolean(self, value: Json, schema: Schema, where: str) -> Json:
        match value:
            case [only] | {"value": only} | {"#text": only}:
                return self._boolean(only, schema, where)
            case str() if value.strip().strip("\"'").casefold() in _TRUE:
                return self._changed(where, value=True)
            case str() if value.strip().strip("\"'").casefold() in _FALSE:
                return self._changed(where, value=False)
            case int() if value in {0, 1} and not isinstance(value, bool):
                return self._changed(where, value == 1)
            case _:
                return value

    def _null(self, value: Json, schema: Schema, where: str) -> Json:
        del schema
        if isinstance(value, str) and value.strip().casefold() in _NOTHING:
            return self._changed(where, None)
        return value

    def _array(self, value: Json, schema: Schema, where: str) -> Json:
        if isinstance(value, str):
            value = self._unpacked(value, list, where)
        if isinstance(value, dict):
            value = self._listed(value, schema, where)
        elif isinstance(value, str):
            value = self._changed(where, self._split(value, schema))
        elif not isinstance(value, list) and value is not None:
            value = self._changed(where, [value])
        if not isinstance(value, list):
            return value
        return [
            self.value(item, self._item_schema(schema, index), f"{where}[{index}]")
            for index, item in enumerate(value)
        ]

    def _split(self, text: str, schema: Schema) -> list[Json]:
        """Read text as a list: numbers may stand in a row, words are one item."""
        if not text.strip():
            return []
        items = resolve(self._item_schema(schema, 0), self.root)
        if set(types(items, self.root)) & {"number", "integer"}:
            return [*re.split(r"[,;\s]+", text.strip(" \n[]"))]
        return [text]

    def _item_schema(self, schema: Schema, index: int) -> Json:
        heads = schema.get("prefixItems", schema.get("items"))
        if isinstance(heads, list):
            if index < len(heads):
                return heads[index]
            rest = schema.get("items") if "prefixItems" in schema else schema.get("additionalItems")
            return rest if isinstance(rest, dict) else {}
        return schema.get("items")

    def _listed(self, value: JsonObject, schema: Schema, where: str) -> Json:
        """Read the ways markup writes a list: `{"item": [...]}`, `{"0": ..., "1": ...}`."""
        if value and all(key.isdigit() for key in value):
            return self._changed(where, [value[key] for key in sorted(value, key=int)])
        items = resolve(self._item_schema(schema, 0), self.root)
        if len(value) == 1 and (_ITEMS.issuperset(value) or not fits(value, items, self.root)):
            (only,) = value.values()
            return self._changed(where, only if isinstance(only, list) else [only])
        return self._changed(where, [value])

    def _object(self, value: Json, schema: Schema, where: str) -> Json:
        if isinstance(value, str):
            value = self._unpacked(value, dict, where)
        if isinstance(value, list) and len(value) == 1 and isinstance(value[0], dict):
            value = self._changed(where, value[0])
        if not isinstance(value, dict):
            return value
        declared = properties(schema, self.root)
        value = self._renamed(value, declared, schema, where)
        extra = schema.get("additionalProperties")
        shut = closed(schema, self.root)
        result: JsonObject = {}
        for name, item in value.items():
            place = f"{where}.{name}" if where else name
            if name in declared:
                if declared[name] is False or self._omitted(item, declared[name], name, schema):
                    self.changes.append(f"left {place} out")
                    continue
                result[name] = self.value(item, declared[name], place)
            elif shut:
                self.changes.append(f"left {place} out, which the tool does not know")
            else:
                result[name] = self.value(item, extra, place) if isinstance(extra, dict) else item
        return self._defaulted(result, declared, schema, where)

    def _omitted(self, item: Json, schema: Json, name: str, parent: Schema) -> bool:
        """Say whether a null only says that an optional argument was not given."""
        if item is not None or name in required(parent, self.root):
            return False
        return not fits(None, resolve(schema, self.root), self.root)

    def _renamed(
        self, value: JsonObject, declared: dict[str, Json], schema: Schema, where: str
    ) -> JsonObject:
        """Give keys their declared spelling where there is only one they can mean."""
        by_squeezed: dict[str, list[str]] = {}
        for name in declared:
            by_squeezed.setdefault(squeezed(name), []).append(name)
        result: JsonObject = {}
        for name, item in value.items():
            meant = by_squeezed.get(squeezed(name), [])
            if name not in declared and len(meant) == 1 and meant[0] not in value:
                self.changes.append(f"read {where or 'the argument'} {name} as {meant[0]}")
                result[meant[0]] = item
            else:
                result[name] = item
        return self._adopted(result, declared, schema)

    def _adopted(self, value: JsonObject, declared: dict[str, Json], schema: Schema) -> JsonObject:
        """Take the one unknown key for the one required argument whose name it shortens."""
        missing = [n for n in required(schema, self.root) if n not in value and n in declared]
        unknown = [name for name in value if name not in declared]
        if len(missing) != 1 or len(unknown) != 1 or not declared:
            return value
        short, long = sorted((_words(missing[0]), _words(unknown[0])), key=len)
        plural = squeezed(missing[0]).rstrip("s") == squeezed(unknown[0]).rstrip("s")
        if not plural and not (short and short < long):
            return value
        self.changes.append(f"read the argument {unknown[0]} as {missing[0]}")
        return {missing[0] if name == unknown[0] else name: item for name, item in value.items()}

    def _defaulted(
        self, value: JsonObject, declared: dict[str, Json], schema: Schema, where: str
    ) -> JsonObject:
        for name in required(schema, self.root):
            default = resolve(declared.get(name), self.root)
            if name not in value and "default" in default:
                value[name] = default["default"]
                self.changes.append(f"gave {where}{'.' if where else ''}{name} its default")
        return value

    def _unpacked(self, text: str, kind: type[Json], where: str) -> Json:
        """Read JSON that was written as text, once more if it was written so twice."""
        value: Json = text
        for _ in range(3):
            if not isinstance(value, str):
                break
            found = read_text(value)
            if found is None:
                break
            value = found
        return self._changed(where, value) if isinstance(value, kind) else text

    def _changed(self, where: str, value: Json) -> Json:
        self.changes.append(f"changed {where or 'the arguments'} to the type it has to have")
        return value


def _all_of(schema: Schema) -> list[Json]:
    parts = schema.get("allOf")
    return parts if isinstance(parts, list) else []


def _as_text(value: Json) -> str:
    return value if isinstance(value, str) else write_text(value)


def _words(name: str) -> frozenset[str]:
    return frozenset(word.casefold() for word in _WORDS.findall(name))
