"""Two stores as one: traces in a file to look at, and on their way to elsewhere."""

from .record import Trace
from .store import Store


class Both:
    """Everything is saved twice; what is asked for is read from the first."""

    def __init__(self, first: Store, second: Store) -> None:
        self._first = first
        self._second = second

    def save(self, trace: Trace) -> None:
        self._first.save(trace)
        self._second.save(trace)

    def latest(self, count: int, *, failed: bool = False) -> list[Trace]:
        return self._first.latest(count, failed=failed)

    def find(self, id: str) -> Trace | None:
        return self._first.find(id)

    def close(self) -> None:
        try:
            self._first.close()
        finally:
            self._second.close()
