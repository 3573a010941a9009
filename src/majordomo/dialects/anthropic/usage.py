"""Token counts, both ways: here `input_tokens` leaves out what the cache read and wrote.

https://platform.claude.com/docs/en/build-with-claude/prompt-caching
"""

from majordomo.contract import Json, JsonObject, Usage
from majordomo.dialects.json import sparse


def decode_usage(wire: Json, before: JsonObject | None = None) -> tuple[Usage, JsonObject]:
    """Read counts over those known before; they are cumulative, and absent ones still hold.

    Gives the counts as read too, for the next time.
    """
    counts = add_counts(wire, before or {})
    return usage_of(counts), counts


def add_counts(wire: Json, before: JsonObject) -> JsonObject:
    if not isinstance(wire, dict):
        return before
    return before | sparse(wire)


def usage_of(counts: JsonObject) -> Usage:
    cached = _count(counts, "cache_read_input_tokens")
    cache_write = _count(counts, "cache_creation_input_tokens")
    details = counts.get("output_tokens_details")
    return Usage(
        input=_count(counts, "input_tokens") + cached + cache_write,
        cached=cached,
        cache_write=cache_write,
        output=_count(counts, "output_tokens"),
        reasoning=_count(details, "thinking_tokens") if isinstance(details, dict) else 0,
    )


def encode_usage(usage: Usage) -> JsonObject:
    """Write every count: clients trip over a missing cache field."""
    wire: JsonObject = {
        "input_tokens": max(0, usage.input - usage.cached - usage.cache_write),
        "cache_creation_input_tokens": usage.cache_write,
        "cache_read_input_tokens": usage.cached,
        "output_tokens": usage.output,
    }
    if usage.reasoning:
        wire["output_tokens_details"] = {"thinking_tokens": usage.reasoning}
    return wire


def _count(wire: JsonObject, name: str) -> int:
    value = wire.get(name)
    return value if type(value) is int and value > 0 else 0
