"""Where a reader of broken JSON stands: what it expects, and which brackets are open."""

from enum import Enum

from majordomo.contract import Json

from .repair import MAX_DEPTH


class State(Enum):
    VALUE = "a value"
    KEY = "a key"
    COLON = "a colon"
    NEXT = "a comma or a closing bracket"
    DONE = "nothing"


class Frame:
    """One open bracket."""

    __slots__ = ("array", "closer", "doubled", "key", "object")

    def __init__(self, *, array: bool, closer: str) -> None:
        self.array: list[Json] | None = [] if array else None
        self.object: dict[str, Json] = {}
        self.key = ""
        self.doubled = False
        self.closer = closer

    @property
    def value(self) -> Json:
        return self.object if self.array is None else self.array

    @property
    def empty(self) -> bool:
        return not self.object and not self.array

    def add(self, value: Json) -> None:
        if self.array is None:
            self.object[self.key] = value
        else:
            self.array.append(value)


def too_deep(value: Json) -> bool:
    """Say whether a value is nested deeper than what reads it could bear; without recursion."""
    level: list[Json] = [value]
    for _ in range(MAX_DEPTH + 1):
        inner: list[Json] = []
        for item in level:
            if isinstance(item, dict):
                inner += item.values()
            elif isinstance(item, list):
                inner += item
        if not inner:
            return False
        level = inner
    return True
