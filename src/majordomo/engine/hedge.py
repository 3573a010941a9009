"""The race for the first word: a slow target gets company, the first to speak is listened to."""

import asyncio
from typing import Protocol

from majordomo.contract import Failure

from .voice import Voice


class Course(Protocol):
    """What the race asks and tells on its way: the chain."""

    def patience(self, voice: Voice) -> float | None:
        """Say how long one may be silent before another is started; None: as long as it likes."""
        ...

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
    """The first voice speaks in its caller's own task, and most often that is all.

    Only when it is late do others get tasks, and one that sees to them; when the race is over
    no task is left. One of them that speaks first interrupts the caller as `asyncio.timeout`
    does: the task is cancelled, and takes the cancellation back.
    """

    __slots__ = (
        "_caller",
        "_closed",
        "_company",
        "_course",
        "_interrupted",
        "_loop",
        "_silent",
        "_tasks",
        "_waiting",
    )

    def __init__(self, course: Course) -> None:
        self._course = course
        self._closed = False
        self._loop = asyncio.get_running_loop()
        self._silent: Voice | None = None  # the first, until it speaks or fails
        self._caller: asyncio.Task[object] | None = None  # while it listens to the first
        self._interrupted = False
        self._company: asyncio.Task[Voice | None] | None = None  # who sees to the others
        self._tasks: dict[asyncio.Task[None], Voice] = {}  # the others
        self._waiting: asyncio.Future[None] | None = None

    async def run(self, voice: Voice, patience: float) -> Voice | None:
        """Give the first to speak, or None if every one failed."""
        winner: Voice | None = None
        late = self._loop.call_later(patience, self._send_for_company)
        try:
            winner = await self._listen(voice)
            if winner is None and self._company is not None:
                winner = await self._company
            return winner
        finally:
            late.cancel()
            if self._company is not None or self._silent is not None:
                await self._clear(winner)

    def close(self) -> None:
        self._closed = True
        for task in self._tasks:
            task.cancel()
        self._wake()
        self._interrupt()

    async def _listen(self, voice: Voice) -> Voice | None:
        caller = asyncio.current_task()
        if caller is None:
            raise RuntimeError("a race is run in a task")
        cancelled = caller.cancelling()
        self._silent, self._caller = voice, caller
        try:
            await voice.speak()
        except Failure as failure:
            self._silent = None
            self._course.failed(voice, failure)
            self._wake()  # those beside it are told that they are fewer
        except asyncio.CancelledError:
            if not self._interrupted or caller.cancelling() > cancelled + 1:
                raise  # by somebody else, too
        else:
            self._silent = None
            return voice
        finally:
            self._caller = None
            if self._interrupted:
                caller.uncancel()
        return None

    def _interrupt(self) -> None:
        if self._caller is not None and not self._interrupted:
            self._interrupted = True
            self._caller.cancel()

    def _send_for_company(self) -> None:
        self._company = self._loop.create_task(self._keep_company())
        self._company.add_done_callback(self._decided)

    def _decided(self, company: asyncio.Task[Voice | None]) -> None:
        if not company.cancelled() and (company.exception() or company.result()):
            self._interrupt()

    async def _keep_company(self) -> Voice | None:
        """Start one after the other beside those who are silent, until one of them speaks."""
        while not self._closed:
            patience = self._start(self._course.company())
            if not self._tasks:
                break
            await self._wait(patience)
            if (winner := self._settle()) is not None:
                return winner
            if not self._tasks and self._silent is None:
                break
        return None

    def _start(self, voice: Voice | None) -> float | None:
        """Give the time it has before there is reason to start yet another."""
        if voice is None:
            return None
        task = self._loop.create_task(voice.speak())
        task.add_done_callback(self._wake)
        self._tasks[task] = voice
        return self._course.patience(voice)

    async def _wait(self, seconds: float | None) -> None:
        """Wait until one has come to an end, or for so long."""
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
            if task.cancelled():  # it ended without a word; kept, it would be met again for ever
                voice = self._tasks.pop(task)
                voice.close()
                self._course.left(voice)
                continue
            failure = task.exception()
            if failure is None:
                winner = winner or self._tasks[task]
            elif isinstance(failure, Failure):
                self._course.failed(self._tasks.pop(task), failure)
            else:
                raise failure  # not one of ours: a mistake in this program
        return winner

    async def _clear(self, winner: Voice | None) -> None:
        losers = [voice for voice in self._tasks.values() if voice is not winner]
        if self._silent is not None:
            losers.append(self._silent)
        tasks: list[asyncio.Task[None] | asyncio.Task[Voice | None]] = [*self._tasks]
        if self._company is not None:
            tasks.append(self._company)
        for task in tasks:
            task.cancel()
        for voice in losers:
            voice.close()
        try:
            await asyncio.gather(*tasks, return_exceptions=True)
        except asyncio.CancelledError:
            if winner is not None:  # nobody wants to know any more, just now
                winner.close()
                self._course.left(winner)
            raise
        finally:
            for voice in losers:
                (self._course.left if winner is None else self._course.lost)(voice)
