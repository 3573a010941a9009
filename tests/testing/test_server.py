"""The dialect server against a plain socket: what it sends, breaks and counts."""

import asyncio
import gzip
import http.client
import json
import ssl
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import NamedTuple
from urllib.parse import urlsplit

import pytest

from majordomo.contract import Failure, Finish, Malformed, RateLimited, Response, TextDelta, parts
from majordomo.testing import (
    Cut,
    Delay,
    DialectServer,
    Garbage,
    Head,
    NoAnswer,
    Reset,
    Script,
    Stall,
    Status,
    Turn,
)
from majordomo.testing.paths import Door, door
from support.certificate import Certificate
from support.echo_dialect import EchoDialect

pytestmark = pytest.mark.anyio

DONE = Finish(reason="stop")
HELLO = [TextDelta(text="Hel"), TextDelta(text="lo"), DONE]
HELLO_LINES = b'{"text":"Hel"}\n{"text":"lo"}\n{"done":true}\n'


class Got(NamedTuple):
    status: int
    headers: dict[str, str]
    body: bytes


def ask(server: DialectServer, body: bytes | None = None, path: str = "/api/chat") -> Got:
    """One POST through the standard library's blocking client."""
    address = urlsplit(server.url)
    connection = http.client.HTTPConnection(address.hostname or "", address.port, timeout=5)
    try:
        connection.request("POST", path, body or b'{"model":"m","stream":true,"text":"hi"}')
        reply = connection.getresponse()
        headers = {name.lower(): value for name, value in reply.getheaders()}
        return Got(reply.status, headers, reply.read())
    finally:
        connection.close()


def asked(script: Script, body: bytes | None = None) -> Got:
    with DialectServer.in_thread(EchoDialect(), script) as server:
        return ask(server, body)


TURNS: dict[str, tuple[Turn, int, bytes]] = {
    "a string": ("Hello", 200, b'{"text":"Hello"}\n{"done":true}\n'),
    "a response": (
        Response(parts=parts("Hello"), finish_reason="stop"),
        200,
        b'{"text":"Hello"}\n{"done":true}\n',
    ),
    "events": (HELLO, 200, HELLO_LINES),
    "a delay is waited for": ([Head(), Delay(0.001), *HELLO], 200, HELLO_LINES),
    "events without a finish": ([TextDelta(text="Hel")], 200, b'{"text":"Hel"}\n'),
    "a failure": (RateLimited("slow down"), 429, b"slow down"),
    "a failure in band": (
        [TextDelta(text="Hel"), RateLimited("slow down")],
        200,
        b'{"text":"Hel"}\n{"error":"slow down"}\n',
    ),
    "raw bytes": (b"{", 200, b"{"),
    "garbage": (
        [TextDelta(text="x"), Garbage(b"!\n"), DONE],
        200,
        b'{"text":"x"}\n!\n{"done":true}\n',
    ),
    "a status": (Status(code=529, body=b"busy"), 529, b"busy"),
}


@pytest.mark.parametrize(("turn", "status", "body"), TURNS.values(), ids=TURNS.keys())
@pytest.mark.parametrize("stream", [True, False])
def test_a_turn_is_sent_as_written(turn: Turn, status: int, body: bytes, *, stream: bool) -> None:
    got = asked([turn], json.dumps({"model": "m", "stream": stream, "text": "hi"}).encode())
    assert (got.status, got.body) == (status, body)


def test_streams_are_chunked_and_whole_replies_have_a_length() -> None:
    with DialectServer.in_thread(EchoDialect(), [HELLO, HELLO]) as server:
        stream = ask(server)
        whole = ask(server, b'{"model":"m","stream":false,"text":"hi"}')
    assert stream.headers["transfer-encoding"] == "chunked"
    assert stream.headers["content-type"] == "application/x-ndjson"
    assert whole.headers["content-length"] == str(len(HELLO_LINES))


def test_a_callable_script_sees_what_was_asked() -> None:
    assert asked(lambda ask: ask.request.messages[-1].text).body.startswith(b'{"text":"hi"}')


def test_a_failure_tells_when_to_come_back_and_a_status_has_its_own_headers() -> None:
    failure = RateLimited("slow down", retry_after=1.5)
    assert asked([failure]).headers["retry-after"] == "1.5"
    assert asked([Status(code=503, headers={"x-request-id": "r1"})]).headers["x-request-id"] == "r1"


def test_what_was_seen_is_recorded() -> None:
    with DialectServer.in_thread(EchoDialect(), ["ok"]) as server:
        ask(server)
        bad = ask(server, b'{"model":"m"}')
        lost = ask(server, path="/v1/messages")
    good, malformed, elsewhere = server.requests
    assert (good.method, good.path, good.ask and good.ask.model) == ("POST", "/api/chat", "m")
    assert good.headers["content-length"] == str(len(good.body))
    assert isinstance(malformed.problem, Malformed)
    assert (bad.status, bad.body) == (400, b"text is not a string")
    assert isinstance(elsewhere.problem, Failure)
    assert lost.status == 404


def test_a_fault_in_the_script_is_raised_when_the_server_stops() -> None:
    with pytest.raises(AssertionError, match="no turn 2"):  # noqa: PT012, SIM117 -- on leaving
        with DialectServer.in_thread(EchoDialect(), ["one"]) as server:
            ask(server)
            assert ask(server).status == 500


def test_gzip_and_small_pieces_change_nothing_but_the_framing() -> None:
    with DialectServer.in_thread(EchoDialect(), [HELLO], gzip=True) as server:
        zipped = ask(server)
    with DialectServer.in_thread(EchoDialect(), [HELLO], chunk_size=3) as server:
        pieces = ask(server)
    assert zipped.headers["content-encoding"] == "gzip"
    assert gzip.decompress(zipped.body) == pieces.body == HELLO_LINES


BREAKS: dict[str, tuple[Turn, bool, type[Exception]]] = {
    "reset before the headers": (Reset(), True, ConnectionResetError),
    "no answer": (NoAnswer(), True, http.client.RemoteDisconnected),
    "reset in the body": ([TextDelta(text="x"), Reset()], True, ConnectionResetError),
    "cut in a stream": ([TextDelta(text="x"), Cut()], True, http.client.IncompleteRead),
    "cut in a whole reply": ([TextDelta(text="x"), Cut()], False, http.client.IncompleteRead),
}


@pytest.mark.parametrize(("turn", "stream", "error"), BREAKS.values(), ids=BREAKS.keys())
def test_connections_break_as_written(turn: Turn, error: type[Exception], *, stream: bool) -> None:
    with pytest.raises(error):
        asked([turn], json.dumps({"model": "m", "stream": stream, "text": "hi"}).encode())


@asynccontextmanager
async def connected(
    server: DialectServer, tls: ssl.SSLContext | None = None
) -> AsyncGenerator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    port = urlsplit(server.url).port
    reader, writer = await asyncio.open_connection("127.0.0.1", port, ssl=tls)
    try:
        yield reader, writer
    finally:
        writer.close()
        await writer.wait_closed()


POST = (
    b'POST /api/chat HTTP/1.1\r\ncontent-length: 39\r\n\r\n{"model":"m","stream":true,"text":"hi"}'
)


@pytest.mark.parametrize("turn", [Stall(), [TextDelta(text="x"), Stall()]], ids=["early", "late"])
async def test_a_client_that_leaves_is_noticed(turn: Turn) -> None:
    async with DialectServer(EchoDialect(), [turn]) as server:
        async with connected(server) as (_, writer):
            writer.write(POST)
            await writer.drain()
            await server.asked()
            assert (server.open, server.disconnects) == (1, 0)
        await server.disconnected()
        await server.idle()
        assert (server.open, server.disconnects) == (0, 1)


async def test_requests_may_follow_each_other_on_one_connection_even_early() -> None:
    async with (
        DialectServer(EchoDialect(), [HELLO] * 3) as server,
        connected(server) as (reader, writer),
    ):
        writer.write(POST * 3)
        for _ in range(3):
            await reader.readuntil(b"0\r\n\r\n")
        assert len(server.requests) == 3
        assert server.disconnects == 0


async def test_tls(certificate: Certificate) -> None:
    async with (
        DialectServer(EchoDialect(), ["ok"], tls=certificate.server) as server,
        connected(server, certificate.client) as (reader, writer),
    ):
        assert server.url.startswith("https://")
        writer.write(POST)
        assert b"200 OK" in await reader.readuntil(b"0\r\n\r\n")


async def test_a_request_may_be_chunked_and_wait_for_leave() -> None:
    async with (
        DialectServer(EchoDialect(), lambda ask: ask.request.messages[-1].text) as server,
        connected(server) as (reader, writer),
    ):
        head = (
            b"POST /api/chat HTTP/1.1\r\ntransfer-encoding: chunked\r\nexpect: 100-continue\r\n\r\n"
        )
        writer.write(head)
        assert await reader.readuntil(b"\r\n\r\n") == b"HTTP/1.1 100 Continue\r\n\r\n"
        body = b'{"model":"m","stream":true,"text":"hi"}'
        writer.write(b"%x\r\n%b\r\n%x\r\n%b\r\n0\r\n\r\n" % (9, body[:9], 30, body[9:]))
        assert b'{"text":"hi"}' in await reader.readuntil(b"0\r\n\r\n")


DOORS = {
    "/v1/chat/completions": Door(dialect="openai_chat"),
    "/chat/completions?x=1": Door(dialect="openai_chat"),
    "/v1/responses": Door(dialect="openai_responses"),
    "/v1/messages?beta=true": Door(dialect="anthropic"),
    "/api/chat": Door(dialect="ollama"),
    "/v1beta/models/gemini-2.5-pro:generateContent": Door(
        dialect="gemini", model="gemini-2.5-pro", stream=False
    ),
    "/v1/models/tuned%2Fone:streamGenerateContent?alt=sse": Door(
        dialect="gemini", model="tuned/one", stream=True
    ),
    "/models/m:generateContent": Door(dialect="gemini", model="m", stream=False),
    "/v1/models": None,
}


@pytest.mark.parametrize(("path", "expected"), DOORS.items())
def test_paths_lead_to_dialects(path: str, expected: Door | None) -> None:
    assert door(path) == expected
