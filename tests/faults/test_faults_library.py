"""The sixteen faults against the library, over real sockets, at a small fraction of real time."""

import pytest

from support.fault_wall import play
from support.faults import FAULTS, TEXT
from support.library_client import library

pytestmark = pytest.mark.anyio

SCALE = 0.03


@pytest.mark.parametrize("name", FAULTS)
async def test_the_caller_gets_a_whole_answer_or_an_honest_error(name: str) -> None:
    score = await play(FAULTS[name], library, TEXT, scale=SCALE)
    assert (score.verdict, score.why) == ("pass", ""), score.run
