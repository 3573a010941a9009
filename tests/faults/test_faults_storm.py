"""Many callers at once, three upstreams that misbehave at random, some callers who leave.

Every answer is whole or an honest error; afterwards no task, no connection and no probe is left.
"""

import asyncio
import random
from collections.abc import Callable

import pytest

from majordomo.contract import Exhausted, Overloaded, RateLimited, Start
from majordomo.dialects.dialect import Ask
from majordomo.route import Patience
from majordomo.testing import Cut, Delay, Garbage, Head, Item, Reset, Stall, Turn
from support.chains import Rig, chained, others, reply
from support.faults import TEXT, WORDS, says

pytestmark = pytest.mark.anyio

PATIENCE = Patience(backoff=0.005, first_token=0.1, silence=0.4, idle=0.2)


def upstream(dice: random.Random) -> Callable[[Ask], Turn]:
    """Answer three times in twelve; otherwise fail in one of nine ways."""

    def turn(_: Ask) -> Turn:
        begun: list[Item] = [Start(model="m"), *says(WORDS[: dice.randrange(1, 60)]), Delay(0.005)]
        whole = reply(*WORDS)
        ways: list[Turn] = [
            *(whole, whole, whole),
            Overloaded("hiccup", status=500),
            RateLimited("slow down", status=429, retry_after=0.01),
            [Reset()],
            [Stall()],
            [Head(), Delay(0.2), *whole],
            [*begun, Cut()],
            [*begun, Reset()],
            [*begun, Stall()],
            [*begun, Garbage(), *whole[len(begun) - 1 :]],
        ]
        return dice.choice(ways)

    return turn


async def ask(rig: Rig, dice: random.Random) -> str:
    await asyncio.sleep(dice.random())
    leaves = dice.random() < 0.15
    try:
        async with asyncio.timeout(dice.random() * 0.2 if leaves else None):
            response = await rig.chain.generate("Say sixty words.")
    except TimeoutError:
        return "left"
    except Exhausted as error:
        return "failed" if error.attempts else "failed without saying why"
    assert response.text == TEXT
    assert response.attempts[-1].target == response.model or len(response.attempts) > 1
    return "served"


@pytest.mark.parametrize("seed", range(2))
async def test_a_storm_leaves_nothing_broken_behind(seed: int) -> None:
    dice = random.Random(seed)  # noqa: S311 -- to be repeated, not to be secret
    async with chained(*(upstream(dice) for _ in range(3)), patience=PATIENCE) as rig:
        ends = await asyncio.gather(*(ask(rig, dice) for _ in range(80)))
        assert [task for task in others() if "speak" in repr(task)] == []
        assert [rig.book.of(target.name).probe for target in rig.chain.targets] == [0, 0, 0]
    assert set(ends) <= {"served", "failed", "left"}
    assert ends.count("served") > ends.count("failed")
