"""A mock upstream that is not the bottleneck: prepared bytes, chosen by path, model and `stream`.

`python bench/mock.py` prints its port and serves until its standard input is closed. The models:
`small`, `hundred` (pieces), `calls` (4 kB and a native call), `action` (4 kB and a written one),
`paced` (a piece every 10 ms that says when it was sent), `idle` (one piece, then silence).
"""

import asyncio
import re
import sys
import time

import uvloop

import replies

_MODEL = re.compile(rb'"model":\s*"(?:[\w-]+/)?(\w+)"')
_LENGTH = re.compile(rb"content-length:\s*(\d+)", re.IGNORECASE)
_STREAM = re.compile(rb'"stream":\s*true')
_PACED, _PAUSE = 20, 0.01  # pieces, seconds between them
_HEAD = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n"


def chunk(data: bytes) -> bytes:
    return b"%x\r\n%b\r\n" % (len(data), data)


def streamed(events: list[bytes]) -> bytes:
    return _HEAD + b"".join(chunk(event) for event in events) + b"0\r\n\r\n"


def whole(body: bytes) -> bytes:
    head = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: %d\r\n\r\n"
    return head % len(body) + body


ACTED = replies.hundredths(replies.PROSE) + replies.hundredths(replies.ACTION)[:100]
ANSWERS: dict[tuple[bool, bytes, bool], bytes] = {  # (anthropic?, model, streamed?)
    (False, b"small", True): streamed(replies.chat_stream(replies.words(replies.SMALL))),
    (False, b"small", False): whole(replies.chat_whole(replies.SMALL)),
    (False, b"hundred", True): streamed(replies.chat_stream(replies.words(replies.HUNDRED))),
    (False, b"hundred", False): whole(replies.chat_whole(replies.HUNDRED)),
    (True, b"small", True): streamed(replies.anthropic_stream(replies.words(replies.SMALL))),
    (True, b"small", False): whole(replies.anthropic_whole(replies.SMALL)),
    (True, b"hundred", True): streamed(replies.anthropic_stream(replies.words(replies.HUNDRED))),
    (True, b"hundred", False): whole(replies.anthropic_whole(replies.HUNDRED)),
    (False, b"calls", True): streamed(
        replies.chat_stream(replies.hundredths(replies.PROSE), call=True)
    ),
    (False, b"action", True): streamed(replies.chat_stream(ACTED)),
}


class Upstream(asyncio.Protocol):
    """Answers a request once all of it has come."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        self._transport = transport  # uvloop's is no subclass of asyncio's
        self._pieces: list[bytes] = []
        self._missing = -1  # bytes of the body; -1: the head is not whole yet

    def data_received(self, data: bytes) -> None:
        self._pieces.append(data)
        if self._missing < 0:
            head, blank, body = b"".join(self._pieces).partition(b"\r\n\r\n")
            if not blank:
                return
            length = _LENGTH.search(head)
            self._missing = (int(length[1]) if length else 0) - len(body)
        else:
            self._missing -= len(data)
        if self._missing > 0:
            return
        request = b"".join(self._pieces)
        self._pieces, self._missing = [], -1
        self._answer(request)

    def _answer(self, request: bytes) -> None:
        model = _MODEL.search(request)
        name = model[1] if model else b"small"
        anthropic = b"/messages" in request[:200]
        if name == b"paced":
            self._pace(_PACED, anthropic=anthropic)
        elif name == b"idle":
            self._transport.write(_HEAD + chunk(self._piece("x", anthropic=anthropic)))
        else:
            streamed = bool(_STREAM.search(request))
            small = ANSWERS[anthropic, b"small", streamed]  # to whatever else is asked for
            self._transport.write(ANSWERS.get((anthropic, name, streamed), small))

    def _pace(self, left: int, *, anthropic: bool) -> None:
        if self._transport.is_closing():
            return
        if left == _PACED:
            first = replies.anthropic_stream([])[:2] if anthropic else replies.chat_stream([])[:1]
            self._transport.write(_HEAD + chunk(b"".join(first)))
        if not left:
            last = replies.anthropic_stream([])[2:] if anthropic else replies.chat_stream([])[1:]
            self._transport.write(chunk(b"".join(last)) + b"0\r\n\r\n")
            return
        said = f"@{time.monotonic_ns()}@"
        self._transport.write(chunk(self._piece(said, anthropic=anthropic)))
        loop = asyncio.get_running_loop()
        loop.call_later(_PAUSE, lambda: self._pace(left - 1, anthropic=anthropic))

    def _piece(self, text: str, *, anthropic: bool) -> bytes:
        if anthropic:
            return replies.anthropic_delta(text)
        return replies.chat_delta({"content": text})


async def _serve() -> None:
    server = await asyncio.get_running_loop().create_server(Upstream, "127.0.0.1", 0, backlog=4096)
    print(server.sockets[0].getsockname()[1], flush=True)
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)  # until it is closed


if __name__ == "__main__":
    uvloop.run(_serve())
