"""The shape of a step that changes the request on the way out and the reply on the way back."""

from collections.abc import Callable
from typing import Protocol, TypeAlias

from msgspec import Struct

from majordomo.contract import Event, Note, Request, Step


class Again(Struct, frozen=True, kw_only=True):
    """The end of a reply that will not do: ask once more, like this. Nobody is called here."""

    request: Request
    reason: str
    notes: tuple[Note, ...] = ()


Lift: TypeAlias = Step[Event, Event | Again]


def notes_of(lift: Lift) -> tuple[Note, ...]:
    """What a lift has to say of a reply it has seen to its end, if it says anything."""
    notes: tuple[Note, ...] = getattr(lift, "notes", ())
    return notes


def may_ask_again(lift: Lift) -> bool:
    """Whether a lift may end in `Again`; those that never do say so, and need less around them."""
    may: bool = getattr(lift, "may_ask_again", True)
    return may


class Shim(Protocol):
    def lower(self, request: Request) -> Request:
        """Say it in terms the target understands."""
        ...

    def lift(self) -> Lift:
        """Turn the target's reply into the one that was asked for."""
        ...


class Fitted(Struct, frozen=True, kw_only=True):
    """One request made acceptable to one target."""

    request: Request
    notes: tuple[Note, ...] = ()
    lift: Callable[[], Lift] | None = None  # None: the reply needs no change
