"""The transport over real sockets: pools, TLS, proxies, sizes, and every way to fail."""

import asyncio
import contextlib
import socket
import ssl
import subprocess
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import pytest

from majordomo.catalog import Timeouts
from majordomo.contract import (
    Disconnected,
    Failure,
    Image,
    PassingFailure,
    ProtocolBroken,
    TextDelta,
    Timeout,
    user,
)
from majordomo.engine.http import HttpCall
from majordomo.engine.transport import AiohttpTransport
from majordomo.testing import Cut, Delay, DialectServer, Head, NoAnswer, Reset, Stall, Turn
from support.asking import model_at
from support.certificate import Certificate

pytestmark = pytest.mark.anyio

QUICK = Timeouts(connect=5, first_byte=5, idle=5)


PATIENCE: dict[str, tuple[Timeouts, Turn, str]] = {
    "no headers": (Timeouts(first_byte=0.02), Stall(), "no first byte within 0.02 s"),
    "headers alone": (Timeouts(first_byte=0.02), [Head(), Stall()], "no first byte within 0.02 s"),
    "silence later": (Timeouts(idle=0.02), [TextDelta(text="x"), Stall()], "silent for 0.02 s"),
    "too long in all": (
        Timeouts(total=0.05),
        [TextDelta(text="x"), Stall()],
        "longer than 0.05 s in all",
    ),
    "too long before the headers": (Timeouts(total=0.02), Stall(), "longer than 0.02 s in all"),
}


@pytest.mark.parametrize(("timeouts", "turn", "words"), PATIENCE.values(), ids=PATIENCE.keys())
async def test_a_timeout_says_which_patience_ran_out(
    timeouts: Timeouts, turn: Turn, words: str
) -> None:
    async with DialectServer("ollama", [turn]) as server:
        with pytest.raises(Timeout, match=words):
            await model_at(server, timeouts=timeouts).generate("hi")
        await server.disconnected()


async def test_a_connection_that_is_not_made_is_a_timeout_too() -> None:
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    listener.listen(0)
    port = listener.getsockname()[1]
    waiting = [_connect_without_waiting(port) for _ in range(4)]  # the queue is full
    with pytest.raises(Timeout, match=r"no connection within 0\.05 s"):
        await model_at(f"http://127.0.0.1:{port}", timeouts=Timeouts(connect=0.05)).generate("hi")
    for each in (*waiting, listener):
        each.close()


def _connect_without_waiting(port: int) -> socket.socket:
    client = socket.socket()
    client.settimeout(0)
    client.connect_ex(("127.0.0.1", port))
    return client


async def test_a_slow_listener_is_not_the_servers_silence() -> None:
    turn = [TextDelta(text="a"), Delay(0.1), TextDelta(text="b"), Stall()]
    async with DialectServer("ollama", [turn]) as server:
        texts = model_at(server, timeouts=Timeouts(idle=0.2)).stream("hi").text()
        assert await anext(texts) == "a"
        await asyncio.sleep(0.3)
        assert await anext(texts) == "b"


BREAKS: dict[str, tuple[Turn, type[Failure]]] = {
    "reset before the headers": (Reset(), Disconnected),
    "no answer": (NoAnswer(), Disconnected),
    "reset in the body": ([TextDelta(text="x"), Reset()], Disconnected),
    "cut in the body": ([TextDelta(text="x"), Cut()], Disconnected),
}


@pytest.mark.parametrize(("turn", "kind"), BREAKS.values(), ids=BREAKS.keys())
async def test_a_broken_connection_is_disconnected(turn: Turn, kind: type[Failure]) -> None:
    async with DialectServer("ollama", [turn]) as server:
        with pytest.raises(kind) as raised:
            await model_at(server).generate("hi")
    assert isinstance(raised.value, PassingFailure)
    assert raised.value.target == "test/m"


async def test_nobody_there() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with pytest.raises(Disconnected, match="cannot connect"):
        await model_at(f"http://127.0.0.1:{port}").generate("hi")


async def test_no_such_host() -> None:
    with pytest.raises(Disconnected, match="the host has no address"):
        await model_at("http://no-such-host.invalid").generate("hi")


@pytest.mark.parametrize("url", ["ftp://127.0.0.1", "http://", "http://[", "nonsense"])
async def test_not_a_url(url: str) -> None:
    with pytest.raises(ProtocolBroken):
        await model_at(url).generate("hi")


@asynccontextmanager
async def saying(answer: bytes) -> AsyncGenerator[str]:
    """A server that says these bytes to everything, and its address."""

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await reader.read(1)
            writer.write(answer)
            with contextlib.suppress(ConnectionError, asyncio.CancelledError):
                await reader.read()
        finally:
            writer.transport.abort()

    server = await asyncio.start_server(talk, "127.0.0.1", 0)
    async with server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"


@pytest.mark.parametrize(
    "answer",
    [b"SSH-2.0-OpenSSH\r\n\r\n", b"HTTP/1.1 200 OK\r\ncontent-length: many\r\n\r\n"],
    ids=["another protocol", "a broken head"],
)
async def test_not_http(answer: bytes) -> None:
    async with saying(answer) as url:
        with pytest.raises(ProtocolBroken, match="this is not HTTP"):
            await model_at(url).generate("hi")


async def test_gzip_is_undone_as_it_streams() -> None:
    async with DialectServer("ollama", ["Hello"], gzip=True, chunk_size=5) as server:
        assert (await model_at(server).generate("hi")).text == "Hello"


async def test_a_body_that_is_not_what_its_encoding_says() -> None:
    head = b"HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: 9\r\n\r\nnot gzip!"
    async with saying(head) as url:
        with pytest.raises(ProtocolBroken, match="not in its encoding"):
            await model_at(url).generate("hi")


async def test_large_bodies_go_out_whole() -> None:
    image = Image(data=b"\x89PNG\r\n\x1a\n" + bytes(2_000_000), mime="image/png")
    async with DialectServer("ollama", ["seen"]) as server:
        await model_at(server).generate(user("look", image))
    ask = server.requests[0].ask
    assert ask is not None
    assert image in ask.request.messages[0].parts


async def test_connections_are_reused_and_closed_on_request() -> None:
    async with DialectServer("ollama", ["a", "b"]) as server:
        transport = AiohttpTransport()
        model = model_at(server, http_client=transport)
        await model.generate("hi")
        await model.generate("hi")
        assert server.open == 1
        await transport.aclose()
        async with asyncio.timeout(5):
            await server.idle()


async def test_many_at_once_do_not_wait_for_each_other() -> None:
    async with DialectServer("ollama", lambda ask: ask.request.messages[-1].text) as server:
        model = model_at(server)
        replies = await asyncio.gather(*(model.generate(f"n{n}") for n in range(150)))
    assert [reply.text for reply in replies] == [f"n{n}" for n in range(150)]


def test_one_model_serves_several_event_loops() -> None:
    with DialectServer.in_thread("ollama", lambda ask: ask.request.messages[-1].text) as server:
        model = model_at(server, http_client=AiohttpTransport())
        for word in ("one", "two", "three"):
            assert asyncio.run(model.generate(word)).text == word


def test_a_program_that_closes_nothing_gets_no_warning() -> None:
    program = """
import asyncio, sys
from majordomo.engine.model import provider

async def main():
    model = provider("ollama", base_url=sys.argv[1]).model("m")
    await model.generate("hi")
    async for event in model.stream("hi"):
        break

asyncio.run(main())
"""
    with DialectServer.in_thread("ollama", ["one", "two"]) as server:
        done = subprocess.run(
            [sys.executable, "-X", "dev", "-W", "error", "-c", program, server.url],
            capture_output=True,
            check=False,
            timeout=60,
        )
    # In development mode asyncio says that importing aiohttp inside the loop was slow.
    lines = [line for line in done.stderr.splitlines() if not line.startswith(b"Executing <Task")]
    assert (done.returncode, lines) == (0, [])


async def test_tls_with_a_certificate_one_trusts(certificate: Certificate) -> None:
    async with DialectServer("ollama", ["safe"], tls=certificate.server) as server:
        model = model_at(server, http_client=AiohttpTransport(tls=certificate.client))
        assert (await model.generate("hi")).text == "safe"


async def test_tls_trusts_what_the_environment_names(
    certificate: Certificate, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate.path))
    async with DialectServer("ollama", ["safe"], tls=certificate.server) as server:
        assert (await model_at(server).generate("hi")).text == "safe"


async def test_tls_with_a_certificate_nobody_knows(certificate: Certificate) -> None:
    async with DialectServer("ollama", [], tls=certificate.server) as server:
        model = model_at(server, http_client=AiohttpTransport(tls=ssl.create_default_context()))
        with pytest.raises(Disconnected, match="certificate is not trusted"):
            await model.generate("hi")


async def test_tls_where_there_is_none() -> None:
    async with saying(b"HTTP/1.1 400 Bad Request\r\n\r\n") as url:
        with pytest.raises(Disconnected, match="TLS failed"):
            await model_at(url.replace("http:", "https:")).generate("hi")


async def test_leaving_closes_a_tls_connection_at_once_too(certificate: Certificate) -> None:
    turn = [TextDelta(text="x"), Stall()]
    async with DialectServer("ollama", [turn], tls=certificate.server) as server:
        model = model_at(server, http_client=AiohttpTransport(tls=certificate.client))
        async for _ in model.stream("hi"):
            break
        async with asyncio.timeout(5):
            await server.disconnected()


async def test_a_proxy_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    async with DialectServer("ollama", ["through the proxy"]) as proxy:
        monkeypatch.setenv("HTTP_PROXY", proxy.url.replace("http://", "http://me:secret@"))
        monkeypatch.setenv("NO_PROXY", "")
        monkeypatch.setenv("no_proxy", "")
        monkeypatch.delenv("REQUEST_METHOD", raising=False)
        reply = await model_at("http://upstream.invalid:81").generate("hi")
    assert reply.text == "through the proxy"
    seen = proxy.requests[0]
    assert seen.path == "http://upstream.invalid:81/api/chat"
    assert seen.headers["proxy-authorization"].startswith("Basic ")


async def test_a_host_may_be_spared_the_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    async with DialectServer("ollama", ["direct"]) as server:
        assert (await model_at(server).generate("hi")).text == "direct"


async def test_a_proxy_that_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    transport = AiohttpTransport(proxies={"http": "http://127.0.0.1:9"})
    monkeypatch.setenv("NO_PROXY", "")
    monkeypatch.setenv("no_proxy", "")
    with pytest.raises(Disconnected, match="the proxy cannot be reached"):
        await model_at("http://upstream.invalid", http_client=transport).generate("hi")


async def test_anything_can_be_fetched_not_only_posted() -> None:
    async with DialectServer("ollama", []) as server:
        reply = await AiohttpTransport().send(
            HttpCall(method="GET", url=server.url + "/api/tags", timeouts=QUICK)
        )
        while await reply.read():
            pass
    assert (reply.status, server.requests[0].method) == (404, "GET")
