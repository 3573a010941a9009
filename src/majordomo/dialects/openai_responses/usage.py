"""Token counts, both ways.

https://platform.openai.com/docs/api-reference/responses/object#responses/object-usage
"""

from majordomo.contract import UNKNOWN, Json, JsonObject, Usage


def decode_usage(wire: Json) -> Usage:
    """Read what is there: local servers leave the details out, and some say null."""
    if not isinstance(wire, dict):
        return UNKNOWN
    return Usage(
        input=_count(wire, "input_tokens"),
        cached=_count(wire.get("input_tokens_details"), "cached_tokens"),
        cache_write=_count(wire.get("input_tokens_details"), "cache_write_tokens"),
        output=_count(wire, "output_tokens"),
        reasoning=_count(wire.get("output_tokens_details"), "reasoning_tokens"),
    )


def encode_usage(usage: Usage) -> JsonObject:
    """Write every key: the official types require the details too."""
    return {
        "input_tokens": usage.input,
        "input_tokens_details": {
            "cached_tokens": usage.cached,
            "cache_write_tokens": usage.cache_write,
        },
        "output_tokens": usage.output,
        "output_tokens_details": {"reasoning_tokens": usage.reasoning},
        "total_tokens": usage.total,
    }


def _count(wire: Json, name: str) -> int:
    value = wire.get(name) if isinstance(wire, dict) else None
    return value if isinstance(value, int) and not isinstance(value, bool) else 0
