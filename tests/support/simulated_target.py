"""What a simulated target does, and when: segments of time, each with one way of behaving."""

import random
from collections.abc import Callable

from msgspec import Struct

from majordomo.contract import (
    ContentFiltered,
    ContextTooLong,
    Disconnected,
    Failure,
    InvalidRequest,
    Overloaded,
    ProtocolBroken,
    QuotaExhausted,
    RateLimited,
    Timeout,
    Truncated,
    Unauthorized,
    Unsupported,
)

WORDS = [f"word{i} " for i in range(6)]
ANSWER = "".join(WORDS)


class Outcome(Struct, frozen=True, kw_only=True):
    """One try: when it speaks, if it does; how much it says; how it ends."""

    first: float | None = None  # seconds to the first word
    rest: float = 0.0  # and from there to the end
    words: int = len(WORDS)
    failure: Failure | None = None
    fails_after: float = 0.0  # seconds, where it never speaks
    droppable: bool = False

    @property
    def first_moment(self) -> float:
        return self.fails_after if self.first is None else self.first

    def refusing_prefill(self) -> "Outcome":
        return Outcome(failure=InvalidRequest("no prefill here", status=400))


def _ok(dice: random.Random) -> Outcome:
    return Outcome(first=dice.uniform(0.05, 0.9), rest=dice.uniform(0.1, 9.0))


def _slow(dice: random.Random) -> Outcome:
    return Outcome(first=dice.uniform(9.0, 19.0), rest=dice.uniform(0.1, 9.0))


def _fails(make: Callable[[random.Random], Failure]) -> Callable[[random.Random], Outcome]:
    return lambda dice: Outcome(failure=make(dice), fails_after=dice.uniform(0.01, 0.5))


def _breaks(make: Callable[[], Failure], pause: float) -> Callable[[random.Random], Outcome]:
    def outcome(dice: random.Random) -> Outcome:
        words = dice.randint(0, len(WORDS))
        if not words:
            return Outcome(failure=make(), fails_after=0.2 + pause)
        rest = dice.uniform(0.1, 3.0) + pause
        return Outcome(first=0.2, rest=rest, words=words, failure=make())

    return outcome


def _limited(dice: random.Random) -> Failure:
    return RateLimited("slow", status=429, retry_after=dice.choice((None, 0.5, 2.0, 4.0, 30.0)))


def _cannot(dice: random.Random) -> Outcome:
    failure = Unsupported("no tools", status=400)
    return Outcome(failure=failure, fails_after=0.1, droppable=dice.random() < 0.5)


MODES: dict[str, Callable[[random.Random], Outcome]] = {
    "ok": _ok,
    "slow": _slow,
    "silent": lambda _: Outcome(failure=Timeout("silence"), fails_after=20.0),
    "overloaded": _fails(lambda _: Overloaded("busy", status=503)),
    "limited": _fails(_limited),
    "reset": _fails(lambda _: Disconnected("reset")),
    "unauthorized": _fails(lambda _: Unauthorized("key", status=401)),
    "quota": _fails(lambda _: QuotaExhausted("credit", status=402)),
    "too_long": _fails(lambda _: ContextTooLong("long", status=400)),
    "misfit": _fails(lambda _: Unsupported("no vision")),
    "cannot": _cannot,
    "invalid": _fails(lambda _: InvalidRequest("nonsense", status=400)),
    "filtered": _fails(lambda _: ContentFiltered("policy", status=400)),
    "cut": _breaks(lambda: Truncated("cut"), 0.0),
    "stalled": _breaks(lambda: Timeout("stalled"), 8.0),
    "garbage": _breaks(lambda: ProtocolBroken("event 3"), 0.0),
    "flaky": lambda dice: (_ok if dice.random() < 0.5 else MODES["overloaded"])(dice),
}
STOPS = frozenset({"invalid", "filtered"})
_NAMES = list(MODES)
_WEIGHTS = [3 if name == "ok" else 0.3 if name in STOPS else 1 for name in _NAMES]


class Plan(Struct):
    """`segments` are (end, mode), the last one without end."""

    segments: list[tuple[float, str]]
    other: bool = False  # says the same thing in other words
    prefill: bool = False

    def mode(self, now: float) -> str:
        return next(mode for end, mode in self.segments if now < end)

    def outcome(self, now: float, dice: random.Random) -> Outcome:
        return MODES[self.mode(now)](dice)

    def well(self, start: float, end: float) -> bool:
        """Say whether it would have served anybody at any time between these."""
        begins = 0.0
        for ends, mode in self.segments:
            if begins <= end and start < ends and mode != "ok":
                return False
            begins = ends
        return not self.other

    def has(self, modes: frozenset[str]) -> bool:
        return any(mode in modes for _, mode in self.segments)


def make_plan(dice: random.Random, horizon: float) -> Plan:
    count = dice.choice((1, 1, 2, 3))
    ends = sorted(dice.uniform(0.0, horizon) for _ in range(count - 1))
    modes = dice.choices(_NAMES, _WEIGHTS, k=count)
    return Plan(
        segments=list(zip([*ends, float("inf")], modes, strict=True)),
        other=dice.random() < 0.2,
        prefill=dice.random() < 0.5,
    )


def outage(dice: random.Random, until: float) -> Plan:
    """Be down in the ways that pass, then well for good."""
    mode = dice.choice(("overloaded", "reset", "silent", "cut", "stalled", "garbage"))
    return Plan(segments=[(until, mode), (float("inf"), "ok")])


def words_of(plan: Plan, sent: str) -> list[str]:
    """Give what it says: the answer, or what is missing of it when asked to go on from `sent`."""
    words = [word.upper() for word in WORDS] if plan.other else WORDS
    if not sent:
        return words
    return [f" {word.strip()}" for word in words[len(sent.split()) :]]
