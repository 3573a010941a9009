"""One HTTP exchange over ASGI: read the request, write the reply, notice when the client goes."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from typing import Required, TypeAlias, TypedDict

from majordomo.contract import InvalidRequest
from majordomo.dialects.dialect import Reply
from majordomo.engine.patience import Deadline

Headers: TypeAlias = list[tuple[bytes, bytes]]


class Scope(TypedDict):
    type: str
    method: str
    path: str
    query_string: bytes
    headers: Iterable[tuple[bytes, bytes]]


class Received(TypedDict, total=False):
    type: Required[str]
    body: bytes
    more_body: bool


class Sent(TypedDict, total=False):
    type: Required[str]
    status: int
    headers: Headers
    body: bytes
    more_body: bool


Receive: TypeAlias = Callable[[], Awaitable[Received]]
Send: TypeAlias = Callable[[Sent], Awaitable[None]]


_OURS = frozenset({"request-id", "x-request-id"})  # every reply carries them anyway


class Exchange:
    __slots__ = (
        "_headers",
        "_receive",
        "_send",
        "always",
        "begun",
        "ended",
        "gone",
        "id",
        "scope",
        "status",
    )

    def __init__(self, scope: Scope, receive: Receive, send: Send, id: str) -> None:
        self.scope = scope
        self.id = id
        self.begun = False  # the head of the reply is out
        self.ended = False  # the reply is whole
        self.gone = False  # the client left before the reply was whole
        self.status = 0
        self.always: Headers = []  # what every reply to this client carries
        self._receive = receive
        self._send = send
        self._headers: dict[str, str] | None = None

    @property
    def headers(self) -> dict[str, str]:
        if self._headers is None:
            self._headers = {
                name.decode("latin-1"): value.decode("latin-1")
                for name, value in self.scope["headers"]
            }
        return self._headers

    async def body(self, limit: int, seconds: float) -> bytes:
        declared = self.headers.get("content-length", "")
        if declared.isdigit() and int(declared) > limit:
            raise too_large(limit)
        try:
            with Deadline(asyncio.get_running_loop(), seconds):
                message = await self._receive()
                if message["type"] == "http.request" and not message.get("more_body"):
                    body = message.get("body", b"")  # nearly every request: nothing to join
                else:
                    body = await self._rest_of_body(message, limit)
        except TimeoutError:
            raise InvalidRequest("the body did not arrive in time", status=408) from None
        if len(body) > limit:
            raise too_large(limit)
        return body

    async def reply(self, reply: Reply, headers: Headers = []) -> None:  # noqa: B006 -- only read
        await self.begin(
            reply.status,
            reply.content_type,
            [
                *headers,
                (b"content-length", b"%d" % len(reply.body)),
                *(
                    (name.encode(), printable(value))
                    for name, value in reply.headers.items()
                    if name not in _OURS
                ),
            ],
        )
        await self.end(reply.body)

    async def begin(self, status: int, content_type: str, headers: Headers) -> None:
        self.begun = True
        self.status = status
        request_id = self.id.encode()
        await self._send(
            {
                "type": "http.response.start",
                "status": status,
                "headers": [
                    (b"content-type", content_type.encode()),
                    (b"x-request-id", request_id),
                    (b"request-id", request_id),
                    *self.always,
                    *headers,
                ],
            }
        )

    async def write(self, data: bytes) -> None:
        await self._send({"type": "http.response.body", "body": data, "more_body": True})

    async def end(self, data: bytes = b"") -> None:
        self.ended = True
        await self._send({"type": "http.response.body", "body": data, "more_body": False})

    async def cancel_when_gone(self, work: "asyncio.Task[None]") -> None:
        """Wait for the client to leave; then stop the work, and with it the upstream."""
        while (await self._receive())["type"] != "http.disconnect":
            pass
        self.gone = True
        work.cancel()

    async def _rest_of_body(self, message: Received, limit: int) -> bytes:
        pieces: list[bytes] = []
        size = 0
        while True:
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
            message = await self._receive()


def printable(text: str) -> bytes:
    """Make a header's value of words that others chose: a line break would begin a new header."""
    if text.isascii() and text.isprintable():
        return text.encode()
    return "".join(
        letter if letter.isascii() and letter.isprintable() else "?" for letter in text
    ).encode()


def too_large(limit: int) -> InvalidRequest:
    return InvalidRequest(f"the body is larger than {limit} bytes", status=413)
