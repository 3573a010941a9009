"""The sixteen faults through the gateway, with OpenAI's own client in front of it."""

import pytest

from support.fault_wall import play
from support.faults import FAULTS, TEXT
from support.gateway_client import gateway

pytestmark = pytest.mark.anyio

SCALE = 0.05  # an SDK, two servers and the gateway share the time it leaves


@pytest.mark.parametrize("name", FAULTS)
async def test_the_client_gets_a_whole_answer_or_an_honest_error(name: str) -> None:
    score = await play(FAULTS[name], gateway, TEXT, scale=SCALE)
    assert (score.verdict, score.why) == ("pass", ""), score.run
