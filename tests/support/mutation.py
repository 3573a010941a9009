"""Requests damaged in ways a buggy or hostile client would: seeded, so that a find is kept."""

import random
from collections.abc import Callable

from msgspec import Struct

from majordomo.contract import Json
from majordomo.dialects.json import write

from .captures import Capture

ODD: tuple[Json, ...] = (
    None,
    True,
    False,
    0,
    -1,
    1,
    10**30,
    -0.5,
    1e308,
    "",
    " ",
    "auto",
    "\x00",
    "\ud800".encode("utf-16", "surrogatepass").decode("utf-16", "replace"),
    "data:image/png;base64,AAAA",
    "https://example.test/x.png",
    "call_0",
    "x" * 5000,
    [],
    {},
    [[]],
    [None],
    [{}],
    {"type": "text"},
    {"type": "image"},
    {"type": "tool_use", "id": 3, "name": None},
    {"type": "function", "function": {"name": ""}},
    {"$ref": "#"},
    {"": {"": {"": []}}},
)


class Damaged(Struct, frozen=True, kw_only=True):
    path: str
    query: str
    headers: dict[str, str]
    body: bytes


def damaged(capture: Capture, dice: random.Random) -> Damaged:
    body = capture.body
    for _ in range(dice.choice((1, 1, 1, 1, 2, 4))):
        body = dice.choice(_TREE)(body, dice)
    data = write(body)
    headers = dict(capture.headers)
    if dice.random() < 0.1:
        data = dice.choice(_BYTES)(data, dice)
    if dice.random() < 0.02:
        headers["content-encoding"] = dice.choice(("gzip", "br", "deflate", "identity", "?"))
    query = capture.query if dice.random() < 0.97 else dice.choice(("alt=json", "%00", "a=b&&="))
    return Damaged(path=capture.path, query=query, headers=headers, body=data)


def _replaced(value: Json, dice: random.Random) -> Json:
    """Put something odd in one place, any place."""
    match value:
        case dict() if value and dice.random() < 0.97:
            key = dice.choice([*value])
            return {**value, key: _replaced(value[key], dice)}
        case list() if value and dice.random() < 0.97:
            at = dice.randrange(len(value))
            return [*value[:at], _replaced(value[at], dice), *value[at + 1 :]]
        case _:
            return dice.choice(ODD)


def _removed(value: Json, dice: random.Random) -> Json:
    match value:
        case dict() if value:
            key = dice.choice([*value])
            if dice.random() < 0.3:
                return {name: item for name, item in value.items() if name != key}
            return {**value, key: _removed(value[key], dice)}
        case list() if value:
            at = dice.randrange(len(value))
            if dice.random() < 0.3:
                return [*value[:at], *value[at + 1 :]]
            return [*value[:at], _removed(value[at], dice), *value[at + 1 :]]
        case _:
            return value


def _repeated(value: Json, dice: random.Random) -> Json:
    match value:
        case dict() if value:
            key = dice.choice([*value])
            return {**value, key: _repeated(value[key], dice)}
        case list() if value:
            at = dice.randrange(len(value))
            if dice.random() < 0.5:
                return [*value, value[at]]
            return [*value[:at], _repeated(value[at], dice), *value[at + 1 :]]
        case _:
            return [value, value]


def _deepened(value: Json, dice: random.Random) -> Json:
    for _ in range(dice.choice((1, 5, 100, 400))):
        value = [value] if dice.random() < 0.5 else {"items": value}
    return value


def _added(value: Json, dice: random.Random) -> Json:
    """Give a known field a place where it is not expected."""
    if isinstance(value, dict):
        return {**value, dice.choice(_FIELDS): dice.choice(ODD)}
    return value


_FIELDS = (
    *("messages", "input", "contents", "system", "tools", "tool_choice", "stop"),
    *("temperature", "max_tokens", "n", "seed", "thinking", "response_format", "options"),
    *("previous_response_id", "store", "metadata", "reasoning", "generationConfig"),
)


def _deepened_within(value: Json, dice: random.Random) -> Json:
    if isinstance(value, dict) and value:
        key = dice.choice([*value])
        return {**value, key: _deepened(value[key], dice)}
    return _deepened(value, dice)


def _cut(data: bytes, dice: random.Random) -> bytes:
    return data[: dice.randrange(len(data) + 1)]


def _flipped(data: bytes, dice: random.Random) -> bytes:
    at = dice.randrange(len(data))
    return data[:at] + bytes([dice.randrange(256)]) + data[at + 1 :]


def _not_text(data: bytes, dice: random.Random) -> bytes:
    at = dice.randrange(len(data))
    return data[:at] + b"\xff\xfe" + data[at:]


_TREE: tuple[Callable[[Json, random.Random], Json], ...] = (
    _replaced,
    _replaced,
    _replaced,
    _removed,
    _repeated,
    _deepened_within,
    _added,
)
_BYTES: tuple[Callable[[bytes, random.Random], bytes], ...] = (_cut, _flipped, _not_text)
