"""Requests, targets and faults under a virtual clock: the pure half of failover, run hard.

A schedule is made from a seed: a chain, what each target does and when, when requests come and
which of them are abandoned. `run(seed)` plays it and raises `Violation` if a promise is broken.
"""

import heapq
import random
from collections.abc import Generator
from typing import TypeAlias

from msgspec import Struct

from majordomo.contract import Finish, Fold, TextDelta
from majordomo.route import (
    Continued,
    Cooldown,
    Failover,
    GiveUp,
    HealthBook,
    Mismatch,
    Patience,
    Said,
    Sent,
    Splice,
    Try,
    Wait,
)

from .simulated_target import ANSWER, STOPS, Outcome, Plan, make_plan, outage, words_of

PATIENCE = Patience(first_token=10.0, silence=20.0, idle=8.0)
COOLDOWN = Cooldown(threshold=3, base=5.0, cap=20.0, long=40.0, longest=60.0)
STRAGGLER = 23.0  # the longest a try that is bound to fail may still take
PROBE = 10.0  # the longest a try that succeeds may take
RETURNED = STRAGGLER + COOLDOWN.cap + 1.0  # requests come every second: one was let through
MOST_STEPS = 20_000
SETTLED = RETURNED + PROBE  # and has come to its end

Process: TypeAlias = Generator[float, None, None]  # yields when it wants to go on


class Violation(AssertionError):
    """A promise was broken."""


class Told(Struct):
    """How one request went."""

    started: float
    ended: float = 0.0
    by: str = ""  # the target that finished the answer
    text: str = ""
    tries: int = 0
    end: str = "hanging"  # served, exhausted, stopped or abandoned


class World:
    """The clock, the targets, and everybody's health."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)  # noqa: S311 -- to be repeated, not to be secret
        self.now = 0.0
        self.book = WatchedBook(COOLDOWN)
        self.plans: dict[str, Plan] = {}
        self.told: list[Told] = []
        self._queue: list[tuple[float, int, Process]] = []
        self._count = 0

    def start(self, process: Process, at: float) -> None:
        self._count += 1
        heapq.heappush(self._queue, (at, self._count, process))

    def play(self) -> None:
        for _ in range(MOST_STEPS):
            if not self._queue:
                return
            self.now, _, process = heapq.heappop(self._queue)
            wake = next(process, None)
            if wake is not None:
                if wake < self.now:
                    raise Violation(f"a wait went back in time: {wake} < {self.now}")
                self.start(process, wake)
        raise Violation(f"after {MOST_STEPS} steps there is still no end")


class WatchedBook(HealthBook):
    """Checks, at the only place where probes begin, that there is one at a time."""

    def __init__(self, cooldown: Cooldown) -> None:
        super().__init__(cooldown)
        self.probes: dict[str, int] = {}

    def enter(self, target: str, now: float) -> int:
        ticket = super().enter(target, now)
        if ticket:
            if target in self.probes:
                raise Violation(f"{target} was probed twice at once")
            self.probes[target] = ticket
        return ticket

    def succeeded(self, target: str, ticket: int = 0) -> None:
        super().succeeded(target, ticket)
        self._ended(target, ticket)

    def leave(self, target: str, ticket: int) -> None:
        super().leave(target, ticket)
        self._ended(target, ticket)

    def _ended(self, target: str, ticket: int) -> None:
        if ticket and self.probes.get(target) == ticket:
            del self.probes[target]


class Asking:
    """One request, acting on decisions as the engine does."""

    def __init__(self, world: World, chain: tuple[str, ...]) -> None:
        self._world = world
        self._chain = chain
        self._given = Fold()
        self._said = Said(self._given)
        self._running: dict[str, Outcome] = {}
        self.told = Told(started=world.now)

    def run(self) -> Process:
        world = self._world
        self.told.started = world.now
        world.told.append(self.told)
        self._failover = Failover(self._chain, world.book, PATIENCE, now=world.now)
        try:
            while self.told.end == "hanging":
                decision = self._failover.decide(world.now)
                match decision:
                    case Wait(seconds=seconds):
                        yield world.now + seconds
                    case GiveUp(everyone=everyone):
                        self._end("exhausted" if everyone else "stopped")
                    case Try():
                        yield from self._try(decision)
        finally:
            for target in self._running:
                self._failover.left(target)
            if self.told.end == "hanging":
                self._end("abandoned")

    def _try(self, attempt: Try) -> Process:
        self._begin(attempt.target)
        if attempt.mode != "continue":
            yield from self._race()
            return
        outcome = self._running[attempt.target]
        if not self._world.plans[attempt.target].prefill:
            yield self._world.now + 0.1
            self._failed(attempt.target, outcome.refusing_prefill())
            return
        yield self._world.now + outcome.first_moment
        if outcome.first is None:
            self._failed(attempt.target, outcome)
            return
        yield from self._speak(attempt.target, outcome, continued=True)

    def _race(self) -> Process:
        world, failover = self._world, self._failover
        company = PATIENCE.first_token or 0.0
        hedge_at = world.now + company if failover.can_hedge(world.now) else float("inf")
        moments = {name: world.now + out.first_moment for name, out in self._running.items()}
        while self._running:
            target = min(moments, key=moments.__getitem__)
            yield min(moments[target], hedge_at)
            if moments[target] <= world.now:
                outcome = self._running[target]
                if outcome.first is not None:
                    self._lose_others(target)
                    yield from self._speak(target, outcome, continued=False)
                    return
                del moments[target]
                self._failed(target, outcome)
                if not self._running:
                    return
            hedge = failover.hedge(world.now)
            hedge_at = float("inf") if hedge is None else world.now + company
            if hedge is not None:
                self._begin(hedge.target)
                moments[hedge.target] = world.now + self._running[hedge.target].first_moment

    def _speak(self, target: str, outcome: Outcome, *, continued: bool) -> Process:
        yield self._world.now + outcome.rest
        plan = self._world.plans[target]
        words = words_of(plan, self._said.text if continued else "")
        before = self._said.text
        join = Continued(self._said) if continued else Splice(expected=before, open=self._said.open)
        events = [TextDelta(text=word) for word in words[: outcome.words]]
        try:
            for event in [*events, *([] if outcome.failure else [Finish(reason="stop")])]:
                for out in list(join.feed(event)):
                    self._given.add(out)
        except Mismatch:
            del self._running[target]
            self._failover.mismatched(target, goes_on=plan.prefill and not continued)
            return
        sent: Sent = "text" if self._said.text != before else "nothing"
        if outcome.failure is not None:
            self._failed(target, outcome, sent)
            return
        del self._running[target]
        self._failover.served(target)
        self._end("served", by=target)

    def _begin(self, target: str) -> None:
        self.told.tries += 1
        self._running[target] = self._world.plans[target].outcome(
            self._world.now, self._world.random
        )

    def _failed(self, target: str, outcome: Outcome, sent: Sent = "nothing") -> None:
        del self._running[target]
        assert outcome.failure is not None
        self._failover.failed(
            target,
            outcome.failure,
            self._world.now,
            jitter=self._world.random.random(),
            sent=sent,
            droppable=outcome.droppable,
        )

    def _lose_others(self, winner: str) -> None:
        for target in [name for name in self._running if name != winner]:
            del self._running[target]
            self._failover.lost(target, self._world.now)

    def _end(self, end: str, by: str = "") -> None:
        self.told.end = end
        self.told.by = by
        self.told.ended = self._world.now
        self.told.text = self._said.text


def abandoning(asking: Asking, world: World, after: float) -> Process:
    """A caller who leaves: whatever is under way is closed."""
    process = asking.run()
    limit = world.now + after
    while (wake := next(process, None)) is not None:
        if wake >= limit:
            yield max(limit, world.now)
            process.close()
            return
        yield wake


def run(seed: int) -> World:
    """Play one schedule and check every promise."""
    world = World(seed)
    dice = world.random
    chain = tuple(f"p{i}/m" for i in range(dice.choice((1, 1, 2, 2, 2, 3, 4))))
    horizon = dice.uniform(5.0, 60.0)
    for target in chain:
        world.plans[target] = make_plan(dice, horizon)
    gap = dice.choice((0.05, 0.5, 2.0, 4.0))
    for _ in range(dice.randint(2, 10)):
        asking = Asking(world, chain)
        leaves = dice.random() < 0.1
        process = abandoning(asking, world, dice.uniform(0.0, 5.0)) if leaves else asking.run()
        world.start(process, dice.uniform(0.0, min(horizon, gap * 10)))
    recovers = dice.random() < 0.2
    if recovers:  # ask on, every second, until well after the primary's last fault
        world.plans[chain[0]] = outage(dice, horizon)
        for second in range(int(SETTLED) + 6):
            world.start(Asking(world, chain).run(), horizon + second)
    world.play()
    check(world, chain)
    if recovers:
        check_return(world, chain[0], horizon)
    return world


def check(world: World, chain: tuple[str, ...]) -> None:
    bound = len(chain) * (PATIENCE.retries + 2) + PATIENCE.resumes + 2 * len(chain)
    for told in world.told:
        if told.end == "hanging":
            raise Violation(f"hangs: {told}")
        if told.tries > bound:
            raise Violation(f"{told.tries} tries, more than {bound}: {told}")
        if told.end == "served":
            _check_whole(told)
        well = [name for name in chain if _could_serve(world.plans[name], told)]
        if well and told.end == "exhausted":
            raise Violation(f"{well} was well all the time and did not serve: {told}")
        if told.end == "stopped" and not any(plan.has(STOPS) for plan in world.plans.values()):
            raise Violation(f"stopped for no reason: {told}")
    if world.book.probes:
        raise Violation(f"probes never ended: {world.book.probes}")


def _could_serve(plan: Plan, told: Told) -> bool:
    """Say whether a target was well and could take up whatever had been said before."""
    return plan.well(told.started, told.ended) and (plan.prefill or ANSWER.startswith(told.text))


def _check_whole(told: Told) -> None:
    """Two answers may have been joined; still each word is there once, and in its place."""
    if told.text.lower().split() != ANSWER.split():
        raise Violation(f"words were lost or doubled: {told}")


def check_return(world: World, primary: str, recovered: float) -> None:
    """Once it is well the primary is found again within one cooldown, and stays."""
    after = [told for told in world.told if told.started >= recovered]
    if not any(told.by == primary for told in after if told.started <= recovered + RETURNED):
        raise Violation(f"{primary} was well again and was not found within a cooldown")
    for told in after:
        if told.started >= recovered + SETTLED and told.by != primary:
            raise Violation(f"{primary} was well again and did not serve: {told}")
