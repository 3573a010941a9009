"""What the finder finds in a reply: prose, calls, and calls that went wrong."""

from enum import Enum
from typing import TypeAlias

from msgspec import Struct

from majordomo.contract import Json, JsonObject


class Trust(Enum):
    """How sure the form alone makes us that a call was meant."""

    MARKED = "marked"  # a marker that nothing but a call carries
    PLAIN = "plain"  # JSON that could be anything


class Draft(Struct, frozen=True, kw_only=True):
    """A call as written: before its name is known to be a tool's and its arguments valid."""

    name: str
    arguments: Json
    loose: bool = False  # no key said "these are the arguments"
    text: bool = False  # the values are text from markup, typed by the schema alone


class Prose(Struct, frozen=True):
    text: str


class Called(Struct, frozen=True, kw_only=True):
    name: str
    arguments: JsonObject
    raw: str  # the block, verbatim; of several calls in one block the first has it
    form: str
    repairs: tuple[str, ...] = ()


class Broken(Struct, frozen=True, kw_only=True):
    """A block that was meant as a call and cannot be one."""

    raw: str
    fault: str
    form: str
    truncated: bool = False


Piece: TypeAlias = Prose | Called | Broken
