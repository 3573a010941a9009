"""How long a reply is waited for: which patience ran out, and the one timer that watches it."""

import asyncio
from collections.abc import Callable
from math import inf

from majordomo.catalog.provider import Timeouts
from majordomo.contract import Timeout

_COMMENT = ord(":")  # what a line of server-sent events begins with that says nothing


class Watch:
    """A timer that is moved only when it fires too early, for one who watches after the other.

    Making and ending one for each small reply costs as much as parsing its head.
    """

    __slots__ = ("_at", "_handle", "_loop", "_who")

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._at = 0.0
        self._handle: asyncio.TimerHandle | None = None
        self._who: Callable[[], None] | None = None

    def set(self, at: float, who: Callable[[], None]) -> None:
        """Call `who` no later than then; perhaps earlier, so that it has to look at the time."""
        self._who = who
        if self._handle is not None:
            if self._at <= at:
                return
            self._handle.cancel()
        self._at = at
        self._handle = self._loop.call_at(at, self._fire)

    def rest(self, who: Callable[[], None]) -> None:
        """Do not call it any more; whoever has taken its place is called all the same."""
        if self._who == who:
            self._who = None

    def end(self) -> None:
        self._who = None
        if self._handle is not None:
            self._handle.cancel()
            self._handle = None

    def _fire(self) -> None:
        self._handle = None
        if self._who is not None:
            self._who()


class Silence:
    """Watches one reply. Only the time somebody is listening counts.

    A slow listener is not the server's silence.
    """

    __slots__ = (
        "_alive",
        "_give_up",
        "_heard",
        "_listening",
        "_loop",
        "_started",
        "_timeouts",
        "_watch",
        "_watched",
    )

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        timeouts: Timeouts,
        started: float,
        give_up: Callable[[Timeout], None],
        watch: Watch,
    ) -> None:
        self._heard = False  # a first byte of the body that is no comment
        self._loop = loop
        self._timeouts = timeouts
        self._started = started
        self._alive = started  # the last sign of life before that
        self._give_up: Callable[[Timeout], None] | None = give_up
        self._listening: float | None = None  # since when, if anybody is
        self._watch = watch
        self._watched = False

    def listen(self) -> None:
        self._listening = now = self._loop.time()
        if not self._watched:
            self._look_at(now)

    def heed(self) -> None:
        """Stop counting: what was waited for has come."""
        self._listening = None

    def hear(self, data: bytes) -> None:
        """Take note of what has come.

        A comment of server-sent events before the first word says that the model still reads:
        the patience for the first word begins anew, and that between words not yet.
        """
        if self._heard:
            return
        if data[0] == _COMMENT:
            self._alive = self._loop.time()
        else:
            self._heard = True

    def rest(self) -> None:
        """Nothing more will come, or nobody wants it."""
        if self._watched:
            self._watched = False
            self._watch.rest(self._look)
        self._give_up = None  # it holds whoever holds this

    def _look(self) -> None:
        self._look_at(self._loop.time())

    def _look_at(self, now: float) -> None:
        """Set the timer to the next moment at which patience may have run out."""
        times = self._timeouts
        if self._heard:
            silence, since = times.idle, self._listening or now
        else:  # a model may send its headers at once and then think for minutes
            silence, since = times.first_byte, self._alive
        silent_at = None if silence is None else since + silence
        at = least(silent_at, None if times.total is None else self._started + times.total)
        if at is not None and at <= now:
            self._watched = False
            if self._give_up is not None:
                self._give_up(out_of_patience(times, heard=self._heard, in_all=at != silent_at))
            return
        # Once the first byte is there the idle patience counts, and it may be the shorter.
        soon = None if times.idle is None or self._heard else now + times.idle
        at = least(at, soon)
        if at is not None:
            self._watched = True
            self._watch.set(at, self._look)


class Deadline:
    """`asyncio.timeout` without what is not used here: that costs as much as a small encode."""

    __slots__ = ("_cancelling", "_expired", "_handle", "_task")

    def __init__(self, loop: asyncio.AbstractEventLoop, seconds: float | None) -> None:
        self._task = asyncio.current_task()
        self._cancelling = self._task.cancelling() if self._task is not None else 0
        self._expired = False
        self._handle = None if seconds is None else loop.call_later(seconds, self._expire)

    def __enter__(self) -> None:
        """Armed when it was made."""

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if self._handle is not None:
            self._handle.cancel()
        if self._expired and self._task is not None:
            # Cancelled by somebody else as well: then that is what happened.
            ours = self._task.uncancel() <= self._cancelling
            if ours and kind is asyncio.CancelledError:
                raise TimeoutError

    def _expire(self) -> None:
        self._expired = True
        if self._task is not None:
            self._task.cancel()


def out_of_patience(timeouts: Timeouts, *, heard: bool, in_all: bool | None = None) -> Timeout:
    """Say which patience ran out; before the first byte it is the shorter of two."""
    if in_all is None:
        in_all = (timeouts.total or inf) < (timeouts.first_byte or inf)
    if in_all:
        return Timeout(f"the reply took longer than {timeouts.total} s in all")
    if heard:
        return Timeout(f"the reply fell silent for {timeouts.idle} s")
    return Timeout(f"no first byte within {timeouts.first_byte} s")


def least(*times: float | None) -> float | None:
    soonest: float | None = None
    for time in times:
        if time is not None and (soonest is None or time < soonest):
            soonest = time
    return soonest
