"""Saying "still here" on a stream whose model has not spoken yet.

Proxies close a connection that is silent for a minute, however healthy it is. A timer, not a
task: a stream that flows never pays for it.
"""

import asyncio
from collections.abc import Awaitable, Callable


class Alive:
    __slots__ = ("_handle", "_last", "_loop", "_ping", "_seconds", "speaking")

    def __init__(
        self, loop: asyncio.AbstractEventLoop, seconds: float, ping: Callable[[], Awaitable[None]]
    ) -> None:
        self._ping = ping
        self._seconds = seconds
        self._loop = loop
        self._last = loop.time()
        self.speaking: asyncio.Task[None] | None = None  # goes first
        self._handle = loop.call_later(seconds, self._wake)

    def spoke(self) -> None:
        """Let the silence start anew."""
        self._last = self._loop.time()

    def stop(self) -> None:
        self._handle.cancel()
        if self.speaking is not None:
            self.speaking.cancel()

    def _wake(self) -> None:
        silent = self._loop.time() - self._last
        if silent >= self._seconds:
            if self.speaking is None or self.speaking.done():
                self.speaking = self._loop.create_task(self._say())
            silent = 0.0
        self._handle = self._loop.call_later(self._seconds - silent, self._wake)

    async def _say(self) -> None:
        await self._ping()
