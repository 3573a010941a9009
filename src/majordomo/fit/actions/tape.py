"""Text that is still arriving: readers take from it, wait for more, and may go back to a mark."""

from collections.abc import Generator
from typing import TypeAlias, TypeVar

T = TypeVar("T")

# A reader over text that may not be there yet: it yields to say "more, please".
Pull: TypeAlias = Generator[None, None, T]


class Tape:
    """A window on the reply. What was read since the mark is kept, so reading can be undone.

    Read text leaves the window when more arrives, so a long block in tiny deltas costs its
    length once, not once a delta.
    """

    __slots__ = ("_base", "_kept", "_mark", "ended", "pos", "text")

    def __init__(self) -> None:
        self.text = ""
        self.pos = 0
        self.ended = False
        self._base = 0  # where the window starts in the reply
        self._kept: list[str] = []
        self._mark: int | None = None

    @property
    def at(self) -> int:
        """Where reading stands in the whole reply."""
        return self._base + self.pos

    def place(self, index: int) -> int:
        """Turn an index into the window into a place in the whole reply."""
        return self._base + index

    def index(self, place: int) -> int:
        return place - self._base

    def feed(self, chunk: str) -> None:
        if self.pos:
            if self._mark is not None:
                self._kept.append(self.text[max(0, self._mark - self._base) : self.pos])
            self._base += self.pos
            self.text = self.text[self.pos :] + chunk
            self.pos = 0
        else:
            self.text += chunk

    def skip(self, count: int) -> None:
        """Count text that was read elsewhere; everything here must have been read."""
        self._base += self.pos + count
        self.text = ""
        self.pos = 0

    def mark(self) -> int:
        """Keep everything from here on until it is released."""
        self._kept.clear()
        self._mark = self.at
        return self._mark

    def release(self) -> None:
        self._mark = None
        self._kept.clear()

    def rewind(self, at: int) -> None:
        """Go back; not further than the mark."""
        if at < self._base:
            kept = "".join(self._kept)
            self._kept.clear()
            self._base -= len(kept)
            self.text = kept + self.text
        self.pos = at - self._base

    def since_mark(self) -> str:
        """Everything read since the mark, verbatim."""
        start = self._base if self._mark is None else self._mark
        if start >= self._base:
            return self.text[start - self._base : self.pos]
        return "".join((*self._kept, self.text[: self.pos]))

    def need(self, count: int) -> Pull[bool]:
        """Wait until `count` characters are there; False if the text ended first."""
        while len(self.text) - self.pos < count:
            if self.ended:
                return False
            yield
        return True

    def peek(self) -> Pull[str]:
        """Give the next character without taking it; nothing at the end."""
        yield from self.need(1)
        return self.text[self.pos : self.pos + 1]

    def starts(self, prefix: str) -> Pull[bool]:
        """Say whether `prefix` comes next, waiting only while it still may."""
        while True:
            here = self.text[self.pos : self.pos + len(prefix)]
            if len(here) == len(prefix) or not prefix.startswith(here) or self.ended:
                return here == prefix
            yield
