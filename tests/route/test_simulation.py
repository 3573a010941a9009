"""Thousands of random schedules of faults, chains and callers; no promise may be broken.

A failing seed prints itself: `MAJORDOMO_SEED=<seed> pytest tests/route/test_simulation.py`
plays it again. `MAJORDOMO_SCHEDULES` sets how many are played.
"""

import os

import pytest

from support.simulated_target import MODES
from support.simulation import Violation, check, run

SCHEDULES = int(os.environ.get("MAJORDOMO_SCHEDULES", "10000"))
SEED = os.environ.get("MAJORDOMO_SEED", "")
GROUPS = 1 if SEED else 10


@pytest.mark.parametrize("group", range(GROUPS))
def test_no_schedule_breaks_a_promise(group: int) -> None:
    seeds = [int(SEED)] if SEED else range(group, SCHEDULES, GROUPS)
    for seed in seeds:
        try:
            run(seed)
        except Exception as error:
            message = f"MAJORDOMO_SEED={seed} pytest {__file__}"
            raise AssertionError(f"{error}\nreplay with: {message}") from error


def test_a_seed_is_played_the_same_way_every_time() -> None:
    assert run(7).told == run(7).told


def test_the_schedules_are_not_all_alike() -> None:
    ends = {told.end for seed in range(300) for told in run(seed).told}
    assert ends == {"served", "exhausted", "stopped", "abandoned"}
    seen = {m for seed in range(300) for plan in run(seed).plans.values() for _, m in plan.segments}
    assert seen == set(MODES)


def test_a_violation_is_noticed() -> None:
    world = run(1)
    world.told[0].text = "word0 word0 "
    world.told[0].end = "served"
    with pytest.raises(Violation):
        check(world, tuple(world.plans))
