"""The first word flows at once, and a caller who leaves takes every upstream along."""

import asyncio
import time

import pytest
from msgspec.structs import replace

from majordomo.contract import Start, TextDelta, Truncated
from majordomo.testing import Item, Stall
from support.chains import QUICK, chained, others
from support.transports import Client

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("pace")]

SPEAKS = [Start(model="m"), TextDelta(text="The "), Stall()]


async def test_the_first_word_is_given_while_the_answer_is_still_being_made() -> None:
    async with chained([SPEAKS], []) as rig:
        async with rig.chain.stream("Go") as stream:
            async for event in stream:
                if isinstance(event, TextDelta):
                    assert event.text == "The "
                    break
            assert rig.servers[0].open == 1  # it is held open by a server that never ends
        await rig.servers[0].disconnected()


async def test_leaving_the_loop_closes_the_upstream() -> None:
    async with chained([SPEAKS], []) as rig:
        before = others()
        async for event in rig.chain.stream("Go"):
            if isinstance(event, TextDelta):
                break
        await rig.servers[0].disconnected()
        assert others() - before - _serving(before) == set()


async def test_a_timeout_around_a_silent_chain_leaves_no_task_and_no_connection() -> None:
    patience = replace(QUICK, first_token=0.02)
    async with chained([[Stall()]], [[Stall()]], [[Stall()]], patience=patience) as rig:
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.3):
                await rig.chain.generate("Go")
        assert [t for t in others() if "speak" in repr(t)] == []
        for server in rig.servers:
            await server.disconnected()
        assert rig.asked == [1, 1, 1]


async def test_cancelling_a_request_that_is_alone_closes_it_at_once() -> None:
    async with chained([[Stall()]]) as rig:
        asking = asyncio.ensure_future(rig.chain.generate("Go"))
        await rig.servers[0].asked()
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking
        await rig.servers[0].disconnected()
        assert [t for t in others() if "speak" in repr(t) or "generate" in repr(t)] == []


async def test_closing_from_elsewhere_ends_a_race_and_begins_nothing_new() -> None:
    patience = replace(QUICK, first_token=0.1)
    async with chained([[Stall()]], [[Stall()]], [], patience=patience) as rig:
        stream = rig.chain.stream("Go")
        pulling = asyncio.ensure_future(stream.__anext__())
        await rig.servers[1].asked()
        stream.close()
        for server in rig.servers[:2]:
            await server.disconnected()
        with pytest.raises(Truncated):
            await pulling
        assert rig.asked == [1, 1, 0]


@pytest.mark.parametrize("script", [[Stall()], SPEAKS], ids=["in silence", "in mid-sentence"])
async def test_closing_from_elsewhere_closes_the_upstream_and_blames_nobody(
    script: list[Item], client: Client
) -> None:
    async with chained([script, "again"], client=client) as rig:
        stream = rig.chain.stream("Go")
        reading = asyncio.ensure_future(stream.response())
        await rig.servers[0].asked()
        await asyncio.sleep(0.03)  # so that what is said has been heard
        stream.close()
        await rig.servers[0].disconnected()
        with pytest.raises(Truncated):
            await reading
        assert rig.asked == [1]
        assert rig.book.ailing == {}
        assert stream.served.attempts[0].outcome == "Cancelled"


async def test_a_probe_whose_caller_leaves_makes_room_for_the_next() -> None:
    async with chained([SPEAKS, "Hello!"], []) as rig:
        long_ago = time.monotonic() - 60.0
        rig.book.failed("a/x", long_ago, count=3)  # so the next try is the probe
        async for event in rig.chain.stream("Go"):
            if isinstance(event, TextDelta):
                assert rig.book.of("a/x").probe
                break
        await rig.servers[0].disconnected()
        assert not rig.book.of("a/x").probe
        assert (await rig.chain.generate("Go")).text == "Hello!"
        assert rig.book.snapshot(0.0) == ()


def _serving(tasks: set[asyncio.Task[object]]) -> set[asyncio.Task[object]]:
    """Leave out the scripted servers' own tasks."""
    return {task for task in others() - tasks if "DialectServer" in repr(task)}
