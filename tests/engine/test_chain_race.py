"""The race for the first word, on random courses: one winner, a verdict for all, no task left."""

import asyncio
import random
from collections import Counter
from typing import cast

import pytest

from majordomo.contract import Failure, Overloaded
from majordomo.engine.hedge import Race
from majordomo.engine.voice import Voice
from support.chains import others

pytestmark = pytest.mark.anyio

TICK = 0.001
LATE = 2 * TICK


class Runner:
    """Speaks or fails after so many ticks; never where there are none."""

    def __init__(self, dice: random.Random) -> None:
        self.ticks = dice.choice([0, 0, 1, 2, 2, 3, 4, None])
        self.fails = dice.random() < 0.4
        self.patience = dice.choice([LATE, LATE, 3 * LATE, None])  # before there is another
        self.stubborn = False  # takes being cancelled for a failure
        self.spoke = self.closed = False

    async def speak(self) -> None:
        try:
            await self._speak()
        except asyncio.CancelledError:
            if self.stubborn:
                raise Overloaded("not like this") from None
            raise

    async def _speak(self) -> None:
        if self.ticks is None:
            await asyncio.Event().wait()
        for _ in range(self.ticks or 0):
            await asyncio.sleep(TICK)
        if self.fails:
            raise Overloaded("not now")
        self.spoke = True

    def close(self) -> None:
        self.closed = True


class Field:
    """A `Course`: who may still be started, and what was said of each."""

    def __init__(self, dice: random.Random) -> None:
        self.first = Runner(dice)
        self.waiting = [Runner(dice) for _ in range(dice.randint(0, 3))]
        self.started = [self.first]
        self.verdicts: dict[Runner, list[str]] = {}
        self.may_be_silent = any(each.ticks is None for each in (self.first, *self.waiting))

    def patience(self, voice: Voice) -> float | None:
        return cast("Runner", voice).patience

    def company(self) -> Voice | None:
        if not self.waiting:
            return None
        self.started.append(self.waiting.pop(0))
        return _as_voice(self.started[-1])

    def failed(self, voice: Voice, failure: Failure) -> None:
        assert isinstance(failure, Overloaded)
        self._tell(voice, "failed")

    def lost(self, voice: Voice) -> None:
        self._tell(voice, "lost")

    def left(self, voice: Voice) -> None:
        self._tell(voice, "left")

    def _tell(self, voice: Voice, verdict: str) -> None:
        self.verdicts.setdefault(cast("Runner", voice), []).append(verdict)

    def check(self, winner: Runner | None, seed: int) -> None:
        told = {runner: list(words) for runner, words in self.verdicts.items()}
        if winner is not None:
            assert winner.spoke, seed
            assert not winner.closed, seed
            told.setdefault(winner, []).append("won")
        assert set(told) == set(self.started), seed
        assert all(len(words) == 1 for words in told.values()), (seed, told)
        for runner, (word,) in told.items():
            assert runner.closed == (word in {"lost", "left"}), (seed, word)
            assert runner.fails or runner.stubborn or word != "failed", seed
            assert word != "lost" or any(other.spoke for other in told if other is not runner), seed


def _as_voice(runner: Runner) -> Voice:
    return cast("Voice", runner)


async def run(field: Field, race: Race) -> Runner | None:
    return cast("Runner | None", await race.run(_as_voice(field.first), LATE))


@pytest.mark.parametrize("block", range(4))
async def test_the_first_to_speak_wins_and_everybody_is_told(block: int) -> None:
    ends: Counter[str] = Counter()
    for seed in range(block * 50, block * 50 + 50):
        field = Field(random.Random(seed))  # noqa: S311 -- a schedule, not a secret
        field.first.stubborn = seed % 3 == 0 and not field.may_be_silent
        before = others()
        try:
            async with asyncio.timeout(20 * TICK if field.may_be_silent else None):
                winner = await run(field, Race(field))
        except TimeoutError:
            field.check(None, seed)
            ends["silence"] += 1
        else:
            field.check(winner, seed)
            ends["nobody" if winner is None else "first" if winner is field.first else "other"] += 1
        assert others() <= before, seed
        assert (task := asyncio.current_task()) is not None
        assert task.cancelling() == 0, seed
    assert {"first", "other", "nobody"} <= set(ends)  # every end was seen


async def test_company_that_is_cancelled_by_somebody_else_is_no_company_any_more() -> None:
    class Cancelled(Runner):
        async def speak(self) -> None:
            raise asyncio.CancelledError

    dice = random.Random(0)  # noqa: S311 -- as above
    field, gone, other = Field(dice), Cancelled(dice), Runner(dice)
    field.first.ticks, field.waiting = None, [gone, other]
    other.ticks, other.fails = 1, False
    async with asyncio.timeout(5.0):
        assert await run(field, Race(field)) is other
    assert field.verdicts[gone] == ["left"]
    field.check(other, 0)


@pytest.mark.parametrize("how", ["closed", "cancelled"])
async def test_whenever_it_is_left_nobody_is_forgotten(how: str) -> None:
    for seed in range(80):
        dice = random.Random(seed)  # noqa: S311 -- as above
        field, before = Field(dice), others()
        race = Race(field)
        running = asyncio.ensure_future(run(field, race))
        for _ in range(dice.randint(1, 6)):
            await asyncio.sleep(dice.choice([0.0, TICK]))
        if how == "closed":
            race.close()
            winner = await running
        else:
            running.cancel()
            await asyncio.wait([running])
            winner = None if running.cancelled() else running.result()
        if field.verdicts or winner is not None:  # it had begun
            field.check(winner, seed)
        assert others() <= before, seed
