"""From drafts to calls: is it a tool, are the arguments valid, and if not, what is wrong."""

from msgspec import Struct

from majordomo.contract import Json, JsonObject

from .draft import Draft, Trust
from .markup import typed
from .names import Offer, Offers
from .shape import drafts
from .text_value import read_text


class Verdict(Struct, frozen=True, kw_only=True):
    """One call that stands, or the reason why it does not."""

    name: str = ""
    arguments: JsonObject = {}
    repairs: tuple[str, ...] = ()
    fault: str = ""


def judge_value(
    value: Json, offers: Offers, trust: Trust, repairs: tuple[str, ...] = ()
) -> list[Verdict]:
    """Judge every call a JSON value spells; none when it spells no call at all."""
    return [judge(draft, offers, trust, repairs) for draft in drafts(value, offers, trust)]


def judge(draft: Draft, offers: Offers, trust: Trust, repairs: tuple[str, ...] = ()) -> Verdict:
    offer = offers.find(draft.name)
    if offer is None and trust is Trust.MARKED:
        offer = offers.nearest(draft.name)
    if offer is None:
        names = ", ".join(offers.names) or "none"
        return Verdict(fault=f"there is no tool named {draft.name!r}; the tools are: {names}")
    if offer.name != draft.name:
        repairs = (*repairs, f"read the name {draft.name} as {offer.name}")
    arguments = _object_of(draft, offer)
    if poisoned(arguments):
        return Verdict(name=offer.name, fault=f"{offer.name}: there is no such argument")
    if _left_out(arguments):
        return Verdict(name=offer.name, fault=f"{offer.name}: an argument is only a placeholder")
    value, changes, problem = offer.settle(arguments)
    if problem or not isinstance(value, dict):
        return Verdict(name=offer.name, fault=f"{offer.name}: {problem}")
    return Verdict(name=offer.name, arguments=value, repairs=(*repairs, *changes))


def poisoned(value: Json) -> bool:
    """Say whether a key would reach for the prototype of the objects of a JavaScript client."""
    match value:
        case dict():
            return not _PROTOTYPES.isdisjoint(value) or any(map(poisoned, value.values()))
        case list():
            return any(map(poisoned, value))
        case _:
            return False


def _left_out(value: Json) -> bool:
    """Say whether an argument is the placeholder of the prompt's own example."""
    return isinstance(value, dict) and any(item in _PLACEHOLDERS for item in value.values())


_PLACEHOLDERS: tuple[Json, ...] = ("…", "...")
_PROTOTYPES = frozenset({"__proto__", "prototype", "constructor"})


def _object_of(draft: Draft, offer: Offer) -> Json:
    """Give the arguments as an object: null is none, and text may hold one, even twice over."""
    value = draft.arguments
    for _ in range(3):
        if not isinstance(value, str):
            break
        found = read_text(value)
        if found is None:
            break
        value = found
    if not value and not isinstance(value, bool | int | float):
        return {}
    if draft.text and isinstance(value, dict):
        return typed(value, offer.schema)
    if isinstance(value, list) and len(value) == 1:
        return value[0]
    if isinstance(value, str) and len(offer.required) == 1:
        # `Action Input: Paris`: one required argument, and its value alone.
        return {offer.required[0]: value} if draft.loose else value
    return value
