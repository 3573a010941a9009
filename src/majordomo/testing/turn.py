"""What a scripted server says when it is asked, and what goes wrong while it says it."""

from collections.abc import Callable, Sequence
from typing import TypeAlias

from msgspec import Struct

from majordomo.contract import Event, Failure, Response, Usage, parts, unfold
from majordomo.dialects.dialect import Ask


class Delay(Struct, frozen=True):
    """Say nothing for a while, then go on."""

    seconds: float


class Head(Struct, frozen=True):
    """Send status and headers now; otherwise they leave with the first byte of the body."""


class Status(Struct, frozen=True, kw_only=True):
    """Answer with this status and these bytes, whatever the dialect would say."""

    code: int
    body: bytes = b""
    headers: dict[str, str] = {}


class Reset(Struct, frozen=True):
    """Break the connection with a TCP reset: before the headers if it comes first."""


class Cut(Struct, frozen=True):
    """Close the connection in the middle of the body, without its end."""


class NoAnswer(Struct, frozen=True):
    """Close the connection without a byte of an answer."""


class Stall(Struct, frozen=True):
    """Never go on; the client has to leave."""


class Garbage(Struct, frozen=True):
    """An event nobody can read, in a frame that server-sent events and lines both accept."""

    data: bytes = b'data: {"garbage\n\n'


Break: TypeAlias = Reset | Cut | NoAnswer | Stall  # after these nothing more is said
Fault: TypeAlias = Delay | Head | Status | Garbage | Break
Item: TypeAlias = Event | Failure | Fault | bytes
Turn: TypeAlias = str | Response | Item | Sequence[Item]
Script: TypeAlias = Sequence[Turn] | Callable[[Ask], Turn]


def items(turn: Turn) -> list[Item]:
    """Spell a turn out: a string is a whole reply, a reply is its events."""
    match turn:
        case str():
            usage = Usage(input=1, output=1)
            return list(unfold(Response(parts=parts(turn), finish_reason="stop", usage=usage)))
        case Response():
            return list(unfold(turn))
        case bytes() | Struct() | Failure():
            return [turn]
        case _:
            return list(turn)
