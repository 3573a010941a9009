"""Docstrings, definitions, refusals and half-written JSON: the edges of types as schemas."""

from dataclasses import dataclass
from typing import Literal, TypedDict

import pydantic
import pytest
from hypothesis import given
from hypothesis import strategies as st

from majordomo.contract import Json, Malformed
from majordomo.dialects.json import read, write_text
from majordomo.fit.typed import (
    Doc,
    Prefix,
    form_of,
    parameters_of,
    read_docstring,
    schema_of,
    shape_of,
)

GOOGLE = """Find flights.

    Looks at all airlines.

    Args:
        origin: where from
        when (date, optional): the day,
            in the traveller's own time
        *stops: where to stop over

    Returns:
        The flights.
    """
NUMPY = """Find flights.

    Parameters
    ----------
    origin : str
        where from
    when : date, optional
        the day,
        in the traveller's own time

    Returns
    -------
    list
        The flights.
    """
SPHINX = """Find flights.

    :param origin: where from
    :param date when: the day
    :returns: the flights
    :raises ValueError: if there are none
    """

DOCS: dict[str, tuple[str | None, Doc]] = {
    "none": (None, Doc()),
    "only words": ("Find\n    flights.", Doc(summary="Find flights.")),
    "google": (
        GOOGLE,
        Doc(
            summary="Find flights. Looks at all airlines.",
            parameters={
                "origin": "where from",
                "when": "the day, in the traveller's own time",
                "stops": "where to stop over",
            },
        ),
    ),
    "numpy": (
        NUMPY,
        Doc(
            summary="Find flights.",
            parameters={"origin": "where from", "when": "the day, in the traveller's own time"},
        ),
    ),
    "sphinx": (
        SPHINX,
        Doc(summary="Find flights.", parameters={"origin": "where from", "when": "the day"}),
    ),
    "a colon in prose": ("Note: it is slow.", Doc(summary="Note: it is slow.")),
}


@pytest.mark.parametrize(("text", "doc"), DOCS.values(), ids=DOCS)
def test_docstrings(text: str | None, doc: Doc) -> None:
    assert read_docstring(text) == doc


def test_a_parameter_is_described_by_the_docstring_unless_it_describes_itself() -> None:
    def find(origin: str, when: str = "today") -> None:
        """Find flights.

        Args:
            origin: where from
            when: the day

        """
        del origin, when

    parameters, doc = parameters_of(find)
    assert doc.summary == "Find flights."
    assert parameters.schema["properties"] == {
        "origin": {"type": "string", "description": "where from"},
        "when": {"type": "string", "description": "the day", "default": "today"},
    }


class Leaf(pydantic.BaseModel):
    name: str


class Twig(pydantic.BaseModel):
    leaves: list[Leaf]


def test_definitions_of_two_libraries_live_in_one_book() -> None:
    def grow(one: Twig, other: Twig) -> None:
        del one, other

    schema = parameters_of(grow)[0].schema
    definitions = schema["$defs"]
    assert isinstance(definitions, dict)
    assert list(definitions) == ["Leaf"]


@dataclass
class Left:
    right: "Right | None" = None


@dataclass
class Right:
    left: Left | None = None


def test_types_that_contain_each_other() -> None:
    schema = schema_of(form_of(Left))
    assert "$defs" in schema
    assert form_of(Left).read({"right": {"left": {"right": None}}}, "") == Left(Right(Left(None)))


UNKNOWN: dict[str, object] = {
    "complex": complex,
    "a module": pytest,
    "a function": len,
    "a class of its own": Prefix,
    "inside a list": list[complex],
}
NO_JSON = Literal[b"x"]


def test_a_literal_without_json_is_refused() -> None:
    with pytest.raises(TypeError, match=r"b'x' has no JSON"):
        shape_of(NO_JSON)


@pytest.mark.parametrize("kind", UNKNOWN.values(), ids=UNKNOWN)
def test_what_json_has_no_words_for_is_refused(kind: object) -> None:
    with pytest.raises(TypeError, match="no type that JSON has words for"):
        shape_of(kind)


def test_a_refusal_names_the_parameter() -> None:
    def rotate(by: complex) -> None:
        del by

    with pytest.raises(TypeError, match="parameter 'by' of rotate"):
        parameters_of(rotate)


def test_keywords_without_names_are_refused() -> None:
    def anything(**more: int) -> None:
        del more

    with pytest.raises(TypeError, match=r"parameter 'more' of anything: .*Unpack"):
        parameters_of(anything)


def test_hints_that_cannot_be_resolved_are_refused() -> None:
    def later(value: object) -> None:
        del value

    later.__annotations__["value"] = "Nowhere"

    with pytest.raises(TypeError, match="the hints of later cannot be resolved"):
        parameters_of(later)


class Place(TypedDict):
    city: str
    zip: int


@dataclass
class Strict:
    size: int

    def __post_init__(self) -> None:
        if self.size > 9:
            raise ValueError("size is over nine")


WRONG: dict[str, tuple[object, Json, str]] = {
    "missing": (Place, {"city": "Ulm"}, "zip is missing"),
    "unknown": (Place, {"city": "Ulm", "zip": 1, "x": 1}, "x is not known here"),
    "no object": (Place, [], "the value is not an object"),
    "inside": (list[Place], [{"city": 1, "zip": 1}], r"\[0\]\.city is not a string"),
    "the constructor objects": (Strict, {"size": 10}, "size is over nine"),
    "too long": (tuple[int, int], [1, 2, 3], "has 3 items, not 2"),
    "no number": (dict[int, int], {"a": 1}, "a is not a whole number"),
    "true is no number": (int, True, "is not a whole number"),
    "half is not whole": (int, 0.5, "is not a whole number"),
    "unhashable": (set[dict[str, int]], [{}], "unhashable"),
    "not null": (type(None), 0, "is not null"),
    "not listed": (Literal["a", 1], "b", 'is none of "a", 1'),
    "true is not one": (Literal[1], True, "is none of 1"),
    "no option, the nearest says why": (Place | int, {"city": 1, "zip": 1}, "city is not a string"),
    "not base64": (bytes, "é", "is not right"),
    "pydantic": (Twig, {"leaves": [{}]}, "leaves.0.name: Field required"),
}


@pytest.mark.parametrize(("kind", "value", "problem"), WRONG.values(), ids=WRONG)
def test_what_does_not_fit_is_malformed_at_its_place(
    kind: object, value: Json, problem: str
) -> None:
    with pytest.raises(Malformed, match=problem):
        form_of(kind).read(value, "")


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-1000, 1000) | st.text(max_size=6),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3)
    ),
    max_leaves=8,
)


def reads_on(shorter: Json, longer: Json) -> bool:
    """Whether the second can be the first, further on."""
    match shorter, longer:
        case dict(), dict():
            return all(
                name in longer and reads_on(item, longer[name]) for name, item in shorter.items()
            )
        case list(), list():
            return len(shorter) <= len(longer) and all(map(reads_on, shorter, longer))
        case str(), str():
            return longer.startswith(shorter)
        case _:
            return shorter == longer


@given(st.lists(json_values, min_size=1) | st.dictionaries(st.text(max_size=4), json_values))
def test_what_is_known_only_grows_and_ends_whole(value: Json) -> None:
    prefix, known = Prefix(), None
    for char in write_text(value):
        if not prefix.feed(char):
            continue
        found = prefix.value
        assert known is None or reads_on(known, found)
        assert reads_on(found, value)
        known = found
    assert known == value


HALVES: dict[str, tuple[str, Json]] = {
    "nothing yet": ("Sure: ", None),
    "prose and a fence": ('Sure:\n```json\n{"a": "b', {"a": "b"}),
    "half a key": ('{"a": 1, "b', {"a": 1}),
    "half a number": ('{"a": 1, "b": 12', {"a": 1}),
    "half a word": ("[true, fal", [True]),
    "half an escape": ('["a\\', ["a"]),
    "half a code point": ('["a\\u00e', ["a"]),
    "half a pair": ('["a\\ud83d', ["a"]),
    "a whole pair": ('["a\\ud83d\\ude00', ["a😀"]),
    "after the end": ('{"a": 1} and so on "x', {"a": 1}),
}


@pytest.mark.parametrize(("text", "known"), HALVES.values(), ids=HALVES)
def test_half_written_json(text: str, known: Json) -> None:
    prefix = Prefix()
    fed = prefix.feed(text)
    assert (prefix.value if fed else None) == known


def test_what_is_no_json_is_malformed() -> None:
    prefix = Prefix()
    prefix.feed('{"a": 1,, "b": tru }')
    with pytest.raises(Malformed):
        _ = prefix.value
    assert read('{"a": 1}') == {"a": 1}
