"""One pool of connections per event loop, closed when the loop ends or nobody uses it any more."""

import asyncio
import weakref
from collections.abc import AsyncGenerator
from contextvars import ContextVar
from typing import NamedTuple, Protocol

import aiohttp
from aiohttp.connector import Connection
from aiohttp.tracing import Trace


class Pools:
    """A model may be used from several loops; connections belong to one each."""

    def __init__(self) -> None:
        self._pools: dict[asyncio.AbstractEventLoop, _Pool] = {}

    def get(self, loop: asyncio.AbstractEventLoop) -> aiohttp.ClientSession | None:
        pool = self._pools.get(loop)
        return None if pool is None or pool.session.closed else pool.session

    async def open(self, loop: asyncio.AbstractEventLoop) -> aiohttp.ClientSession:
        for stale in [other for other in self._pools if other.is_closed()]:
            self._pools.pop(stale).abandon.detach()
        session = aiohttp.ClientSession(
            connector=_Connector(limit=0),  # how much at once is the caller's to bound
            cookie_jar=aiohttp.DummyCookieJar(),
        )
        held = _hold(session)
        abandon = weakref.finalize(self, _abandon, loop, held)
        abandon.atexit = False
        self._pools[loop] = _Pool(session, held, abandon)
        await anext(held)
        return session

    async def aclose(self, loop: asyncio.AbstractEventLoop) -> None:
        pool = self._pools.pop(loop, None)
        if pool is not None:
            pool.abandon.detach()
            await pool.held.aclose()


# Whether the connection of the request under way has served another before: then the server may
# have closed it meanwhile, and only using it shows that.
REUSED: ContextVar[bool] = ContextVar("reused", default=False)


_USED: weakref.WeakSet[object] = weakref.WeakSet()  # connections that have had a request


class _Connector(aiohttp.TCPConnector):
    """Says in `REUSED` whether a connection is new."""

    async def connect(
        self,
        req: aiohttp.ClientRequest,
        traces: list[Trace],
        timeout: aiohttp.ClientTimeout,  # noqa: ASYNC109 -- aiohttp's signature
    ) -> Connection:
        REUSED.set(False)
        connection = await super().connect(req, traces, timeout)
        REUSED.set(connection.protocol in _USED)
        _USED.add(connection.protocol)
        return connection


class _Finalizer(Protocol):
    """What is used of `weakref.finalize`."""

    def detach(self) -> object: ...


class _Pool(NamedTuple):
    session: aiohttp.ClientSession
    held: AsyncGenerator[None]
    abandon: _Finalizer


async def _hold(session: aiohttp.ClientSession) -> AsyncGenerator[None]:
    """Keep a session open until the loop shuts down: then it closes its generators.

    That spares every script an `aclose` at its end, and the warning about it.
    """
    try:
        yield
    finally:
        await session.close()


def _abandon(loop: asyncio.AbstractEventLoop, held: AsyncGenerator[None]) -> None:
    """Close the session of a transport nobody holds any more, on the loop it belongs to.

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
