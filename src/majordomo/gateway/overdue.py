"""An end to requests that take longer than is allowed.

One timer for all of them, which is moved only when it fires: they have the same patience, so that
whoever began first is overdue first. That is two steps in a dict where a timer was made and ended.
"""

import asyncio


class Overdue:
    __slots__ = ("_loop", "_seconds", "_until")

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._until: dict[asyncio.Task[None], float] = {}  # in the order they began
        self._loop: asyncio.AbstractEventLoop | None = None  # that the timer runs in

    def add(self, work: "asyncio.Task[None]") -> None:
        """Cancel this in time, unless it is removed before."""
        loop = work.get_loop()
        self._until[work] = loop.time() + self._seconds
        if self._loop is not loop:
            self._loop = loop
            loop.call_later(self._seconds, self._look, loop)

    def remove(self, work: "asyncio.Task[None]") -> bool:
        """Say whether it was in time."""
        return self._until.pop(work, None) is not None

    def _look(self, loop: asyncio.AbstractEventLoop) -> None:
        now = loop.time()
        while self._until:
            work, until = next(iter(self._until.items()))
            if until > now:
                loop.call_at(until, self._look, loop)
                return
            del self._until[work]
            work.cancel()
        self._loop = None
