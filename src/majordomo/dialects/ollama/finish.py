"""Why an Ollama reply ended, both ways.

https://github.com/ollama/ollama/blob/main/docs/api.md#generate-a-chat-completion
"""

from majordomo.contract import FinishReason

_CANONICAL: dict[str, FinishReason] = {
    "stop": "stop",
    "length": "length",
    "load": "stop",  # an empty prompt loads the model and says nothing
    "unload": "stop",
    "content_filter": "content_filter",
    "cancelled": "cancelled",
    "error": "error",
    "": "error",  # the runner went away in the middle
}

# Ollama itself only says the first two; `done_reason` is free text, and to call a filtered or
# broken reply "stop" would pass it off as whole.
_NATIVE: dict[FinishReason, str] = {
    "stop": "stop",
    "length": "length",
    "tool_calls": "stop",
    "content_filter": "content_filter",
    "refusal": "stop",
    "pause": "stop",
    "cancelled": "cancelled",
    "error": "error",
    "unknown": "stop",
}


def decode_finish(native: str | None, *, calls: bool) -> FinishReason:
    """Old servers give no reason at all; a call also ends in "stop"."""
    reason = "stop" if native is None else _CANONICAL.get(native, "unknown")
    return "tool_calls" if calls and reason == "stop" else reason


def encode_finish(reason: FinishReason, native: str = "") -> str:
    return native if native and _CANONICAL.get(native) == reason else _NATIVE[reason]
