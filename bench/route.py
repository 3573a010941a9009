"""What deciding costs: the pure half of failover, and a chain beside the bare model.

    python bench/route.py

Nothing is asserted; machines differ. The healthy path of a request should decide in well under
20 µs, and a chain of one should not be told from a bare model.
"""

import asyncio
import math
import random
import statistics
import time
from collections.abc import Awaitable, Callable

from majordomo.contract import Fold, Response, TextDelta
from majordomo.engine.http import HttpCall, HttpReply
from majordomo.engine.model import Model, TargetModel
from majordomo.engine.outside import Outside
from majordomo.engine.registry import Registry
from majordomo.route import Failover, HealthBook, Said, Splice, Target, Try, parse_spec
from measuring import Bench

CHAIN = ("a/x", "b/y", "c/z")
CHUNK = b'{"model":"m","message":{"role":"assistant","content":"word "},"done":false}\n'
LAST = (
    b'{"model":"m","message":{"role":"assistant","content":""},"done":true,'
    b'"done_reason":"stop","prompt_eval_count":3,"eval_count":100}\n'
)


class Canned:
    """A transport without a network: a hundred chunks, one read each."""

    async def send(self, call: HttpCall) -> HttpReply:
        del call
        return _Chunks()

    async def aclose(self) -> None:
        pass


class _Chunks:
    status = 200

    def __init__(self) -> None:
        self.headers: dict[str, str] = {}
        self._left = [LAST, *([CHUNK] * 100)]

    async def read(self) -> bytes:
        return self._left.pop() if self._left else b""

    async def finish(self) -> None:
        pass

    def close(self) -> None:
        pass


def microseconds(work: Callable[[], object], rounds: int = 20_000) -> float:
    """Give the median of five runs, each divided by its rounds."""
    times: list[float] = []
    for _ in range(5):
        begin = time.perf_counter()
        for _ in range(rounds):
            work()
        times.append((time.perf_counter() - begin) / rounds)
    return statistics.median(times) * 1e6


def healthy(book: HealthBook) -> None:
    failover = Failover(CHAIN, book, now=0.0)
    decision = failover.decide(0.0)
    if isinstance(decision, Try):
        failover.served(decision.target)


def benched(book: HealthBook) -> None:
    failover = Failover(CHAIN, book, now=1.0)
    failover.decide(1.0)
    failover.served("b/y")


def spliced(said: Said, delta: TextDelta) -> list[object]:
    join = Splice(expected=said.text, open=said.open)
    return [event for _ in range(20) for event in join.feed(delta)]


async def replies(*asks: Callable[[], Awaitable[Response]], rounds: int = 400) -> list[float]:
    """Give the median CPU time of each, asked in turn so that all meet the same weather."""
    times: list[list[float]] = [[] for _ in asks]
    for _ in range(rounds):
        for ask, column in zip(asks, times, strict=True):
            begin = time.process_time()
            await ask()
            column.append(time.process_time() - begin)
    return [statistics.median(column[rounds // 4 :]) * 1e6 for column in times]


async def beside() -> None:
    """A reply of a hundred chunks, without a network: bare, as a chain of one, of three."""
    transport = Canned()
    registry = Registry(
        providers=dict.fromkeys("abc", "ollama+http://h:1"), env={}, http_client=transport
    )
    one, three = registry.parse("a/m"), registry.parse("a/m,b/m,c/m")
    bare = TargetModel(one.targets[0], Outside(http_client=transport))
    figures = await replies(
        lambda: bare.generate("Hi"), lambda: one.generate("Hi"), lambda: three.generate("Hi")
    )
    print("\na reply of 100 chunks without a network, median µs of CPU")
    for name, figure in zip(("bare model", "chain of one", "chain of three"), figures, strict=True):
        print(f"  {name:<28} {figure:8.1f}   {figure / figures[0]:5.2f} x bare")


async def over_loopback(rounds: int = 4000) -> None:
    """The same with a socket in between: what a caller waits for.

    The order changes with every round, and the bare model is there twice: what is measured
    between the two of them is what cannot be told from nothing.
    """
    with Bench.open(scale=1.0) as bench:
        registry = Registry(providers={"a": f"openai+http://k@127.0.0.1:{bench.mock}/v1"}, env={})
        async with registry:
            one = registry.parse("a/small")
            models: dict[str, Model] = {
                "bare model": TargetModel(one.targets[0], Outside()),
                "bare model, a second one": TargetModel(one.targets[0], Outside()),
                "chain of one": one,
                "chain of three": registry.parse("a/small,a/hundred,a/paced"),
            }
            times = await waits(models, rounds)
    print(
        "\na small reply over loopback, µs a caller waits: median, quartiles, and beside the bare"
    )
    bare = times["bare model"]
    for name, waited in times.items():
        low, middle, high = statistics.quantiles(waited, n=4)
        print(f"  {name:<28} {middle:8.1f}   {low:.1f} to {high:.1f}   {beside_it(waited, bare)}")


async def waits(models: dict[str, Model], rounds: int) -> dict[str, list[float]]:
    times: dict[str, list[float]] = {name: [] for name in models}
    order = list(models)
    for number in range(rounds + rounds // 4):
        random.shuffle(order)
        for name in order:
            begin = time.perf_counter()
            await models[name].generate("Hi")
            if number >= rounds // 4:  # until then everything warms up
                times[name].append((time.perf_counter() - begin) * 1e6)
    return times


def beside_it(waited: list[float], bare: list[float]) -> str:
    """Give the median of the differences round by round, and where it lies 19 times in 20."""
    differences: list[float] = sorted(one - other for one, other in zip(waited, bare, strict=True))
    middle, spread = len(differences) // 2, int(0.98 * math.sqrt(len(differences)))
    low, high = differences[middle - spread], differences[middle + spread]
    return f"{differences[middle]:+.1f} ({low:+.1f} to {high:+.1f})"


def main() -> None:
    sick = HealthBook()
    sick.failed("a/x", 0.0, count=3)
    given = Fold()
    delta = TextDelta(text="word ")
    for _ in range(10):
        given.add(delta)
    said = Said(given)
    book, aliases = HealthBook(), {"best": "a/x,b/y", "all": "best,c/z"}
    print("µs")
    rows: dict[str, Callable[[], object]] = {
        "decide, healthy": lambda: healthy(book),
        "decide, primary benched": lambda: benched(sick),
        "parse a spec with aliases": lambda: parse_spec("all,d/w", aliases),
        "splice twenty deltas": lambda: spliced(said, delta),
    }
    for name, work in rows.items():
        print(f"  {name:<28} {microseconds(work):8.2f}")
    assert parse_spec("a/x", {}) == (Target("a", "x"),)
    asyncio.run(beside())
    asyncio.run(over_loopback())


if __name__ == "__main__":
    main()
