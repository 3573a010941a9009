"""Completing an answer that broke off after some of it was sent: whom to ask, and how often."""

from collections.abc import Sequence

from majordomo.contract import Failure

from .decision import Decision, GiveUp, Try, Wait
from .ledger import Ledger
from .policy import REPEATS, Happening, Patience


class Recovery:
    """While it lasts, the cut stays the story to tell: no later failure hides it."""

    __slots__ = (
        "_asked",
        "_continue",
        "_count",
        "_cut",
        "_failure",
        "_ledger",
        "_not_before",
        "_patience",
        "_targets",
        "_unfit",
    )

    def __init__(
        self,
        targets: Sequence[str],
        ledger: Ledger,
        patience: Patience,
        *,
        unfit: set[str],
    ) -> None:
        self._targets = targets
        self._ledger = ledger
        self._patience = patience
        self._unfit = unfit
        self._cut = ""
        self._failure: Failure | None = None
        self._count = 0
        self._asked: set[str] = set()
        self._continue = ""  # the target to ask to go on
        self._not_before: dict[str, float] = {}

    def cut(self, target: str, failure: Failure) -> None:
        """Tell that the answer broke off, the first time or once more."""
        self._cut = target
        self._failure = failure

    def decide(self, now: float) -> Decision:
        if self._continue:
            target, self._continue = self._continue, ""
            return self._enter(Try(target, "continue"), now)
        candidate = self._candidate(now)
        if candidate is None:
            return GiveUp(self._failure)
        due = self._not_before.get(candidate, 0.0)
        if now < due:
            return Wait(due - now)
        return self._enter(Try(candidate, "splice"), now)

    def company(self, now: float) -> str | None:
        """Name one to ask beside a silent one: anybody who has not been asked yet."""
        fit = [t for t in self._fit() if t not in self._asked and self._ledger.usable(t, now)]
        return min(fit, key=lambda target: target == self._cut, default=None)

    def hedge(self, now: float) -> Try | None:
        target = self.company(now)
        return None if target is None else self._enter(Try(target, "splice"), now)

    def failed(self, target: str, row: Happening, now: float, jitter: float) -> None:
        """Tell that a try ended before it added anything."""
        if row in REPEATS:
            self._unfit.add(target)
        else:
            self._not_before[target] = now + self._patience.wait(self._count - 1, jitter)

    def mismatched(self, target: str, *, goes_on: bool) -> None:
        if goes_on:
            self._continue = target
        else:
            self._unfit.add(target)

    def _enter(self, decision: Try, now: float) -> Try:
        self._count += 1
        self._asked.add(decision.target)
        self._ledger.enter(decision.target, now)
        return decision

    def _candidate(self, now: float) -> str | None:
        """Prefer one that has not been asked; the one that broke off only if need be."""

        def reluctance(target: str) -> tuple[bool, bool, int]:
            tries = self._ledger.tries.get(target, 0)
            return target == self._cut, not self._ledger.usable(target, now), tries

        fit = self._fit()
        if self._count >= self._patience.resumes:  # from here on, only who has had no chance yet
            fit = [target for target in fit if target not in self._asked]
        return min(fit, key=reluctance, default=None)

    def _fit(self) -> list[str]:
        return [target for target in self._targets if target not in self._unfit]
