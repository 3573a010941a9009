"""A Chat upstream in a process of its own that answers slowly, every stream in its own name.

    python paced_upstream.py CHUNKS SECONDS_BETWEEN

It finds `stream-000123` in what it is asked and says `stream-000123:0 `, `stream-000123:1 ` and
so on, so that a listener who is given a word of another's stream can tell.
"""

import asyncio
import re
import sys

_NAME = re.compile(rb"stream-\d{6}")
_HEAD = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n"
_CHUNK = (
    b'{"id":"chatcmpl-1","object":"chat.completion.chunk","created":1700000000,"model":"m",'
    b'"choices":[{"index":0,"delta":%b,"finish_reason":%b}]}'
)


def _sse(data: bytes) -> bytes:
    event = b"data: %b\n\n" % data
    return b"%x\r\n%b\r\n" % (len(event), event)


class Paced(asyncio.Protocol):
    """Answers one request after the other; each takes as long as the pace says."""

    chunks = 0
    pause = 0.0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        self._loop = asyncio.get_running_loop()
        self._got = b""

    def data_received(self, data: bytes) -> None:
        self._got += data
        head, blank, body = self._got.partition(b"\r\n\r\n")
        if not blank:
            return
        length = int(head.lower().partition(b"content-length:")[2].split(b"\r\n")[0])
        if len(body) < length:
            return
        self._got = body[length:]
        named = _NAME.search(body)
        assert named is not None, "nobody said whose stream it is"
        self._name, self._said = named.group(), 0
        self._transport.write(_HEAD)
        self._say()

    def _say(self) -> None:
        if self._transport.is_closing():
            return
        if self._said == self.chunks:
            last = _sse(_CHUNK % (b"{}", b'"stop"')) + _sse(b"[DONE]") + b"0\r\n\r\n"
            self._transport.write(last)
            return
        word = b'{"content":"%b:%d "}' % (self._name, self._said)
        self._transport.write(_sse(_CHUNK % (word, b"null")))
        self._said += 1
        self._loop.call_later(self.pause, self._say)


async def _serve() -> None:
    Paced.chunks, Paced.pause = int(sys.argv[1]), float(sys.argv[2])
    loop = asyncio.get_running_loop()
    server = await loop.create_server(Paced, "127.0.0.1", 0, backlog=4096)
    sys.stdout.write(f"{server.sockets[0].getsockname()[1]}\n")
    sys.stdout.flush()
    await loop.run_in_executor(None, sys.stdin.read)  # until it is closed


if __name__ == "__main__":
    asyncio.run(_serve())
