"""Field names: the API writes camelCase, its clients and libraries write both, in one body even.

https://protobuf.dev/programming-guides/json/#field-options
"""

from majordomo.contract import JsonObject


def camel(wire: JsonObject) -> JsonObject:
    """Give one object's own keys in camelCase; what is inside belongs to whoever reads it."""
    if not any("_" in name for name in wire):
        return wire
    return {_camel(name): value for name, value in wire.items()} | {
        name: value for name, value in wire.items() if "_" not in name
    }


def _camel(name: str) -> str:
    head, *rest = name.split("_")
    return head + "".join(word[:1].upper() + word[1:] for word in rest)
