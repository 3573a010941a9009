"""Why a Gemini reply ended, both ways.

https://ai.google.dev/api/generate-content#FinishReason
"""

from majordomo.contract import FinishReason

_CANONICAL: dict[str, FinishReason] = {
    "STOP": "stop",
    "MAX_TOKENS": "length",
    "CONTINUATION": "pause",
    "SAFETY": "content_filter",
    "RECITATION": "content_filter",
    "BLOCKLIST": "content_filter",
    "PROHIBITED_CONTENT": "content_filter",
    "SPII": "content_filter",
    "LANGUAGE": "content_filter",
    "IMAGE_SAFETY": "content_filter",
    "IMAGE_PROHIBITED_CONTENT": "content_filter",
    "IMAGE_RECITATION": "content_filter",
    "MALFORMED_FUNCTION_CALL": "error",
    "MALFORMED_RESPONSE": "error",
    "UNEXPECTED_TOOL_CALL": "error",
    "TOO_MANY_TOOL_CALLS": "error",
    "MISSING_THOUGHT_SIGNATURE": "error",
    "NO_IMAGE": "error",
    "IMAGE_OTHER": "error",
    "OTHER": "error",
    "FINISH_REASON_UNSPECIFIED": "unknown",
}

_NATIVE: dict[FinishReason, str] = {
    "stop": "STOP",
    "length": "MAX_TOKENS",
    "tool_calls": "STOP",
    "content_filter": "SAFETY",
    "refusal": "SAFETY",
    "pause": "STOP",  # CONTINUATION promises a token to go on with, and we have none
    "cancelled": "OTHER",
    "error": "OTHER",
    "unknown": "FINISH_REASON_UNSPECIFIED",
}

# Reasons a reply may have but that we must not give: the first lacks its token, the second is
# in no client's enumeration yet.
_READ_ONLY = frozenset({"CONTINUATION", "MISSING_THOUGHT_SIGNATURE"})


def decode_finish(native: str, *, calls: bool) -> FinishReason:
    """A call, too, ends in STOP."""
    reason = _CANONICAL.get(native.upper(), "unknown")
    return "tool_calls" if calls and reason == "stop" else reason


def encode_finish(reason: FinishReason, native: str = "") -> str:
    legal = native not in _READ_ONLY and _CANONICAL.get(native) == reason
    return native if legal else _NATIVE[reason]
