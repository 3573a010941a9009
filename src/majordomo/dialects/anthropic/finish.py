"""Stop reasons, both ways.

https://platform.claude.com/docs/en/build-with-claude/handling-stop-reasons
"""

from majordomo.contract import Finish, FinishReason, Json, JsonObject


def decode_reason(word: str | None, *, called: bool) -> FinishReason:
    """Read a stop reason; a reply with calls in it ends in calls, whatever it says of itself."""
    reason = _REASONS.get(word, "unknown")
    return "tool_calls" if called and reason in _WOULD_LOSE_CALLS else reason


def encode_reason(finish: Finish, *, called: bool) -> str:
    """Write a stop reason; the native word counts if it is one of ours and means the same."""
    reason = finish.reason
    if called and reason in _WOULD_LOSE_CALLS:
        reason = "tool_calls"  # "end_turn" here and the client never runs the call
    if reason == "stop" and finish.stop_sequence is not None:
        return "stop_sequence"
    if _REASONS.get(finish.native) == reason:
        return finish.native
    return _WORDS[reason]


def encode_ending(finish: Finish, *, called: bool) -> JsonObject:
    """Write how a reply ended: the same three fields in a message and in a `message_delta`."""
    word = encode_reason(finish, called=called)
    ending: JsonObject = {"stop_reason": word, "stop_sequence": finish.stop_sequence}
    details = _details(finish.raw)
    return {**ending, "stop_details": details} if word == "refusal" and details else ending


def _details(raw: Json) -> Json:
    """Give what this API said about a refusal, when it was this API that refused."""
    match raw:
        case {"stop_details": {"type": "refusal"} as details}:
            return details
        case _:
            return None


_WOULD_LOSE_CALLS = frozenset({"stop", "unknown"})
_REASONS: dict[str | None, FinishReason] = {
    "end_turn": "stop",
    "stop_sequence": "stop",
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    "tool_use": "tool_calls",
    "pause_turn": "pause",
    "refusal": "refusal",
}
_WORDS: dict[FinishReason, str] = {
    "stop": "end_turn",
    "length": "max_tokens",
    "tool_calls": "tool_use",
    "content_filter": "refusal",
    "refusal": "refusal",
    "pause": "pause_turn",
    "cancelled": "max_tokens",  # cut short: "end_turn" would call half an answer whole
    "error": "max_tokens",  # never reached by a client: an error is said as one
    "unknown": "end_turn",
}
