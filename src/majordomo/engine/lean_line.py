"""One HTTP/1.1 connection of ours: a request at a time, its reply parsed by httptools.

https://www.rfc-editor.org/rfc/rfc9112
"""

import asyncio
from collections.abc import Callable

from httptools import HttpParserError, HttpParserUpgrade, HttpResponseParser

from majordomo.contract import Disconnected, Failure, ProtocolBroken

from .lean_body import Body
from .patience import Watch

# Bytes of head, trailers and chunk extensions that may come without a byte of body between them.
MOST_HEAD = 64 * 1024
_PAUSE, _RESUME = 256 * 1024, 64 * 1024  # bytes of body nobody has read yet


class Line(asyncio.Protocol):
    """Reads one reply after the other; `free` is told when it may be used for the next."""

    __slots__ = (
        "_arrived",
        "_body",
        "_framed",
        "_free",
        "_headers",
        "_parser",
        "_paused",
        "_quiet",
        "_transport",
        "closed",
        "heard",
        "idle_since",
        "on_body",
        "uses",
        "watch",
    )

    def __init__(self, free: Callable[["Line", bool], None]) -> None:
        self.closed = False
        self.uses = 0
        self.heard = False  # a byte of the reply under way
        self.idle_since = 0.0
        self.watch: Watch | None = None  # over its replies, one after the other
        self._free = free
        # The parser calls this for every piece of a body, a hundred times in a burst of chunks:
        # a list's own `append` is a third of the price of a method.
        self._arrived: list[bytes] = []
        self.on_body = self._arrived.append
        self._parser = HttpResponseParser(self)
        self._transport: asyncio.Transport | None = None
        self._body: Body | None = None  # of the reply under way
        self._headers: dict[str, str] = {}
        self._framed = False  # the head says where the body ends
        self._quiet = 0
        self._paused = False

    def ask(self, request: bytes, body: Body) -> None:
        """Send a request; what comes back is told to `body`."""
        assert self._transport is not None  # noqa: S101 -- it is asked once it is connected
        self.uses += 1
        self.heard = False
        self._body = body
        self._quiet = 0
        self._transport.write(request)

    def abort(self) -> None:
        """Close the connection now: nothing more is sent or read."""
        self._body = None
        if self._transport is not None:
            self._transport.abort()
        self._end()

    def leave(self, body: Body) -> None:
        """Close the connection if it is still busy with this reply; else it is another's."""
        if self._body is body:
            self.abort()

    def read_on(self) -> None:
        """Take up reading once little enough is waiting to be read."""
        if self._paused and self._body is not None and self._body.size <= _RESUME:
            self._paused = False
            if self._transport is not None:
                self._transport.resume_reading()

    # What the event loop calls.

    # uvloop's are no subclasses of asyncio's, so there is nothing to check at run time.
    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        if self._body is None:
            self.abort()  # it talks without being asked: what follows would be taken for a reply
            return
        self.heard = True
        try:
            self._parser.feed_data(data)
        except (HttpParserError, HttpParserUpgrade) as error:
            self._hand_over()
            self._broken(_said(error))
            return
        self._count(len(data))

    def eof_received(self) -> None:
        self._hung_up(None)
        self._end()

    def connection_lost(self, exc: Exception | None) -> None:
        self._hung_up(exc)
        self._end()

    # What the parser calls.

    def on_message_begin(self) -> None:
        if self._body is None:
            self.abort()  # bytes behind the end of a reply
        self._headers = {}

    def on_header(self, name: bytes, value: bytes) -> None:
        if self._body is not None and not self._body.begun:  # not a trailer
            self._headers.setdefault(name.decode("latin-1").lower(), value.decode("latin-1"))

    def on_headers_complete(self) -> None:
        status, body = self._parser.get_status_code(), self._body
        if body is None or status < 200:  # "100 Continue" and "103 Early Hints" announce it only
            return
        headers = self._headers
        self._framed = (
            "content-length" in headers
            or "chunked" in headers.get("transfer-encoding", "").lower()
            or status in (204, 304)
        )
        body.begin(status, headers)

    def on_message_complete(self) -> None:
        body = self._body
        if body is None or not body.begun:
            return
        self._hand_over()
        self._body = None
        body.end()
        if self._paused and self._transport is not None:
            self._paused = False
            self._transport.resume_reading()
        self._free(self, self._reusable())

    def _hand_over(self) -> bool:
        """Give the body what has arrived of it, if anything."""
        arrived, body = self._arrived, self._body
        if not arrived:
            return False
        if body is not None:
            body.add(arrived)
        arrived.clear()
        return True

    def _count(self, size: int) -> None:
        """Look at how much one read brought: too much head, or more body than anybody reads."""
        body = self._body
        self._quiet = 0 if self._hand_over() else self._quiet + size
        if body is None:
            return
        if body.begun:
            body.wake()
        if self._quiet > MOST_HEAD:
            self._broken(f"its head is longer than {MOST_HEAD} bytes")
        elif body.size > _PAUSE and not self._paused and self._transport is not None:
            self._paused = True
            self._transport.pause_reading()

    def _reusable(self) -> bool:
        transport = self._transport
        return (
            self._parser.should_keep_alive()
            and transport is not None
            and not transport.is_closing()
            and not transport.get_write_buffer_size()  # it answered before it had read all
        )

    def _broken(self, why: str) -> None:
        self._fail(ProtocolBroken(f"this is not HTTP: {why}"))
        self.abort()

    def _hung_up(self, error: Exception | None) -> None:
        body = self._body
        if body is None:
            return
        if body.begun and not self._framed and error is None:
            self._body = None
            body.end()  # without a length the end of the connection is the end of the body
            self._free(self, False)  # noqa: FBT003 -- the pool's signature
            return
        words = "the reply was cut off" if body.begun else "the server hung up"
        self._fail(Disconnected(f"{words}: {error}" if error is not None else words))

    def _fail(self, failure: Failure) -> None:
        body, self._body = self._body, None
        if body is not None:
            body.fail(failure)

    def _end(self) -> None:
        if not self.closed:
            self.closed = True
            if self.watch is not None:
                self.watch.end()
            self._free(self, False)  # noqa: FBT003 -- the pool's signature


def _said(error: Exception) -> str:
    return " ".join(str(error).split()) or type(error).__name__
