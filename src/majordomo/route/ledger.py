"""The tries of one request: which are under way, how often each target was asked, what it cost."""

from msgspec import Struct

from majordomo.contract import Failure

from .health import HealthBook
from .policy import Patience, Rule


class Running(Struct):
    since: float
    ticket: int
    single: bool  # a probe, or a benched target tried for want of a better one: no retries


class Ledger:
    """Keeps the health book told: every try that was entered is left, one way or another."""

    __slots__ = ("_failures", "_patience", "_running", "book", "tries")

    def __init__(self, book: HealthBook, patience: Patience) -> None:
        self.book = book
        self.tries: dict[str, int] = {}
        self._patience = patience
        self._running: dict[str, Running] = {}
        self._failures: dict[str, int] = {}  # of this stay at the target; told when it is left

    def usable(self, target: str, now: float) -> bool:
        return self.book.usable(target, now)

    def enter(self, target: str, now: float) -> None:
        usable = self.book.usable(target, now)
        ticket = self.book.enter(target, now)
        self._running[target] = Running(now, ticket, ticket > 0 or not usable)
        self.tries[target] = self.tries.get(target, 0) + 1

    def entered(self, target: str, since: float) -> None:
        """Take note of a try of a healthy target that is under way already."""
        self._running[target] = Running(since, 0, single=False)
        self.tries[target] = 1

    def since(self, target: str) -> float:
        return self._running[target].since

    def single(self, target: str) -> bool:
        return self._running[target].single

    def succeeded(self, target: str) -> None:
        running = self._running.pop(target, None)
        self.book.succeeded(target, running.ticket if running is not None else 0)

    def leave(self, target: str) -> None:
        """End a try without a verdict."""
        running = self._running.pop(target, None)
        if running is not None:
            self.book.leave(target, running.ticket)

    def count(self, target: str, rule: Rule) -> None:
        """Remember a failure; whether it is held against the target is decided on leaving it."""
        if rule.penalty != "none":
            self._failures[target] = self._failures.get(target, 0) + 1

    def penalise(self, target: str, failure: Failure, rule: Rule, now: float) -> None:
        stated = failure.retry_after or 0.0
        count = self._failures.pop(target, 0)
        match rule.penalty:
            case "none":
                pass
            case "failure":
                shut = stated > self._patience.retry_after
                self.book.failed(target, now, count=count, retry_after=stated, at_once=shut)
            case "long":
                rest = max(stated, self.book.cooldown.long)
                self.book.failed(target, now, count=count, retry_after=rest, at_once=True)
        self.leave(target)
