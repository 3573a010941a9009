"""Whether memory stays flat: every scenario over and over, new model names all the time.

`python bench/soak.py [--seconds N]` prints the gateway's memory as it goes and fails if it grows
after the first third of the time by more than a tenth.
"""

import argparse
import sys
import time
from contextlib import ExitStack
from itertools import count, cycle
from pathlib import Path
from tempfile import TemporaryDirectory

from gateway import SCENARIOS
from measuring import Bench
from process import megabytes
from servers import MAJORDOMO, running

_MOST_GROWTH = 1.1


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=60.0)
    seconds: float = parser.parse_args().seconds
    seen: list[tuple[float, float]] = []
    with ExitStack() as stack:
        scratch = Path(stack.enter_context(TemporaryDirectory()))
        bench = stack.enter_context(Bench.open(scale=1.0))
        at = stack.enter_context(running(MAJORDOMO, scratch, bench.mock))
        began = time.monotonic()
        names = (f"small{number}" for number in count())
        for scenario in cycle(SCENARIOS):
            passed = time.monotonic() - began
            if passed > seconds:
                break
            bench.cpu(MAJORDOMO, at, scenario, 0.5)
            if scenario.model == "small":  # clients choose names; memory must not grow with them
                for _ in range(5):
                    named = scenario._replace(model=next(names), requests=20)
                    bench.cpu(MAJORDOMO, at, named, 1.0)
            seen.append((passed, megabytes(at.pid)))
            print(f"{passed:6.0f} s {seen[-1][1]:8.1f} MB", flush=True)
    settled = max(size for passed, size in seen if passed <= seconds / 3)
    last = seen[-1][1]
    print(f"settled at {settled:.1f} MB, ended at {last:.1f} MB")
    return 1 if last > settled * _MOST_GROWTH else 0


if __name__ == "__main__":
    sys.exit(main())
