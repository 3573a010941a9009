"""Which offered tool a written name means: exact, spelled differently, or the only near one."""

import re
from collections.abc import Iterator, Sequence
from functools import cached_property

from majordomo.contract import Json, JsonObject, Tool

from .coerce import coerce, squeezed
from .schema import Schema, Validate, properties, required, validator

_PREFIX = re.compile(r"^(?:functions?|tools?|default_api|actions?|client|mcp)[.:/]")
_INDEX = re.compile(r"[:#]\d+$")
_NO_ARGUMENTS: Schema = {"type": "object", "properties": {}}
_SCALARS: dict[Json, frozenset[type]] = {
    "string": frozenset({str}),
    "integer": frozenset({int}),
    "number": frozenset({int, float}),
    "boolean": frozenset({bool}),
}
_INVOLVED = frozenset({"$ref", "allOf", "anyOf", "oneOf", "enum", "const"})
_NONE: frozenset[type] = frozenset()


class Offer:
    """One tool as the parser sees it."""

    def __init__(self, tool: Tool) -> None:
        self.name = tool.name
        self.schema: Schema = tool.parameters or _NO_ARGUMENTS
        self._validate: Validate | None = None

    @cached_property
    def names(self) -> tuple[str, ...]:
        return tuple(properties(self.schema, self.schema))

    @cached_property
    def required(self) -> tuple[str, ...]:
        return required(self.schema, self.schema)

    def knows(self, arguments: JsonObject) -> bool:
        """Say whether every key is one of its arguments and every required one is there."""
        spelled = {squeezed(name) for name in self.names}
        given = {squeezed(name) for name in arguments}
        return given <= spelled and given >= {squeezed(name) for name in self.required}

    def settle(self, arguments: Json) -> tuple[Json, tuple[str, ...], str]:
        """Coerce and validate: the arguments, what was changed, and what is still wrong."""
        value = arguments
        changes: tuple[str, ...] = ()
        if not self.takes(arguments):
            value, changes = coerce(arguments, self._object_schema())
        if not isinstance(value, dict):
            return value, changes, "the arguments are not an object"
        if self._validate is None:
            self._validate = validator(self.schema)
        return value, changes, self._validate(value)

    def takes(self, arguments: Json) -> bool:
        """Say that there is nothing to coerce: known names, plain values of the right type.

        Most calls are like that. Whatever is less simple is left to coercion to decide.
        """
        scalars = self._scalars
        if scalars is None or not isinstance(arguments, dict):
            return False
        for name, value in arguments.items():
            if type(value) not in scalars.get(name, _NONE):
                return False
        return arguments.keys() >= set(self.required)

    @cached_property
    def _scalars(self) -> dict[str, frozenset[type]] | None:
        """Give the types of the arguments that have a simple one; None: they depend on more."""
        schema = self.schema
        declared = schema.get("properties")
        if schema.get("type", "object") != "object" or not _INVOLVED.isdisjoint(schema):
            return None
        return {
            name: _SCALARS[kind]
            for name, value in (declared.items() if isinstance(declared, dict) else ())
            if isinstance(value, dict)
            and _INVOLVED.isdisjoint(value)
            and isinstance(kind := value.get("type"), str)
            and kind in _SCALARS
        }

    def _object_schema(self) -> Schema:
        return self.schema if "type" in self.schema else {"type": "object", **self.schema}


class Offers:
    """The tools on offer, by every spelling that leaves no doubt.

    Nothing is worked out before it is asked for: most replies hold no call at all.
    """

    def __init__(self, tools: Sequence[Tool]) -> None:
        self._tools = tools

    @cached_property
    def _exact(self) -> dict[str, Offer]:
        return {tool.name: Offer(tool) for tool in self._tools if not tool.hosted}

    @cached_property
    def _squeezed(self) -> dict[str, list[Offer]]:
        by_squeezed: dict[str, list[Offer]] = {}
        for offer in self._exact.values():
            by_squeezed.setdefault(squeezed(offer.name), []).append(offer)
        return by_squeezed

    @cached_property
    def keys(self) -> frozenset[str]:
        return frozenset(key for offer in self._exact.values() for key in offer.names)

    def __bool__(self) -> bool:
        return bool(self._exact)

    def __iter__(self) -> Iterator[Offer]:
        return iter(self._exact.values())

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self._exact)

    def exact(self, name: str) -> Offer | None:
        return self._exact.get(name)

    def find(self, name: str) -> Offer | None:
        """Find the tool a name spells, whatever its case, separators and namespace."""
        found = self._exact.get(name)
        if found is not None:
            return found
        plain = _INDEX.sub("", _PREFIX.sub("", name.strip().strip("`'\"<>()[]*")))
        found = self._exact.get(plain)
        if found is not None:
            return found
        alike = self._squeezed.get(squeezed(plain), [])
        return alike[0] if len(alike) == 1 and squeezed(plain) else None

    def nearest(self, name: str) -> Offer | None:
        """Find the one tool that a slip of the pen away; none when two are, or it is short."""
        written = squeezed(_INDEX.sub("", _PREFIX.sub("", name)))
        reach = 0 if len(written) < 5 else 1 if len(written) < 9 else 2
        near = [
            offer
            for spelled, offers in self._squeezed.items()
            for offer in offers
            if _close(written, spelled, reach)
        ]
        return near[0] if len(near) == 1 else None


def _close(written: str, spelled: str, reach: int) -> bool:
    """Say whether two names differ by a slip: never in the first letter or in a digit.

    `get_x` and `set_x` are one letter apart and opposite; so are `page_1` and `page_2`.
    """
    if not written or abs(len(written) - len(spelled)) > reach or written[0] != spelled[:1]:
        return False
    if re.sub(r"\D", "", written) != re.sub(r"\D", "", spelled):
        return False
    return _distance(written, spelled) <= reach


def _distance(one: str, other: str) -> int:
    """Count insertions, deletions, replacements and swaps of neighbours."""
    before: list[int] = []
    last = list(range(len(other) + 1))
    for row, left in enumerate(one, 1):
        this = [row]
        for column, right in enumerate(other, 1):
            best = min(last[column] + 1, this[-1] + 1, last[column - 1] + (left != right))
            if row > 1 and column > 1 and left == other[column - 2] and one[row - 2] == right:
                best = min(best, before[column - 2] + 1)
            this.append(best)
        before, last = last, this
    return last[-1]
