"""How each target has been doing lately: a circuit breaker as a value. The clock is an argument.

healthy --(threshold failures in a row)--> benched --(cooldown over)--> returning
   ^                                          ^                            |
   |                                          +---(the one probe fails)----+ cooldown doubles
   +-------------------------(the one probe succeeds)----------------------+
"""

from collections.abc import Iterable
from typing import Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

HealthState: TypeAlias = Literal["healthy", "benched", "returning", "probing"]


class Cooldown(Struct, frozen=True, kw_only=True):
    """When a target is benched and for how long, in seconds."""

    threshold: int = 3  # failures in a row
    base: float = 5.0  # doubles with every bench in a row ...
    cap: float = 20.0  # ... up to this: a recovered target is found again within it
    long: float = 600.0  # for used-up credit: no probe in the next minutes will change that
    longest: float = 3600.0  # what a Retry-After may ask for at most

    def after(self, benches: int) -> float:
        return min(self.base * 2.0 ** min(benches, 30), self.cap)


DEFAULT_COOLDOWN = Cooldown()


class Health(Struct, frozen=True, kw_only=True):
    """Each outcome makes the next value."""

    failures: int = 0  # in a row
    benches: int = 0  # in a row; zero means healthy
    until: float = 0.0  # benched until then
    probe: int = 0  # the ticket of the one try let through; zero means none is under way

    def state(self, now: float) -> HealthState:
        if not self.benches:
            return "healthy"
        if now < self.until:
            return "benched"
        return "probing" if self.probe else "returning"

    def usable(self, now: float) -> bool:
        return not self.benches or (now >= self.until and not self.probe)

    def failed(
        self,
        now: float,
        cooldown: Cooldown,
        *,
        count: int = 1,
        retry_after: float = 0.0,
        at_once: bool = False,
    ) -> "Health":
        """Count `count` failures; `at_once` benches whatever the threshold says."""
        failures = self.failures + count
        asked = now + min(retry_after, cooldown.longest)
        if now < self.until:  # benched already: one outage is not punished once per request
            return replace(self, failures=failures, until=max(self.until, asked))
        if not (at_once or self.benches or failures >= cooldown.threshold):
            return replace(self, failures=failures)
        until = max(now + cooldown.after(self.benches), asked)
        return replace(self, failures=failures, benches=self.benches + 1, until=until)


class HealthReport(Struct, frozen=True, kw_only=True):
    """One line of a snapshot, for people and dashboards."""

    target: str
    state: HealthState
    failures: int = 0
    returns_in: float = 0.0  # seconds


class HealthBook:
    """Every target's health, and who holds its one probe.

    Nothing at all is held against a target that is not among the `ailing`.
    """

    __slots__ = ("_tickets", "ailing", "cooldown")

    def __init__(self, cooldown: Cooldown = DEFAULT_COOLDOWN) -> None:
        self.cooldown = cooldown
        self.ailing: dict[str, Health] = {}  # to be looked into by others, never changed
        self._tickets = 0

    def of(self, target: str) -> Health:
        return self.ailing.get(target, _HEALTHY)

    def usable(self, target: str, now: float) -> bool:
        health = self.ailing.get(target)
        return health is None or health.usable(now)

    def enter(self, target: str, now: float) -> int:
        """Begin a try; the ticket given is not zero if this try is the probe."""
        health = self.ailing.get(target)
        if health is None or health.state(now) != "returning":
            return 0
        self._tickets += 1
        self.ailing[target] = replace(health, probe=self._tickets)
        return self._tickets

    def succeeded(self, target: str, ticket: int = 0) -> None:
        """End a try well. Another request's probe that is still under way keeps its place."""
        health = self.ailing.pop(target, None)
        if health is not None and health.probe not in {0, ticket}:
            self.ailing[target] = Health(probe=health.probe)

    def failed(
        self,
        target: str,
        now: float,
        *,
        count: int = 1,
        retry_after: float = 0.0,
        at_once: bool = False,
    ) -> None:
        self.ailing[target] = self.of(target).failed(
            now, self.cooldown, count=count, retry_after=retry_after, at_once=at_once
        )

    def leave(self, target: str, ticket: int) -> None:
        """End a try without a verdict; a probe's place is free for the next one."""
        health = self.ailing.get(target)
        if ticket and health is not None and health.probe == ticket:
            self.ailing[target] = replace(health, probe=0)

    def snapshot(self, now: float, targets: Iterable[str] = ()) -> tuple[HealthReport, ...]:
        """Report on the targets asked for, or on every one that is not simply healthy."""
        return tuple(_report(name, self.of(name), now) for name in (targets or self.ailing))


_HEALTHY = Health()


def _report(target: str, health: Health, now: float) -> HealthReport:
    return HealthReport(
        target=target,
        state=health.state(now),
        failures=health.failures,
        returns_in=max(0.0, health.until - now) if health.benches else 0.0,
    )
