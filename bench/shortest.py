"""The shortest form, for the gate: two scenarios beside nginx, as ratios, printed as JSON."""

import json
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory

from measuring import Bench, Scenario
from servers import MAJORDOMO, NGINX, running

SMALL = Scenario("small chat→chat", "chat", "chat", "small", 400)
STREAM = Scenario("stream anthropic→chat", "anthropic", "chat", "hundred", 150, stream=True)
_FLOORS = {  # what nginx is asked: it translates nothing
    SMALL: SMALL,
    STREAM: Scenario("stream chat→chat", "chat", "chat", "hundred", 150, stream=True),
}


def main() -> None:
    with ExitStack() as stack:
        scratch = Path(stack.enter_context(TemporaryDirectory()))
        bench = stack.enter_context(Bench.open(scale=1.0))
        nginx = stack.enter_context(running(NGINX, scratch, bench.mock))
        ours = stack.enter_context(running(MAJORDOMO, scratch, bench.mock))
        for at in (nginx, ours):
            bench.own_core(at)
        ratios: dict[str, float] = {}
        for scenario, floor in _FLOORS.items():
            bench.cpu(MAJORDOMO, ours, scenario, 0.2)  # to warm up
            # The least of a few rounds: a busy machine only ever adds.
            cost = min(bench.cpu(MAJORDOMO, ours, scenario, 1.0) for _ in range(4))
            least = min(bench.cpu(NGINX, nginx, floor, 1.0) for _ in range(4))
            ratios[scenario.name] = cost / least
    print(json.dumps(ratios))


if __name__ == "__main__":
    main()
