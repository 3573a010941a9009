"""How a reply ended, both ways: `status` with `incomplete_details.reason`.

https://platform.openai.com/docs/api-reference/responses/object
"""

from typing import NamedTuple

from majordomo.contract import Finish, FinishReason, JsonObject


class Ending(NamedTuple):
    """The event a stream ends with, and what its response says."""

    event: str
    status: str
    reason: str | None = None  # of incomplete_details

    @property
    def details(self) -> JsonObject | None:
        return None if self.reason is None else {"reason": self.reason}


def decode_finish(
    response: JsonObject, *, called: bool, refused: bool, status: str = ""
) -> tuple[FinishReason, str]:
    """Give the canonical reason and the native word; `status` is used if the object has none."""
    said = response.get("status")
    match said if isinstance(said, str) else status:
        case "completed":
            return _completed(called=called, refused=refused), "completed"
        case "incomplete":
            word = _incomplete_word(response)
            return INCOMPLETE.get(word, "unknown"), word or "incomplete"
        case "cancelled":
            return "cancelled", "cancelled"
        case other:
            return "unknown", other


def encode_finish(finish: Finish) -> Ending:
    if INCOMPLETE.get(finish.native) == finish.reason:
        return Ending("response.incomplete", "incomplete", finish.native)
    return _ENDINGS.get(finish.reason, _COMPLETED)


INCOMPLETE: dict[str, FinishReason] = {
    "max_output_tokens": "length",
    "max_messages": "length",
    "content_filter": "content_filter",
    "steered": "pause",
}
_COMPLETED = Ending("response.completed", "completed")
_ENDINGS: dict[FinishReason, Ending] = {
    "length": Ending("response.incomplete", "incomplete", "max_output_tokens"),
    "content_filter": Ending("response.incomplete", "incomplete", "content_filter"),
    "cancelled": Ending("response.incomplete", "cancelled"),  # there is no event of that name
    "error": Ending("response.failed", "failed"),
}


def _completed(*, called: bool, refused: bool) -> FinishReason:
    if called:
        return "tool_calls"
    return "refusal" if refused else "stop"


def _incomplete_word(response: JsonObject) -> str:
    match response.get("incomplete_details"):
        case {"reason": str(word)}:
            return word
        case _:
            return ""
