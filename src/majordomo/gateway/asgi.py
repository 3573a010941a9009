"""An exchange over ASGI, for those who put the application under a server of their choice."""

import asyncio

from majordomo.contract import InvalidRequest
from majordomo.engine.patience import Deadline

from .exchange import Exchange, Headers, Receive, Received, Scope, Send, too_large

_SOON = 0.02  # seconds


class AsgiExchange(Exchange):
    def __init__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.method = scope["method"]
        self.path = scope["path"]
        self.query = scope["query_string"].decode("latin-1")
        work = asyncio.current_task()
        assert work is not None  # noqa: S101 -- a coroutine that runs has a task
        self.work = work
        self._headers = dict(scope["headers"])
        self._receive = receive
        self._send = send
        self._watch: Watch | None = None

    def header(self, name: bytes) -> str:
        return self._headers.get(name, b"").decode("latin-1")

    async def body(self, limit: int, seconds: float) -> bytes:
        declared = self.header(b"content-length")
        if declared.isdigit() and int(declared) > limit:
            raise too_large(limit)
        try:
            with Deadline(asyncio.get_running_loop(), seconds):
                body = await self._read(limit)
        except TimeoutError:
            raise InvalidRequest("the body did not arrive in time", status=408) from None
        self._watch = Watch(self)
        return body

    async def begin(
        self, status: int, content_type: str, headers: Headers, length: int | None = None
    ) -> None:
        self.begun = True
        self.status = status
        request_id = self.id.encode()
        said = [
            (b"content-type", content_type.encode()),
            (b"x-request-id", request_id),
            (b"request-id", request_id),
            *_pairs(self.always + headers),
        ]
        if length is not None:
            said.append((b"content-length", b"%d" % length))
        await self._send({"type": "http.response.start", "status": status, "headers": said})

    async def write(self, data: bytes, *, ending: bool = False) -> None:
        del ending
        await self._send({"type": "http.response.body", "body": data, "more_body": True})

    async def end(self, data: bytes = b"") -> None:
        self.ended = True
        await self._send({"type": "http.response.body", "body": data, "more_body": False})

    async def left(self) -> None:
        """Wait for the client to leave."""
        while (await self._receive())["type"] != "http.disconnect":
            pass
        self.gone = True

    def close(self) -> None:
        """Let go of everything, however it ended."""
        if self._watch is not None:
            self._watch.stop()

    async def _read(self, limit: int) -> bytes:
        pieces: list[bytes] = []
        size = 0
        while True:
            message: Received = await self._receive()
            if message["type"] == "http.disconnect":
                self.gone = True
                raise asyncio.CancelledError
            piece = message.get("body", b"")
            pieces.append(piece)
            size += len(piece)
            if size > limit:
                raise too_large(limit)
            if not message.get("more_body"):
                return b"".join(pieces)


class Watch:
    """Notices that a client has left, and cancels the task that works for it.

    ASGI tells it only to who listens, which takes a task and costs as much as decoding a small
    request. Requests that are answered at once never need it; the others get it a blink later,
    and a client that left meanwhile is noticed then.
    """

    __slots__ = ("_exchange", "_handle", "_loop", "_task")

    def __init__(self, exchange: AsgiExchange) -> None:
        self._exchange = exchange
        self._loop = exchange.work.get_loop()
        self._task: asyncio.Task[None] | None = None
        self._handle = self._loop.call_later(_SOON, self._listen)

    def stop(self) -> None:
        self._handle.cancel()
        if self._task is not None:
            self._task.cancel()

    def _listen(self) -> None:
        self._task = self._loop.create_task(self._cancel_when_gone())

    async def _cancel_when_gone(self) -> None:
        await self._exchange.left()
        if not self._exchange.ended:
            self._exchange.work.cancel()


def _pairs(lines: Headers) -> list[tuple[bytes, bytes]]:
    pairs = [each.partition(b": ") for each in lines.split(b"\r\n")[:-1]]
    return [(name, value) for name, _, value in pairs]
