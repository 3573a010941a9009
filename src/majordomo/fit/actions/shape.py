"""Which calls a JSON value spells: every pair of keys models use for a name and its arguments."""

from collections.abc import Iterator

from majordomo.contract import Json, JsonObject

from .coerce import squeezed
from .draft import Draft, Trust
from .names import Offer, Offers
from .text_value import read_text

NAME_KEYS = (
    "tool",
    "name",
    "tool_name",
    "function",
    "function_name",
    "action",
    "toolName",
    "functionName",
    "recipient_name",
    "tool_call",
    "call",
    "method",
    "command",
)
ARGUMENT_KEYS = (
    "parameters",
    "arguments",
    "input",
    "args",
    "params",
    "tool_input",
    "action_input",
    "kwargs",
    "toolInput",
    "tool_args",
    "tool_arguments",
    "function_args",
    "function_arguments",
    "tool_parameters",
    "actionInput",
    "argument",
    "parameter",
)
WRAPPER_KEYS = (
    "tool_calls",
    "tool_call",
    "toolCalls",
    "toolCall",
    "function_call",
    "function_calls",
    "functionCall",
    "function",
    "tool_use",
    "tool_uses",
    "toolUse",
    "calls",
    "actions",
    "action",
    "call",
    "tools",
)
# Said beside a call and no argument of it.
ASIDE_KEYS = frozenset(
    {"id", "type", "index", "call_id", "tool_call_id", "tool_use_id", "thought", "thoughts"}
    | {"reasoning", "explanation", "description", "comment", "status", "action_id", "kind"}
)
FIRST_KEYS = frozenset((*NAME_KEYS, *ARGUMENT_KEYS, *WRAPPER_KEYS, *ASIDE_KEYS))
_TOLD = frozenset(NAME_KEYS) - {"name", "command", "method", "call"}  # keys that speak of tools
_MAX_DEPTH = 4
_SPELLED = {squeezed(key): key for key in (*WRAPPER_KEYS, *ARGUMENT_KEYS, *NAME_KEYS)}


def drafts(value: Json, offers: Offers, trust: Trust) -> list[Draft]:
    """Give the calls a value spells; none when it, or any part of it, is something else."""
    found = list(_drafts(value, offers, trust, 0))
    return [] if None in found else [draft for draft in found if draft is not None]


def _drafts(value: Json, offers: Offers, trust: Trust, depth: int) -> Iterator[Draft | None]:
    if depth > _MAX_DEPTH:
        yield None
        return
    match value:
        case list():
            if not value:
                yield None
            for item in value:
                yield from _drafts(item, offers, trust, depth + 1)
        case dict():
            yield from _object(value, offers, trust, depth)
        case str() if depth == 0 or trust is Trust.MARKED:
            inner = read_text(value)
            if isinstance(inner, dict | list):
                yield from _drafts(inner, offers, trust, depth + 1)
            else:
                yield None
        case _:
            yield None


def _object(value: JsonObject, offers: Offers, trust: Trust, depth: int) -> Iterator[Draft | None]:
    if value.keys().isdisjoint(FIRST_KEYS):
        value = {_SPELLED.get(squeezed(key), key): item for key, item in value.items()}
    draft = _named(value, offers, trust)
    if draft is not None:
        yield draft
        return
    for key in WRAPPER_KEYS:
        inner = value.get(key)
        rest = value.keys() - {key} - ASIDE_KEYS
        if isinstance(inner, dict | list) and not rest:
            yield from _drafts(inner, offers, trust, depth + 1)
            return
        # `{"function": {"name": ...}, "arguments": {...}}`
        if isinstance(inner, dict) and rest <= set(ARGUMENT_KEYS):
            arguments = {name: value[name] for name in rest}
            yield from _object({**inner, **arguments}, offers, trust, depth + 1)
            return
    yield _keyed(value, offers, trust)


def _named(value: JsonObject, offers: Offers, trust: Trust) -> Draft | None:
    """Read `{name, arguments}` under any of their keys."""
    for name_key in NAME_KEYS:
        name = value.get(name_key)
        if not isinstance(name, str) or not name:
            continue
        key = next((key for key in ARGUMENT_KEYS if key in value), None)
        offer = offers.find(name)
        if key is None:
            draft = _flat(value, name_key, name, offer, trust)
        else:
            draft = _paired(value, name_key, key, offer, trust)
        if draft is not None:
            return draft
    return None


def _paired(
    value: JsonObject, name_key: str, key: str, offer: Offer | None, trust: Trust
) -> Draft | None:
    arguments = value[key]
    if _is_schema(arguments, offer):
        return None  # the definition of a tool, not a call of it
    name = str(value[name_key])
    rest = value.keys() - {name_key, key} - ASIDE_KEYS
    known = set(offer.names) if offer is not None else set[str]()
    if isinstance(arguments, dict):
        # An argument that slipped out of its object.
        strays = {name: value[name] for name in rest & known if name not in arguments}
        arguments = {**arguments, **strays} if strays else arguments
    if trust is Trust.PLAIN and rest - known:
        return None  # a record that happens to have these two keys
    return Draft(name=name, arguments=arguments)


def _flat(
    value: JsonObject, name_key: str, name: str, offer: Offer | None, trust: Trust
) -> Draft | None:
    """Read `{"tool": "Read", "file_path": "x"}`: the arguments beside the name."""
    if trust is Trust.PLAIN and name_key not in _TOLD:
        return None
    if offer is None:
        only_name = not value.keys() - {name_key} - ASIDE_KEYS
        return Draft(name=name, arguments={}) if trust is Trust.MARKED and only_name else None
    spelled = {squeezed(known) for known in offer.names}
    rest = {key: item for key, item in value.items() if key != name_key}
    arguments: JsonObject = {
        key: item for key, item in rest.items() if squeezed(key) in spelled or key not in ASIDE_KEYS
    }
    if any(squeezed(key) not in spelled for key in arguments):
        return None
    return Draft(name=name, arguments=arguments)


def _keyed(value: JsonObject, offers: Offers, trust: Trust) -> Draft | None:
    """Read `{"Read": {"file_path": "x"}}`: the tool's name as the key."""
    if len(value) != 1:
        return None
    ((name, arguments),) = value.items()
    offer = offers.exact(name) if trust is Trust.PLAIN else offers.find(name)
    if offer is None:
        return None
    if isinstance(arguments, str):
        arguments = read_text(arguments)
    if not isinstance(arguments, dict) or _is_schema(arguments, offer):
        return None
    if trust is Trust.PLAIN and (not offer.required or not offer.knows(arguments)):
        return None
    return Draft(name=name, arguments=arguments)


def _is_schema(arguments: Json, offer: Offer | None) -> bool:
    match arguments:
        case {"type": "object", "properties": dict()} | {"$schema": _} | {"properties": dict()}:
            return offer is None or "properties" not in offer.names
        case {"type": "object"}:
            return offer is None or "type" not in offer.names
        case _:
            return False
