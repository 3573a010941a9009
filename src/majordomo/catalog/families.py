"""What is known of model families, as data: a pattern, and what differs from the provider's row.

A rule looks at the last segment of the model id, so `openrouter/openai/gpt-5` is found too, and
holds only in the dialects it names: the same weights behind another door have other manners.
The facts are the vendors' own, as their documents and their servers' errors state them.
"""

import re
from functools import lru_cache

from msgspec import Struct
from msgspec.structs import replace

from majordomo.contract import Capabilities, DialectName, Knob

from .provider import Provider


class Family(Struct, frozen=True, kw_only=True):
    """What one family does differently from its provider's other models."""

    pattern: str
    dialects: tuple[DialectName, ...]
    why: str
    without: tuple[Knob, ...] = ()
    changes: dict[str, object] = {}  # fields of `Capabilities`


def capabilities_for(provider: Provider, model: str) -> Capabilities:
    """Give the provider's capabilities as this model has them; every rule that matches counts."""
    capabilities = provider.capabilities
    for family in _families_of(provider.dialect, model.rpartition("/")[2].lower()):
        knobs = tuple(knob for knob in capabilities.knobs if knob not in family.without)
        capabilities = replace(capabilities, knobs=knobs, **family.changes)
    return capabilities


@lru_cache(maxsize=1000)  # clients choose the names: it must end somewhere
def _families_of(dialect: DialectName, model: str) -> tuple[Family, ...]:
    return tuple(
        family
        for family in FAMILIES
        if dialect in family.dialects and re.match(family.pattern, model)
    )


_OPENAI: tuple[DialectName, ...] = ("openai_chat", "openai_responses")
_CHAT: tuple[DialectName, ...] = ("openai_chat",)
_CLAUDE: tuple[DialectName, ...] = ("anthropic",)
_GEMINI: tuple[DialectName, ...] = ("gemini",)
_OLLAMA: tuple[DialectName, ...] = ("ollama",)
_OPEN: tuple[DialectName, ...] = ("openai_chat", "ollama")

_SAMPLING: tuple[Knob, ...] = ("temperature", "top_p", "presence_penalty", "frequency_penalty")
_THINKS: dict[str, object] = {"thinks": True, "sampling_with_thinking": False}

FAMILIES: tuple[Family, ...] = (
    Family(
        pattern=r"o\d|gpt-5(?:-(?!chat)|$)|gpt-5\.\d+.*-(?:pro|codex|chat)|gpt-5\.1-codex",
        dialects=_OPENAI,
        why="always reasons, so sampling is always refused; effort none too",
        without=(*_SAMPLING, "stop"),
        changes={**_THINKS, "efforts": ("minimal", "low", "medium", "high", "xhigh", "max")},
    ),
    Family(
        pattern=r"gpt-5\.[1-4](?!\d)(?!.*-(?:pro|codex|chat))",
        dialects=_OPENAI,
        why="reasons only when asked to; sampling is refused while it does",
        changes={"sampling_with_thinking": False},
    ),
    Family(
        pattern=r"gpt-5\.(?:[5-9]|\d\d)(?!.*-(?:pro|codex|chat))|gpt-[6-9]",
        dialects=_OPENAI,
        why="reasons unless told not to; sampling is refused while it does",
        changes=_THINKS,
    ),
    Family(
        pattern=r"gpt-5\.(?:[6-9]|\d\d)|gpt-[6-9]",
        dialects=_OPENAI,
        why="has no effort called minimal",
        changes={"efforts": ("none", "low", "medium", "high", "xhigh", "max")},
    ),
    Family(
        pattern=r"gpt-5\.(?:[4-9]|\d\d)|gpt-[6-9]",
        dialects=_CHAT,
        why="refuses function tools while it reasons, in Chat but not in Responses",
        changes={"tools_with_thinking": False},
    ),
    Family(
        pattern=r"gpt-3|gpt-4|gpt-5-chat|chatgpt",
        dialects=_OPENAI,
        why="never reasons",
        without=("reasoning_effort",),
        changes={"efforts": ()},
    ),
    Family(
        pattern=r"o1-mini|o3-mini|gpt-3|gpt-4(?:-0|-32k|$)|gpt-oss",
        dialects=_OPENAI,
        why="an OpenAI model without eyes",
        changes={"images": None, "documents": None},
    ),
    Family(
        pattern=r"claude-[a-z]+-(?:4[-.](?:[6-9]|\d\d)|[5-9]|\d\d)(?!\d)",
        dialects=_CLAUDE,
        why="from 4.6 on an unfinished assistant turn is refused",
        changes={"prefill": False},
    ),
    Family(
        pattern=r"claude-[a-z]+-(?:4[-.](?:[7-9]|\d\d)|[5-9]|\d\d)(?!\d)",
        dialects=_CLAUDE,
        why="from 4.7 on sampling is refused, and so is thinking by budget",
        without=("temperature", "top_p", "top_k", "reasoning_budget"),
    ),
    Family(
        pattern=r"claude-[a-z]+-(?:[5-9]|\d\d)(?!\d)",
        dialects=_CLAUDE,
        why="from 5 on it thinks unless told not to",
        changes={"thinks": True},
    ),
    Family(
        pattern=r"claude-(?:fable|mythos)-",
        dialects=_CLAUDE,
        why="cannot be told not to think",
        changes={"thinks": True, "efforts": ("low", "medium", "high", "xhigh", "max")},
    ),
    Family(
        pattern=r"claude-(?:[123]\b|instant|[a-z]+-4(?:[-.][0-5])?(?:-\d{8})?(?:$|-latest|@))",
        dialects=_CLAUDE,
        why="up to 4.5 it thinks by budget only, and samples only while it does not think",
        without=("reasoning_effort",),
        changes={"sampling_with_thinking": False},
    ),
    Family(
        pattern=r"gemini-(?:[3-9]|\d\d)",
        dialects=_GEMINI,
        why="thinks by level, and takes media in tool results",
        without=("reasoning_budget",),
        changes={"thinks": True, "result_media": True},
    ),
    Family(
        pattern=r"gemini-2\.5",
        dialects=_GEMINI,
        why="thinks by budget unless told not to",
        changes={"thinks": True},
    ),
    Family(
        pattern=r"gemini-(?:1|2\.0)",
        dialects=_GEMINI,
        why="does not think",
        without=("reasoning_effort", "reasoning_budget", "show_thinking"),
        changes={"efforts": ()},
    ),
    Family(
        pattern=r"deepseek-(?:chat|reasoner|r1|v3)|gpt-oss|codestral|smollm|tinyllama|mixtral|phi-?3",
        dialects=_OPEN,
        why="an open model without eyes",
        changes={"images": None},
    ),
    Family(
        pattern=r"(?:deepseek-r1|gemma[23]?|phi3|tinyllama|llama2|codellama|llava|smollm)(?!\w)",
        dialects=_OLLAMA,
        why="Ollama answers `does not support tools`",
        changes={"tools": "emulated"},
    ),
)
