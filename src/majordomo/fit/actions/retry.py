"""Asking again: the failed reply goes back as the model's turn, with the exact fault named."""

from typing import Literal, TypeAlias

from msgspec.structs import replace

from majordomo.contract import Request, assistant, user

from .wording import RETRY, RETRY_FORM, RETRY_MARK

Reason: TypeAlias = Literal[
    "refusal", "announced", "invalid", "truncated", "required", "named", "forbidden"
]


def retry_request(
    request: Request, *, reply: str, reason: Reason, fault: str, names: str, example: str
) -> Request:
    """Give the request that asks once more; only the last failed reply is shown, so it is bounded.

    `request` is the one that went out first, in the target's terms, and so is the result.
    """
    name = request.tool_choice.name
    words = RETRY[reason].format(fault=fault.rstrip("."), names=names, name=name or names)
    parts = [RETRY_MARK, words]
    if reason != "forbidden":
        parts.append(RETRY_FORM.format(example=example))
    turn = (assistant(reply or "(an empty reply)"), user("\n\n".join(parts)))
    return replace(request, messages=(*request.messages, *turn))
