"""aiohttp's connections, and whether one has served before."""

import weakref
from contextvars import ContextVar

import aiohttp
from aiohttp.connector import Connection
from aiohttp.tracing import Trace


def open_session() -> aiohttp.ClientSession:
    return aiohttp.ClientSession(
        connector=_Connector(limit=0),  # how much at once is the caller's to bound
        cookie_jar=aiohttp.DummyCookieJar(),
    )


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
