"""Scripted providers and fault injection, for our tests and our users."""

from .record import Mismatch, Recorded, Tape, record
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
    "Mismatch",
    "NoAnswer",
    "Recorded",
    "Reset",
    "Script",
    "Scripted",
    "Seen",
    "Stall",
    "Status",
    "Tape",
    "Turn",
    "record",
    "scripted",
]
