"""HTTP/1.1 as the gateway serves it: an asyncio protocol for uvicorn's server.

uvicorn keeps the sockets, signals, workers, TLS and draining; between a read and the application
stands only httptools' parser, which refuses what could be read in two ways.

https://www.rfc-editor.org/rfc/rfc9112
"""

import asyncio
import logging
from collections import deque
from typing import Protocol

from httptools import HttpParserError, HttpParserUpgrade, HttpRequestParser

from .app import App
from .exchange import Headers
from .turn import Turn, bare

# Bytes of head, trailers and chunk extensions that may come without a byte of body between them:
# far above any real client's; more of it is an attack on memory.
MOST_HEAD = 256 * 1024
_LINGER = 2.0  # seconds that a client may go on sending what nobody will read
_CROWD = (
    16  # requests that may wait for an earlier one's reply; while held, nobody is seen to leave
)
_VERSIONS = frozenset({"1.0", "1.1"})
_NOBODY = HttpRequestParser(object())  # tells nobody what it parses

log = logging.getLogger("majordomo.gateway")


class Config(Protocol):
    """What is used of uvicorn's."""

    @property
    def loaded_app(self) -> object: ...
    @property
    def timeout_keep_alive(self) -> int: ...


class Server(Protocol):
    """What uvicorn's server wants to know while it runs and drains."""

    total_requests: int
    connections: "set[Connection]"
    tasks: "set[asyncio.Task[None]]"
    default_headers: list[tuple[bytes, bytes]]  # another list every second


class Connection(asyncio.Protocol):
    """Reads one request after the other and answers them in that order."""

    def __init__(
        self,
        config: Config,
        server_state: Server,
        app_state: object,
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        del app_state
        assert isinstance(config.loaded_app, App)  # noqa: S101 -- as `workers.serve` has it
        self._app = config.loaded_app
        self._server = server_state
        self._patience = float(config.timeout_keep_alive)
        self._loop = _loop or asyncio.get_running_loop()
        self._url = b""
        self._headers: dict[bytes, bytes] = {}
        # The parser calls it for every header: a function in C, with no frame of its own.
        self.on_header = self._headers.__setitem__
        self._parser = HttpRequestParser(self)
        self._again = b""  # a head, without its wish for another protocol
        self._quiet = 0  # bytes since the last head or the last byte of a body
        self._last: Turn | None = None  # whose body is being read
        self._turn: Turn | None = None  # who is being answered
        self._waiting: deque[Turn] = deque()
        self._idle: asyncio.Future[None] | None = None  # while there is nobody to answer
        self._lost = False  # nobody will be, any more
        self._deaf = False  # nothing that comes is read any more
        self._held = False  # nor taken from the socket, for now
        self._parting = b""  # to be said once everybody is answered
        self._closing = False
        self._said: list[tuple[bytes, bytes]] = []
        self._stamp = b""
        self._since = self._loop.time()  # when there was last something to do
        self._timer: asyncio.TimerHandle | None = None
        self.writable: asyncio.Event | None = None  # while the client does not read

    # What the loop and the server call.

    # uvloop's are no subclasses of asyncio's, so there is nothing to check at run time.
    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        self._transport = transport
        self._server.connections.add(self)
        self._work = self._loop.create_task(self._serve())
        self._timer = self._loop.call_later(self._patience, self._look)

    def data_received(self, data: bytes) -> None:
        if self._deaf:
            return
        if self._quiet > MOST_HEAD:
            self._refuse("The head of the request is too long.")
            return
        self._quiet += len(data)
        try:
            self._parse(data)
        except HttpParserError:
            if not self._deaf:  # else it only came behind the last request
                self._refuse("Invalid HTTP request received.")

    def connection_lost(self, exc: Exception | None) -> None:
        del exc
        self._server.connections.discard(self)
        self._deaf = self._closing = self._lost = True
        # Both hold us: without this only the collector would free the three of us.
        self._parser = _NOBODY
        self._last = None
        self._waiting.clear()
        if self._timer is not None:
            self._timer.cancel()
        if self._turn is not None:
            self._abandon(self._turn)
        elif self._idle is not None:
            self._wake(self._idle)
        if self.writable is not None:
            self.writable.set()

    def pause_writing(self) -> None:
        self.writable = asyncio.Event()

    def resume_writing(self) -> None:
        if self.writable is not None:
            self.writable.set()
            self.writable = None
        if self._turn is None:
            self._next()

    def shutdown(self) -> None:
        """Close when the reply under way is whole; at once where there is none."""
        if self._turn is None:
            self._transport.close()
        else:
            self._turn.keep = False

    # What the parser calls.

    def on_url(self, url: bytes) -> None:
        self._url += url

    def on_headers_complete(self) -> None:
        parser, url = self._parser, self._url
        headers = {name.lower(): value for name, value in self._headers.items()}
        self._url, self._quiet = b"", 0
        self._headers.clear()
        version = parser.get_http_version()
        method = parser.get_method()
        if method != b"POST" or version != "1.1" or b"transfer-encoding" in headers:
            _check(version, method, headers.get(b"transfer-encoding"))
        if parser.should_upgrade():
            self._last = None
            self._again = _without_upgrade(method, url, version, headers)
            return
        turn = Turn(self, method.decode(), url, headers, modern=version == "1.1")
        turn.keep = turn.modern and parser.should_keep_alive()
        self._last = turn
        if self._turn is None and not self._waiting and self.writable is None:
            self._begin(turn)
        else:
            self._waiting.append(turn)
            if len(self._waiting) >= _CROWD:
                self.hold()

    def on_body(self, body: bytes) -> None:
        self._quiet = 0
        if self._last is not None and not self._last.ended:
            self._last.feed(body)

    def on_message_complete(self) -> None:
        self._quiet = 0
        self._headers.clear()  # of trailers, which say nothing here
        if self._last is not None:
            self._last.close()
            self._deaf = not self._last.keep

    # What a turn calls.

    def write(self, data: bytes) -> None:
        self._transport.write(data)

    def hold(self) -> None:
        if not self._held and not self._transport.is_closing():
            self._held = True
            self._transport.pause_reading()

    def go_on(self) -> None:
        if self._held and len(self._waiting) < _CROWD and not self._transport.is_closing():
            self._held = False
            self._transport.resume_reading()

    def stamp(self) -> Headers:
        said = self._server.default_headers
        if said is not self._said:
            self._said = said
            self._stamp = b"".join([b"%b: %b\r\n" % pair for pair in said])
        return self._stamp

    def over(self, turn: Turn) -> None:
        self._server.total_requests += 1
        self._turn = None
        if turn.keep:
            self._next()
        else:
            self._part(heard=turn.whole)

    # How it goes on from there.

    def _parse(self, data: bytes | memoryview) -> None:
        while True:
            try:
                self._parser.feed_data(data)
            except HttpParserUpgrade as upgrade:
                # The parser takes the rest for another protocol. None is spoken here, so that the
                # request is read again as one that did not ask, with its body and what follows.
                data = memoryview(data)[upgrade.args[0] :]
                self._parser.feed_data(self._again)
            else:
                return

    def _begin(self, turn: Turn) -> None:
        self._turn = turn
        turn.work = self._work
        if self._idle is not None:
            self._wake(self._idle)

    def _wake(self, idle: "asyncio.Future[None]") -> None:
        self._idle = None
        if not idle.done():
            idle.set_result(None)

    async def _serve(self) -> None:
        """Answer one request after the other, in one task: making another takes microseconds."""
        while not self._lost:
            turn = self._turn
            if turn is None:
                self._idle = self._loop.create_future()
                await self._idle
                continue
            try:
                await self._app.answer(turn)
            except Exception:
                log.exception("request %s failed inside the gateway", turn.id)
            finally:
                if not turn.ended and not turn.gone:
                    self._break(turn)

    def _next(self) -> None:
        """Go on with whoever waits, unless the client has yet to read what was said."""
        self._since = self._loop.time()
        if self._closing or self.writable is not None:
            return
        if self._waiting:
            self._begin(self._waiting.popleft())
        elif self._parting:
            self.write(self._parting)
            self._part(heard=False)
        if self._held:
            self.go_on()

    def _part(self, *, heard: bool) -> None:
        """Say goodbye. A client that is still sending would lose the reply with a sudden end."""
        self._deaf = self._closing = True
        self._waiting.clear()
        if heard:
            self._transport.close()
            return
        self.go_on()
        self._since, self._patience = self._loop.time(), _LINGER
        if self._timer is not None:
            self._timer.cancel()
        self._timer = self._loop.call_later(_LINGER, self._look)

    def _refuse(self, words: str) -> None:
        """Answer what cannot be read, in its turn; whatever comes after it is not listened to."""
        self._deaf = True
        self._parting = bare(400, self.stamp(), words)
        last = self._last
        if last is not None and not last.whole:  # it is this one's body that cannot be read
            if last is not self._turn:
                self._waiting.remove(last)
            elif last.begun:
                self._transport.close()
            else:
                self._abandon(last)
        if self._turn is None:
            self._next()

    def _break(self, turn: Turn) -> None:
        """End a turn whose work has ended without a whole reply."""
        self._turn = None
        if turn.begun:
            self._transport.close()  # in the middle, so that the client notices
            return
        self.write(bare(500, self.stamp(), "Internal Server Error"))
        self._part(heard=turn.whole)

    def _abandon(self, turn: Turn) -> None:
        """Stop working for who is gone; the server waits for the work to notice."""
        self._turn = None
        self._lost = True
        turn.lose()
        self._server.tasks.add(self._work)
        self._work.add_done_callback(self._server.tasks.discard)

    def _look(self) -> None:
        """Close a connection that nothing has come of for too long.

        One timer that is moved only when it fires, instead of one for each request.
        """
        idle = self._loop.time() - self._since if self._turn is None else 0.0
        if idle >= self._patience:
            if self._transport.is_closing():
                self._transport.abort()  # it does not even read our last words
                return
            self._transport.close()
            self._since, idle = self._since + idle, 0.0
        self._timer = self._loop.call_later(self._patience - idle, self._look)


def _check(version: str, method: bytes, coding: bytes | None) -> None:
    """Refuse what the parser lets through and others may read differently."""
    if version not in _VERSIONS or method == b"CONNECT":
        raise ValueError(version, method)
    if coding is not None and (version == "1.0" or coding.lower() != b"chunked"):
        raise ValueError(coding)


def _without_upgrade(method: bytes, url: bytes, version: str, headers: dict[bytes, bytes]) -> bytes:
    """Write a head again without its wish for another protocol, which a server may ignore."""
    kept = {name: value for name, value in headers.items() if name != b"upgrade"}
    options = [option.strip().lower() for option in kept.pop(b"connection", b"").split(b",")]
    kept[b"connection"] = b"close" if b"close" in options else b"keep-alive"
    lines = b"".join([b"%b: %b\r\n" % pair for pair in kept.items()])
    return b"%b %b HTTP/%b\r\n%b\r\n" % (method, url, version.encode(), lines)
