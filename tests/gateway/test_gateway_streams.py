"""Streams as they go: alive before the first word, no faster than their reader, gone with it."""

import socket
import threading
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from typing import Unpack
from urllib.parse import urlsplit

import pytest

from majordomo.config.gateway import Gateway
from majordomo.contract import DialectName, Event, Options, Prompt, Start, TextDelta
from majordomo.dialects.dialect import Ask
from majordomo.dialects.json import write
from majordomo.engine.model import Model
from majordomo.engine.registry import Registry
from majordomo.engine.stream import Served, Stream
from majordomo.gateway.service import Service
from majordomo.testing import Delay, DialectServer, Item, Script, Stall
from majordomo.testing.turn import items
from support.doors.client import Wanted
from support.doors.scenes import SCENES
from support.doors.sdks import DOORS, sdks
from support.gateway import Known, serving, shelf
from support.gateway_doors import DOORS as REQUESTS
from support.gateway_matrix import UPSTREAMS

pytestmark = pytest.mark.filterwarnings(
    "ignore:Inheritance class AiohttpClientSession:DeprecationWarning"
)


@contextmanager
def chained(
    upstream: DialectName, script: Script, settings: Gateway | None = None
) -> Generator[tuple[str, DialectServer]]:
    """Give a gateway's URL whose model `up/m` is this server."""
    with DialectServer.in_thread(upstream, script) as server:
        dsn = UPSTREAMS[upstream].format(host=server.url.removeprefix("http://"))
        service = Service(Known(Registry(providers={"up": dsn}, env={})), settings, default="up/m")
        with serving(service) as url:
            yield url, server


@contextmanager
def sent(url: str, door: str, *, stream: bool = True) -> Generator[socket.socket]:
    """Send one request by hand and leave the reply unread."""
    path, body = REQUESTS[door]
    if door == "gemini" and stream:
        path = path.replace("generateContent", "streamGenerateContent?alt=sse")
    data = write({**body, "stream": stream} if door != "gemini" else body)
    head = f"POST {path} HTTP/1.1\r\nhost: x\r\ncontent-length: {len(data)}\r\n\r\n"
    address = urlsplit(url)
    with socket.create_connection((address.hostname or "", address.port or 0)) as client:
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        client.sendall(head.encode() + data)
        yield client


PINGS = {
    "openai_chat": b": still here\n\n",
    "openai_responses": b": still here\n\n",
    "anthropic": b'event: ping\ndata: {"type":"ping"}\n\n',
    "ollama": b"",
    "gemini": b"",
}
LATE = [Delay(0.3), Start(model="m"), TextDelta(text="Hello!")]


@pytest.mark.parametrize("door", PINGS)
def test_a_stream_says_it_is_alive_before_the_first_word_where_the_dialect_bears_it(
    door: str,
) -> None:
    settings = Gateway(keep_alive=0.05)
    with (
        chained("anthropic", [[*LATE, Stall()]], settings) as (url, _),
        sent(url, door) as client,
    ):
        got = b""
        while b"Hello!" not in got:
            got += client.recv(65536)
    before = got.partition(b"Hello!")[0]
    if PINGS[door]:
        assert before.count(PINGS[door]) >= 2
    else:
        assert b"still here" not in before
        assert b"ping" not in before


@pytest.mark.parametrize("door", DOORS)
def test_the_sdks_take_a_stream_with_signs_of_life_in_it(door: str) -> None:
    def late(ask: Ask) -> list[Item]:
        told = items(SCENES["text"].says("anthropic", ask))
        return [Delay(0.15), *told[:2], Delay(0.15), *told[2:]]

    with (
        chained("anthropic", late, Gateway(keep_alive=0.03)) as (url, _),
        sdks(url) as clients,
    ):
        client = clients[door]()
        client.user("hi")
        outcome = client.ask(Wanted(model="up/m", stream=True))
    assert outcome == SCENES["text"].comes[0]


class Endless(Model):
    """A model that talks as fast as it is listened to."""

    def __init__(self) -> None:
        self.pulls = 0
        self.closed = threading.Event()

    @property
    def name(self) -> str:
        return "endless/model"

    def stream(
        self, prompt: Prompt, *, partial_tool_calls: bool = False, **options: Unpack[Options]
    ) -> Stream:
        del prompt, partial_tool_calls, options
        return Stream(_Talk(self))


class _Talk:
    def __init__(self, model: Endless) -> None:
        self._model = model
        self._words = (TextDelta(text="word " * 3000),)

    async def pull(self) -> Sequence[Event]:
        self._model.pulls += 1
        return self._words

    def close(self) -> None:
        self._model.closed.set()

    def served(self) -> Served:
        return Served(model="endless/model")


@pytest.mark.parametrize("door", DOORS)
def test_a_reader_that_does_not_read_stops_the_model(door: str) -> None:
    model = Endless()
    with shelf(up=model) as url, sent(url, door) as client:
        client.recv(1)
        before = -1
        while model.pulls != before:  # until it has stood still for a while
            before = model.pulls
            model.closed.wait(0.2)
        assert model.pulls * 15_000 < 16_000_000, "more was taken than the sockets hold"
        client.recv(65536)
        client.close()
        assert model.closed.wait(10)


@pytest.mark.parametrize("stream", [True, False], ids=["streamed", "whole"])
@pytest.mark.parametrize("door", DOORS)
def test_a_client_that_leaves_takes_the_upstream_with_it(door: str, *, stream: bool) -> None:
    script = [[Start(model="m"), TextDelta(text="Hel"), Stall()]]
    with (
        chained("openai_chat", script) as (url, server),
        sent(url, door, stream=stream) as client,
    ):
        if stream:
            client.recv(1)
        else:
            server.wait_until(lambda: len(server.requests) == 1)
        client.close()
        server.wait_until(lambda: server.disconnects == 1)


@pytest.mark.parametrize("upstream", UPSTREAMS)
def test_a_client_that_leaves_before_the_first_word_does_too(upstream: DialectName) -> None:
    with (
        chained(upstream, [[Stall()]]) as (url, server),
        sent(url, "anthropic") as client,
    ):
        server.wait_until(lambda: len(server.requests) == 1)
        client.close()
        server.wait_until(lambda: server.disconnects == 1)
