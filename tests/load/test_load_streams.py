"""The short form of `make load`: many slow streams at once, none lost, none mixed up."""

import asyncio
import resource
import subprocess
import sys

from support.load import DOORS, Load, judge, put_under

LOAD = Load(streams=200, chunks=10, pause=0.5)


def test_many_slow_streams_at_once_are_all_whole_and_light() -> None:
    outcome = asyncio.run(put_under(LOAD))
    assert outcome.lost == {}
    assert outcome.mixed_up == ()
    if outcome.idle:
        # Generous: a small crowd also pays for what grows in steps. `make load` is exact.
        assert (max(outcome.weights) - outcome.idle) / LOAD.streams < 120_000


def test_a_mix_up_would_be_noticed() -> None:
    right = b"stream-000001:0 stream-000001:1 data: [DONE]"
    door = DOORS["openai_chat"]
    assert judge(door, "stream-000001", right, 2) == ""
    assert "another" in judge(door, "stream-000002", right, 2)
    assert "2 of 3" in judge(door, "stream-000001", right, 3)
    assert "ended" in judge(door, "stream-000001", right.replace(b"DONE", b""), 2)


FEW_FILES = """
import resource
_, most = resource.getrlimit(resource.RLIMIT_NOFILE)
resource.setrlimit(resource.RLIMIT_NOFILE, (256, most))
from majordomo.gateway.open_files import allow_many
allow_many()
print(resource.getrlimit(resource.RLIMIT_NOFILE)[0])
"""


def test_a_gateway_takes_as_many_connections_as_the_system_allows() -> None:
    """A stream is two connections; the usual limit of 1,024 files would end at 500 of them."""
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    done = subprocess.run(
        [sys.executable, "-c", FEW_FILES], capture_output=True, text=True, check=True
    )
    assert int(done.stdout) > 256 or most <= 256
