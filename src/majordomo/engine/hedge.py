"""The race for the first word: a slow target gets company, the first to speak is listened to."""

import asyncio
from collections.abc import Callable
from typing import Protocol

from majordomo.contract import Failure

from .voice import Voice


class Course(Protocol):
    """What the race asks and tells on its way: the chain."""

    def company(self) -> Voice | None:
        """Name one to start beside those who are silent, if there is any."""
        ...

    def failed(self, voice: Voice, failure: Failure) -> None: ...

    def lost(self, voice: Voice) -> None:
        """Another spoke first."""
        ...

    def left(self, voice: Voice) -> None:
        """Nobody wants to know any more."""
        ...


class Race:
    """Each voice's first word is a task; when the race is over no task is left."""

    __slots__ = ("_closed", "_course", "_loop", "_patience", "_tasks", "_waiting")

    def __init__(self, course: Course, patience: float) -> None:
        self._course = course
        self._patience = patience
        self._closed = False
        self._loop = asyncio.get_running_loop()
        self._tasks: dict[asyncio.Task[None], Voice] = {}
        self._waiting: asyncio.Future[None] | None = None

    async def run(self, voice: Voice) -> Voice | None:
        """Give the first to speak, or None if every one failed."""
        winner: Voice | None = None
        try:
            self._start(voice)
            waiting = True  # for the next moment to start another
            while self._tasks and not self._closed:
                await self._wait(self._patience if waiting else None)
                if (winner := self._settle()) is not None:
                    break
                if self._tasks:  # those left are late: a failure beside them changes nothing
                    waiting = self._start(self._course.company())
            return winner
        finally:
            await self._clear(self._course.left if winner is None else self._course.lost)

    def close(self) -> None:
        self._closed = True
        for task in self._tasks:
            task.cancel()

    def _start(self, voice: Voice | None) -> bool:
        if voice is not None:
            task = self._loop.create_task(voice.speak())
            task.add_done_callback(self._wake)
            self._tasks[task] = voice
        return voice is not None

    async def _wait(self, seconds: float | None) -> None:
        """Wait until one has come to an end, or for so long.

        `asyncio.wait` would do; it costs as much as the rest of a small request, and a race
        is run for every request that has somebody to fall back to.
        """
        if any(task.done() for task in self._tasks):
            return
        self._waiting = self._loop.create_future()
        late = None if seconds is None else self._loop.call_later(seconds, self._wake)
        try:
            await self._waiting
        finally:
            self._waiting = None
            if late is not None:
                late.cancel()

    def _wake(self, _: object = None) -> None:
        if self._waiting is not None and not self._waiting.done():
            self._waiting.set_result(None)

    def _settle(self) -> Voice | None:
        """Sort those who have come to an end; the earlier started wins a tie."""
        winner: Voice | None = None
        for task in [task for task in self._tasks if task.done()]:
            failure = None if task.cancelled() else task.exception()
            if failure is None and winner is None and not task.cancelled():
                winner = self._tasks.pop(task)
            elif isinstance(failure, Failure):
                self._course.failed(self._tasks.pop(task), failure)
            elif failure is not None:
                raise failure  # not one of ours: a mistake in this program
        return winner

    async def _clear(self, tell: Callable[[Voice], None]) -> None:
        losers = self._tasks
        for task, voice in losers.items():
            task.cancel()
            voice.close()
        if losers:
            await asyncio.gather(*losers, return_exceptions=True)
        for voice in losers.values():
            tell(voice)
        self._tasks = {}
