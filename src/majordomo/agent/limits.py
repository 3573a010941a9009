"""How far a run may go, and how it ended."""

from typing import Literal, TypeAlias

from msgspec import Struct

Ending: TypeAlias = Literal[
    "answered",  # the model said its last word
    "empty",  # it stopped without a word
    "refused",
    "cut",  # its answer was cut off: too long, or broken
    "stopped",  # by the caller's condition
    "repeating",  # it would not stop making the same call
    "steps",  # a budget is used up …
    "tokens",
    "time",
]


class Limits(Struct, frozen=True, kw_only=True):
    """None means without limit."""

    steps: int = 25  # turns of the model
    tokens: int | None = None  # in and out, over all turns; estimated where nobody counts
    seconds: float | None = None  # of the whole run
    repeats: int = 3  # runs of one call that keep giving the same result
    calls: int = 64  # in one turn; the rest are told to wait
