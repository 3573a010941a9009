"""Token counts of an Ollama reply, both ways; a count of zero is left out by real servers."""

from majordomo.contract import JsonObject, Usage
from majordomo.dialects.json import optional_int


def encode_usage(usage: Usage) -> JsonObject:
    """Write the counts with the durations strict clients expect; what we cannot know is 0."""
    return {
        "total_duration": 0,
        "load_duration": 0,
        "prompt_eval_count": usage.input,
        "prompt_eval_duration": 0,
        "eval_count": usage.output,
        "eval_duration": 0,
    }


def decode_usage(wire: JsonObject) -> Usage:
    return Usage(
        input=optional_int(wire, "prompt_eval_count") or 0,
        output=optional_int(wire, "eval_count") or 0,
    )
