"""One way of asking a model, measured: CPU seconds of this process per call and per stream.

`python bench/contestant.py NAME URL` prints JSON: microseconds of CPU, one figure per round.
"""

import asyncio
import json
import sys
import time
from contextlib import AsyncExitStack
from importlib import import_module

from asking import EXPECTED, Ask

_ROUNDS = 7
_CALLS = 300
_STREAMS = 100


async def measure(ask: Ask, times: int) -> list[float]:
    """Give microseconds of CPU per ask for each round, the first asks not counted."""
    for _ in range(times // 2):
        assert await ask() == EXPECTED
    figures: list[float] = []
    for _ in range(_ROUNDS):
        before = time.process_time()
        for _ in range(times):
            await ask()
        figures.append((time.process_time() - before) / times * 1e6)
    return figures


async def main(name: str, url: str) -> None:
    async with AsyncExitStack() as stack:
        call, stream = await import_module(f"ask_{name}").prepare(url, stack)
        figures = {"call": await measure(call, _CALLS), "stream": await measure(stream, _STREAMS)}
    print(json.dumps(figures))


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], sys.argv[2]))
