"""Token counts of a Gemini reply, both ways: thoughts stand beside the answer, not inside it.

https://ai.google.dev/api/generate-content#UsageMetadata
"""

from majordomo.contract import UNKNOWN, Json, JsonObject, Usage
from majordomo.dialects.json import object_at, optional_int

from .casing import camel


def encode_usage(usage: Usage) -> JsonObject:
    counts: JsonObject = {
        "promptTokenCount": usage.input,
        "candidatesTokenCount": usage.output - usage.reasoning,
        "totalTokenCount": usage.total,
    }
    if usage.cached:
        counts["cachedContentTokenCount"] = usage.cached
    if usage.reasoning:
        counts["thoughtsTokenCount"] = usage.reasoning
    return counts


def decode_usage(wire: Json) -> Usage:
    if wire is None:
        return UNKNOWN
    counts = camel(object_at(wire, "usageMetadata"))
    thoughts = _count(counts, "thoughtsTokenCount")
    return Usage(
        input=_count(counts, "promptTokenCount") + _count(counts, "toolUsePromptTokenCount"),
        cached=_count(counts, "cachedContentTokenCount"),
        output=_count(counts, "candidatesTokenCount") + thoughts,
        reasoning=thoughts,
    )


def _count(counts: JsonObject, name: str) -> int:
    return optional_int(counts, name, "usageMetadata") or 0
