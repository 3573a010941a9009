"""Why a reply ended, both ways."""

from majordomo.contract import FinishReason

_CANONICAL: dict[str, FinishReason] = {
    "stop": "stop",
    "length": "length",
    "tool_calls": "tool_calls",
    "function_call": "tool_calls",
    "content_filter": "content_filter",
    # Words of the compatibles.
    "eos": "stop",  # Together
    "eos_token": "stop",
    "end_turn": "stop",
    "stop_sequence": "stop",
    "repetition": "stop",  # vLLM
    "abort": "cancelled",
    "model_length": "length",  # Mistral
    "max_tokens": "length",
    "tool_call": "tool_calls",
    "tool_use": "tool_calls",
    "safety": "content_filter",
    "error": "error",  # OpenRouter, Mistral
    "insufficient_system_resource": "error",  # DeepSeek
}

# `error` is missing on purpose: the wire has no word for it, only an error event.
_WORDS: dict[FinishReason, str] = {
    "stop": "stop",
    "length": "length",
    "tool_calls": "tool_calls",
    "content_filter": "content_filter",
    "refusal": "content_filter",  # or "stop" beside a `refusal` text
    "pause": "stop",
    "cancelled": "length",  # it is not whole, and no other word says so
    "unknown": "stop",
}


def decode_finish(native: str, *, calls: bool, refused: bool) -> FinishReason:
    """Give the canonical reason; whether there are calls is for the content to say."""
    reason = _CANONICAL.get(native.lower(), "unknown")
    if calls and reason in ("stop", "unknown"):
        return "tool_calls"  # vLLM says "stop" after a named choice
    if refused and reason == "stop":
        return "refusal"
    return "stop" if reason == "tool_calls" and not calls else reason


def encode_finish(reason: FinishReason, *, refused: bool) -> str:
    """Give the word; `refused`: the text went out as a refusal, which says it already."""
    if reason == "refusal" and refused:
        return "stop"
    return _WORDS.get(reason, "stop")
