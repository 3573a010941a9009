"""Which words each dialect has for the knobs of the contract. Data, from the vendors' types.

https://platform.openai.com/docs/api-reference, https://platform.claude.com/docs/en/api/messages,
https://github.com/ollama/ollama/blob/main/docs/api.md, https://ai.google.dev/api/generate-content
"""

from majordomo.contract import DialectName, Knob, ReasoningEffort

# What a model may not take is in its capabilities; this is what cannot even be said to it.
WORDLESS: dict[DialectName, frozenset[Knob]] = {
    "openai_chat": frozenset({"reasoning_budget", "show_thinking"}),
    "openai_responses": frozenset(
        {"top_k", "presence_penalty", "frequency_penalty", "stop", "seed", "reasoning_budget"}
    ),
    "anthropic": frozenset({"presence_penalty", "frequency_penalty", "seed"}),
    "ollama": frozenset({"metadata"}),
    "gemini": frozenset({"metadata"}),
}

EFFORTS: dict[DialectName, frozenset[ReasoningEffort]] = {
    "openai_chat": frozenset({"none", "minimal", "low", "medium", "high", "xhigh", "max"}),
    "openai_responses": frozenset({"none", "minimal", "low", "medium", "high", "xhigh", "max"}),
    "anthropic": frozenset({"none", "low", "medium", "high", "xhigh", "max"}),
    "ollama": frozenset({"none", "low", "medium", "high", "max"}),
    "gemini": frozenset({"none", "minimal", "low", "medium", "high"}),
}

# A budget there only turns thinking on or off, whatever it counts.
UNCOUNTED: frozenset[DialectName] = frozenset({"ollama"})

MAX_TEMPERATURE: dict[DialectName, float] = {
    "openai_chat": 2.0,
    "openai_responses": 2.0,
    "anthropic": 1.0,
    "ollama": float("inf"),
    "gemini": 2.0,
}

MAX_STOPS: dict[DialectName, int] = {"openai_chat": 4, "gemini": 5}

METADATA_KEYS: dict[DialectName, frozenset[str]] = {"anthropic": frozenset({"user_id"})}

# Fields whose value is a box of further fields, each with a meaning of its own.
BOXES = frozenset(
    {
        "generationConfig",
        "toolConfig",
        "options",
        "output_config",
        "reasoning",
        "stream_options",
        "text",
        "thinking",
    }
)
