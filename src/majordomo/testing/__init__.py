"""Scripted providers and fault injection, for our tests and our users."""

from .server import DialectServer, Seen
from .turn import (
    Cut,
    Delay,
    Fault,
    Garbage,
    Head,
    Item,
    NoAnswer,
    Reset,
    Script,
    Stall,
    Status,
    Turn,
)

__all__ = [
    "Cut",
    "Delay",
    "DialectServer",
    "Fault",
    "Garbage",
    "Head",
    "Item",
    "NoAnswer",
    "Reset",
    "Script",
    "Seen",
    "Stall",
    "Status",
    "Turn",
]
