"""The wall of sixteen faults at real time scale: `make faults` prints the scorecard.

    python tests/faults/run.py [--scale 1.0] [part of a fault's name …]

All rows run at once, each with servers of its own: the longest takes a minute and a half.
"""

import argparse
import asyncio
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from support.fault_wall import Client, Score, play
from support.faults import FAULTS, TEXT
from support.library_client import library

CLIENTS: dict[str, Client] = {"library": library}


def main() -> int:
    parser = argparse.ArgumentParser(description="Run the wall of faults and print a scorecard.")
    parser.add_argument("--scale", type=float, default=1.0, help="1 is real time")
    parser.add_argument("--client", choices=sorted(CLIENTS), default="library")
    parser.add_argument("names", nargs="*", help="only faults with this in their name")
    arguments = parser.parse_args()
    names = [name for name in FAULTS if _chosen(name, arguments.names)]
    scores = asyncio.run(_run(names, CLIENTS[arguments.client], arguments.scale))
    sys.stdout.write("\n".join(_lines(names, scores)) + "\n")
    return 0 if all(score.verdict == "pass" for score in scores) else 1


def _chosen(name: str, wanted: list[str]) -> bool:
    return not wanted or any(word.lower() in name.lower() for word in wanted)


async def _run(names: list[str], client: Client, scale: float) -> list[Score]:
    return list(
        await asyncio.gather(*(play(FAULTS[name], client, TEXT, scale=scale) for name in names))
    )


def _lines(names: list[str], scores: list[Score]) -> list[str]:
    lines = [f"{'fault':<38} {'verdict':<8} {'primary':>7} {'fallback':>8} {'seconds':>8}  promise"]
    for name, score in zip(names, scores, strict=True):
        run = score.run
        slowest = max(answer.seconds for answer in run.answers)
        tries = f"{len(run.primary):>7} {len(run.fallback):>8}"
        remark = f"  ({score.why})" if score.why else ""
        lines.append(
            f"{name:<38} {score.verdict:<8} {tries} {slowest:>8.2f}  {FAULTS[name].what}{remark}"
        )
    passed = sum(score.verdict == "pass" for score in scores)
    lines.append(f"{passed} of {len(scores)} pass; seconds are those of the slowest request")
    return lines


if __name__ == "__main__":
    sys.exit(main())
