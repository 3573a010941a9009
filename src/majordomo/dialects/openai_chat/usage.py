"""Token counts, both ways: the prompt includes what was cached."""

from majordomo.contract import UNKNOWN, Json, JsonObject, Usage

from .attribute import inner


def encode_usage(usage: Usage) -> JsonObject:
    """Give the counts; the details are always there, since clients read through them."""
    prompt: JsonObject = {"cached_tokens": usage.cached}
    if usage.cache_write:
        prompt["cache_write_tokens"] = usage.cache_write
    return {
        "prompt_tokens": usage.input,
        "completion_tokens": usage.output,
        "total_tokens": usage.total,
        "prompt_tokens_details": prompt,
        "completion_tokens_details": {"reasoning_tokens": usage.reasoning},
    }


def decode_usage(body: JsonObject) -> Usage:
    """Read a reply's counts; what is no count counts as none."""
    wire = inner(body, "usage") or inner(inner(body, "x_groq"), "usage")
    if not wire:
        return UNKNOWN
    prompt = inner(wire, "prompt_tokens_details")
    return Usage(
        input=_count(wire.get("prompt_tokens")),
        cached=_count(prompt.get("cached_tokens")) or _count(wire.get("prompt_cache_hit_tokens")),
        cache_write=_count(prompt.get("cache_write_tokens"))
        or _count(prompt.get("created_cache_tokens")),
        output=_count(wire.get("completion_tokens")),
        reasoning=_count(inner(wire, "completion_tokens_details").get("reasoning_tokens")),
    )


def _count(value: Json) -> int:
    return int(value) if isinstance(value, int | float) and value >= 0 else 0
