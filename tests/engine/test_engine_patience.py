"""One timer for the replies of a connection, one after the other."""

import asyncio
import gc

import pytest

from majordomo.catalog.provider import Timeouts
from majordomo.contract import Timeout
from majordomo.engine.lean import LeanReply, LeanTransport
from majordomo.engine.model import TargetModel
from majordomo.engine.outside import Outside
from majordomo.engine.patience import Silence, Watch
from majordomo.engine.target import target
from majordomo.testing import DialectServer
from support.asking import provider_at

pytestmark = pytest.mark.anyio


class Reply:
    def __init__(self, watch: Watch, seconds: float) -> None:
        self.given_up: list[Timeout] = []
        loop = asyncio.get_running_loop()
        times = Timeouts(first_byte=seconds, idle=seconds)
        self.silence = Silence(loop, times, loop.time(), self.given_up.append, watch)


async def test_a_later_reply_may_have_less_patience_than_the_one_before() -> None:
    watch = Watch(asyncio.get_running_loop())
    first, second = Reply(watch, 60.0), Reply(watch, 0.02)
    first.silence.listen()
    first.silence.rest()
    second.silence.listen()
    await asyncio.sleep(0.2)
    assert not first.given_up
    assert "no first byte" in str(second.given_up[0])


async def test_a_reply_that_is_closed_late_leaves_the_next_one_watched() -> None:
    watch = Watch(asyncio.get_running_loop())
    first, second = Reply(watch, 0.02), Reply(watch, 0.05)
    first.silence.listen()
    first.silence.heed()  # all of it has come: the connection is the next one's
    second.silence.listen()
    first.silence.rest()
    await asyncio.sleep(0.3)
    assert not first.given_up
    assert len(second.given_up) == 1


async def test_nobody_is_called_when_all_are_at_rest() -> None:
    watch = Watch(asyncio.get_running_loop())
    reply = Reply(watch, 0.01)
    reply.silence.listen()
    reply.silence.rest()
    await asyncio.sleep(0.05)
    assert not reply.given_up


async def test_a_reply_is_let_go_when_it_is_over() -> None:
    transport = LeanTransport()
    async with DialectServer("ollama", ["Hello!"]) as server:
        model = TargetModel(target(provider_at(server.url), "m"), Outside(http_client=transport))
        gc.collect()  # what other tests have left lying about
        gc.disable()
        try:
            await model.generate("Hi")
            left = [each for each in gc.get_objects() if type(each) is LeanReply]
        finally:
            gc.enable()
            await transport.aclose()
    assert not left
