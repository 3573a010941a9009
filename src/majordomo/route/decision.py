"""What a request may be told to do next."""

from typing import Literal, TypeAlias

from msgspec import Struct

from majordomo.contract import Failure

Sent: TypeAlias = Literal["nothing", "text", "more"]  # "more" cannot be taken up by another
Mode: TypeAlias = Literal["fresh", "splice", "continue"]


class Try(Struct, frozen=True):
    """Ask this target now: afresh, again from the start to splice, or on from what was sent."""

    target: str
    mode: Mode = "fresh"


class Wait(Struct, frozen=True):
    seconds: float


class GiveUp(Struct, frozen=True):
    """Say `failure`; `everyone` means each target had its turn, so it is `Exhausted`."""

    failure: Failure | None
    everyone: bool = True


Decision: TypeAlias = Try | Wait | GiveUp
