"""What to make of a reply without a call: an answer, a reason to ask again, or a failure."""

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from majordomo.contract import Finish

from .draft import Broken
from .plan import Plan
from .refusal import Category, fitting, refusal
from .retry import Reason


class Decision(Struct, frozen=True, kw_only=True):
    again: bool = False
    reason: Reason = "invalid"
    fault: str = ""  # what exactly was wrong
    refusal: str = ""  # the category that was matched
    failed: bool = False  # no try is left and the reply still is not what was asked for

    @property
    def words(self) -> str:
        return f"{self.reason}: {self.fault}"


def decide(
    plan: Plan, *, text: str, broken: Sequence[Broken], finish: Finish, retries: int
) -> Decision:
    """Judge a finished reply that made no call."""
    found = _fault(plan, text, broken, finish)
    if found is None:
        return Decision()
    if retries > 0:
        return replace(found, again=True)
    # A refusal or an unkept promise is at least the model's own words; a lost call is not, and
    # neither is nothing at all, which is what is left of a reply that was only a forbidden call.
    own = found.reason in {"refusal", "announced", "forbidden"} and text.strip()
    return replace(found, failed=not own)


def _fault(plan: Plan, text: str, broken: Sequence[Broken], finish: Finish) -> Decision | None:
    if finish.reason in {"content_filter", "refusal", "cancelled"}:
        return None  # the provider's own refusal is not argued with
    if broken:
        return _broken(plan, broken[-1])
    if plan.choice.mode == "none":
        return None
    category = refusal(text)
    if plan.forced:
        of = f" of {plan.choice.name}" if plan.choice.name else ""
        reason: Reason = "named" if plan.choice.mode == "named" else "required"
        return Decision(reason=reason, fault=f"there was no call{of}", refusal=category or "")
    return _unwilling(plan, text, category)


def _unwilling(plan: Plan, text: str, category: Category | None) -> Decision | None:
    """Judge words that decline or only promise to act; a plain answer stands."""
    if category is None:
        return None
    if category == "announced_no_action":
        return Decision(reason="announced", fault="an act was announced only", refusal=category)
    if category == "soft_limitation" and not fitting(text, plan.tools):
        return None
    return Decision(reason="refusal", fault="the reply denies having tools", refusal=category)


def _broken(plan: Plan, last: Broken) -> Decision:
    if plan.choice.mode == "none":
        return Decision(reason="forbidden", fault=last.fault)
    if last.truncated:
        return Decision(reason="truncated", fault=last.fault)
    return Decision(reason="invalid", fault=last.fault)
