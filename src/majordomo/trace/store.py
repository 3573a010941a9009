"""Where traces go: one seam, so that a fleet can share a database and a laptop needs none."""

from typing import Protocol

from .record import Trace


class Store(Protocol):
    def save(self, trace: Trace, /) -> None:
        """Keep it, some time soon; never wait for a disk here."""
        ...

    def latest(self, count: int, *, failed: bool = False) -> list[Trace]: ...

    def find(self, id: str) -> Trace | None: ...

    def close(self) -> None:
        """Write what is still in hand."""
        ...
