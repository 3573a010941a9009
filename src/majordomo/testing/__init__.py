"""Scripted providers and fault injection, for our tests and our users."""

from .scripted import Line, Scripted, scripted
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
    "Line",
    "NoAnswer",
    "Reset",
    "Script",
    "Scripted",
    "Seen",
    "Stall",
    "Status",
    "Turn",
    "scripted",
]
