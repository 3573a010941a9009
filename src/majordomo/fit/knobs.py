"""Sampling, effort, stops and limits: mapped to what the target has, or left out and said."""

from collections.abc import Iterator
from typing import TypeAlias

from msgspec.structs import replace

from majordomo.contract import (
    JsonObject,
    Knob,
    Note,
    ReasoningEffort,
    Request,
)

from .goal import Goal
from .plain import UNSET, has, is_at_rest
from .shim import Fitted
from .thinking import settle
from .words import BOXES, EFFORTS, MAX_STOPS, MAX_TEMPERATURE, METADATA_KEYS, UNCOUNTED

# Tokens an effort stands for where only a budget can be given, and the other way round.
_BUDGETS: dict[ReasoningEffort, int] = {
    "none": 0,
    "minimal": 1_024,
    "low": 2_048,
    "medium": 8_192,
    "high": 24_576,
    "xhigh": 32_768,
    "max": 65_536,
}
_ORDER: tuple[ReasoningEffort, ...] = tuple(_BUDGETS)
_Change: TypeAlias = "tuple[Request, tuple[Note, ...]]"


def fit_knobs(request: Request, goal: Goal) -> Fitted | None:
    fitted = request
    notes: tuple[Note, ...] = ()
    at_rest = is_at_rest(request, goal.capabilities, goal.dialect)
    for adjust in _AT_REST if at_rest else _TURNED:
        fitted, more = adjust(fitted, goal)
        notes += more
    return None if fitted is request and not notes else Fitted(request=fitted, notes=notes)


def _reason(request: Request, goal: Goal) -> _Change:
    """Say effort and budget in whichever of the two the target has a word for."""
    if request.reasoning_effort is None and request.reasoning_budget is None:
        return request, ()
    request, notes = _swap(request, goal)
    effort = request.reasoning_effort
    if effort is None or not _has(goal, "reasoning_effort"):
        return request, notes
    nearest = _nearest(effort, goal)
    if nearest == effort:
        return request, notes
    if nearest is None:
        note = Note(kind="dropped", what="reasoning_effort", why="it knows no effort")
        return replace(request, reasoning_effort=None), (*notes, note)
    note = Note(
        kind="mapped",
        what="reasoning_effort",
        why=f"{effort!r} is not among its words; {nearest!r} is the nearest",
    )
    return replace(request, reasoning_effort=nearest), (*notes, note)


def _swap(request: Request, goal: Goal) -> _Change:
    effort, budget = request.reasoning_effort, request.reasoning_budget
    counted = _has(goal, "reasoning_budget") and goal.dialect not in UNCOUNTED
    if budget is not None and not counted:
        if effort is None and budget >= 0 and _has(goal, "reasoning_effort"):
            effort = _effort(budget)
            why = f"it takes no budget; {budget} tokens are about {effort!r}"
            note = Note(kind="mapped", what="reasoning_budget", why=why)
            return replace(request, reasoning_effort=effort, reasoning_budget=None), (note,)
    elif effort is not None and budget is None and not _has(goal, "reasoning_effort"):
        return _as_budget(request, effort) if _has(goal, "reasoning_budget") else (request, ())
    return request, ()


def _as_budget(request: Request, effort: ReasoningEffort) -> _Change:
    why = f"it takes no effort; {effort!r} is about {_BUDGETS[effort]} tokens"
    note = Note(kind="mapped", what="reasoning_effort", why=why)
    return replace(request, reasoning_effort=None, reasoning_budget=_BUDGETS[effort]), (note,)


def _effort(budget: int) -> ReasoningEffort:
    if budget == 0:
        return "none"
    return min(_ORDER[1:], key=lambda effort: abs(_BUDGETS[effort] - budget))


def _nearest(effort: ReasoningEffort, goal: Goal) -> ReasoningEffort | None:
    """Prefer more thought over less; but nobody who asked for thought gets none of it."""
    known = EFFORTS[goal.dialect].intersection(goal.capabilities.efforts)
    if effort in known:
        return effort
    words: list[ReasoningEffort] = [one for one in _ORDER if one in known]
    if effort != "none" and words[1:]:
        words = [one for one in words if one != "none"]
    place = _ORDER.index(effort)
    nearest: ReasoningEffort | None = None
    for word in words:  # from least to most: of two as near, the later wins
        far = abs(_ORDER.index(word) - place)
        if nearest is None or far <= abs(_ORDER.index(nearest) - place):
            nearest = word
    return nearest


def _has(goal: Goal, knob: Knob) -> bool:
    return has(goal.capabilities, goal.dialect, knob)


def _drop(request: Request, goal: Goal) -> _Change:
    changes: dict[str, object] = {}
    notes: list[Note] = []
    for knob, unset in UNSET.items():
        value = getattr(request, knob)
        if value is None or value == unset or _has(goal, knob):
            continue
        changes[knob] = unset
        if knob == "show_thinking" and not request.show_thinking:
            continue  # thoughts that cannot be shown are not shown
        declared = knob in goal.capabilities.knobs
        why = f"{goal.dialect} has no word for it" if declared else "this model does not take it"
        notes.append(Note(kind="dropped", what=knob, why=why))
    return (replace(request, **changes), tuple(notes)) if changes else (request, ())


def _limit(request: Request, goal: Goal) -> _Change:
    clipped: list[tuple[str, object, str]] = []
    most = goal.capabilities.max_output
    if request.max_tokens is not None and most is not None and request.max_tokens > most:
        why = f"{request.max_tokens} is more than it can write ({most})"
        clipped.append(("max_tokens", most, why))
    hottest = MAX_TEMPERATURE[goal.dialect]
    if request.temperature is not None and request.temperature > hottest:
        why = f"{request.temperature} is above its {hottest}"
        clipped.append(("temperature", hottest, why))
    stops = MAX_STOPS.get(goal.dialect)
    if stops is not None and len(request.stop) > stops:
        why = f"it takes {stops} of {len(request.stop)}"
        clipped.append(("stop", request.stop[:stops], why))
    keys = METADATA_KEYS.get(goal.dialect)
    if keys is not None and request.metadata and not keys.issuperset(request.metadata):
        kept = {key: value for key, value in request.metadata.items() if key in keys}
        clipped.append(("metadata", kept, f"it takes only {', '.join(sorted(keys))}"))
    if not clipped:
        return request, ()
    notes = tuple(Note(kind="downgraded", what=what, why=why) for what, _, why in clipped)
    return replace(request, **{what: value for what, value, _ in clipped}), notes


def _extras(request: Request, goal: Goal) -> _Change:
    """Withhold fields of other dialects; each is named, for each may have mattered."""
    if not request.extra:
        return request, ()
    foreign = [name for name in request.extra if name not in {goal.dialect, "*"}]
    if not foreign:
        return request, ()
    notes = tuple(
        Note(kind="dropped", what=field, why=f"only {owner} has this field")
        for owner in foreign
        for field in _fields(request.extra[owner])
    )
    kept: dict[str, JsonObject] = {
        name: fields for name, fields in request.extra.items() if name not in foreign
    }
    return replace(request, extra=kept), notes


def _fields(extra: JsonObject) -> Iterator[str]:
    """Name each field; of those that are boxes of fields, what is in them."""
    for name, value in extra.items():
        if name in BOXES and isinstance(value, dict):
            yield from (f"{name}.{inner}" for inner in value)
        else:
            yield name


# What a turned knob may need, in order; where all are at rest, only the last two may matter.
_TURNED = (_reason, _drop, settle, _limit, _extras)
_AT_REST = (settle, _extras)
