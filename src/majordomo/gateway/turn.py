"""One request and its reply on a connection of our own: no messages in between, few writes.

https://www.rfc-editor.org/rfc/rfc9112
"""

import asyncio
from functools import lru_cache
from http import HTTPStatus
from typing import Protocol
from urllib.parse import unquote

from httptools import parse_url

from majordomo.contract import InvalidRequest
from majordomo.engine.patience import Deadline

from .exchange import Exchange, Headers, too_large

# Bytes of a body that may wait for somebody to ask for it: as many as one read brings, so that
# reading need not be stopped and begun again before anybody could ask.
_UNREAD = 256 * 1024
_SHORT = 256  # bytes of a URL that may be remembered; a query is not, for some have keys in it
_BODILESS = frozenset({204, 304})  # statuses whose replies end with their head
_PHRASES = {status.value: status.phrase for status in HTTPStatus}
_STATUS = {
    status: f"HTTP/1.1 {status} {_PHRASES.get(status, '')}\r\n".encode()
    for status in range(100, 1000)
}


class Line(Protocol):
    """What a turn needs of its connection."""

    writable: asyncio.Event | None  # to be waited for, while the client does not read

    def write(self, data: bytes) -> None: ...

    def hold(self) -> None:
        """Take no more from the client for now."""
        ...

    def go_on(self) -> None:
        """Take more from the client."""
        ...

    def stamp(self) -> Headers:
        """Give what every reply of this server says: the date."""
        ...

    def over(self, turn: "Turn") -> None:
        """Do what comes after a reply that is whole."""
        ...


class Turn(Exchange):
    # As in Exchange: what most requests leave as it is costs them nothing.
    whole: bool = False  # all of the body is here
    _size: int = 0
    _head: bytes = b""  # what goes out with the next piece
    _chunked: bool = False
    _silent: bool = False  # the reply has no body, whatever its head says
    _waiter: "asyncio.Future[None] | None" = None  # of who wants the body
    _limit: int = 0

    def __init__(
        self, line: Line, method: str, url: bytes, headers: dict[bytes, bytes], *, modern: bool
    ) -> None:
        self.method = method
        if b"?" in url or len(url) > _SHORT:
            self.path, self.query = _taken_apart(url)
        else:
            self.path, self.query = _path(url), ""
        self.keep = False  # the connection, for another request
        self.modern = modern  # HTTP/1.1: knows chunks and 100
        self._line = line
        self._headers = headers
        self._pieces: list[bytes] = []

    def header(self, name: bytes) -> str:
        value = self._headers.get(name)
        return value.decode("latin-1") if value is not None else ""

    async def body(self, limit: int, seconds: float) -> bytes:
        declared = self._headers.get(b"content-length")
        if declared is not None and int(declared) > limit:
            raise too_large(limit)
        if not self.whole and self._size <= limit:
            await self._rest(limit, seconds)
        if self._size > limit:
            raise too_large(limit)
        body = b"".join(self._pieces)
        self._pieces = []
        return body

    def feed(self, data: bytes) -> None:
        """Take a piece of the body."""
        self._pieces.append(data)
        self._size += len(data)
        if self._waiter is None:
            if self._size > _UNREAD:
                self._line.hold()
        elif self._size > self._limit:
            self._wake()

    def close(self) -> None:
        """Know that the body is whole."""
        self.whole = True
        if self._waiter is not None:
            self._wake()

    def lose(self) -> None:
        """Know that the client has left: stop the work, and with it the upstream."""
        self.gone = True
        self.work.cancel()

    async def begin(
        self, status: int, content_type: str, headers: Headers, length: int | None = None
    ) -> None:
        self._head = self._headed(status, content_type, headers, length)

    async def say(self, status: int, content_type: str, headers: Headers, body: bytes) -> None:
        head = self._headed(status, content_type, headers, len(body))
        self.ended = True
        if not self.gone:
            self._line.write(head if self._silent else head + body)
            self._line.over(self)

    async def write(self, data: bytes, *, ending: bool = False) -> None:
        line = self._line
        if line.writable is not None:
            await line.writable.wait()
        if self.gone or self._silent or not data:
            return
        if self._chunked:
            data = b"%b%x\r\n%b\r\n" % (self._head, len(data), data)
        else:
            data = self._head + data
        self._head = b""
        if ending:  # saves the end a write of its own, which is a system call
            self._head = data
            self.work.get_loop().call_soon(self._let_go)
        else:
            line.write(data)

    async def end(self, data: bytes = b"") -> None:
        """Say the last piece; nobody waits for the client to have read it."""
        self.ended = True
        if self.gone:
            return
        if self._silent:
            data = self._head
        elif not self._chunked:
            data = self._head + data
        elif data:
            data = b"%b%x\r\n%b\r\n0\r\n\r\n" % (self._head, len(data), data)
        else:
            data = self._head + b"0\r\n\r\n"
        self._head = b""
        self._line.write(data)
        self._line.over(self)

    def _let_go(self) -> None:
        """Say what was held back for an end that did not come at once."""
        if self._head and not self.gone:
            self._line.write(self._head)
            self._head = b""

    def _headed(
        self, status: int, content_type: str, headers: Headers, length: int | None
    ) -> bytes:
        """Write the head of the reply; decide how its end will be known."""
        self.begun = True
        self.status = status
        if not self.whole:
            self.keep = False  # the rest of the body would be taken for the next request
        framing = b""
        if self.method == "HEAD" or status in _BODILESS:
            self._silent = True
        elif length is None:
            self._chunked = self.modern
            self.keep = self.keep and self.modern  # else only its end says where the reply ends
            framing = b"transfer-encoding: chunked\r\n" if self.modern else b""
        if length is not None:
            framing = b"content-length: %d\r\n" % length
        if not self.keep:
            framing += b"connection: close\r\n"
        ours = self.id.encode()
        return b"%b%bcontent-type: %b\r\nx-request-id: %b\r\nrequest-id: %b\r\n%b%b%b\r\n" % (
            _STATUS[status],
            self._line.stamp(),
            content_type.encode(),
            ours,
            ours,
            self.always,
            headers,
            framing,
        )

    async def _rest(self, limit: int, seconds: float) -> None:
        """Wait until the body is whole, or too long."""
        if self.modern and not self._size and self.header(b"expect").lower() == "100-continue":
            self._line.write(b"HTTP/1.1 100 Continue\r\n\r\n")
        loop = asyncio.get_running_loop()
        self._limit = limit
        self._waiter = loop.create_future()
        self._line.go_on()
        try:
            with Deadline(loop, seconds):
                await self._waiter
        except TimeoutError:
            raise InvalidRequest("the body did not arrive in time", status=408) from None

    def _wake(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)


def bare(status: int, stamp: Headers, words: str) -> bytes:
    """Write a whole reply of no dialect, after which the connection ends."""
    return b"%b%bcontent-type: text/plain; charset=utf-8\r\n%b\r\n\r\n%b" % (
        _STATUS[status],
        stamp,
        b"content-length: %d\r\nconnection: close" % len(words),
        words.encode(),
    )


@lru_cache(maxsize=256)
def _path(url: bytes) -> str:
    return _taken_apart(url)[0]


def _taken_apart(url: bytes) -> tuple[str, str]:
    """Give the path and the query of a URL of any form."""
    parts = parse_url(url)
    path = (parts.path or b"/").decode("ascii")
    return unquote(path), (parts.query or b"").decode("latin-1")
