"""Noticing that a client has left, for requests that last long enough for it to matter.

Listening for it takes a task, which costs as much as decoding a small request. Most requests that
are answered at once never need it; the others get it a blink later, and a client that left
meanwhile is noticed at once then.
"""

import asyncio

from .exchange import Exchange

_SOON = 0.02  # seconds


class Watch:
    __slots__ = ("_exchange", "_handle", "_loop", "_task", "_work")

    def __init__(self, exchange: Exchange, work: "asyncio.Task[None]") -> None:
        self._exchange = exchange
        self._work = work
        self._loop = work.get_loop()
        self._task: asyncio.Task[None] | None = None
        self._handle = self._loop.call_later(_SOON, self._listen)

    def stop(self) -> None:
        self._handle.cancel()
        if self._task is not None:
            self._task.cancel()

    def _listen(self) -> None:
        self._task = self._loop.create_task(self._exchange.cancel_when_gone(self._work))
