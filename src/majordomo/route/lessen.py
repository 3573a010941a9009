"""What a target turned out not to take, taken off what it was believed to take."""

import re
from collections.abc import Callable
from typing import TypeAlias

from msgspec.structs import replace

from majordomo.contract import Capabilities, Failure, Knob

_Lesser: TypeAlias = Callable[[Capabilities], Capabilities]


def lessen(capabilities: Capabilities, failure: Failure) -> Capabilities | None:
    """Give the capabilities without what a 400 complained of; None where fit cannot help.

    Images and documents are never taken off: a request without its picture is another request.
    """
    named = _lesser_for(failure.parameter) or _lesser_for(failure.message)
    if named is None:
        return None
    lesser = named(capabilities)
    return lesser if lesser != capabilities else None


def _lesser_for(words: str) -> _Lesser | None:
    for pattern, lesser in _LESSER:
        if re.search(pattern, words, re.IGNORECASE):
            return lesser
    return None


def _without(*knobs: Knob) -> _Lesser:
    def lesser(capabilities: Capabilities) -> Capabilities:
        kept = tuple(knob for knob in capabilities.knobs if knob not in knobs)
        return replace(capabilities, knobs=kept)

    return lesser


def _tools(capabilities: Capabilities) -> Capabilities:
    if capabilities.tools != "native":
        return capabilities
    return replace(capabilities, tools="emulated")


def _tool_choice(capabilities: Capabilities) -> Capabilities:
    return replace(capabilities, tool_choice=("auto",))


def _parallel(capabilities: Capabilities) -> Capabilities:
    return replace(capabilities, parallel_control=False)


def _schema(capabilities: Capabilities) -> Capabilities:
    if capabilities.structured not in {"native", "tool"}:
        return capabilities
    return replace(capabilities, structured="prompt")


def _row(words: str, lesser: _Lesser) -> tuple[str, _Lesser]:
    return rf"(?<![a-z])(?:{words})(?![a-z])", lesser


# Compiled when first looked for, since few programs ever meet such a 400.
# The wire's words for each, in any dialect; the more specific before the more general.
_LESSER: tuple[tuple[str, _Lesser], ...] = (
    _row("parallel_tool_calls|disable_parallel_tool_use", _parallel),
    _row("tool_choice|tool_config|toolConfig", _tool_choice),
    _row("response_format|json_schema|output_config|output_format|responseSchema", _schema),
    _row("responseJsonSchema|responseMimeType|structured outputs?|text\\.format", _schema),
    _row("temperature", _without("temperature")),
    _row("top_p|topP", _without("top_p")),
    _row("top_k|topK", _without("top_k")),
    _row("presence_penalty|presencePenalty", _without("presence_penalty")),
    _row("frequency_penalty|frequencyPenalty", _without("frequency_penalty")),
    _row("stop|stop_sequences|stopSequences", _without("stop")),
    _row("seed|random_seed", _without("seed")),
    _row("metadata|user", _without("metadata")),
    _row(
        "reasoning_effort|reasoning|thinking|think|effort|budget_tokens|thinkingConfig"
        "|thinkingBudget|thinkingLevel",
        _without("reasoning_effort", "reasoning_budget", "show_thinking"),
    ),
    _row("tools|tool use|function calling|functions?|tool_calls|--jinja", _tools),
)
