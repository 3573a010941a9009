"""One pool of connections per event loop, closed when the loop ends or nobody uses it any more."""

import asyncio
import weakref
from collections.abc import AsyncGenerator, Callable
from typing import Generic, NamedTuple, Protocol, TypeVar


class Connections(Protocol):
    """What is pooled: aiohttp's session, or lines of our own."""

    @property
    def closed(self) -> bool: ...

    async def close(self) -> None: ...


C = TypeVar("C", bound=Connections)


class Pools(Generic[C]):
    """A model may be used from several loops; connections belong to one each."""

    def __init__(self, make: Callable[[], C]) -> None:
        self._make = make
        self._pools: dict[asyncio.AbstractEventLoop, _Pool[C]] = {}

    def get(self, loop: asyncio.AbstractEventLoop) -> C | None:
        pool = self._pools.get(loop)
        return None if pool is None or pool.connections.closed else pool.connections

    async def open(self, loop: asyncio.AbstractEventLoop) -> C:
        for stale in [other for other in self._pools if other.is_closed()]:
            self._pools.pop(stale).abandon.detach()
        connections = self._make()
        held = _hold(connections)
        abandon = weakref.finalize(self, _abandon, loop, held)
        abandon.atexit = False
        self._pools[loop] = _Pool(connections, held, abandon)
        await anext(held)
        return connections

    async def aclose(self, loop: asyncio.AbstractEventLoop) -> None:
        pool = self._pools.pop(loop, None)
        if pool is not None:
            pool.abandon.detach()
            await pool.held.aclose()


class _Finalizer(Protocol):
    """What is used of `weakref.finalize`."""

    def detach(self) -> object: ...


class _Pool(NamedTuple, Generic[C]):
    connections: C
    held: AsyncGenerator[None]
    abandon: _Finalizer


async def _hold(connections: Connections) -> AsyncGenerator[None]:
    """Keep them open until the loop shuts down: then it closes its generators.

    That spares every script an `aclose` at its end, and the warning about it.
    """
    try:
        yield
    finally:
        await connections.close()


def _abandon(loop: asyncio.AbstractEventLoop, held: AsyncGenerator[None]) -> None:
    """Close the connections of a transport nobody holds any more, on the loop it belongs to.

    A little later, because a loop that is about to shut down does it best itself.
    """
    if not loop.is_closed():
        loop.call_soon_threadsafe(loop.call_later, 1.0, _close, loop, held)


def _close(loop: asyncio.AbstractEventLoop, held: AsyncGenerator[None]) -> None:
    async def close() -> None:
        await held.aclose()

    task = loop.create_task(close())
    _CLOSING.add(task)
    task.add_done_callback(_CLOSING.discard)


_CLOSING: set[asyncio.Task[None]] = set()  # loops hold their tasks only weakly
