"""Saying "still here" on a stream whose model has not spoken yet.

Proxies close a connection that is silent for a minute, however healthy it is. A timer, not a
task: a stream that flows never pays for it.
"""

import asyncio
from collections.abc import Awaitable, Callable


class Alive:
    __slots__ = ("_handle", "_last", "_loop", "_ping", "_seconds", "_speaking")

    def __init__(self, ping: Callable[[], Awaitable[None]], seconds: float) -> None:
        self._ping = ping
        self._seconds = seconds
        self._loop = asyncio.get_running_loop()
        self._last = self._loop.time()
        self._speaking: asyncio.Task[None] | None = None
        self._handle = self._loop.call_later(seconds, self._wake)

    async def spoke(self) -> None:
        """Call before writing: a ping under way goes first, and the silence starts anew."""
        self._last = self._loop.time()
        if self._speaking is not None:
            await self._speaking

    def stop(self) -> None:
        self._handle.cancel()
        if self._speaking is not None:
            self._speaking.cancel()

    def _wake(self) -> None:
        silent = self._loop.time() - self._last
        if silent >= self._seconds:
            if self._speaking is None or self._speaking.done():
                self._speaking = self._loop.create_task(self._say())
            silent = 0.0
        self._handle = self._loop.call_later(self._seconds - silent, self._wake)

    async def _say(self) -> None:
        await self._ping()
