"""One HTTP exchange: read the request, write the reply, notice when the client goes.

The endpoints see this and nothing of what carries it: a connection of our own (`turn.py`) or any
ASGI server (`asgi.py`).
"""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Iterable
from typing import Required, TypeAlias, TypedDict

from majordomo.contract import InvalidRequest
from majordomo.dialects.dialect import Reply


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
    headers: list[tuple[bytes, bytes]]
    body: bytes
    more_body: bool


Receive: TypeAlias = Callable[[], Awaitable[Received]]
Send: TypeAlias = Callable[[Sent], Awaitable[None]]

# Header lines as they go over the wire, each with its line break: prepared once, joined often.
Headers: TypeAlias = bytes

_OURS = frozenset({"request-id", "x-request-id"})  # every reply carries them anyway


class Exchange(ABC):
    # Defaults of the class, so that a request sets only what changes.
    id: str = ""  # given by the application
    begun: bool = False  # the head of the reply is out
    ended: bool = False  # the reply is whole
    gone: bool = False  # the client left before the reply was whole
    status: int = 0
    always: Headers = b""  # what every reply to this client carries

    method: str
    path: str
    query: str
    work: "asyncio.Task[None]"  # that answers it, and is cancelled when the client leaves

    @abstractmethod
    def header(self, name: bytes) -> str:
        """Give what the client said in a header; empty where it said nothing."""

    @abstractmethod
    async def body(self, limit: int, seconds: float) -> bytes:
        """Give the whole body; raise when it is too long or too slow."""

    @abstractmethod
    async def begin(
        self, status: int, content_type: str, headers: Headers, length: int | None = None
    ) -> None:
        """Say the head of the reply; without a length it is a stream."""

    @abstractmethod
    async def write(self, data: bytes, *, ending: bool = False) -> None:
        """Say a piece of a stream, once the client has read most of what was said before.

        When it is `ending` the rest probably comes in the same breath, and may go out with it.
        """

    @abstractmethod
    async def end(self, data: bytes = b"") -> None:
        """Say the last piece, or the only one."""

    async def reply(self, reply: Reply, headers: Headers = b"") -> None:
        for name, value in reply.headers.items():
            if name not in _OURS:
                headers += line(name, value)
        await self.say(reply.status, reply.content_type, headers, reply.body)

    async def say(self, status: int, content_type: str, headers: Headers, body: bytes) -> None:
        """Say a whole reply."""
        await self.begin(status, content_type, headers, len(body))
        await self.end(body)


def line(name: str, value: str) -> Headers:
    """Write a header whose words others chose: a line break in them would begin a new one."""
    return b"%b: %b\r\n" % (printable(name), printable(value))


def printable(text: str) -> bytes:
    if text.isascii() and text.isprintable():
        return text.encode()
    return "".join(
        letter if letter.isascii() and letter.isprintable() else "?" for letter in text
    ).encode()


def too_large(limit: int) -> InvalidRequest:
    return InvalidRequest(f"the body is larger than {limit} bytes", status=413)
