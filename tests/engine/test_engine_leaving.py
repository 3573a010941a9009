"""Whoever stops listening closes the upstream socket, and leaves no task behind."""

import asyncio
import contextlib
import gc
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from majordomo.contract import TextDelta
from majordomo.engine.model import Model, TargetModel
from majordomo.engine.stream import Stream
from majordomo.testing import Cut, Delay, DialectServer, Stall
from support.asking import model_at

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("client")]

TALKING = [TextDelta(text="one"), TextDelta(text="two"), Stall()]


class Interrupted(Exception):
    """What a caller's own code may raise while it listens."""


async def leave_the_loop(model: Model) -> None:
    async for event in model.stream("hi"):
        if isinstance(event, TextDelta):
            break


async def leave_the_loop_of_a_stream_still_held(model: Model) -> None:
    stream = model.stream("hi")
    async for event in stream:
        if isinstance(event, TextDelta):
            break
    HELD.append(stream)


async def leave_the_text(model: Model) -> None:
    async for _ in model.stream("hi").text():
        break


async def leave_the_batches(model: Model) -> None:
    async for _ in model.stream("hi").batches():
        break


async def raise_in_the_loop(model: Model) -> None:
    with contextlib.suppress(Interrupted):
        async for _ in model.stream("hi"):
            raise Interrupted


async def leave_the_context(model: Model) -> None:
    async with model.stream("hi") as stream:
        await anext(stream)
        HELD.append(stream)


async def close_it(model: Model) -> None:
    stream = model.stream("hi")
    await anext(stream)
    await stream.aclose()
    HELD.append(stream)


async def forget_it(model: Model) -> None:
    stream = model.stream("hi")
    await anext(stream)
    del stream
    gc.collect()


async def cancel_the_task(model: Model) -> None:
    heard = asyncio.Event()

    async def listen() -> None:
        async for _ in model.stream("hi"):
            heard.set()

    task = asyncio.ensure_future(listen())
    await heard.wait()
    await asyncio.sleep(0)
    task.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await task


async def run_out_of_time(model: Model) -> None:
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(0.02):
            await model.generate("hi")


WAYS: dict[str, Callable[[Model], Awaitable[None]]] = {
    way.__name__: way
    for way in (
        leave_the_loop,
        leave_the_loop_of_a_stream_still_held,
        leave_the_text,
        leave_the_batches,
        raise_in_the_loop,
        leave_the_context,
        close_it,
        forget_it,
        cancel_the_task,
        run_out_of_time,
    )
}
HELD: list[Stream] = []


@pytest.mark.parametrize("leave", WAYS.values(), ids=WAYS.keys())
async def test_leaving_closes_the_socket_and_leaves_no_task(
    leave: Callable[[TargetModel], Awaitable[None]],
) -> None:
    before = asyncio.all_tasks()
    async with DialectServer("ollama", [TALKING]) as server:
        await leave(model_at(server))
        async with asyncio.timeout(5):
            await server.disconnected()
            await server.idle()
        await asyncio.sleep(0)
        assert asyncio.all_tasks() == before
    HELD.clear()


async def test_cancelling_before_the_headers_closes_the_socket() -> None:
    async with DialectServer("ollama", [Stall()]) as server:
        task = asyncio.ensure_future(model_at(server).generate("hi"))
        await server.asked()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        async with asyncio.timeout(5):
            await server.disconnected()


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="needs /proc")
async def test_the_socket_is_closed_within_a_tick() -> None:
    with DialectServer.in_thread("ollama", [TALKING]) as server:
        stream = model_at(server).stream("hi")
        await anext(stream)
        before = _open_sockets()
        stream.close()
        await asyncio.sleep(0)
        assert _open_sockets() < before


def _open_sockets() -> int:
    """Ask the kernel: what it counts as open costs the provider's money."""
    return sum(link.is_socket() for link in Path("/proc/self/fd").iterdir())


async def test_a_stream_left_early_is_recorded_as_cancelled() -> None:
    async with DialectServer("ollama", [TALKING]) as server:
        stream = model_at(server).stream("hi")
        await anext(stream)
        stream.close()
        assert [attempt.outcome for attempt in stream.served.attempts] == ["Cancelled"]


async def test_a_finished_stream_gives_its_connection_back() -> None:
    async with DialectServer("ollama", ["one", "two", "three"]) as server:
        model = model_at(server)
        for _ in range(3):
            await model.generate("hi")
        assert (len(server.requests), server.open, server.disconnects) == (3, 1, 0)


async def test_a_server_that_dawdles_after_the_end_is_not_waited_for() -> None:
    lines = b'{"model":"m","created_at":"2024-01-01T00:00:00Z","message":{"role":"assistant",'
    lines += b'"content":"ok"},"done":true,"done_reason":"stop"}\n'
    async with DialectServer("ollama", [[lines, Delay(30), Cut()]]) as server:
        async with asyncio.timeout(5):
            reply = await model_at(server).generate("hi")
        assert reply.text == "ok"
        await server.disconnected()
