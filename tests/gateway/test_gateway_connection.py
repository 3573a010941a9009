"""A connection without a socket: how often it writes, and what it does when work goes wrong."""

import asyncio
from collections.abc import Sequence
from typing import Unpack

import pytest
from hypothesis import given
from hypothesis import strategies as st

from majordomo.contract import Event, Finish, JsonObject, Options, Prompt, Start, TextDelta
from majordomo.dialects.json import write
from majordomo.engine.model import Model
from majordomo.engine.stream import Served, Stream
from majordomo.gateway.app import App
from majordomo.gateway.exchange import Exchange
from majordomo.gateway.http11 import Connection
from majordomo.gateway.service import Service
from majordomo.testing import scripted
from support.gateway import Shelf, serving
from support.raw import client

pytestmark = pytest.mark.anyio


class Config:
    timeout_keep_alive = 75

    def __init__(self, app: App) -> None:
        self.loaded_app = app


class State:
    """As uvicorn's server has it."""

    def __init__(self) -> None:
        self.total_requests = 0
        self.connections: set[Connection] = set()
        self.tasks: set[asyncio.Task[None]] = set()
        self.default_headers = [(b"date", b"today")]


class Wire(asyncio.Transport):
    """Takes down every single write."""

    def __init__(self) -> None:
        super().__init__()
        self.writes: list[bytes] = []
        self.reading = True
        self.closed = False

    def write(self, data: bytes | bytearray | memoryview) -> None:
        self.writes.append(bytes(data))

    def pause_reading(self) -> None:
        self.reading = False

    def resume_reading(self) -> None:
        self.reading = True

    def is_closing(self) -> bool:
        return self.closed

    def close(self) -> None:
        self.closed = True

    abort = close


def connected(app: App) -> tuple[Connection, Wire, State]:
    state, wire = State(), Wire()
    connection = Connection(Config(app), state, {}, asyncio.get_running_loop())
    connection.connection_made(wire)
    return connection, wire, state


def asked(*, stream: bool = False) -> bytes:
    message: JsonObject = {"role": "user", "content": "hi"}
    body = write({"model": "up", "messages": [message], "stream": stream})
    return (
        b"POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\ncontent-length: %d\r\n\r\n" % len(body)
        + body
    )


FINISH = Finish(reason="stop")


class Talker(Model):
    """Says a word for every time it is let, for ever; or all it is given, at once."""

    def __init__(self, *all_of_it: Event) -> None:
        self.pulls = 0
        self.closed = False
        self.batch: Sequence[Event] = (Start(model="m"), TextDelta(text="word "), *all_of_it)

    @property
    def name(self) -> str:
        return "talker/model"

    def stream(
        self, prompt: Prompt, *, partial_tool_calls: bool = False, **options: Unpack[Options]
    ) -> Stream:
        del prompt, partial_tool_calls, options
        return Stream(_Talk(self))


class _Talk:
    def __init__(self, model: Talker) -> None:
        self._model = model

    async def pull(self) -> Sequence[Event]:
        self._model.pulls += 1
        if self._model.pulls == 1:
            return self._model.batch
        if self._model.batch[-1] is FINISH:
            return ()
        await asyncio.sleep(0)
        return (TextDelta(text="word "),)

    def close(self) -> None:
        self._model.closed = True

    def served(self) -> Served:
        return Served(model="talker/model")


async def settled() -> None:
    for _ in range(20):
        await asyncio.sleep(0)


async def test_a_whole_reply_is_one_write() -> None:
    connection, wire, state = connected(App(Service(Shelf(up=scripted(lambda _: "Hello!")))))
    for _ in range(3):
        connection.data_received(asked())
        await settled()
    assert len(wire.writes) == 3
    for one in wire.writes:
        head, _, body = one.partition(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 200 OK\r\ndate: today\r\n")
        assert b"content-length: %d" % len(body) in head
        assert b"Hello!" in body
    assert (state.total_requests, state.tasks) == (3, set())
    connection.connection_lost(None)
    assert state.connections == set()


async def test_a_stream_that_comes_at_once_is_one_write() -> None:
    connection, wire, _ = connected(App(Service(Shelf(up=Talker(FINISH)))))
    connection.data_received(asked(stream=True))
    await settled()
    (said,) = wire.writes
    head, _, first = said.partition(b"\r\n\r\n")
    assert b"transfer-encoding: chunked" in head
    size, _, rest = first.partition(b"\r\n")
    assert rest[int(size, 16) :].startswith(b"\r\n")
    assert said.endswith(b"\r\n0\r\n\r\n")
    connection.connection_lost(None)


class Trailing(App):
    """Says the last piece, and then takes its time to end."""

    async def answer(self, exchange: Exchange) -> None:
        await exchange.begin(200, "text/plain", b"")
        await exchange.write(b"one")
        await exchange.write(b"two", ending=True)
        await asyncio.sleep(0.01)
        await exchange.end(b"three")


async def test_the_last_piece_does_not_wait_for_the_end() -> None:
    connection, wire, _ = connected(Trailing(Service(Shelf())))
    connection.data_received(asked())
    await settled()
    head, _, first = wire.writes[0].partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 200 OK")
    assert [first, *wire.writes[1:]] == [b"3\r\none\r\n", b"3\r\ntwo\r\n"]
    await asyncio.sleep(0.02)
    assert wire.writes[2:] == [b"5\r\nthree\r\n0\r\n\r\n"]
    connection.connection_lost(None)


class Broken(App):
    def __init__(self, *, begun: bool) -> None:
        super().__init__(Service(Shelf()))
        self._begun = begun

    async def answer(self, exchange: Exchange) -> None:
        if self._begun:
            await exchange.begin(200, "text/plain", b"")
            await exchange.write(b"half a ")
        raise ValueError("what nobody thought of")


@pytest.mark.parametrize("begun", [True, False])
async def test_work_that_breaks_ends_the_connection(
    *, begun: bool, caplog: pytest.LogCaptureFixture
) -> None:
    connection, wire, _ = connected(Broken(begun=begun))
    connection.data_received(asked() + asked())
    await settled()
    assert wire.closed
    (said,) = wire.writes
    assert said.startswith(b"HTTP/1.1 200 " if begun else b"HTTP/1.1 500 ")
    assert b"nobody thought" not in said
    assert not said.endswith(b"0\r\n\r\n")
    assert "what nobody thought of" in caplog.text
    connection.connection_lost(None)


async def test_a_stream_waits_while_the_client_does_not_read() -> None:
    model = Talker()
    connection, wire, state = connected(App(Service(Shelf(up=model))))
    connection.data_received(asked(stream=True))
    await settled()
    connection.pause_writing()
    await settled()
    before = len(wire.writes)
    await settled()
    assert len(wire.writes) == before
    connection.resume_writing()
    await settled()
    assert len(wire.writes) > before
    connection.connection_lost(ConnectionResetError())
    assert len(state.tasks) == 1  # the server waits for it
    await settled()
    assert model.closed
    assert state.tasks == set()
    assert not wire.writes[-1].endswith(b"0\r\n\r\n")


async def test_draining_lets_a_reply_end_and_then_closes() -> None:
    model = Talker()
    connection, wire, _ = connected(App(Service(Shelf(up=model))))
    connection.data_received(asked(stream=True))
    await settled()
    connection.shutdown()
    assert not wire.closed
    connection.connection_lost(None)
    idle, its_wire, _ = connected(App(Service(Shelf(up=model))))
    idle.shutdown()
    assert its_wire.closed
    idle.connection_lost(None)
    await settled()


async def test_a_body_nobody_asks_for_is_not_taken_in() -> None:
    connection, wire, _ = connected(App(Service(Shelf())))
    head = b"GET /healthz HTTP/1.1\r\ncontent-length: 10000000\r\n\r\n"
    connection.data_received(head + b"x" * 300_000)
    assert not wire.reading
    await settled()
    assert b"connection: close" in wire.writes[0]
    assert wire.reading  # what is still sent is thrown away, so that the client can read the reply
    assert not wire.closed
    connection.connection_lost(None)


@pytest.mark.parametrize("http", ["httptools", "h11"])
async def test_the_application_runs_under_servers_of_others(http: str) -> None:
    model = scripted(lambda _: "Hello!")

    def talk() -> list[int]:
        with serving(Service(Shelf(up=model)), http=http) as url, client(url) as raw:
            raw.send(
                asked() + asked(stream=True) + b"GET /v1/responses HTTP/1.1\r\nhost: x\r\n\r\n"
            )
            return [answer.status for answer in raw.read(3)]

    assert await asyncio.to_thread(talk) == [200, 200, 426]


CHUNKS = b'7\r\n{"model\r\n7;a=b\r\n":"up"}\r\n0\r\nx: y\r\n\r\n'
REQUESTS = (
    b"GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n",
    b"HEAD /api/hello HTTP/1.0\r\n\r\n",
    b"POST /api/show HTTP/1.1\r\ncontent-length: 14\r\n\r\n" + b'{"model":"up"}',
    b"POST /api/show HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\n%b" % CHUNKS,
    b"GET /v1/responses HTTP/1.1\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n",
    b"POST /api/show HTTP/1.1\r\nexpect: 100-continue\r\ncontent-length: 2\r\n\r\n{}",
)


@given(
    asked=st.lists(st.sampled_from(REQUESTS), min_size=1, max_size=6),
    cuts=st.lists(st.integers(1, 60), max_size=30),
    damage=st.lists(st.tuples(st.integers(0, 300), st.binary(max_size=3)), max_size=2),
)
def test_whatever_comes_in_any_cut_is_answered_in_order_or_refused(
    asked: list[bytes], cuts: list[int], damage: list[tuple[int, bytes]]
) -> None:
    data = b"".join(asked)
    for at, put in damage:
        data = data[:at] + put + data[at + 1 :]
    writes = asyncio.run(fed(data, cuts))
    assert all(one.startswith(b"HTTP/1.1 ") for one in writes)
    answers = [one for one in writes if not one.startswith(b"HTTP/1.1 100 ")]
    if not damage:
        last = next((n for n, one in enumerate(asked) if b"HTTP/1.0" in one), len(asked) - 1)
        assert len(answers) == last + 1
    closing = [b"connection: close" in one.partition(b"\r\n\r\n")[0] for one in answers]
    assert not any(closing[:-1])


async def fed(data: bytes, cuts: list[int]) -> list[bytes]:
    connection, wire, state = connected(App(Service(Shelf(up=scripted(lambda _: "Hello!")))))
    for cut in [*cuts, len(data)]:
        piece, data = data[:cut], data[cut:]
        if piece and wire.reading:
            connection.data_received(piece)
            await asyncio.sleep(0)
    await settled()
    connection.connection_lost(None)
    await settled()
    assert state.tasks == set()
    return wire.writes
