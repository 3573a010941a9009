"""A target that is well, with nobody in a hurry, is asked as a bare model is."""

import sys
from collections import Counter
from types import FrameType

import pytest

from majordomo.contract import Disconnected, Finish, JsonObject, Start, TextDelta
from majordomo.engine.http import HttpCall
from majordomo.engine.model import Model, TargetModel
from majordomo.engine.outside import Outside
from majordomo.engine.registry import Registry
from majordomo.testing import Delay
from support.chains import QUICK, chained, reply
from support.wire_upstream import Wire, chat_stream

pytestmark = pytest.mark.anyio

WORDS: list[JsonObject] = [{"content": "word "}] * 20


async def calls_of(model: Model) -> Counter[str]:
    """Count the calls of functions of ours that one reply takes."""
    for _ in range(3):  # what is made once and kept is made before
        await model.generate("Hi")
    counted: Counter[str] = Counter()

    def count(frame: FrameType, event: str, _: object) -> None:
        if event == "call" and "majordomo" in frame.f_code.co_filename:
            counted[frame.f_code.co_qualname] += 1

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        await model.generate("Hi")
    finally:
        sys.setprofile(before)
    return counted


async def test_a_chain_of_one_does_no_more_than_a_bare_model() -> None:
    """Latency that no clock has to measure: every call costs, and there is not one more."""
    wire = Wire(chat_stream(*WORDS))
    registry = Registry(providers={"a": "openai+http://k@h:1/v1"}, env={}, http_client=wire)
    chain = registry.parse("a/m")
    bare = TargetModel(chain.targets[0], Outside(http_client=wire))
    alone, chained_up = await calls_of(bare), await calls_of(chain)
    assert alone.total() > 20  # something was counted
    more = {name: chained_up[name] - alone[name] for name in chained_up | alone}
    assert chained_up.total() <= alone.total(), {name: n for name, n in more.items() if n}


async def test_who_answers_is_not_said_before_there_is_an_answer() -> None:
    script = [[Start(model="m"), Delay(0.05), *reply("Hello", "!")[1:]]]
    async with chained(script) as rig, rig.chain.stream("Hi") as stream:
        first = await stream.next_batch()
    assert [type(event) for event in first][:2] == [Start, TextDelta]


async def test_a_word_that_comes_through_clears_what_others_met_meanwhile() -> None:
    async with chained([reply("Hello", "!")]) as rig, rig.chain.stream("Hi") as stream:
        rig.book.failed("a/x", 0.0)
        await stream.response()
    assert rig.book.ailing == {}


async def test_who_leaves_after_the_last_word_has_been_served() -> None:
    async with chained([reply("Hello", "!")]) as rig, rig.chain.stream("Hi") as stream:
        rig.book.failed("a/x", 0.0)
        async for event in stream:
            if isinstance(event, Finish):
                break
        assert rig.book.ailing == {}


class BreaksAfterwards:
    """A transport whose connection breaks once everything was said."""

    status = 200

    def __init__(self) -> None:
        self.headers: dict[str, str] = {}
        self.closed = False
        self._left = [chat_stream(*WORDS)]

    async def send(self, call: HttpCall) -> "BreaksAfterwards":
        del call
        return self

    async def read(self) -> bytes:
        return self._left.pop() if self._left else b""

    async def finish(self) -> None:
        raise Disconnected("reset by peer")

    async def aclose(self) -> None:
        """There is nothing to close."""

    def close(self) -> None:
        self.closed = True


@pytest.mark.parametrize("bare", [True, False], ids=["bare model", "chain of one"])
async def test_how_the_connection_ends_after_the_last_word_is_no_matter(*, bare: bool) -> None:
    wire = BreaksAfterwards()
    registry = Registry(providers={"a": "openai+http://k@h:1/v1"}, env={}, http_client=wire)
    chain = registry.parse("a/m")
    model = TargetModel(chain.targets[0], Outside(http_client=wire)) if bare else chain
    response = await model.generate("Hi")
    assert response.text == "word " * 20
    assert [attempt.outcome for attempt in response.attempts] == ["served"]
    assert wire.closed


async def test_who_leaves_before_it_leaves_no_verdict() -> None:
    script = [[Start(model="m"), TextDelta(text="Hello"), Delay(5.0)]]
    async with chained(script, patience=QUICK) as rig:
        async with rig.chain.stream("Hi") as stream:
            async for event in stream:
                if isinstance(event, TextDelta):
                    break
        assert stream.served.attempts[0].outcome == "Cancelled"
    assert rig.book.ailing == {}
