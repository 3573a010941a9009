"""Reasons of the caller's own to end a run."""

from collections.abc import Callable
from typing import TypeAlias

from msgspec import Struct

from majordomo.contract import Message, Response, ToolResult, Usage


class Progress(Struct, frozen=True, kw_only=True):
    """How far a run has come after a step: a turn, and the results of its calls."""

    step: int
    response: Response
    results: tuple[ToolResult, ...]
    messages: tuple[Message, ...]
    usage: Usage


Until: TypeAlias = Callable[[Progress], bool]


def after_call(*names: str) -> Until:
    """Stop once one of these tools was called and gave no error."""
    return lambda progress: any(
        result.name in names and not result.is_error for result in progress.results
    )


def after_words(words: str) -> Until:
    """Stop once the model has said these words."""
    return lambda progress: words in progress.response.text
