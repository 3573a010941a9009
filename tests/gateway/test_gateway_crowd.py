"""Many slow streams at once through one worker: none lost, none mixed up."""

import asyncio
from urllib.parse import urlsplit

from majordomo.contract import Finish, Start, TextDelta, Usage
from majordomo.dialects.dialect import Ask
from majordomo.dialects.json import write
from majordomo.engine.registry import Registry
from majordomo.gateway.service import Service
from majordomo.testing import Delay, DialectServer, Item
from support.gateway import Known, serving
from support.gateway_doors import DOORS
from support.gateway_matrix import UPSTREAMS

CROWD, WORDS = 200, 5


def numbered(ask: Ask) -> list[Item]:
    """Say the number one was asked by, again and again, slowly."""
    words: list[Item] = [Start(model="m")]
    for _ in range(WORDS):
        words += [TextDelta(text=f"<{ask.model}>"), Delay(0.05)]
    return [*words, Finish(reason="stop", usage=Usage(input=1, output=WORDS))]


async def asked(url: str, number: int) -> str:
    door = [*DOORS][number % len(DOORS)]
    path, body = DOORS[door]
    path = path.replace("models/up:generateContent", f"models/up/{number}:streamGenerateContent")
    data = write({**body, "model": f"up/{number}", "stream": True})
    address = urlsplit(url)
    reader, writer = await asyncio.open_connection(address.hostname, address.port)
    head = f"POST {path}?alt=sse HTTP/1.1\r\nhost: x\r\nconnection: close\r\n"
    writer.write(head.encode() + b"content-length: %d\r\n\r\n" % len(data) + data)
    reply = await reader.read()
    writer.close()
    return reply.decode()


async def crowd(url: str) -> list[str]:
    return await asyncio.gather(*(asked(url, number) for number in range(CROWD)))


def test_a_crowd_of_streams_stays_apart() -> None:
    with DialectServer.in_thread("openai_chat", numbered) as server:
        dsn = UPSTREAMS["openai_chat"].format(host=server.url.removeprefix("http://"))
        service = Service(Known(Registry(providers={"up": dsn}, env={})))
        with serving(service) as url:
            replies = asyncio.run(crowd(url))
    for number, reply in enumerate(replies):
        others = reply.replace(f"<{number}>", "").replace("\\u003c", "<")
        assert reply.startswith("HTTP/1.1 200"), number
        assert reply.count(f"<{number}>") >= WORDS, number
        assert "<" not in others, number
