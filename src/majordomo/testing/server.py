"""A small real HTTP server that speaks any of the five dialects from a script.

    async with DialectServer("anthropic", ["Hello!", RateLimited("slow down")]) as server:
        client = AsyncAnthropic(base_url=server.url, api_key="any")   # openai: server.url + "/v1"

    with DialectServer.in_thread("ollama", lambda ask: ask.request.messages[-1].text) as server:
        ollama.Client(host=server.url)                                # from synchronous tests

The script is a list of turns, used up in order, or a callable from the decoded `Ask` to a
turn. A turn is a string, a `Response`, a `Failure` (in the dialect's shape and status), or a
list of events, faults and raw bytes, sent one write each: `[TextDelta(text="He"), Cut()]`. A
`Failure` after the first event is said in band. A list without a `Finish` ends the HTTP body
properly but not the dialect's stream. What was asked is in `server.requests`; `server.open`
and `server.disconnects` count connections held and clients that left before their reply ended.
"""

import asyncio
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from ssl import SSLContext
from typing import Self

from msgspec import Struct

from majordomo.contract import DialectName, Failure, InvalidRequest, Malformed, Request
from majordomo.dialects.dialect import Ask, Dialect, Stamp
from majordomo.dialects.json import object_at, read
from majordomo.dialects.lookup import dialect as dialect_named

from .http1 import HttpRequest, ReplyWriter, read_request
from .paths import door
from .performance import Performance
from .turn import Script, Status, Turn, items


class Seen(Struct, frozen=True, kw_only=True):
    """One request the server got: the bytes, and the `Ask` they mean or why they mean none."""

    method: str
    path: str
    headers: dict[str, str]  # names in lower case
    body: bytes
    ask: Ask | None = None
    problem: Malformed | Failure | None = None


class DialectServer:
    """See the module's first lines for how to use it."""

    def __init__(
        self,
        dialect: DialectName | Dialect,
        script: Script,
        *,
        tls: SSLContext | None = None,
        gzip: bool = False,
        chunk_size: int | None = None,
    ) -> None:
        self.requests: list[Seen] = []
        self.open = 0
        self.disconnects = 0
        self.url = ""
        self._dialect = dialect_named(dialect) if isinstance(dialect, str) else dialect
        self._script = script
        self._turns = 0
        self._tls = tls
        self._gzip = gzip
        self._chunk_size = chunk_size
        self._problem: Exception | None = None
        self._connections: set[asyncio.Task[None]] = set()
        self._change = asyncio.Condition()

    @classmethod
    @contextmanager
    def in_thread(
        cls,
        dialect: DialectName | Dialect,
        script: Script,
        *,
        tls: SSLContext | None = None,
        gzip: bool = False,
        chunk_size: int | None = None,
    ) -> Generator[Self]:
        """Run it in a thread of its own, for tests that block."""
        server = cls(dialect, script, tls=tls, gzip=gzip, chunk_size=chunk_size)
        loop = asyncio.new_event_loop()
        thread = threading.Thread(target=loop.run_forever, name="dialect-server")
        thread.start()
        try:
            asyncio.run_coroutine_threadsafe(server.start(), loop).result()
            yield server
        finally:
            asyncio.run_coroutine_threadsafe(server.stop(), loop).result()
            loop.call_soon_threadsafe(loop.stop)
            thread.join()
            loop.close()
        server.raise_problem()

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.stop()
        self.raise_problem()

    async def start(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._listener = await asyncio.start_server(
            self._connected, "127.0.0.1", 0, ssl=self._tls, limit=2**26
        )
        port = self._listener.sockets[0].getsockname()[1]
        self.url = f"{'https' if self._tls else 'http'}://127.0.0.1:{port}"

    async def stop(self) -> None:
        self._listener.close()
        for connection in self._connections:
            connection.cancel()
        await asyncio.gather(*self._connections, return_exceptions=True)
        await self._listener.wait_closed()

    def raise_problem(self) -> None:
        """Say what went wrong inside the script itself: an assertion in it must fail the test."""
        if self._problem is not None:
            raise self._problem

    async def asked(self, count: int = 1) -> None:
        """Wait until this many requests have come."""
        await self._reached(lambda: len(self.requests) >= count)

    async def disconnected(self, count: int = 1) -> None:
        """Wait until this many clients have left before their reply ended."""
        await self._reached(lambda: self.disconnects >= count)

    async def idle(self) -> None:
        """Wait until no connection is open."""
        await self._reached(lambda: self.open == 0)

    def wait_until(self, reached: Callable[[], bool]) -> None:
        """Block until a condition on this server holds: for tests without an event loop."""
        asyncio.run_coroutine_threadsafe(self._reached(reached), self._loop).result(timeout=10)

    async def _reached(self, reached: Callable[[], bool]) -> None:
        async with self._change:
            await self._change.wait_for(reached)

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None  # noqa: S101 -- for the type checker: coroutines run in tasks
        self._connections.add(task)
        self.open += 1
        connection = _Connection(reader, writer)
        try:
            while (request := await connection.read()) is not None:
                if not await self._serve(request, connection):
                    break
        except asyncio.CancelledError:
            writer.transport.abort()  # `stop` ended this connection; there is nobody to tell
        finally:
            self._connections.discard(task)
            writer.close()
            self.open -= 1
            await self._changed()

    async def _serve(self, request: HttpRequest, connection: "_Connection") -> bool:
        """Answer one request while watching for the client to leave; False ends the connection."""
        reply = asyncio.ensure_future(self._reply(request, connection.writer))
        watch = asyncio.ensure_future(connection.left())
        try:
            await asyncio.wait({reply, watch}, return_when=asyncio.FIRST_COMPLETED)
            if not reply.done() and not watch.result():
                await reply  # the client is only early with its next request
            if reply.done():
                return reply.result()
        except ConnectionError:
            pass  # the reply found nobody to write to
        finally:
            reply.cancel()
            watch.cancel()
            await asyncio.gather(reply, watch, return_exceptions=True)
        self.disconnects += 1
        await self._changed()
        return False

    async def _reply(self, request: HttpRequest, writer: asyncio.StreamWriter) -> bool:
        seen = self._read(request)
        self.requests.append(seen)
        await self._changed()
        ask = seen.ask or Ask(model="", stream=False, request=Request(messages=()))
        turn = self._turn(ask) if seen.problem is None else _as_failure(seen.problem)
        stamp = Stamp(id=f"{len(self.requests):08d}", created=1_700_000_000, model=ask.model)
        out = ReplyWriter(
            writer, whole=not ask.stream, gzip=self._gzip, chunk_size=self._chunk_size
        )
        performance = Performance(self._dialect, self._dialect.encoder(ask, stamp), out)
        keep = await performance.run(items(turn))
        return keep and request.headers.get("connection", "").lower() != "close"

    def _read(self, request: HttpRequest) -> Seen:
        ask: Ask | None = None
        problem: Malformed | Failure | None = None
        at = door(request.path)
        if request.method != "POST" or at is None or at.dialect != self._dialect.name:
            problem = InvalidRequest(f"nothing at {request.method} {request.path}", status=404)
        else:
            try:
                body = object_at(read(request.body), "body")
                ask = self._dialect.decode_request(body, model=at.model, stream=at.stream)
            except (Malformed, Failure) as error:
                problem = error
        return Seen(
            method=request.method,
            path=request.path,
            headers=request.headers,
            body=request.body,
            ask=ask,
            problem=problem,
        )

    def _turn(self, ask: Ask) -> Turn:
        try:
            if callable(self._script):
                return self._script(ask)
            self._turns += 1
            if self._turns > len(self._script):
                raise AssertionError(f"the script has no turn {self._turns}")  # noqa: TRY301 -- kept below
            return self._script[self._turns - 1]
        except Exception as error:  # noqa: BLE001 -- kept, and raised when the server stops
            self._problem = self._problem or error
            return Status(code=500, body=f"the script failed: {error!r}".encode())

    async def _changed(self) -> None:
        async with self._change:
            self._change.notify_all()


class _Connection:
    """A client's connection, watched for its end while a reply is on its way."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.writer = writer
        self._reader = reader
        self._begun = b""  # what the watch read of the next request

    async def read(self) -> HttpRequest | None:
        begun, self._begun = self._begun, b""
        return await read_request(self._reader, self.writer, begun=begun)

    async def left(self) -> bool:
        try:
            self._begun = await self._reader.read(1)
        except ConnectionError:
            return True
        return not self._begun


def _as_failure(problem: Malformed | Failure) -> Failure:
    return problem if isinstance(problem, Failure) else InvalidRequest(str(problem), status=400)
