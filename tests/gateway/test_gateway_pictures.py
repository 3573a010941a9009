"""Pictures named by URL: passed on to their own dialect, fetched where allowed, else refused."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import pytest

from majordomo.config.gateway import Gateway
from majordomo.contract import InvalidRequest, JsonObject, Unsupported
from majordomo.dialects.json import write
from majordomo.engine.registry import Registry
from majordomo.gateway import fetch as fetching
from majordomo.gateway.app import App
from majordomo.gateway.fetch import fetch, is_public
from majordomo.gateway.service import Service
from support.asgi import Got, call
from support.canned import DSNS, Canned
from support.doors.scenes import PNG
from support.gateway import Known

pytestmark = pytest.mark.anyio

URL = "https://pictures.example/cat.png"
BODIES: dict[str, tuple[str, JsonObject]] = {
    "openai_chat": (
        "/v1/chat/completions",
        {
            "messages": [
                {
                    "role": "user",
                    "content": [{"type": "image_url", "image_url": {"url": URL}}],
                }
            ]
        },
    ),
    "openai_responses": (
        "/v1/responses",
        {
            "input": [
                {"role": "user", "content": [{"type": "input_image", "image_url": URL}]},
            ]
        },
    ),
    "anthropic": (
        "/v1/messages",
        {
            "max_tokens": 9,
            "messages": [
                {
                    "role": "user",
                    "content": [{"type": "image", "source": {"type": "url", "url": URL}}],
                }
            ],
        },
    ),
    "anthropic, in a result": (
        "/v1/messages",
        {
            "max_tokens": 9,
            "messages": [
                {"role": "user", "content": "look"},
                {
                    "role": "assistant",
                    "content": [{"type": "tool_use", "id": "a", "name": "see", "input": {}}],
                },
                {
                    "role": "user",
                    "content": [
                        {
                            "type": "tool_result",
                            "tool_use_id": "a",
                            "content": [{"type": "image", "source": {"type": "url", "url": URL}}],
                        }
                    ],
                },
            ],
        },
    ),
    "gemini": (
        "/v1beta/models/MODEL:generateContent",
        {
            "contents": [
                {"parts": [{"fileData": {"fileUri": URL, "mimeType": "image/png"}}]},
            ]
        },
    ),
}


async def ask(door: str, spec: str, settings: Gateway) -> tuple[Got, bytes]:
    providers = {name.replace("_", "-"): dsn for name, dsn in DSNS.items()}
    transport = Canned()
    app = App(
        Service(Known(Registry(providers=providers, env={}, http_client=transport)), settings)
    )
    path, body = BODIES[door]
    got = await call(app, "POST", path.replace("MODEL", spec), write({**body, "model": spec}))
    return got, transport.calls[0].body if transport.calls else b""


@pytest.mark.parametrize("door", BODIES)
async def test_its_own_dialect_gets_the_url(door: str) -> None:
    spec = f"{door.partition(',')[0].replace('_', '-')}/m"
    got, sent = await ask(door, spec, Gateway())
    assert got.status == 200, got.body
    assert URL.encode() in sent


@pytest.mark.parametrize("door", BODIES)
async def test_another_dialect_is_refused_it_in_so_many_words(door: str) -> None:
    got, sent = await ask(door, "ollama/m", Gateway())
    assert got.status == 400
    assert b"does not fetch pictures" in got.body
    assert not sent


@pytest.mark.parametrize("door", BODIES)
async def test_where_it_is_allowed_the_picture_is_fetched(
    door: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def found(url: str) -> tuple[bytes, str]:
        assert url == URL
        return PNG, "image/png"

    monkeypatch.setattr(fetching, "fetch", found)
    got, sent = await ask(door, "ollama/m", Gateway(fetch_images=True))
    assert got.status == 200, got.body
    assert b"iVBORw0KGgo" in sent
    assert URL.encode() not in sent


NOT_PUBLIC = [
    *("127.0.0.1", "10.0.0.1", "172.16.9.9", "192.168.1.1", "169.254.169.254", "0.0.0.0"),  # noqa: S104 -- not bound to
    *("100.64.0.1", "224.0.0.1", "255.255.255.255", "::1", "::", "fe80::1", "fe80::1%eth0"),
    *("fc00::1", "ff02::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "2002:7f00:1::"),
    *("64:ff9b::7f00:1", "not an address"),
]


@pytest.mark.parametrize("address", NOT_PUBLIC)
def test_an_address_of_our_own_network_is_not_public(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize("address", ["93.184.215.14", "2606:2800:21f:cb07:6820:80da:af6b:8b2c"])
def test_an_address_of_the_internet_is(address: str) -> None:
    assert is_public(address)


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1/x.png",
        "http://localhost/x.png",
        "http://2130706433/x.png",
        "http://0x7f.1/x.png",
        "http://[::1]/x.png",
        "http://169.254.169.254/latest/meta-data",
        "file:///etc/passwd",
        "ftp://pictures.example/x.png",
        "http:///x.png",
        "http://[broken/x.png",
    ],
)
async def test_nothing_is_fetched_from_here(url: str) -> None:
    with pytest.raises((Unsupported, InvalidRequest)) as caught:
        await fetch(url)
    assert "public" in str(caught.value) or "fetched" in str(caught.value)


@asynccontextmanager
async def site(*replies: bytes) -> AsyncGenerator[str]:
    """Serve these replies in order from loopback, which the tests below take for public."""
    waiting = [*replies]

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(waiting.pop(0))
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    async with server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/x.png"


def reply(status: str, body: bytes = b"", **headers: str) -> bytes:
    lines = [f"HTTP/1.1 {status}", f"content-length: {len(body)}", "connection: close"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


@pytest.fixture
def _loopback_is_public(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fetching, "is_public", "127.0.0.1".__eq__)


@pytest.mark.usefixtures("_loopback_is_public")
async def test_a_picture_is_fetched_and_a_redirect_followed() -> None:
    async with (
        site(reply("200 OK", PNG, content_type="image/png")) as there,
        site(reply("302 Found", location=there)) as here,
    ):
        assert await fetch(here) == (PNG, "image/png")


BAD = {
    "a redirect inward": (reply("302 Found", location="http://10.0.0.1/x.png"), "public"),
    "a redirect to a file": (reply("302 Found", location="file:///etc/passwd"), "public"),
    "no picture": (reply("200 OK", b"<html>", content_type="text/html"), "text/html"),
    "not found": (reply("404 Not Found"), "HTTP 404"),
    "no HTTP": (b"hello\r\n\r\n", "could not be fetched"),
}


@pytest.mark.usefixtures("_loopback_is_public")
@pytest.mark.parametrize("case", BAD)
async def test_what_is_no_picture_is_refused(case: str) -> None:
    answer, said = BAD[case]
    async with site(answer) as url:
        with pytest.raises((Unsupported, InvalidRequest), match=said):
            await fetch(url)


@pytest.mark.usefixtures("_loopback_is_public")
async def test_a_picture_has_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fetching, "MOST_BYTES", 10)
    async with site(reply("200 OK", PNG, content_type="image/png")) as url:
        with pytest.raises(InvalidRequest, match="larger than 10 bytes"):
            await fetch(url)


@pytest.mark.usefixtures("_loopback_is_public")
async def test_redirects_have_an_end() -> None:
    loop = reply("302 Found", location="")
    async with site(*[loop] * 4) as url:
        with pytest.raises(InvalidRequest, match="too many redirects"):
            await fetch(url)
