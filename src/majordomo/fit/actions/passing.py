"""The lift of a request that needed none."""

from majordomo.contract import Event
from majordomo.fit.shim import Again


class PassingLift:
    def feed(self, event: Event, /) -> list[Event | Again]:
        return [event]

    def close(self) -> list[Event | Again]:
        return []
