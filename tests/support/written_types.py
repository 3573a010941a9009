"""Types as people write them, for tests of what becomes of them."""

from dataclasses import dataclass, field
from enum import Enum, IntEnum, StrEnum
from typing import (
    Annotated,
    Generic,
    Literal,
    NamedTuple,
    NewType,
    NotRequired,
    Required,
    TypedDict,
    TypeVar,
)

import msgspec
import pydantic
import pydantic.dataclasses

T = TypeVar("T")
Metres = NewType("Metres", float)


class Colour(Enum):
    RED = "red"
    BLUE = "blue"


class Level(IntEnum):
    LOW = 1
    HIGH = 2


class Mood(StrEnum):
    GOOD = "good"
    BAD = "bad"


class Odd(Enum):
    POINT = (1, 2)
    LINE = (3, 4)


@dataclass
class Point:
    """A place on a map.

    Attributes:
        x: how far to the right

    """

    x: float
    y: float = 0.0


@dataclass(frozen=True, kw_only=True)
class Line:
    start: Point
    end: Point
    names: tuple[str, ...] = ()
    colour: Colour = Colour.RED
    length: float = field(default=0.0, metadata={"description": "in metres"})


@dataclass
class Node:
    name: str
    children: list["Node"] = field(default_factory=list["Node"])


@dataclass
class Box(Generic[T]):
    content: T


@dataclass
class Circle:
    kind: Literal["circle"]
    radius: float


@dataclass
class Square:
    kind: Literal["square"]
    side: float


class Place(TypedDict):
    city: str
    zip: NotRequired[int]


class Loose(TypedDict, total=False):
    must: Required[int]
    may: str


class Pair(NamedTuple):
    left: int
    right: int = 2


class Peak(msgspec.Struct, rename="camel", forbid_unknown_fields=True):
    peak_name: str
    metres: Annotated[float, msgspec.Meta(gt=0)] = 1.0


class Tagged(msgspec.Struct, tag="tagged"):
    value: int


class River(pydantic.BaseModel):
    name: str = pydantic.Field(description="as it is called there")
    km: int = pydantic.Field(gt=0)
    mouth: Point | None = None


class Tree(pydantic.BaseModel):
    label: str
    branches: list["Tree"] = []


class Names(pydantic.RootModel[list[str]]):
    pass


@pydantic.dataclasses.dataclass
class Size:
    metres: float


class Wet(msgspec.Struct):
    river: River


class Extras(TypedDict, total=False):
    unit: Literal["c", "f"]
    days: int
