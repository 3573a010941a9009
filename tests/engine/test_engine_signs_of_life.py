"""Comments in a stream: a server that still reads a long prompt is not one that has stalled."""

import pytest

from majordomo.catalog import Timeouts
from majordomo.contract import Timeout
from majordomo.testing import Delay, DialectServer, Stall
from majordomo.testing.turn import items
from support.asking import model_at

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("client")]

COMMENT = b": still reading\n\n"  # llama.cpp sends the like before its first word


async def test_a_comment_is_no_first_word() -> None:
    """After it the patience between words, often the shorter, does not count yet."""
    turn = [COMMENT, Delay(0.15), *items("Hello!")]
    async with DialectServer("openai_chat", [turn]) as server:
        timeouts = Timeouts(first_byte=5, idle=0.05)
        assert (
            await model_at(server, "openai_chat", timeouts=timeouts).generate("hi")
        ).text == "Hello!"


async def test_a_comment_begins_the_wait_for_the_first_word_anew() -> None:
    turn = [*[item for _ in range(4) for item in (COMMENT, Delay(0.3))], *items("Hello!")]
    async with DialectServer("openai_chat", [turn]) as server:
        timeouts = Timeouts(first_byte=1.0, idle=5)
        assert (
            await model_at(server, "openai_chat", timeouts=timeouts).generate("hi")
        ).text == "Hello!"


async def test_comments_that_cease_are_silence() -> None:
    async with DialectServer("openai_chat", [[COMMENT, Stall()]]) as server:
        with pytest.raises(Timeout, match=r"no first byte within 0\.05 s"):
            await model_at(
                server, "openai_chat", timeouts=Timeouts(first_byte=0.05, idle=5)
            ).generate("hi")
