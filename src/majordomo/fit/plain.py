"""Whether a request can go to a target as it is, seen at a glance: nearly every chat can.

What is found here is known to the steps too; that they agree is a law (`test_fit_plain.py`).
When in doubt the answer is no, and the steps look closer.
"""

from majordomo.contract import AUTO, Capabilities, DialectName, Knob, Request, Role, Text

from .words import MAX_TEMPERATURE, WORDLESS

# What each knob is when nobody has turned it.
UNSET: dict[Knob, object] = {
    "temperature": None,
    "top_p": None,
    "top_k": None,
    "presence_penalty": None,
    "frequency_penalty": None,
    "stop": (),
    "seed": None,
    "max_tokens": None,
    "reasoning_effort": None,
    "reasoning_budget": None,
    "show_thinking": None,
    "metadata": {},
}


def needs_nothing(  # noqa: C901, PLR0911 -- one walk: this is on every request's way
    request: Request, capabilities: Capabilities, dialect: DialectName
) -> bool:
    """Say whether every step would leave it alone: words in turn, and no knob turned too far."""
    if request.tools or request.schema is not None or request.tool_choice is not AUTO:
        return False
    if request.extra or not is_at_rest(request, capabilities, dialect):
        return False
    if request.temperature is not None and not capabilities.sampling_with_thinking:
        return False
    if request.system and capabilities.system == "none":
        return False
    before = ""
    for message in request.messages:
        role, parts = message.role, message.parts
        if message.artefact is not None or not parts:
            return False
        if (role != "user" or before) and _out_of_turn(role, before, capabilities):
            return False
        for part in parts:
            if type(part) is not Text or part.artefact is not None or part.text[:1] <= " ":
                return False
        before = role
    return before == "user"


def _out_of_turn(role: Role, before: str, capabilities: Capabilities) -> bool:
    """Whether it may not speak now: the user speaks first, and after each answer."""
    if role == "user":
        return before == "user" and capabilities.alternate
    if role == "assistant":
        return before != "user"
    return role == "tool" or capabilities.system != "anywhere"


def is_at_rest(request: Request, capabilities: Capabilities, dialect: DialectName) -> bool:
    """Whether no knob is turned but the two that many requests turn, and those not too far."""
    # Spelled out: reading them by their names, in one call, takes longer than all of fitting.
    if (
        request.top_p is not None
        or request.top_k is not None
        or request.presence_penalty is not None
        or request.frequency_penalty is not None
        or request.stop
        or request.seed is not None
        or request.reasoning_effort is not None
        or request.reasoning_budget is not None
        or request.show_thinking is not None
        or request.metadata
    ):
        return False
    limit, heat = request.max_tokens, request.temperature
    if limit is not None:
        most = capabilities.max_output
        if (most is not None and limit > most) or not has(capabilities, dialect, "max_tokens"):
            return False
    if heat is None:
        return True
    return heat <= MAX_TEMPERATURE[dialect] and has(capabilities, dialect, "temperature")


def has(capabilities: Capabilities, dialect: DialectName, knob: Knob) -> bool:
    """Whether a target takes a knob, and its dialect has a word for it."""
    return knob in capabilities.knobs and knob not in WORDLESS[dialect]
