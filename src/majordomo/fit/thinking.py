"""What a model that is thinking refuses: sampling with some, tools with others."""

from msgspec.structs import replace

from majordomo.contract import Capabilities, Note, Request, Unsupported

from .goal import Goal
from .words import EFFORTS

_SAMPLING = ("temperature", "top_p", "top_k", "presence_penalty", "frequency_penalty")


def settle(request: Request, goal: Goal) -> tuple[Request, tuple[Note, ...]]:
    """Drop what is refused while it thinks; stop it thinking where tools are."""
    capabilities = goal.capabilities
    if capabilities.sampling_with_thinking and capabilities.tools_with_thinking:
        return request, ()
    if not thinks(request, capabilities):
        return request, ()
    if request.tools and not capabilities.tools_with_thinking:
        return _without_thinking(request, goal)
    if capabilities.sampling_with_thinking:
        return request, ()
    given = [name for name in _SAMPLING if getattr(request, name) is not None]
    if not given:
        return request, ()
    why = "it takes no sampling while it thinks"
    notes = tuple(Note(kind="dropped", what=name, why=why) for name in given)
    return replace(request, **dict.fromkeys(given)), notes


def thinks(request: Request, capabilities: Capabilities) -> bool:
    """Whether the target will think before it answers, as far as anybody can know."""
    if request.reasoning_effort is None and request.reasoning_budget is None:
        return capabilities.thinks
    return request.reasoning_effort not in {None, "none"} or bool(request.reasoning_budget)


def _without_thinking(request: Request, goal: Goal) -> tuple[Request, tuple[Note, ...]]:
    said = "none" in EFFORTS[goal.dialect].intersection(goal.capabilities.efforts)
    if not said or "reasoning_effort" not in goal.capabilities.knobs:
        raise Unsupported("this target takes no tools while it thinks, and it always does")
    note = Note(kind="downgraded", what="reasoning", why="it takes no tools while it thinks")
    return replace(request, reasoning_effort="none", reasoning_budget=None), (note,)
