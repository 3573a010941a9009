"""Reading JSON we do not trust, saying where it went wrong; writing JSON without nulls."""

from collections.abc import Iterator

import msgspec

from majordomo.contract import Json, JsonObject, Malformed

_decode = msgspec.json.Decoder().decode
_encode = msgspec.json.Encoder().encode


def read(body: bytes | bytearray | memoryview | str, where: str = "body") -> Json:
    """Parse JSON; whatever is wrong with it is said as `Malformed` at `where`."""
    try:
        value: Json = _decode(body)
    except msgspec.DecodeError as error:
        raise Malformed(where, f"is not valid JSON: {error}") from error
    except UnicodeDecodeError as error:
        raise Malformed(where, "is not valid UTF-8") from error
    except RecursionError as error:
        raise Malformed(where, "is nested too deeply") from error
    return value


def write(value: Json) -> bytes:
    """Encode as compact JSON; what was just shallow enough to read may be too deep to write."""
    try:
        return _encode(value)
    except RecursionError as error:
        raise Malformed("value", "is nested too deeply") from error


def write_text(value: Json) -> str:
    """Compact JSON as text: tool arguments, mostly."""
    return write(value).decode()


def object_at(wire: Json, where: str) -> JsonObject:
    if isinstance(wire, dict):
        return wire
    raise Malformed(where, "is not an object")


def list_at(wire: Json, where: str) -> list[Json]:
    if isinstance(wire, list):
        return wire
    raise Malformed(where, "is not a list")


def string_at(wire: Json, where: str) -> str:
    if isinstance(wire, str):
        return wire
    raise Malformed(where, "is not a string")


def items(wire: Json, where: str) -> Iterator[tuple[Json, str]]:
    """Each item with its own address, so an error can say `messages[3].content[0]`."""
    return ((item, f"{where}[{index}]") for index, item in enumerate(list_at(wire, where)))


def objects(wire: Json, where: str) -> Iterator[tuple[JsonObject, str]]:
    """Like `items`, for lists that hold only objects."""
    return ((object_at(item, at), at) for item, at in items(wire, where))


def sparse(wire: JsonObject) -> JsonObject:
    """Leave absent fields out: to most providers `null` is not the same as nothing."""
    return {name: value for name, value in wire.items() if value is not None}


def optional_int(wire: JsonObject, name: str, where: str = "") -> int | None:
    value = wire.get(name)
    if value is None or (isinstance(value, int) and not isinstance(value, bool)):
        return value
    if isinstance(value, float) and value.is_integer():
        return int(value)
    raise Malformed(f"{where}.{name}" if where else name, "is not a whole number")


def optional_number(wire: JsonObject, name: str, where: str = "") -> float | None:
    value = wire.get(name)
    if value is None or (isinstance(value, int | float) and not isinstance(value, bool)):
        return value
    raise Malformed(f"{where}.{name}" if where else name, "is not a number")


def optional_bool(wire: JsonObject, name: str, where: str = "") -> bool | None:
    value = wire.get(name)
    if value is None or isinstance(value, bool):
        return value
    raise Malformed(f"{where}.{name}" if where else name, "is not true or false")


def optional_string(wire: JsonObject, name: str, where: str = "") -> str | None:
    value = wire.get(name)
    if value is None or isinstance(value, str):
        return value
    raise Malformed(f"{where}.{name}" if where else name, "is not a string")


def arguments_object(arguments: str) -> JsonObject:
    """Give a call's raw arguments as the object some dialects demand.

    Text that is no JSON object cannot be carried there; it is kept under `_raw` rather than
    lost, and `arguments_text` turns it back.
    """
    if not arguments.strip():
        return {}
    try:
        value = read(arguments)
    except Malformed:
        return {"_raw": arguments}
    return value if isinstance(value, dict) else {"_raw": arguments}


def arguments_text(value: Json) -> str:
    """Give the raw argument text of a call that arrived as an object (or as text already)."""
    match value:
        case None:
            return "{}"
        case str():
            return value or "{}"
        case {"_raw": str(raw)} if value == {"_raw": raw}:
            return raw
        case _:
            return write_text(value)
