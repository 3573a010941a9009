"""A thousand slow streams on one worker for a minute: `make load` prints the table.

python tests/load/run.py [--streams 1000] [--seconds 60] [--pause 0.5] [--door NAME]
"""

import argparse
import asyncio
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from support.load import DOORS, Load, Outcome, put_under

MOST_PER_STREAM = 60_000  # bytes
MOST_GROWTH = 5_000  # bytes a stream, from the first weighing to the last


def main() -> int:
    parser = argparse.ArgumentParser(description="Put slow streams on one gateway worker.")
    parser.add_argument("--streams", type=int, default=1000)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--pause", type=float, default=0.5, help="seconds between two chunks")
    parser.add_argument("--door", choices=sorted(DOORS), help="one door instead of all five")
    given = parser.parse_args()
    load = Load(
        streams=given.streams, chunks=max(1, round(given.seconds / given.pause)), pause=given.pause
    )
    doors = (given.door,) if given.door else tuple(DOORS)
    outcome = asyncio.run(put_under(load, doors))
    sys.stdout.write(_table(load, doors, outcome))
    return 0 if _held(load, outcome) else 1


def per_stream(load: Load, outcome: Outcome) -> float:
    return (max(outcome.weights) - outcome.idle) / load.streams


def growth(load: Load, outcome: Outcome) -> float:
    return (outcome.weights[-1] - outcome.weights[0]) / load.streams


def _held(load: Load, outcome: Outcome) -> bool:
    return (
        not outcome.lost
        and not outcome.mixed_up
        and per_stream(load, outcome) < MOST_PER_STREAM
        and growth(load, outcome) < MOST_GROWTH
    )


def _table(load: Load, doors: tuple[str, ...], outcome: Outcome) -> str:
    rows = {
        "streams at once": f"{load.streams} through {', '.join(doors)}",
        "chunks": f"{load.chunks} a stream, one every {load.pause:g} s",
        "seconds": f"{outcome.seconds:.1f}",
        "lost": f"{len(outcome.lost)}",
        "mixed up": f"{len(outcome.mixed_up)}",
        "memory idle": f"{outcome.idle / 1e6:.1f} MB",
        "memory under load": f"{max(outcome.weights) / 1e6:.1f} MB",
        "memory a stream": f"{per_stream(load, outcome) / 1e3:.1f} kB (at most 60)",
        "growth a stream": f"{growth(load, outcome) / 1e3:+.1f} kB over half the time",
    }
    lines = [f"{name:<18} {value}\n" for name, value in rows.items()]
    lines += [f"{name}: {why}\n" for name, why in [*outcome.lost.items()][:5]]
    return "".join(lines)


if __name__ == "__main__":
    sys.exit(main())
