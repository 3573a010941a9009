"""One request on its way through a chain. Decisions are `Failover`'s; here they are carried out."""

import asyncio
from collections.abc import Awaitable, Sequence
from typing import assert_never

from msgspec.structs import replace

from majordomo.contract import (
    Attempt,
    Event,
    Exhausted,
    Failure,
    Finish,
    Fold,
    Note,
    Timeout,
    Unsupported,
)
from majordomo.route import (
    Continued,
    Failover,
    GiveUp,
    Mismatch,
    Said,
    Sent,
    Splice,
    Try,
    Wait,
    can_continue,
    continuation,
    lessen,
)

from .hedge import Race
from .stream import Last, Served
from .target import Target
from .terms import Question
from .voice import Voice


class Mismatched(Failure):
    """What an attempt that could not be spliced is recorded as; it is never raised."""


class Second(Failure):
    """What an attempt is recorded as that was not late, only later; it is never raised."""


class Answering:
    """A `Source`: one answer, whoever is saying it."""

    __slots__ = (
        "_attempts",
        "_chance",
        "_deadline",
        "_failover",
        "_finished",
        "_first",
        "_notes",
        "_over",
        "_patience",
        "_question",
        "_race",
        "_said",
        "_targets",
        "_voice",
    )

    def __init__(self, question: Question, said: Fold, first: Voice | None = None) -> None:
        """Begin with the `first` to be asked, where that needs no deciding.

        `said` is where the caller's stream adds up what it was given.
        """
        terms = question.terms
        self._question = question
        self._targets = terms.targets
        self._patience = patience = terms.patience
        self._chance = terms.chance
        now = terms.chance.clock()
        self._deadline = None if patience.total is None else now + patience.total
        self._failover = Failover(tuple(terms.targets), terms.book, patience, now=now)
        self._first = first
        if first is not None:
            self._failover.entered(first.name, now)
        self._said = Said(said)
        self._attempts: list[Attempt] = []
        self._notes: dict[str, tuple[Note, ...]] = {}  # on targets taken for less than they were
        self._voice: Voice | None = None
        self._race: Race | None = None
        self._finished = False  # the last word was forwarded
        self._over = False

    def pull(self) -> Awaitable[Sequence[Event]]:
        # Not itself a coroutine: one more frame per read would cost as much as the rest of this.
        deadline = self._deadline
        return self._pull() if deadline is None else self._in_time(deadline)

    async def _in_time(self, deadline: float) -> Sequence[Event]:
        try:
            async with asyncio.timeout(deadline - self._now()):
                return await self._pull()
        except TimeoutError:
            raise self._too_late() from None

    async def _pull(self) -> Sequence[Event]:
        while not self._over:
            voice = self._voice or await self._find_voice()
            if voice is None:
                break  # closed by somebody else meanwhile
            try:
                events = await voice.pull()
            except Failure as failure:
                self.failed(voice, failure)
            except Mismatch:
                self._mismatched(voice)
            else:
                return self._forward(voice, events)
        return ()

    async def _find_voice(self) -> Voice | None:
        """Go down the chain until there is somebody to listen to, or nobody left to ask."""
        first, self._first = self._first, None
        if first is not None:
            self._voice = await self._raced(first)
        while self._voice is None and not self._over:
            decision = self._failover.decide(self._now())
            match decision:
                case Try():
                    self._voice = await self._raced(self._begin(decision))
                case Wait(seconds=seconds):
                    await asyncio.sleep(seconds)
                case GiveUp():
                    raise self._given_up(decision)
                case _:
                    assert_never(decision)
        return self._voice

    async def _raced(self, voice: Voice) -> Voice | None:
        """Let it race for the first word, where there is a deadline and somebody to race."""
        deadline = self.patience(voice) if self._question.terms.hurried else None
        if deadline is None or not voice.races or not self._failover.can_hedge(self._now()):
            return voice
        self._race = Race(self)
        try:
            return await self._race.run(voice, deadline)
        finally:
            self._race = None

    def _forward(self, voice: Voice, events: Sequence[Event]) -> Sequence[Event]:
        if not events:
            self._over = True
            return events
        if type(events) is Last:
            self._over = True
        if type(events[-1]) is Finish:  # a caller may not wait for what comes after it
            self._finished = True
            self._failover.served(voice.name)
        return events

    def served(self) -> Served:
        voice = self._voice
        if voice is None:  # it never comes to that: an answer ends in somebody's voice
            return Served(model="", attempts=self._so_far())
        if self._attempts or voice.records:
            attempts = self._so_far(*voice.records, voice.record())
        else:
            attempts = (voice.record(),)
        return Served(model=voice.name, attempts=attempts, notes=voice.notes)

    def close(self) -> None:
        """Close every upstream now. A try that was under way ends without a verdict."""
        self._over = True
        if self._race is not None:
            self._race.close()
        voice = self._voice or self._first
        if voice is not None:
            self.left(voice)

    def take_over(self, voice: Voice, failure: Failure) -> None:
        """Go on from a first try that was begun without, and has failed."""
        self._failover.entered(voice.name, self._now())
        self.failed(voice, failure)

    # What a race asks and tells.

    def patience(self, voice: Voice) -> float | None:
        return self._patience.first_word(thinks=voice.thinks)

    def company(self) -> Voice | None:
        attempt = self._failover.hedge(self._now())
        return None if attempt is None else self._begin(attempt)

    def failed(self, voice: Voice, failure: Failure) -> None:
        if self._finished:
            self._over = True  # everything was said; how the connection ended is no matter
            return
        self._end(voice, failure)
        self._failover.failed(
            voice.name,
            failure,
            self._now(),
            jitter=self._chance.dice(),
            sent=self._sent(voice),
            droppable=self._lessened(voice.target, failure),
        )

    def lost(self, voice: Voice) -> None:
        late = self._failover.lost(voice.name, self._now(), thinks=voice.thinks)
        self._end(voice, (Timeout if late else Second)("another target spoke first"))

    def left(self, voice: Voice) -> None:
        voice.close()
        self._failover.left(voice.name)

    # What becomes of a decision.

    def _begin(self, attempt: Try) -> Voice:
        target, question, said = self._targets[attempt.target], self._question, self._said
        notes = self._notes.get(attempt.target, ())
        match attempt.mode:
            case "fresh":
                return Voice(target, question, notes=notes)
            case "splice":
                join = Splice(expected=said.text, open=said.open)
                return Voice(target, question, notes=notes, join=join)
            case "continue":
                request = continuation(question.request, said)
                return Voice(target, question, notes=notes, request=request, join=Continued(said))
            case _:
                assert_never(attempt.mode)

    def _mismatched(self, voice: Voice) -> None:
        """Its answer is another one: ask it to go on from the first, if it does such things."""
        self._end(voice, Mismatched("its answer does not begin with what was already sent"))
        goes_on = not voice.continues and can_continue(
            self._question.request, voice.target.capabilities, self._said
        )
        self._failover.mismatched(voice.name, goes_on=goes_on)

    def _lessened(self, target: Target, failure: Failure) -> bool:
        """Take off the target what it says it cannot take; say whether that may help."""
        if not isinstance(failure, Unsupported) or failure.status is None:
            return False
        capabilities = lessen(target.capabilities, failure)
        if capabilities is None:
            return False
        what = failure.parameter or "request"
        note = Note(kind="dropped", what=what, why=failure.message, target=target.name)
        self._notes[target.name] = (*self._notes.get(target.name, ()), note)
        lesser = replace(target, capabilities=capabilities)
        self._targets = {**self._targets, target.name: lesser}  # others go by the same mapping
        return True

    def _end(self, voice: Voice, failure: Failure) -> None:
        voice.close()
        self._attempts += (*voice.records, voice.record(failure))
        self._voice = None

    def _sent(self, voice: Voice) -> Sent:
        if not voice.given:
            return "nothing"
        return "more" if self._said.beyond else "text"

    def _given_up(self, end: GiveUp) -> Failure:
        if end.everyone or end.failure is None:
            return Exhausted(self._so_far(), last=end.failure)
        end.failure.attempts = self._so_far()
        return end.failure

    def _too_late(self) -> Failure:
        failure = Timeout(f"the request took longer than {self._patience.total} s in all")
        if self._voice is not None:
            voice = self._voice
            self._failover.left(voice.name)
            self._end(voice, failure)
        return Exhausted(self._so_far(), last=failure)

    def _so_far(self, *more: Attempt) -> tuple[Attempt, ...]:
        return tuple(sorted((*self._attempts, *more), key=lambda attempt: attempt.started))

    def _now(self) -> float:
        return self._chance.clock()
