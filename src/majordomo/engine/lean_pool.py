"""The lean client's connections of one event loop: made, kept while they are fresh, closed."""

import asyncio
import socket
import ssl
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from typing import TypeAlias

from majordomo.catalog.provider import Timeouts
from majordomo.contract import Disconnected, Failure, Timeout

from .lean_address import Origin
from .lean_line import Line
from .patience import least, out_of_patience

_FRESH = 15.0  # seconds a connection may wait for its next request
_STAGGER = 0.25  # seconds until the next address of a host is tried beside a silent one
_SocketAddress: TypeAlias = tuple[str, int] | tuple[str, int, int, int] | tuple[int, bytes]
_Found: TypeAlias = tuple[  # as `getaddrinfo` gives it
    socket.AddressFamily, socket.SocketKind, int, str, _SocketAddress
]


class Lines:
    def __init__(self) -> None:
        self.closed = False
        self._idle: dict[Origin, list[Line]] = {}
        self._all: set[Line] = set()
        self._sweeping: asyncio.TimerHandle | None = None

    def idle(self, origin: Origin, now: float) -> Line | None:
        """Give the one used last: it is the least likely to be closed already."""
        waiting = self._idle.get(origin)
        while waiting:
            line = waiting.pop()
            if not waiting:
                del self._idle[origin]
            if now - line.idle_since < _FRESH and not line.closed:
                return line
            line.abort()
        return None

    async def connect(self, origin: Origin, timeouts: Timeouts, tls: ssl.SSLContext | None) -> Line:
        loop = asyncio.get_running_loop()
        made = partial(Line, partial(self._free, loop, origin))
        patience = least(timeouts.connect, timeouts.first_byte, timeouts.total)
        try:
            async with asyncio.timeout(patience):
                sock = await _reach(loop, origin)
                name = origin.host if tls is not None else None
                try:
                    _, line = await loop.create_connection(
                        made, sock=sock, ssl=tls, server_hostname=name
                    )
                except BaseException:
                    sock.close()
                    raise
        except TimeoutError as error:
            if patience == timeouts.connect:
                raise Timeout(f"no connection within {timeouts.connect} s") from error
            raise out_of_patience(timeouts, heard=False) from error
        except (OSError, ValueError) as error:
            raise _meaning(error) from error
        self._all.add(line)
        return line

    async def close(self) -> None:
        self.closed = True
        if self._sweeping is not None:
            self._sweeping.cancel()
        self._idle.clear()
        for line in list(self._all):
            line.abort()
        for _ in range(2):  # the loop closes aborted sockets in its next round, TLS one later
            await asyncio.sleep(0)

    def _free(
        self,
        loop: asyncio.AbstractEventLoop,
        origin: Origin,
        line: Line,
        reusable: bool,  # noqa: FBT001 -- the line's one word
    ) -> None:
        if line.closed:
            self._forget(origin, line)
        elif reusable and not self.closed:
            line.idle_since = loop.time()
            self._idle.setdefault(origin, []).append(line)
            if self._sweeping is None:
                self._sweeping = loop.call_later(_FRESH, self._sweep, loop)
        else:
            line.abort()

    def _forget(self, origin: Origin, line: Line) -> None:
        self._all.discard(line)
        waiting = self._idle.get(origin)
        if waiting is not None:
            with suppress(ValueError):
                waiting.remove(line)
            if not waiting:
                del self._idle[origin]

    def _sweep(self, loop: asyncio.AbstractEventLoop) -> None:
        """Close what has waited too long; servers would, and reusing it then is a gamble."""
        now = loop.time()
        old = [
            line
            for waiting in self._idle.values()
            for line in waiting
            if now - line.idle_since >= _FRESH
        ]
        for line in old:
            line.abort()
        again = self._idle and not self.closed
        self._sweeping = loop.call_later(_FRESH, self._sweep, loop) if again else None


async def _reach(loop: asyncio.AbstractEventLoop, origin: Origin) -> socket.socket:
    found = await loop.getaddrinfo(origin.host, origin.port, type=socket.SOCK_STREAM)
    if len(found) == 1:
        return await _try(loop, found[0])
    return await _race(loop, _interleaved(found))


async def _try(loop: asyncio.AbstractEventLoop, found: _Found) -> socket.socket:
    family, kind, protocol, _, address = found
    sock = socket.socket(family, kind, protocol)
    try:
        sock.setblocking(False)  # noqa: FBT003 -- the standard library's signature
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        await loop.sock_connect(sock, address)
    except BaseException:
        sock.close()
        raise
    return sock


async def _race(loop: asyncio.AbstractEventLoop, addresses: list[_Found]) -> socket.socket:
    """Happy Eyeballs (RFC 8305): a silent address gets company, the first connection is taken."""
    left = addresses[::-1]
    trying: set[asyncio.Task[socket.socket]] = set()
    errors: list[OSError] = []
    try:
        while left or trying:
            if left:
                trying.add(loop.create_task(_try(loop, left.pop())))
            done, trying = await asyncio.wait(
                trying,
                timeout=_STAGGER if left else None,
                return_when=asyncio.FIRST_COMPLETED,
            )
            for task in done:
                error = task.exception()
                if error is None:
                    return task.result()
                if not isinstance(error, OSError):
                    raise error
                errors.append(error)
        raise errors[0]
    finally:
        for task in trying:
            task.cancel()
            task.add_done_callback(_drop)


def _drop(task: asyncio.Task[socket.socket]) -> None:
    """Close a connection that came in second."""
    if not task.cancelled() and task.exception() is None:
        task.result().close()


def _interleaved(found: Sequence[_Found]) -> list[_Found]:
    """Alternate between the families, so that one that leads nowhere costs one try."""
    first = [each for each in found if each[0] == found[0][0]]
    others = [each for each in found if each[0] != found[0][0]]
    mixed: list[_Found] = []
    while first or others:
        mixed += first[:1] + others[:1]
        first, others = first[1:], others[1:]
    return mixed


def _meaning(error: Exception) -> Failure:
    """Say in the contract's terms why there is no connection."""
    said = " ".join(str(error).split()) or type(error).__name__
    for kinds, words in _MEANINGS:
        if isinstance(error, kinds):
            return Disconnected(f"{words}: {said}")
    return Disconnected(f"cannot connect: {said}")


_MEANINGS: tuple[tuple[type[Exception], str], ...] = (
    (ssl.SSLCertVerificationError, "the server's certificate is not trusted"),
    (ssl.SSLError, "TLS failed"),
    (socket.gaierror, "the host has no address"),
    (UnicodeError, "the host has no address"),
)
