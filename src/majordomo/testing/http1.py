"""Just enough HTTP/1.1 to be a server in a test: requests in, replies out.

https://www.rfc-editor.org/rfc/rfc9112
"""

import asyncio
import socket
import struct
import zlib
from http import HTTPStatus

from msgspec import Struct


class HttpRequest(Struct, frozen=True, kw_only=True):
    method: str
    path: str  # with its query
    headers: dict[str, str]  # names in lower case
    body: bytes


async def read_request(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, *, begun: bytes = b""
) -> HttpRequest | None:
    """Give the next request, of which `begun` was read already; None if the client has left."""
    try:
        head = begun + await reader.readuntil(b"\r\n\r\n")
        return await _read_request(head, reader, writer)
    except (asyncio.IncompleteReadError, ConnectionError):
        return None


async def _read_request(
    head: bytes, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
) -> HttpRequest:
    first, *lines = head.decode("latin-1").removesuffix("\r\n\r\n").split("\r\n")
    method, path, _ = first.split(" ", 2)
    headers = {
        name.strip().lower(): value.strip()
        for name, _, value in (line.partition(":") for line in lines)
    }
    if headers.get("expect", "").lower() == "100-continue":
        writer.write(b"HTTP/1.1 100 Continue\r\n\r\n")
    return HttpRequest(
        method=method, path=path, headers=headers, body=await _read_body(reader, headers)
    )


async def _read_body(reader: asyncio.StreamReader, headers: dict[str, str]) -> bytes:
    if "chunked" not in headers.get("transfer-encoding", ""):
        return await reader.readexactly(int(headers.get("content-length", "0")))
    body = bytearray()
    while size := int((await reader.readline()).split(b";")[0], 16):
        body += await reader.readexactly(size)
        await reader.readline()
    await reader.readline()
    return bytes(body)


class ReplyWriter:
    """One reply: the head leaves with the first byte, each write leaves at once."""

    def __init__(
        self, writer: asyncio.StreamWriter, *, whole: bool, gzip: bool, chunk_size: int | None
    ) -> None:
        self.status = 200
        self.headers: dict[str, str] = {}
        self.begun = False
        self._writer = writer
        self._whole = whole  # collected and sent with its length, as servers do off-stream
        self._chunk_size = chunk_size
        self._collected: list[bytes] = []
        self._deflate = zlib.compressobj(wbits=31) if gzip else None

    async def write(self, data: bytes) -> None:
        if self._deflate is not None:
            data = self._deflate.compress(data) + self._deflate.flush(zlib.Z_SYNC_FLUSH)
        if self._whole:
            self._collected.append(data)
            return
        await self.begin()
        await self._send(data)

    async def begin(self) -> None:
        """Send the head; a reply that was to be whole is a stream from here on."""
        if not self.begun:
            self._head("transfer-encoding: chunked")
            self._whole = False
            collected, self._collected = self._collected, []
            await self._send(b"".join(collected))

    async def finish(self) -> None:
        """End the reply as HTTP wants it, whatever the dialect makes of it."""
        tail = self._deflate.flush() if self._deflate is not None else b""
        if self._whole:
            body = b"".join((*self._collected, tail))
            self._head(f"content-length: {len(body)}")
            for piece in self._pieces(body):
                self._writer.write(piece)
                await self._writer.drain()
            return
        await self.begin()
        await self._send(tail)
        self._writer.write(b"0\r\n\r\n")
        await self._writer.drain()

    async def leave_unfinished(self) -> None:
        """Let out what was collected, as a body that promises more than it brings."""
        if self._collected:
            body = b"".join(self._collected)
            self._head(f"content-length: {len(body) + 1}")
            self._writer.write(body)
            await self._writer.drain()

    def reset(self) -> None:
        """Make the kernel send RST instead of FIN, by lingering for no time at all."""
        sock: socket.socket = self._writer.get_extra_info("socket")
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self._writer.transport.abort()

    async def _send(self, data: bytes) -> None:
        for piece in self._pieces(data):
            self._writer.write(b"%x\r\n%b\r\n" % (len(piece), piece))
        await self._writer.drain()

    def _head(self, framing: str) -> None:
        self.begun = True
        extra = {"content-encoding": "gzip"} if self._deflate is not None else {}
        lines = [f"{name}: {value}" for name, value in {**self.headers, **extra}.items()]
        reason = _REASONS.get(self.status, "Unknown")
        head = "\r\n".join((f"HTTP/1.1 {self.status} {reason}", *lines, framing))
        self._writer.write(head.encode("latin-1") + b"\r\n\r\n")

    def _pieces(self, data: bytes) -> list[bytes]:
        size = self._chunk_size or len(data) or 1
        return [data[at : at + size] for at in range(0, len(data), size)]


_REASONS = {status.value: status.phrase for status in HTTPStatus}
