"""What only this dialect attaches to a value: kept in the value's artefact, under its own keys."""

from collections.abc import Set as AbstractSet

from majordomo.contract import Artefact, DialectName, Json, JsonObject
from majordomo.dialects.artefact import own

NAME: DialectName = "openai_chat"


def rest(wire: JsonObject, known: AbstractSet[str]) -> JsonObject:
    """Give the fields we do not model; to a Chat server `null` is the same as nothing."""
    if wire.keys() <= known:
        return {}
    return {name: value for name, value in wire.items() if name not in known and value is not None}


def artefact_of(attributes: JsonObject) -> Artefact | None:
    return Artefact(dialect=NAME, value=attributes) if attributes else None


def attributes_of(artefact: Artefact | None) -> JsonObject:
    return own(artefact, NAME)


def inner(attributes: JsonObject, name: str) -> JsonObject:
    """Give the attributes that stand one level down: `image_url.detail`."""
    value: Json = attributes.get(name)
    return value if isinstance(value, dict) else {}
