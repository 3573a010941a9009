"""What to do next for one request. It sends nothing and waits for nothing: ask it, act, tell it.

while True:
    match failover.decide(now):
        case Wait(seconds): sleep
        case Try(target):   call it, then `served`, `failed`, `mismatched`, `lost` or `left`
        case GiveUp():      raise
"""

from collections.abc import Sequence

from majordomo.contract import Failure, Timeout

from .decision import Decision, GiveUp, Sent, Try, Wait
from .health import HealthBook
from .ledger import Ledger
from .policy import DEFAULT_PATIENCE, REPEATS, TABLE, Happening, Patience, happening
from .recovery import Recovery


class Failover:
    __slots__ = (
        "_again",
        "_end",
        "_last",
        "_ledger",
        "_patience",
        "_recovery",
        "_targets",
        "_unfit",
        "_untried",
        "deadline",
    )

    def __init__(
        self,
        targets: Sequence[str],
        book: HealthBook,
        patience: Patience = DEFAULT_PATIENCE,
        *,
        now: float,
    ) -> None:
        self.deadline = None if patience.total is None else now + patience.total
        self._targets = targets
        self._untried = list(targets)
        self._patience = patience
        self._ledger = Ledger(book, patience)
        self._again: tuple[str, float] | None = None  # the same target once more, and when
        self._unfit: set[str] = set()  # would fail this request the same way again
        self._last: Failure | None = None
        self._end: GiveUp | None = None
        self._recovery: Recovery | None = None

    def decide(self, now: float) -> Decision:
        if self._end is not None:
            return self._end
        if self.deadline is not None and now >= self.deadline:
            return GiveUp(self._last or Timeout("the total deadline passed"))
        if self._recovery is not None:
            return self._recovery.decide(now)
        if self._again is not None:
            target, due = self._again
            if now < due:
                return Wait(due - now)
            self._again = None
            if self._ledger.usable(target, now):  # not benched by other requests meanwhile
                return self._enter(target, now)
        following = self._next(now)
        return GiveUp(self._last) if following is None else self._enter(following, now)

    def can_hedge(self, now: float) -> bool:
        """Say whether there would be anybody to start beside a slow target."""
        if self._recovery is not None:
            return self._recovery.company(now) is not None
        return any(self._ledger.usable(target, now) for target in self._untried)

    def hedge(self, now: float) -> Try | None:
        """Name a target to start beside a slow one; never one that is benched."""
        if self._recovery is not None:
            return self._recovery.hedge(now)
        for target in self._untried:
            if self._ledger.usable(target, now):
                return self._enter(target, now)
        return None

    def entered(self, target: str, now: float) -> None:
        """Take note of a try that began before anybody had to decide: its target was well."""
        self._untried.remove(target)
        self._ledger.entered(target, now)

    def served(self, target: str) -> None:
        self._ledger.succeeded(target)

    def failed(
        self,
        target: str,
        failure: Failure,
        now: float,
        *,
        jitter: float = 0.0,
        sent: Sent = "nothing",
        droppable: bool = False,
    ) -> None:
        """Tell how a try ended.

        `sent` is what of *this* try went to the caller; `droppable` says that fit can do
        without what the target refused.
        """
        row = happening(failure, spoken=sent != "nothing", patience=self._patience)
        rule = TABLE[row]
        self._ledger.count(target, rule)
        planned = self._recovery is not None or self._again is not None
        if not planned and self._retries(target, failure, row, droppable=droppable):
            due = now + self._wait(target, failure, row, jitter)
            if self.deadline is None or due < self.deadline:
                self._last = failure
                self._ledger.leave(target)
                self._again = (target, due)
                return
        self._ledger.penalise(target, failure, rule, now)
        if row in REPEATS:
            self._unfit.add(target)
        self._move_on(target, failure, row, sent)
        if self._recovery is not None and sent == "nothing":
            self._recovery.failed(target, row, now, jitter)

    def mismatched(self, target: str, *, goes_on: bool) -> None:
        """Tell that a new answer does not begin as the old one did; it is no one's fault.

        `goes_on` says that this target can be asked to go on from what was sent.
        """
        self._ledger.leave(target)
        if self._recovery is not None:
            self._recovery.mismatched(target, goes_on=goes_on)

    def lost(self, target: str, now: float, *, thinks: bool = False) -> bool:
        """Tell that another spoke first; True if it was late, which is silence and counts."""
        patience = self._patience.first_word(thinks=thinks)
        late = patience is not None and now - self._ledger.since(target) >= patience
        if late:
            self._ledger.count(target, TABLE["silence"])
            self._ledger.penalise(target, Timeout("late"), TABLE["silence"], now)
        else:
            self._ledger.leave(target)
        return late

    def left(self, target: str) -> None:
        """Tell that a try was given up for no fault of the target's."""
        self._ledger.leave(target)

    def _enter(self, target: str, now: float) -> Try:
        if target in self._untried:
            self._untried.remove(target)
        self._ledger.enter(target, now)
        return Try(target)

    def _next(self, now: float) -> str | None:
        """Take the first that is well; if none is, the one that returns soonest."""
        for target in self._untried:
            if self._ledger.usable(target, now):
                return target
        book = self._ledger.book
        return min(self._untried, key=lambda target: book.of(target).until, default=None)

    def _retries(self, target: str, failure: Failure, row: Happening, *, droppable: bool) -> bool:
        if self._ledger.single(target):
            return False  # one probe is one try
        if (failure.retry_after or 0.0) > self._patience.retry_after:
            return False  # it said when it will be back: asking before is hammering
        match TABLE[row].wait:
            case "backoff":
                allowed = self._patience.retries
            case "retry_after":
                allowed = min(TABLE[row].again, self._patience.retries)
            case "none":
                allowed = TABLE[row].again if droppable else 0
        return self._ledger.tries[target] <= allowed

    def _wait(self, target: str, failure: Failure, row: Happening, jitter: float) -> float:
        match TABLE[row].wait:
            case "none":
                return 0.0
            case "retry_after":
                return failure.retry_after or 0.0
            case "backoff":
                return self._patience.wait(self._ledger.tries[target] - 1, jitter)

    def _move_on(self, target: str, failure: Failure, row: Happening, sent: Sent) -> None:
        stops = TABLE[row].then == "stop"
        if row == "filtered" and self._patience.filtered_next:
            stops = False
        if sent == "more":
            self._end = GiveUp(failure)  # nobody could take that up without saying it twice
        elif stops and (self._recovery is None or sent == "text"):
            self._end = GiveUp(failure, everyone=False)
        elif sent == "text":
            self._recover(target, failure)
        elif self._recovery is None:
            self._last = failure

    def _recover(self, target: str, failure: Failure) -> None:
        if self._recovery is None:
            self._recovery = Recovery(
                self._targets, self._ledger, self._patience, unfit=self._unfit
            )
        self._recovery.cut(target, failure)
        self._last = failure
