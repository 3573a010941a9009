"""What the gateway costs, beside nginx as a plain proxy and what users pick instead, in one run.

    python bench/gateway.py [--quick] [--peers] [--repeats N]

prints one table and writes `bench/results/gateway.json`. CPU is that of the gateway's process,
read from the kernel; the gateway has one core to itself, mock and load share the other. Figures
of one run compare; those of different machines or runs do not.
"""

import argparse
import json
import statistics
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory

from measuring import Bench, Figures, Scenario
from peers import Missing
from process import megabytes
from reporting import goals, print_goals, print_table
from servers import (
    LITELLM,
    MAJORDOMO,
    NGINX,
    PORTKEY,
    UVICORN,
    Contestant,
    Skipped,
    Started,
    running,
)

_RESULTS = Path(__file__).parent / "results" / "gateway.json"
_SLOW = {"LiteLLM": 0.05, "Portkey": 0.3}  # of the requests: theirs take so much longer

SCENARIOS = (
    Scenario("small chat→chat", "chat", "chat", "small", 1500),
    Scenario("small anthropic→chat", "anthropic", "chat", "small", 1500),
    Scenario("small chat→anthropic", "chat", "anthropic", "small", 1500),
    Scenario("small responses→chat", "responses", "chat", "small", 1500),
    Scenario("stream chat→chat", "chat", "chat", "hundred", 600, stream=True),
    Scenario("stream anthropic→chat", "anthropic", "chat", "hundred", 600, stream=True),
    Scenario("stream chat→anthropic", "chat", "anthropic", "hundred", 600, stream=True),
    Scenario("stream responses→chat", "responses", "chat", "hundred", 600, stream=True),
    Scenario("agent 60 kB anthropic→chat", "anthropic", "chat", "small", 300, body="agent"),
    Scenario("agent 60 kB chat→chat", "chat", "chat", "small", 300, body="agent"),
    Scenario("image 200 kB anthropic→chat", "anthropic", "chat", "small", 200, body="image"),
    Scenario("tools native 4 kB", "chat", "chat", "calls", 300, stream=True, body="tools"),
    Scenario("tools emulated 4 kB", "chat", "written", "action", 300, stream=True, body="tools"),
)


def main() -> int:
    options = _options()
    contestants = [NGINX, UVICORN, MAJORDOMO, *([LITELLM, PORTKEY] if options.peers else [])]
    figures: dict[str, Figures] = {}
    with ExitStack() as stack:
        scratch = Path(stack.enter_context(TemporaryDirectory()))
        bench = stack.enter_context(Bench.open(scale=0.4 if options.quick else 1.0))
        started = dict(_start(stack, contestants, scratch, bench))
        able: dict[str, list[Scenario]] = {}
        for name, (contestant, at) in started.items():
            figures[name] = {"start, s": at.seconds, "RSS at start, MB": megabytes(at.pid)}
            able[name] = bench.warm_up(contestant, at, SCENARIOS, _SLOW.get(name, 1.0))
        _measure_cpu(bench, started, able, figures, options.repeats)
        direct = bench.latency(None, None)
        for name, (contestant, at) in started.items():
            if contestant is not UVICORN:
                figures[name] |= _at_leisure(bench, contestant, at, direct)
    print_table(figures, SCENARIOS)
    met = goals(figures)
    print_goals(met)
    _RESULTS.parent.mkdir(exist_ok=True)
    _RESULTS.write_text(json.dumps({"figures": figures, "goals": met}, indent=2) + "\n")
    return 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    parser.add_argument("--quick", action="store_true", help="fewer requests, no peers")
    parser.add_argument("--peers", action="store_true", help="LiteLLM and Portkey too")
    parser.add_argument("--repeats", type=int, default=5)
    return parser.parse_args()


def _start(
    stack: ExitStack, contestants: list[Contestant], scratch: Path, bench: Bench
) -> Iterator[tuple[str, tuple[Contestant, Started]]]:
    for contestant in contestants:
        try:
            at = stack.enter_context(running(contestant, scratch, bench.mock))
        except (Skipped, Missing) as why:
            print(f"{contestant.name} is left out: {why}", flush=True)
            continue
        bench.own_core(at)
        yield contestant.name, (contestant, at)


def _measure_cpu(
    bench: Bench,
    started: dict[str, tuple[Contestant, Started]],
    able: dict[str, list[Scenario]],
    figures: dict[str, Figures],
    repeats: int,
) -> None:
    """Let everybody run in turn, several times over, so that a busy moment hits them all."""
    seen: dict[tuple[str, str], list[float]] = {}
    for _ in range(repeats):
        for scenario in SCENARIOS:
            for name, (contestant, at) in started.items():
                if scenario in able[name]:
                    cost = bench.cpu(contestant, at, scenario, _SLOW.get(name, 1.0))
                    seen.setdefault((name, scenario.name), []).append(cost)
    for (name, scenario_name), costs in seen.items():
        figures[name][f"{scenario_name}, µs"] = statistics.median(costs)


def _at_leisure(
    bench: Bench, contestant: Contestant, at: Started, direct: dict[str, float]
) -> Figures:
    """What is not about CPU; peers are spared what they would take minutes for."""
    peer = contestant not in (NGINX, MAJORDOMO)
    try:
        found = _added(bench.latency(contestant, at), direct)
        found |= bench.paced(contestant, at)
    except RuntimeError as why:
        print(f"{contestant.name}: {why}", flush=True)
        found = {}
    if not peer:
        found |= bench.idle(contestant, at, 1000)
    if contestant is not NGINX:
        found |= bench.many(contestant, at, 1000 if peer else 10_000)
    return found


def _added(through: dict[str, float], direct: dict[str, float]) -> dict[str, float]:
    return {f"added {name}, ms": (through[name] - direct[name]) * 1e3 for name in through}


if __name__ == "__main__":
    sys.exit(main())
