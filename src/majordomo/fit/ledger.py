"""What becomes of every field a client may send, whoever serves it: the loss ledger as data.

`docs/ledger.md` is written from here, and a test holds both to the vendors' request types: a
field they add is accounted for here or the test fails.
"""

from collections.abc import Iterator
from typing import Literal, TypeAlias

from majordomo.contract import DialectName, Knob

from .words import WORDLESS

Fate: TypeAlias = Literal["kept", "mapped", "noted", "refused"]

DIALECTS: tuple[DialectName, ...] = (
    "openai_chat",
    "openai_responses",
    "anthropic",
    "ollama",
    "gemini",
)

# Wire field -> the field of the contract it is read into. Said to others in their own words.
MODELLED: dict[DialectName, dict[str, str]] = {
    "openai_chat": {
        "model": "target",
        "messages": "messages",
        "stream": "stream",
        "stream_options.include_usage": "stream",
        "tools": "tools",
        "functions": "tools",
        "tool_choice": "tool_choice",
        "function_call": "tool_choice",
        "parallel_tool_calls": "tool_choice.parallel",
        "response_format": "schema",
        "max_tokens": "max_tokens",
        "max_completion_tokens": "max_tokens",
        "temperature": "temperature",
        "top_p": "top_p",
        "presence_penalty": "presence_penalty",
        "frequency_penalty": "frequency_penalty",
        "stop": "stop",
        "seed": "seed",
        "reasoning_effort": "reasoning_effort",
        "metadata": "metadata",
    },
    "openai_responses": {
        "model": "target",
        "input": "messages",
        "instructions": "system",
        "stream": "stream",
        "tools": "tools",
        "tool_choice": "tool_choice",
        "parallel_tool_calls": "tool_choice.parallel",
        "text.format": "schema",
        "max_output_tokens": "max_tokens",
        "temperature": "temperature",
        "top_p": "top_p",
        "reasoning.effort": "reasoning_effort",
        "reasoning.summary": "show_thinking",
        "metadata": "metadata",
    },
    "anthropic": {
        "model": "target",
        "messages": "messages",
        "system": "system",
        "stream": "stream",
        "tools": "tools",
        "tool_choice": "tool_choice",
        "max_tokens": "max_tokens",
        "stop_sequences": "stop",
        "thinking.type": "reasoning_effort",
        "thinking.budget_tokens": "reasoning_budget",
        "thinking.display": "show_thinking",
        "output_config.effort": "reasoning_effort",
        "output_config.format": "schema",
        "metadata": "metadata",
    },
    "ollama": {
        "model": "target",
        "messages": "messages",
        "prompt": "messages",
        "images": "messages",
        "system": "system",
        "stream": "stream",
        "tools": "tools",
        "format": "schema",
        "think": "reasoning_effort",
        "options.num_predict": "max_tokens",
        "options.temperature": "temperature",
        "options.top_p": "top_p",
        "options.top_k": "top_k",
        "options.presence_penalty": "presence_penalty",
        "options.frequency_penalty": "frequency_penalty",
        "options.seed": "seed",
        "options.stop": "stop",
    },
    "gemini": {
        "model": "target",
        "contents": "messages",
        "systemInstruction": "system",
        "tools": "tools",
        "toolConfig.functionCallingConfig": "tool_choice",
        "generationConfig.maxOutputTokens": "max_tokens",
        "generationConfig.temperature": "temperature",
        "generationConfig.topP": "top_p",
        "generationConfig.topK": "top_k",
        "generationConfig.presencePenalty": "presence_penalty",
        "generationConfig.frequencyPenalty": "frequency_penalty",
        "generationConfig.seed": "seed",
        "generationConfig.stopSequences": "stop",
        "generationConfig.responseMimeType": "schema",
        "generationConfig.responseSchema": "schema",
        "generationConfig.responseJsonSchema": "schema",
        "generationConfig.thinkingConfig": "reasoning_effort",
    },
}

# Fields only their own dialect has: kept for it, withheld from others, each with a note.
OWN: dict[DialectName, tuple[str, ...]] = {
    "openai_chat": (
        *("audio", "logit_bias", "logprobs", "top_logprobs", "modalities", "moderation"),
        *("prediction", "prompt_cache_key", "prompt_cache_options", "prompt_cache_retention"),
        *("safety_identifier", "service_tier", "store", "stream_options.include_obfuscation"),
        *("user", "verbosity", "web_search_options"),
    ),
    "openai_responses": (
        *("access_programs", "background", "context_management", "conversation", "image"),
        *("include", "max_tool_calls", "moderation", "previous_response_id", "prompt"),
        *("prompt_cache_key", "prompt_cache_options", "prompt_cache_retention"),
        *("reasoning.context", "reasoning.generate_summary", "reasoning.mode"),
        *("safety_identifier", "service_tier", "store", "stream_options.include_obfuscation"),
        *("text.verbosity", "top_logprobs", "truncation", "user"),
    ),
    "anthropic": (
        *("cache_control", "container", "diagnostics", "inference_geo", "service_tier"),
        *("speed", "user_profile_id", "workspace_id"),
    ),
    "ollama": (
        *("keep_alive", "logprobs", "top_logprobs", "truncate", "shift", "suffix"),
        *("template", "raw", "width", "height", "steps"),
        *("options.embedding_only", "options.f16_kv", "options.logits_all"),
        *("options.low_vram", "options.main_gpu", "options.mirostat", "options.mirostat_eta"),
        *("options.mirostat_tau", "options.num_batch", "options.num_ctx", "options.num_gpu"),
        *("options.num_keep", "options.num_thread", "options.numa"),
        *("options.penalize_newline", "options.repeat_last_n", "options.repeat_penalty"),
        *("options.tfs_z", "options.typical_p", "options.use_mlock", "options.use_mmap"),
        "options.vocab_only",
    ),
    "gemini": (
        *("cachedContent", "continuationToken", "labels", "safetySettings", "serviceTier"),
        *("store", "toolConfig.includeServerSideToolInvocations", "toolConfig.retrievalConfig"),
        *("generationConfig.audioTimestamp", "generationConfig.audioTranscriptionConfig"),
        *("generationConfig.candidateCount", "generationConfig.enableAffectiveDialog"),
        *("generationConfig.enableEnhancedCivicAnswers", "generationConfig.imageConfig"),
        *("generationConfig.logprobs", "generationConfig.mediaResolution"),
        *("generationConfig.modelSelectionConfig", "generationConfig.responseFormat"),
        *("generationConfig.responseLogprobs", "generationConfig.responseModalities"),
        *("generationConfig.routingConfig", "generationConfig.speechConfig"),
        "generationConfig.translationConfig",
    ),
}

REFUSED: dict[DialectName, dict[str, str]] = {
    "openai_chat": {"n": "more than one answer at a time"},
    "openai_responses": {},
    "anthropic": {},
    "ollama": {"context": "a memory of the server's own, which we do not have: ignored"},
    "gemini": {},
}

# What the contract can say and these dialects cannot, beside the knobs.
_UNSAID: dict[str, frozenset[DialectName]] = {
    "tool_choice": frozenset({"ollama"}),
    "tool_choice.parallel": frozenset({"ollama", "gemini"}),
}
_KNOBS: dict[str, Knob] = {knob: knob for knobs in WORDLESS.values() for knob in knobs}


def fate(field: str, source: DialectName, target: DialectName) -> Fate:
    """What happens to a client's field of `source` when a target that speaks `target` serves."""
    if field in REFUSED[source]:
        return "refused"
    if source == target:
        return "kept"
    meaning = MODELLED[source].get(field)
    if meaning is None or not _says(target, meaning):
        return "noted"
    return "mapped"


def _says(target: DialectName, meaning: str) -> bool:
    if target in _UNSAID.get(meaning, frozenset()):
        return False
    if meaning == "reasoning_budget":  # where it has no word, an effort stands for it
        return True
    return _KNOBS.get(meaning) not in WORDLESS[target] if meaning in _KNOBS else True


def fields(dialect: DialectName) -> tuple[str, ...]:
    return tuple(sorted({*MODELLED[dialect], *OWN[dialect], *REFUSED[dialect]}))


def written() -> str:
    """Give `docs/ledger.md`."""
    return "\n".join([*_head(), *(line for name in DIALECTS for line in _table(name)), ""])


def _head() -> Iterator[str]:
    yield "# The loss ledger"
    yield ""
    yield "<!-- Written from src/majordomo/fit/ledger.py; a test compares. Do not edit. -->"
    yield ""
    yield "What becomes of each field a client sends, by the dialect of the target that serves it."
    yield ""
    yield "- **kept**: sent as it came."
    yield "- **mapped**: read into the contract and said in the target's own words."
    yield "- **noted**: the target has no word for it; it is left out and the response's `notes`"
    yield "  say so, or with `strict=True` the request is refused."
    yield "- **refused**: the request is refused, or the field can mean nothing here."
    yield ""
    yield "A model may take less than its dialect can say: that is in its capabilities, and what"
    yield "they exclude is noted in the same way."


def _table(source: DialectName) -> Iterator[str]:
    yield ""
    yield f"## A client that speaks `{source}`"
    yield ""
    yield f"| field | contract | {' | '.join(f'`{name}`' for name in DIALECTS)} |"
    yield f"|---|---|{'---|' * len(DIALECTS)}"
    for field in fields(source):
        meaning = MODELLED[source].get(field, "")
        shown = f"`{meaning}`" if meaning else REFUSED[source].get(field, "its own")
        fates = " | ".join(fate(field, source, target) for target in DIALECTS)
        yield f"| `{field}` | {shown} | {fates} |"
