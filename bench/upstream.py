"""A fast mock of the Chat API in a process of its own: fixed bytes, no parsing worth the name."""

import asyncio
import sys

_TEXT = "word " * 100
_CHUNK = (
    b'{"id":"chatcmpl-1","object":"chat.completion.chunk","created":1700000000,"model":"mock",'
    b'"system_fingerprint":"fp_1","choices":[{"index":0,"delta":%b,"logprobs":null,'
    b'"finish_reason":%b}],"usage":null}'
)
_USAGE = b'{"prompt_tokens":10,"completion_tokens":100,"total_tokens":110}'


def _sse(data: bytes) -> bytes:
    event = b"data: %b\n\n" % data
    return b"%x\r\n%b\r\n" % (len(event), event)


_DELTAS = [
    _sse(_CHUNK % (b'{"role":"assistant","content":""}', b"null")),
    *[_sse(_CHUNK % (b'{"content":"word "}', b"null"))] * 100,
    _sse(_CHUNK % (b"{}", b'"stop"')),
    _sse(
        b'{"id":"chatcmpl-1","object":"chat.completion.chunk","created":1700000000,'
        b'"model":"mock","choices":[],"usage":%b}' % _USAGE
    ),
    _sse(b"[DONE]") + b"0\r\n\r\n",
]
_STREAM_HEAD = (
    b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n"
)
_BODY = (
    b'{"id":"chatcmpl-1","object":"chat.completion","created":1700000000,"model":"mock",'
    b'"choices":[{"index":0,"message":{"role":"assistant","content":"%b","refusal":null},'
    b'"logprobs":null,"finish_reason":"stop"}],"usage":%b,"system_fingerprint":"fp_1"}'
) % (_TEXT.encode(), _USAGE)
_WHOLE = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: %d\r\n\r\n%b" % (
    len(_BODY),
    _BODY,
)


class Upstream(asyncio.Protocol):
    """Answers a request once all of it has come."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        self._rest = b""

    def data_received(self, data: bytes) -> None:
        self._rest += data
        head, blank, body = self._rest.partition(b"\r\n\r\n")
        if not blank:
            return
        length = int(head.lower().partition(b"content-length:")[2].split(b"\r\n")[0])
        if len(body) < length:
            return
        self._rest = body[length:]
        streamed = b'"stream":true' in body or b'"stream": true' in body
        if not streamed:
            self._transport.write(_WHOLE)
            return
        self._transport.write(_STREAM_HEAD)
        for delta in _DELTAS:
            self._transport.write(delta)


async def _serve() -> None:
    server = await asyncio.get_running_loop().create_server(Upstream, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)  # until it is closed


if __name__ == "__main__":
    asyncio.run(_serve())
