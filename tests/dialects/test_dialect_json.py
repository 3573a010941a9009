"""Reading JSON nobody vouches for: every fault is `Malformed`, with its place."""

from collections.abc import Callable
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from majordomo.contract import Json, JsonObject, Malformed
from majordomo.dialects.json import (
    arguments_object,
    arguments_text,
    items,
    list_at,
    object_at,
    objects,
    optional_bool,
    optional_int,
    optional_number,
    optional_string,
    read,
    sparse,
    string_at,
    write,
    write_text,
)
from support.chat_values import json_values

UNREADABLE: dict[str, tuple[bytes, str]] = {
    "nothing": (b"", "body is not valid JSON"),
    "cut": (b'{"a":', "body is not valid JSON"),
    "two values": (b"{} {}", "body is not valid JSON"),
    "not UTF-8": (b'"\xff"', "body is not valid"),
    "a lone surrogate": (b'"\\ud800"', "body is not valid"),
    "nested too deeply": (b"[" * 100_000, "body is nested too deeply"),
    "a bare word": (b"NaN", "body is not valid JSON"),
}


@pytest.mark.parametrize(("body", "complaint"), UNREADABLE.values(), ids=UNREADABLE.keys())
def test_what_is_no_json_is_malformed(body: bytes, complaint: str) -> None:
    with pytest.raises(Malformed) as caught:
        _ = read(body)
    assert str(caught.value).startswith(complaint)


@given(value=json_values)
def test_what_is_written_is_read(value: Json) -> None:
    assert read(write(value)) == value
    assert read(write_text(value)) == value


@given(body=st.binary())
def test_no_bytes_crash_the_reader(body: bytes) -> None:
    with suppress(Malformed):
        _ = read(body)


FINE: dict[str, tuple[Callable[[], object], object]] = {
    "object": (lambda: object_at({"a": 1}, "x"), {"a": 1}),
    "list": (lambda: list_at([1], "x"), [1]),
    "string": (lambda: string_at("a", "x"), "a"),
    "items": (lambda: list(items([1, 2], "x")), [(1, "x[0]"), (2, "x[1]")]),
    "objects": (lambda: list(objects([{}], "x")), [({}, "x[0]")]),
    "sparse": (lambda: sparse({"a": None, "b": 0, "c": ""}), {"b": 0, "c": ""}),
    "no int": (lambda: optional_int({}, "a"), None),
    "null int": (lambda: optional_int({"a": None}, "a"), None),
    "int": (lambda: optional_int({"a": 3}, "a"), 3),
    "whole float": (lambda: optional_int({"a": 3.0}, "a"), 3),
    "number": (lambda: optional_number({"a": 0.5}, "a"), 0.5),
    "int as number": (lambda: optional_number({"a": 1}, "a"), 1),
    "bool": (lambda: optional_bool({"a": False}, "a"), False),
    "text": (lambda: optional_string({"a": ""}, "a"), ""),
}


@pytest.mark.parametrize(("reading", "value"), FINE.values(), ids=FINE.keys())
def test_the_right_shape_is_given(reading: Callable[[], object], value: object) -> None:
    assert reading() == value


WRONG: dict[str, tuple[Callable[[], object], str]] = {
    "object": (lambda: object_at([], "a.b"), "a.b is not an object"),
    "list": (lambda: list_at({}, "a.b"), "a.b is not a list"),
    "string": (lambda: string_at(None, "a.b"), "a.b is not a string"),
    "item": (lambda: list(objects([{}, 1], "a")), "a[1] is not an object"),
    "int": (lambda: optional_int({"a": "3"}, "a"), "a is not a whole number"),
    "int below": (lambda: optional_int({"a": 1.5}, "a", "m[0]"), "m[0].a is not a whole number"),
    "true is no int": (lambda: optional_int({"a": True}, "a"), "a is not a whole number"),
    "number": (lambda: optional_number({"a": "3"}, "a"), "a is not a number"),
    "true is no number": (lambda: optional_number({"a": True}, "a", "m"), "m.a is not a number"),
    "bool": (lambda: optional_bool({"a": 1}, "a"), "a is not true or false"),
    "text": (lambda: optional_string({"a": 1}, "a", "m"), "m.a is not a string"),
}


@pytest.mark.parametrize(("reading", "complaint"), WRONG.values(), ids=WRONG.keys())
def test_the_wrong_shape_is_named_by_its_place(
    reading: Callable[[], object], complaint: str
) -> None:
    with pytest.raises(Malformed) as caught:
        _ = reading()
    assert str(caught.value) == complaint


ARGUMENTS: dict[str, tuple[str, JsonObject]] = {
    "an object": ('{"x":1}', {"x": 1}),
    "nothing": ("", {}),
    "blanks": (" \n", {}),
    "a list": ("[1]", {"_raw": "[1]"}),
    "cut": ('{"x":', {"_raw": '{"x":'}),
    "prose": ("ls -l", {"_raw": "ls -l"}),
}


@pytest.mark.parametrize(("text", "value"), ARGUMENTS.values(), ids=ARGUMENTS.keys())
def test_arguments_become_an_object_and_lose_nothing(text: str, value: JsonObject) -> None:
    assert arguments_object(text) == value
    assert arguments_text(value) == (text.strip() or "{}")


TEXTS: dict[str, tuple[Json, str]] = {
    "null": (None, "{}"),
    "empty text": ("", "{}"),
    "text": ('{"x": 1}', '{"x": 1}'),
    "object": ({"x": 1}, '{"x":1}'),
    "an object that happens to hold _raw": ({"_raw": "a", "x": 1}, '{"_raw":"a","x":1}'),
    "list": ([1], "[1]"),
}


@pytest.mark.parametrize(("value", "text"), TEXTS.values(), ids=TEXTS.keys())
def test_arguments_of_any_shape_become_text(value: Json, text: str) -> None:
    assert arguments_text(value) == text
