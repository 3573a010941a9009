"""HTTP/1.1 without a framework: an asyncio protocol and httptools' parser, pooled per event loop.

It costs a quarter of what aiohttp does per call and loads in a tenth of the time; what it does
not know is proxies (`either.py` leaves those to aiohttp). Importing this module needs httptools.
"""

import asyncio
import ssl
from collections.abc import Mapping

from majordomo.catalog.provider import Timeouts
from majordomo.contract import Failure, Timeout

from .http import HttpCall, HttpReply
from .lean_address import Address, length_of, lines_of, read_address
from .lean_body import Body
from .lean_line import Line
from .lean_pool import Lines
from .patience import Silence, Watch
from .pool import Pools

_LINGER = 0.1  # seconds the end of a body may be behind its last event, to keep a connection
_MOST_ADDRESSES = 1024


class LeanTransport:
    """One pool of connections per event loop that uses it, closed when the loop shuts down."""

    def __init__(self, *, tls: ssl.SSLContext | None = None) -> None:
        self._tls = tls
        self._addresses: dict[str, Address] = {}
        self._heads: dict[tuple[object, ...], bytes] = {}
        self._pools = Pools(Lines)

    async def send(self, call: HttpCall) -> HttpReply:
        loop = asyncio.get_running_loop()
        lines = self._pools.get(loop) or await self._pools.open(loop)
        address = self._addresses.get(call.url) or self._address(call.url)
        request = self._head(call, address) + call.body
        started = loop.time()
        while True:
            line = lines.idle(address.origin, started)
            if line is None:
                tls = self._context() if address.origin.secure else None
                line = await lines.connect(address.origin, call.timeouts, tls)
            reply = LeanReply(line, loop, call.timeouts, started)
            line.ask(request, reply.body)
            if await reply.answered():
                return reply
            # An old connection that turns out to be closed: nobody has read this, so send it again.

    async def aclose(self) -> None:
        await self._pools.aclose(asyncio.get_running_loop())

    def _address(self, url: str) -> Address:
        address = read_address(url)
        if len(self._addresses) >= _MOST_ADDRESSES:
            self._addresses.clear()
        self._addresses[url] = address
        return address

    def _head(self, call: HttpCall, address: Address) -> bytes:
        """Write a head once for all calls that differ in their body only: most of a target's."""
        key = (call.method, call.url, *call.headers.items())
        lines = self._heads.get(key)
        if lines is None:
            lines = lines_of(call, address)
            if len(self._heads) >= _MOST_ADDRESSES:
                self._heads.clear()
            self._heads[key] = lines
        return lines + length_of(call)

    def _context(self) -> ssl.SSLContext:
        if self._tls is None:  # loading the system's certificates takes 20 ms
            self._tls = ssl.create_default_context()
        return self._tls


class LeanReply:
    __slots__ = ("_line", "_silence", "body", "headers", "status")

    def __init__(
        self,
        line: Line,
        loop: asyncio.AbstractEventLoop,
        timeouts: Timeouts,
        started: float,
    ) -> None:
        self.body = Body(loop)
        self.status = 0
        self.headers: Mapping[str, str] = {}
        self._line = line
        if line.watch is None:
            line.watch = Watch(loop)
        self._silence = Silence(loop, timeouts, started, self._give_up, line.watch)

    async def answered(self) -> bool:
        """Wait for the head; False if an old connection was closed before a byte came back."""
        body = self.body
        try:
            self._silence.listen()
            while not (body.begun or body.over):
                await body.more()
            self._silence.heed()
        except BaseException:
            self.close()  # cancelled: nobody wants the answer
            raise
        if body.failure is not None:
            self.close()
            stale = self._line.uses > 1 and not self._line.heard
            if stale and not isinstance(body.failure, Timeout):
                return False
            raise body.failure
        self.status = body.status
        self.headers = body.headers
        return True

    async def read(self) -> bytes:
        body = self.body
        try:
            # What is there already needs no waiting, and so no timer.
            while not (data := body.take()) and not body.over:
                self._silence.listen()
                await body.more()
                self._silence.heed()
        except BaseException:
            self.close()
            raise
        if data:
            self._silence.hear(data)
            self._line.read_on()
            return data
        self._silence.rest()
        if body.failure is not None:
            self.close()
            raise body.failure
        return b""

    @property
    def spent(self) -> bool:
        """Whether all of the reply was seen and read."""
        return self.body.spent

    async def finish(self) -> None:
        if not self.body.over:
            try:
                async with asyncio.timeout(_LINGER):
                    while not self.body.over:
                        self.body.take()
                        self._line.read_on()
                        await self.body.more()
            except (TimeoutError, Failure):
                pass  # what comes after the end is of no interest
        self.close()

    def close(self) -> None:
        self._silence.rest()
        self.body.end()
        self._line.leave(self.body)

    def _give_up(self, failure: Timeout) -> None:
        self.body.fail(failure)
        self._line.leave(self.body)
