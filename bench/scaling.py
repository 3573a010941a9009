"""How cost grows: with the history, with the size of a body, and what a second worker brings.

    python bench/scaling.py

CPU per request of the gateway, anthropic→chat, for agent requests of more and more turns and for
one message that grows; then requests a second with one worker and with two. Nothing is asserted.
The mock and the load take a core of their own, so that on two cores a second worker shares it.
"""

import sys
import time
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory

import bodies
from measuring import Bench
from process import cpu_seconds
from servers import MAJORDOMO, Contestant, running

_MODEL = f"{MAJORDOMO.prefix['chat']}small"


def turns(count: int) -> bytes:
    """An agent's request after so many calls."""
    messages = bodies.anthropic_turns(count)
    body = {"model": _MODEL, "max_tokens": 100, "stream": False, "messages": messages}
    return bodies.request("anthropic", body)


def text(kilobytes: int) -> bytes:
    messages = [{"role": "user", "content": "words of a text " * (kilobytes * 64)}]
    body = {"model": _MODEL, "max_tokens": 100, "stream": False, "messages": messages}
    return bodies.request("anthropic", body)


def main() -> int:
    with ExitStack() as stack:
        scratch = Path(stack.enter_context(TemporaryDirectory()))
        bench = stack.enter_context(Bench.open(scale=1.0))
        with running(MAJORDOMO, scratch, bench.mock) as at:
            bench.own_core(at)
            for name, made, sizes in (
                ("turns", turns, (10, 20, 40, 80, 160)),
                ("kB of text", text, (16, 64, 256, 1024)),
            ):
                print(f"{name:>12}  body, kB  CPU, µs  µs a kB")
                for size in sizes:
                    asked = made(size)
                    cost = min(_cost(bench, at.pid, at.port, asked) for _ in range(5))
                    kilobytes = len(asked) / 1024
                    print(f"{size:>12}  {kilobytes:8.0f}  {cost:7.0f}  {cost / kilobytes:7.1f}")
        for workers in (1, 2):
            rate = _rate(bench, scratch, workers)
            print(f"{workers} worker{'s' * (workers > 1)}: {rate:,.0f} small requests a second")
    return 0


def _cost(bench: Bench, pid: int, port: int, asked: bytes) -> float:
    before = cpu_seconds(pid)
    bench.load(port, asked, 80, 4)
    return (cpu_seconds(pid) - before) / 80 * 1e6


def _rate(bench: Bench, scratch: Path, workers: int) -> float:
    def command(folder: Path, port: int, mock: int) -> list[str]:
        return [*MAJORDOMO.command(folder, port, mock), "--workers", str(workers)]

    many = Contestant(MAJORDOMO.name, command, MAJORDOMO.prefix)
    asked = bodies.small("anthropic", _MODEL, stream=False)
    with running(many, scratch, bench.mock) as at:
        bench.load(at.port, asked, 400, 16)
        best = 0.0
        for _ in range(4):
            began = time.perf_counter()
            bench.load(at.port, asked, 4000, 16)
            best = max(best, 4000 / (time.perf_counter() - began))
    return best


if __name__ == "__main__":
    sys.exit(main())
