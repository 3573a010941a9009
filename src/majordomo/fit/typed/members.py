"""The named fields of a class, as its author wrote them."""

import dataclasses
from collections.abc import Callable
from typing import Any, NotRequired, Required, get_origin, get_type_hints

from msgspec import Struct

MISSING: object = dataclasses.MISSING


class Member(Struct, frozen=True, kw_only=True):
    name: str
    hint: object
    required: bool
    default: object = MISSING
    description: str = ""


def members_of(known: type[object]) -> list[Member] | None:
    """None for a class that is no record."""
    for is_one, members in _RECORDS:
        if is_one(known):
            return members(known, get_type_hints(known, include_extras=True))
    return None


def builder_of(known: type[object]) -> Callable[[dict[str, object]], object]:
    if _is_typed_dict(known):
        return dict
    return lambda values: known(**values)


def _dataclass_members(known: type[Any], hints: dict[str, object]) -> list[Member]:
    found: list[Member] = []
    for field in dataclasses.fields(known):
        if not field.init:
            continue
        default: object = field.default
        made = field.default_factory is not MISSING
        words: object = field.metadata.get("description")
        member = Member(
            name=field.name,
            hint=hints[field.name],
            required=default is MISSING and not made,
            default=default,
            description=words if isinstance(words, str) else "",
        )
        found.append(member)
    return found


def _typed_dict_members(known: type[object], hints: dict[str, object]) -> list[Member]:
    required: frozenset[str] = getattr(known, "__required_keys__", frozenset())
    return [
        Member(name=name, hint=hint, required=_is_required(name, hint, required))
        for name, hint in hints.items()
    ]


def _is_required(name: str, hint: object, required: frozenset[str]) -> bool:
    """Ask the hint first: in a module of postponed annotations the class itself cannot know."""
    origin = get_origin(hint)
    if origin in {Required, NotRequired}:
        return origin is Required
    return name in required


def _named_tuple_members(known: type[object], hints: dict[str, object]) -> list[Member]:
    defaults: dict[str, object] = getattr(known, "_field_defaults", {})
    names: tuple[str, ...] = getattr(known, "_fields", ())
    return [
        Member(
            name=name,
            hint=hints.get(name, Any),
            required=name not in defaults,
            default=defaults.get(name, MISSING),
        )
        for name in names
    ]


def _is_typed_dict(known: type[object]) -> bool:
    return dict in known.__mro__ and hasattr(known, "__required_keys__")


def _is_named_tuple(known: type[object]) -> bool:
    return tuple in known.__mro__ and hasattr(known, "_field_defaults")


_RECORDS: tuple[
    tuple[
        Callable[[type[object]], bool], Callable[[type[object], dict[str, object]], list[Member]]
    ],
    ...,
] = (
    (dataclasses.is_dataclass, _dataclass_members),
    (_is_typed_dict, _typed_dict_members),
    (_is_named_tuple, _named_tuple_members),
)
