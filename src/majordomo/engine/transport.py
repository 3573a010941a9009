"""HTTP through aiohttp: pooled per event loop, and no exception of its own gets out.

Importing this module loads aiohttp, so `http.default_transport` does it when it must.
"""

import asyncio
import io
import ssl
from collections.abc import Awaitable, Mapping
from contextlib import suppress
from functools import lru_cache
from typing import NamedTuple

import aiohttp
from yarl import URL

from majordomo.catalog.provider import Timeouts
from majordomo.contract import Timeout

from .http import HttpCall, HttpReply
from .network_failure import NETWORK_ERRORS, network_failure
from .patience import Deadline, Silence, Watch, least
from .pool import Pools
from .proxy import proxy_for
from .session import REUSED, open_session

_LINGER = 0.1  # seconds the end of a body may be behind its last event, to keep a connection
_LARGE = 2**20  # aiohttp wants larger bodies as a file
_MOST_WAYS = 1024


class AiohttpTransport:
    """One pool of connections per event loop that uses it.

    Proxies come from the environment (`HTTPS_PROXY`, `NO_PROXY`, …). A pool closes itself when
    its loop shuts down; `aclose` closes the pool of the loop it is called on at once.
    """

    def __init__(
        self, *, tls: ssl.SSLContext | None = None, proxies: Mapping[str, str] | None = None
    ) -> None:
        self._tls = tls
        self._proxies = proxies
        self._ways: dict[str, _Way] = {}
        self._pools = Pools(open_session)

    async def send(self, call: HttpCall) -> HttpReply:
        loop = asyncio.get_running_loop()
        session = self._pools.get(loop) or await self._pools.open(loop)
        started = loop.time()
        timeouts = call.timeouts
        try:
            with Deadline(loop, least(timeouts.first_byte, timeouts.total)):
                response = await self._answer(session, call)
        except NETWORK_ERRORS as error:
            raise network_failure(error, timeouts) from error
        return _Reply(response, loop, started, timeouts)

    async def aclose(self) -> None:
        await self._pools.aclose(asyncio.get_running_loop())

    async def _answer(
        self, session: aiohttp.ClientSession, call: HttpCall
    ) -> aiohttp.ClientResponse:
        """Send it again where an old connection turns out to be closed: nobody has read it.

        Servers close idle connections at any moment, llama.cpp after every stream. A new
        connection that breaks is a failure; aiohttp asks again by itself, but never a POST.
        """
        while True:
            try:
                return await self._request(session, call)
            except (aiohttp.ClientOSError, aiohttp.ServerDisconnectedError):
                if not REUSED.get():
                    raise

    def _request(
        self, session: aiohttp.ClientSession, call: HttpCall
    ) -> Awaitable[aiohttp.ClientResponse]:
        way = self._ways.get(call.url) or self._way(call.url)
        return session.request(
            call.method,
            way.url,
            data=io.BytesIO(call.body) if len(call.body) > _LARGE else call.body or None,
            headers=call.headers,
            allow_redirects=False,  # a key must not follow a redirect to wherever it points
            timeout=_connecting(call.timeouts.connect),
            proxy=way.proxy,
            ssl=way.tls or True,
        )

    def _way(self, address: str) -> "_Way":
        """Work out how to get there, once per address: it takes longer than a small reply."""
        url = URL(address, encoded=True)
        secure = url.scheme == "https"
        if secure and self._tls is None:  # loading the system's certificates takes 20 ms
            self._tls = ssl.create_default_context()
        proxy = proxy_for(url.scheme, url.host or "", self._proxies)
        way = _Way(url, proxy, self._tls if secure else None)
        if len(self._ways) >= _MOST_WAYS:
            self._ways.clear()
        self._ways[address] = way
        return way


class _Way(NamedTuple):
    url: URL
    proxy: str | None
    tls: ssl.SSLContext | None


class _Reply:
    __slots__ = (
        "_content",
        "_failure",
        "_response",
        "_silence",
        "_timeouts",
        "_watch",
        "headers",
        "status",
    )

    def __init__(
        self,
        response: aiohttp.ClientResponse,
        loop: asyncio.AbstractEventLoop,
        started: float,
        timeouts: Timeouts,
    ) -> None:
        self.status = response.status
        self.headers: Mapping[str, str] = response.headers
        self._response = response
        self._content = response.content
        self._timeouts = timeouts
        self._watch = Watch(loop)
        self._silence = Silence(loop, timeouts, started, self._give_up, self._watch)
        self._failure: Timeout | None = None

    async def read(self) -> bytes:
        try:
            # What is there already needs no waiting, and so no timer: half of all reads.
            chunk = self._content.read_nowait()
            if not chunk and not self._content.at_eof():
                chunk = await self._wait()
        except NETWORK_ERRORS as error:
            self.close()
            raise self._failure or network_failure(error, self._timeouts) from error
        except BaseException:
            self.close()  # cancelled: nobody will read the rest
            raise
        if chunk:
            self._silence.hear(chunk)
        else:
            self._silence.rest()
            self._watch.end()
        return chunk

    async def _wait(self) -> bytes:
        self._silence.listen()
        chunk = await self._content.readany()
        self._silence.heed()
        return chunk

    async def finish(self) -> None:
        if self._response.connection is not None:
            with suppress(*NETWORK_ERRORS):  # what comes after the end is of no interest
                async with asyncio.timeout(_LINGER):
                    while await self._content.readany():
                        pass
        self.close()

    def close(self) -> None:
        self._silence.rest()
        self._watch.end()
        connection = self._response.connection
        if connection is not None and connection.transport is not None:
            connection.transport.abort()  # `close` would first send what is left to send
        self._response.close()

    def _give_up(self, failure: Timeout) -> None:
        self._failure = failure
        self.close()


@lru_cache
def _connecting(seconds: float | None) -> aiohttp.ClientTimeout:
    """Leave the other timeouts to us: aiohttp's cost a timer per packet and look all the same."""
    return aiohttp.ClientTimeout(total=None, connect=seconds)
