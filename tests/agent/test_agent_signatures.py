"""From a signature to a schema that every dialect takes, and from its arguments to the call."""

import datetime as dt
import json
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from decimal import Decimal
from functools import partial
from pathlib import Path, PurePosixPath
from typing import (
    Annotated,
    Any,
    Literal,
    NamedTuple,
    Optional,
    Union,
    Unpack,
)
from uuid import UUID

import msgspec
import pydantic
import pytest
from annotated_types import Ge, Len

from majordomo.agent import Toolbox, ToolFunction
from majordomo.contract import Json, JsonObject, Tool, ToolCall
from majordomo.fit.schema import SUBSETS, lower, restore
from majordomo.fit.validation import check_schema, violations
from support.subsets import CHECKS
from support.written_types import (
    Box,
    Circle,
    Colour,
    Extras,
    Level,
    Line,
    Loose,
    Metres,
    Mood,
    Names,
    Node,
    Odd,
    Pair,
    Peak,
    Place,
    Point,
    River,
    Size,
    Square,
    Tagged,
    Tree,
    Wet,
)

pytestmark = pytest.mark.anyio


class Row(NamedTuple):
    """The hint of one parameter, JSON for it, what the function gets, and its schema if short."""

    hint: Any
    given: Json
    meant: object
    schema: JsonObject | None = None


UTC = dt.UTC
KEY = "5b7a2b5e-6a1f-4b53-9c9d-5d3a0b2d2a11"

HINTS: dict[str, Row] = {
    "str": Row(str, "a", "a", {"type": "string"}),
    "int": Row(int, 3, 3, {"type": "integer"}),
    "float": Row(float, 3, 3.0, {"type": "number"}),
    "bool": Row(bool, given=True, meant=True, schema={"type": "boolean"}),
    "None": Row(None, None, None, {"type": "null"}),
    "Any": Row(Any, {"a": [1]}, {"a": [1]}, {}),
    "object": Row(object, "x", "x", {}),
    "Json": Row(Json, [1, None], [1, None], {}),
    "list": Row(list[int], [1, 2], [1, 2], {"type": "array", "items": {"type": "integer"}}),
    "list of anything": Row(list, [1, "a"], [1, "a"], {"type": "array", "items": {}}),
    "list of lists": Row(list[list[str]], [["a"], []], [["a"], []]),
    "sequence": Row(Sequence[str], ["a"], ["a"]),
    "iterable": Row(Iterable[int], [1], [1]),
    "deque": Row(deque[int], [1, 2], deque([1, 2])),
    "set": Row(set[str], ["a", "b"], {"a", "b"}),
    "abstract set": Row(AbstractSet[int], [1], {1}),
    "frozenset": Row(frozenset[int], [1, 2], frozenset({1, 2})),
    "tuple of any length": Row(tuple[int, ...], [1, 2, 3], (1, 2, 3)),
    "tuple of two": Row(tuple[int, str], [1, "a"], (1, "a")),
    "bare tuple": Row(tuple, [1], (1,)),
    "dict": Row(dict[str, int], {"a": 1}, {"a": 1}),
    "bare dict": Row(dict, {"a": 1}, {"a": 1}),
    "dict of numbers": Row(dict[int, str], {"1": "a"}, {1: "a"}),
    "dict of an enum": Row(dict[Colour, int], {"red": 1}, {Colour.RED: 1}),
    "dict of literals": Row(dict[Literal["a", "b"], int], {"a": 1}, {"a": 1}),
    "mapping": Row(Mapping[str, list[int]], {"a": [1]}, {"a": [1]}),
    "dict of dataclasses": Row(dict[str, Point], {"a": {"x": 1}}, {"a": Point(1.0)}),
    "literal": Row(Literal["a", "b"], "b", "b", {"type": "string", "enum": ["a", "b"]}),
    "literal numbers": Row(Literal[1, 2], 2, 2, {"type": "integer", "enum": [1, 2]}),
    "literal of kinds": Row(Literal["auto", 1, None], None, None, {"enum": ["auto", 1, None]}),  # noqa: PYI061 -- allowed too
    "literal true": Row(Literal[True], given=True, meant=True),
    "literal member": Row(Literal[Colour.RED], "red", Colour.RED),
    "enum": Row(Colour, "blue", Colour.BLUE, {"type": "string", "enum": ["red", "blue"]}),
    "int enum": Row(Level, 2, Level.HIGH, {"type": "integer", "enum": [1, 2]}),
    "str enum": Row(Mood, "bad", Mood.BAD),
    "enum of no JSON": Row(Odd, "LINE", Odd.LINE, {"type": "string", "enum": ["POINT", "LINE"]}),
    "optional": Row(Optional[int], None, None),  # noqa: UP045 -- people write it so
    "union": Row(int | str, "a", "a", {"anyOf": [{"type": "integer"}, {"type": "string"}]}),
    "old union": Row(Union[int, None], 3, 3),  # noqa: UP007 -- and so
    "union of lists": Row(list[int] | list[str], ["a"], ["a"]),
    "union of a list and one": Row(str | list[str], ["a"], ["a"]),
    "union of dataclasses": Row(
        Circle | Square, {"kind": "square", "side": 2}, Square("square", 2.0)
    ),
    "union of strangers": Row(Point | River, {"name": "Po", "km": 652}, River(name="Po", km=652)),
    "union with a time": Row(dt.date | str, "2026-11-15", dt.date(2026, 11, 15)),
    "dataclass": Row(Point, {"x": 1, "y": 2}, Point(1.0, 2.0)),
    "dataclass of dataclasses": Row(
        Line,
        {"start": {"x": 1}, "end": {"x": 2}, "names": ["a"], "colour": "blue"},
        Line(start=Point(1.0), end=Point(2.0), names=("a",), colour=Colour.BLUE),
    ),
    "dataclass of itself": Row(
        Node, {"name": "a", "children": [{"name": "b"}]}, Node("a", [Node("b")])
    ),
    "generic dataclass": Row(Box[int], {"content": 1}, Box(1)),
    "generic of a dataclass": Row(Box[Point], {"content": {"x": 1}}, Box(Point(1.0))),
    "generic of generics": Row(Box[Box[str]], {"content": {"content": "a"}}, Box(Box("a"))),
    "list of dataclasses": Row(list[Point], [{"x": 1}], [Point(1.0)]),
    "maybe a dataclass": Row(Point | None, {"x": 1}, Point(1.0)),
    "typed dict": Row(Place, {"city": "Ulm"}, {"city": "Ulm"}),
    "typed dict, all of it": Row(Place, {"city": "Ulm", "zip": 89}, {"city": "Ulm", "zip": 89}),
    "typed dict, not total": Row(Loose, {"must": 1}, {"must": 1}),
    "named tuple": Row(Pair, {"left": 1}, Pair(1)),
    "struct": Row(Peak, {"peakName": "Rigi", "metres": 1797.5}, Peak("Rigi", 1797.5)),
    "tagged struct": Row(Tagged, {"type": "tagged", "value": 1}, Tagged(1)),
    "list of structs": Row(list[Peak], [{"peakName": "Rigi"}], [Peak("Rigi")]),
    "struct of pydantic": Row(
        Wet, {"river": {"name": "Po", "km": 652}}, Wet(River(name="Po", km=652))
    ),
    "pydantic": Row(River, {"name": "Po", "km": 652}, River(name="Po", km=652)),
    "pydantic of a dataclass": Row(
        River,
        {"name": "Po", "km": 652, "mouth": {"x": 1, "y": 2}},
        River(name="Po", km=652, mouth=Point(1.0, 2.0)),
    ),
    "pydantic of itself": Row(
        Tree,
        {"label": "a", "branches": [{"label": "b"}]},
        Tree(label="a", branches=[Tree(label="b")]),
    ),
    "pydantic root": Row(Names, ["a"], Names(["a"])),
    "pydantic dataclass": Row(Size, {"metres": 2}, Size(2.0)),
    "pydantic address": Row(
        pydantic.HttpUrl, "https://example.org/", pydantic.HttpUrl("https://example.org/")
    ),
    "maybe pydantic": Row(River | None, None, None),
    "date": Row(dt.date, "2026-11-15", dt.date(2026, 11, 15)),
    "date and time": Row(
        dt.datetime,
        "2026-11-15T12:00:00Z",
        dt.datetime(2026, 11, 15, 12, tzinfo=UTC),
        {"type": "string", "format": "date-time"},
    ),
    "time": Row(dt.time, "12:30:00", dt.time(12, 30)),
    "duration": Row(dt.timedelta, "PT90S", dt.timedelta(seconds=90)),
    "uuid": Row(UUID, KEY, UUID(KEY), {"type": "string", "format": "uuid"}),
    "decimal": Row(Decimal, "1.50", Decimal("1.50")),
    "bytes": Row(bytes, "aGk=", b"hi"),
    "path": Row(PurePosixPath, "/etc/hosts", PurePosixPath("/etc/hosts"), {"type": "string"}),
    "real path": Row(Path, "a/b", Path("a/b")),
    "new type": Row(Metres, 2.5, 2.5, {"type": "number"}),
    "annotated words": Row(
        Annotated[int, "how many"], 3, 3, {"type": "integer", "description": "how many"}
    ),
    "annotated by msgspec": Row(
        Annotated[int, msgspec.Meta(ge=1, le=9)],
        9,
        9,
        {"type": "integer", "minimum": 1, "maximum": 9},
    ),
    "annotated by pydantic": Row(
        Annotated[str, pydantic.Field(min_length=2, description="a name")],
        "ab",
        "ab",
        {"type": "string", "minLength": 2, "description": "a name"},
    ),
    "annotated types": Row(
        Annotated[list[int], Len(1, 3)],
        [1],
        [1],
        {"type": "array", "items": {"type": "integer"}, "minItems": 1, "maxItems": 3},
    ),
    "annotated inside": Row(
        list[Annotated[int, Ge(0)]],
        [0],
        [0],
        {"type": "array", "items": {"type": "integer", "minimum": 0}},
    ),
    "annotated pattern": Row(
        Annotated[str, msgspec.Meta(pattern="^[A-Z]{3}$")],
        "EUR",
        "EUR",
        {"type": "string", "pattern": "^[A-Z]{3}$"},
    ),
    "deeply nested": Row(
        dict[str, list[tuple[int, Point | None]]],
        {"a": [[1, {"x": 1}], [2, None]]},
        {"a": [(1, Point(1.0)), (2, None)]},
    ),
}


def taking(hint: object) -> tuple[ToolFunction[..., object], list[object]]:
    """Give a tool with one parameter of that type, and what it is called with."""
    got: list[object] = []

    def take(value: object) -> str:
        got.append(value)
        return "taken"

    take.__annotations__["value"] = hint
    return ToolFunction(take, Tool(name="")), got


@pytest.mark.parametrize("row", HINTS.values(), ids=HINTS)
def test_the_schema_says_what_is_taken(row: Row) -> None:
    function, _ = taking(row.hint)
    schema = function.tool.parameters
    check_schema(schema)
    assert violations({"value": row.given}, schema) == ()
    assert schema["type"] == "object"
    assert schema["required"] == ["value"]
    assert schema["additionalProperties"] is False
    if row.schema is not None:
        assert schema["properties"] == {"value": row.schema}


@pytest.mark.parametrize("dialect", CHECKS)
@pytest.mark.parametrize("row", HINTS.values(), ids=HINTS)
def test_every_dialect_takes_the_schema(row: Row, dialect: str) -> None:
    function, _ = taking(row.hint)
    subset = next(subset for name, subset in SUBSETS.items() if name == dialect)
    lowered = lower(function.tool.parameters, subset, object_root=True)
    CHECKS[dialect](lowered.schema)
    if lowered.undo is not None:  # what needs no change is turned back unchanged
        restored = restore({"value": row.given}, lowered.undo)
        assert violations(restored, function.tool.parameters) == ()


@pytest.mark.parametrize("row", HINTS.values(), ids=HINTS)
async def test_the_arguments_become_the_call(row: Row) -> None:
    function, got = taking(row.hint)
    arguments = json.dumps({"value": row.given})
    result = await Toolbox(function).execute(ToolCall(id="1", name="take", arguments=arguments))
    assert result.text == "taken", result.text
    assert got == [row.meant]
    assert type(got[0]) is type(row.meant)


def plain(a, b=2):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN201 -- that is the point
    return json.dumps([a, b])


def everything(a: int, /, b: int, *rest: int, c: int = 3) -> object:
    return [a, b, *rest, c]


def kept(a: int, /, b: int = 2, *rest: int) -> object:
    return [a, b, *rest]


def unpacked(city: str, **more: Unpack[Extras]) -> object:
    return [city, more]


class Shop:
    def __init__(self, name: str) -> None:
        self.name = name

    def order(self, count: int) -> object:
        return [self.name, count]

    @classmethod
    def close(cls, name: str) -> object:
        return [cls.__name__, name]

    @staticmethod
    def add(a: int, b: int) -> object:
        return a + b

    def __call__(self, item: str) -> object:
        return [self.name, item]


async def slowly(seconds: float) -> object:
    return seconds


SIGNATURES: dict[str, tuple[Callable[..., object], JsonObject, Json]] = {
    "no parameters": (lambda: "x", {}, "x"),
    "no hints": (plain, {"a": "x"}, ["x", 2]),
    "defaults": (plain, {"a": 1, "b": None}, [1, None]),
    "every kind": (everything, {"a": 1, "b": 2, "rest": [4, 5], "c": 6}, [1, 2, 4, 5, 6]),
    "none of the rest": (everything, {"a": 1, "b": 2}, [1, 2, 3]),
    "the rest without what is before it": (kept, {"a": 1, "rest": [7]}, [1, 2, 7]),
    "named keywords": (unpacked, {"city": "Ulm", "days": 3}, ["Ulm", {"days": 3}]),
    "no keywords": (unpacked, {"city": "Ulm"}, ["Ulm", {}]),
    "method": (Shop("Ann").order, {"count": 2}, ["Ann", 2]),
    "class method": (Shop.close, {"name": "x"}, ["Shop", "x"]),
    "static method": (Shop.add, {"a": 1, "b": 2}, 3),
    "object": (Shop("Bob"), {"item": "tea"}, ["Bob", "tea"]),
    "partial": (partial(everything, 1, c=9), {"b": 2}, [1, 2, 9]),
    "coroutine": (slowly, {"seconds": 0.5}, 0.5),
}


@pytest.mark.parametrize(("function", "given", "meant"), SIGNATURES.values(), ids=SIGNATURES)
async def test_signatures(function: Callable[..., object], given: JsonObject, meant: Json) -> None:
    tool = ToolFunction(function, Tool(name="it"))
    for dialect, subset in SUBSETS.items():
        CHECKS[dialect](lower(tool.tool.parameters, subset, object_root=True).schema)
    result = await Toolbox(tool).execute(ToolCall(id="1", name="it", arguments=json.dumps(given)))
    assert not result.is_error, result.text
    said = result.text if isinstance(meant, str) else json.loads(result.text)
    assert said == meant


def test_there_are_many_of_them() -> None:
    assert len(HINTS) + len(SIGNATURES) >= 80
