"""The shim: the contract into the request, calls out of the reply."""

from collections.abc import Callable

from majordomo.contract import Capabilities, Note, Request
from majordomo.fit.shim import Lift

from .constrained import ConstrainedLift
from .history import LONGEST_RESULT
from .lift import ActionLift
from .passing import PassingLift
from .plan import Plan, make_plan
from .report import ActionReport

RETRIES = 2
LONGEST_DESCRIPTION = 1200  # characters of a tool's description in the prompt


class ActionShim:
    """Tool calling for one request to a target that only chats.

    A lift that ends in `Again` leaves word how the next reply is to be read, and the next
    `lift()` reads it so: what was sent is not sent twice, and the tries are counted.
    """

    def __init__(self, plan: Plan, *, retries: int = RETRIES) -> None:
        self.plan = plan
        self.retries = retries
        self._following: Callable[[], Lift] | None = None

    @property
    def active(self) -> bool:
        """Say whether there is anything to emulate: tools, or calls in the history."""
        return self.plan.active or self.plan.history_found

    @property
    def notes(self) -> tuple[Note, ...]:
        return self.plan.notes

    @property
    def report(self) -> ActionReport:
        return ActionReport(
            active=self.active,
            injected=self.plan.active,
            history_found=self.plan.history_found,
            state=self.plan.state,
        )

    def lower(self, request: Request) -> Request:
        """Give the request in words; it was worked out when the shim was made for it."""
        del request
        return self.plan.request

    def lift(self) -> Lift:
        if self._following is not None:
            following, self._following = self._following, None
            return following()
        if not self.plan.active:
            return PassingLift()
        if self.plan.constrained:
            return ConstrainedLift(self.plan, retries=self.retries, follow=self._follow)
        return ActionLift(self.plan, retries=self.retries, follow=self._follow)

    def _follow(self, following: Callable[[], Lift]) -> None:
        self._following = following


def shim(
    request: Request,
    capabilities: Capabilities,
    *,
    retries: int = RETRIES,
    longest_result: int = LONGEST_RESULT,
    longest_description: int = LONGEST_DESCRIPTION,
) -> ActionShim:
    """Make the shim for one request; `retries` bounds how often a bad reply is asked for again."""
    plan = make_plan(
        request,
        capabilities,
        longest_result=longest_result,
        longest_description=longest_description,
    )
    return ActionShim(plan, retries=retries)
