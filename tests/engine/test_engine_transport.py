"""The transport over real sockets: pools, TLS, proxies, sizes, and every way to fail."""

import asyncio
import socket
import subprocess
import sys
from itertools import count

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
from majordomo.testing import Cut, Delay, DialectServer, Head, NoAnswer, Reset, Stall, Turn
from support.asking import model_at
from support.saying import saying
from support.transports import Client

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("client")]

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


async def test_connections_are_reused_and_closed_on_request(client: Client) -> None:
    async with DialectServer("ollama", ["a", "b"]) as server:
        transport = client()
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


def test_one_model_serves_several_event_loops(client: Client) -> None:
    with DialectServer.in_thread("ollama", lambda ask: ask.request.messages[-1].text) as server:
        model = model_at(server, http_client=client())
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


async def test_anything_can_be_fetched_not_only_posted(client: Client) -> None:
    async with DialectServer("ollama", []) as server:
        reply = await client().send(
            HttpCall(method="GET", url=server.url + "/api/tags", timeouts=QUICK)
        )
        while await reply.read():
            pass
    assert (reply.status, server.requests[0].method) == (404, "GET")


async def test_an_old_connection_that_was_closed_is_replaced_unseen(client: Client) -> None:
    """llama.cpp promises to keep a connection and closes it after every stream."""
    seen: list[int] = []
    numbers = count()

    async def once(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        connection = next(numbers)
        while await _request_in(reader):
            seen.append(connection)
            if seen.count(connection) > 1:
                break  # the second request on it finds it closed
            writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok")
        writer.close()

    async with await asyncio.start_server(once, "127.0.0.1", 0) as server:
        call = HttpCall(url=_url(server), body=b"{}", timeouts=QUICK)
        transport = client()
        for _ in range(3):
            reply = await transport.send(call)
            assert await reply.read() == b"ok"
            await reply.finish()
        await transport.aclose()
    assert seen == [0, 0, 1, 1, 2]


async def test_a_new_connection_that_is_closed_without_an_answer_is_a_failure(
    client: Client,
) -> None:
    seen = 0

    async def never(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal seen
        await _request_in(reader)
        seen += 1
        writer.close()

    async with await asyncio.start_server(never, "127.0.0.1", 0) as server:
        transport = client()
        with pytest.raises(Disconnected, match="hung up"):
            await transport.send(HttpCall(url=_url(server), body=b"{}", timeouts=QUICK))
        await transport.aclose()
    assert seen == 1


async def _request_in(reader: asyncio.StreamReader) -> bytes:
    try:
        head = await reader.readuntil(b"\r\n\r\n")
    except asyncio.IncompleteReadError:
        return b""
    return head + await reader.readexactly(2)


def _url(server: asyncio.Server) -> str:
    return f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/"
