"""A reply that is changed on its way out, and one that will not do."""

from collections.abc import Iterable

import pytest

from majordomo.contract import Event, Finish, Request, TextDelta, as_request
from majordomo.engine.attempt import Attempting, Lifted
from majordomo.engine.outside import Outside
from majordomo.engine.target import target
from majordomo.fit.shim import Again
from majordomo.testing import DialectServer, Stall
from support.asking import provider_at

pytestmark = pytest.mark.anyio

ONCE_MORE = Again(request=Request(messages=()), reason="it will not do")


class Shouting:
    """Gives text in capitals, holds the finish back, and asks again at the end."""

    def feed(self, event: Event) -> Iterable[Event | Again]:
        if isinstance(event, TextDelta):
            yield TextDelta(text=event.text.upper())

    def close(self) -> Iterable[Event | Again]:
        yield ONCE_MORE


async def test_what_the_lift_gives_comes_out_and_its_end_comes_last() -> None:
    words = [TextDelta(text="a"), TextDelta(text="b"), Finish(reason="stop")]
    async with DialectServer("ollama", [words]) as server:
        attempting = Attempting(target(provider_at(server.url), "m"), as_request("hi"), Outside())
        lifted = Lifted(attempting, Shouting())
        out: list[Event | Again] = []
        while batch := await lifted.pull():
            out.extend(batch)
        assert list(await lifted.pull()) == []
    assert out == [TextDelta(text="A"), TextDelta(text="B"), ONCE_MORE]
    assert attempting.record.outcome == "served"


async def test_closing_it_closes_the_attempt() -> None:
    async with DialectServer("ollama", [[TextDelta(text="a"), Stall()]]) as server:
        attempting = Attempting(target(provider_at(server.url), "m"), as_request("hi"), Outside())
        lifted = Lifted(attempting, Shouting())
        assert list(await lifted.pull()) == [TextDelta(text="A")]
        lifted.close()
        await server.disconnected()
    assert attempting.record.outcome == "Cancelled"
    assert list(await attempting.pull()) == []
