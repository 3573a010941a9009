"""The way to a server: certificates, proxies, and both at once."""

import asyncio
import contextlib
import ssl
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import pytest

from majordomo.contract import Disconnected, TextDelta
from majordomo.engine.transport import AiohttpTransport
from majordomo.testing import DialectServer, Stall
from support.asking import model_at
from support.certificate import Certificate
from support.saying import saying
from support.transports import Client

pytestmark = pytest.mark.anyio


async def test_tls_with_a_certificate_one_trusts(certificate: Certificate, client: Client) -> None:
    async with DialectServer("ollama", ["safe"], tls=certificate.server) as server:
        model = model_at(server, http_client=client(tls=certificate.client))
        assert (await model.generate("hi")).text == "safe"


@pytest.mark.usefixtures("client")
async def test_tls_trusts_what_the_environment_names(
    certificate: Certificate, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate.path))
    async with DialectServer("ollama", ["safe"], tls=certificate.server) as server:
        assert (await model_at(server).generate("hi")).text == "safe"


async def test_tls_with_a_certificate_nobody_knows(
    certificate: Certificate, client: Client
) -> None:
    async with DialectServer("ollama", [], tls=certificate.server) as server:
        model = model_at(server, http_client=client(tls=ssl.create_default_context()))
        with pytest.raises(Disconnected, match="certificate is not trusted"):
            await model.generate("hi")


@pytest.mark.usefixtures("client")
async def test_tls_where_there_is_none() -> None:
    async with saying(b"HTTP/1.1 400 Bad Request\r\n\r\n") as url:
        with pytest.raises(Disconnected, match="TLS failed"):
            await model_at(url.replace("http:", "https:")).generate("hi")


async def test_leaving_closes_a_tls_connection_at_once_too(
    certificate: Certificate, client: Client
) -> None:
    turn = [TextDelta(text="x"), Stall()]
    async with DialectServer("ollama", [turn], tls=certificate.server) as server:
        model = model_at(server, http_client=client(tls=certificate.client))
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


@asynccontextmanager
async def tunnelling() -> AsyncGenerator[tuple[str, list[bytes]]]:
    """A proxy that only knows CONNECT: its address, and what it was asked."""
    asked: list[bytes] = []

    async def pipe(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(ConnectionError, asyncio.CancelledError):
            while data := await reader.read(65536):
                writer.write(data)
        writer.transport.abort()

    async def tunnel(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        asked.append((await reader.readuntil(b"\r\n\r\n")).split(b"\r\n")[0])
        host, _, port = asked[-1].split()[1].decode().partition(":")
        there, back = await asyncio.open_connection(host, int(port))
        writer.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
        await asyncio.gather(pipe(reader, back), pipe(there, writer))

    server = await asyncio.start_server(tunnel, "127.0.0.1", 0)
    async with server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}", asked


async def test_tls_goes_through_a_proxy_untouched(
    certificate: Certificate, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_PROXY", "")
    monkeypatch.setenv("no_proxy", "")
    async with (
        DialectServer("ollama", ["safe"], tls=certificate.server) as server,
        tunnelling() as (address, asked),
    ):
        transport = AiohttpTransport(tls=certificate.client, proxies={"https": address})
        reply = await model_at(server, http_client=transport).generate("hi")
        await transport.aclose()
    assert reply.text == "safe"
    assert asked == [f"CONNECT {server.url.removeprefix('https://')} HTTP/1.1".encode()]


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
