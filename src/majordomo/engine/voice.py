"""One target answering one request: fitted, asked, and asked again where the fit says so."""

from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Protocol, TypeGuard

from msgspec.structs import replace

from majordomo.contract import (
    Attempt,
    Event,
    Failure,
    InvalidRequest,
    Malformed,
    Note,
    ProtocolBroken,
    Request,
    Start,
)
from majordomo.fit.shim import Again, Fitted, Lift
from majordomo.fit.thinking import thinks
from majordomo.route import UNUSABLE

from .attempt import Attempting, Lifted
from .fitting import fitted, fitted_aside
from .target import Target
from .terms import Question

_MOST_ASKS = 3  # of one target for one answer: the first, and two more where the lift wants them


class Join(Protocol):
    """How a second answer is joined to what was already sent of a first."""

    def feed(self, event: Event, /) -> Iterable[Event]: ...


class Voice:
    """`speak` asks and waits for the first word; `pull` gives it and what follows."""

    __slots__ = (
        "_asks",
        "_attempting",
        "_fitted",
        "_held",
        "_join",
        "_lift",
        "_lifted",
        "_over",
        "_question",
        "_request",
        "_spoken",
        "_started",
        "_straight",
        "given",
        "name",
        "notes",
        "records",
        "target",
    )

    def __init__(
        self,
        target: Target,
        question: Question,
        *,
        request: Request | None = None,
        join: Join | None = None,
        notes: tuple[Note, ...] = (),
        fit: Fitted | None = None,
    ) -> None:
        """Take what is to be asked, `fit` where that is known already."""
        self.target = target
        self.name = target.name
        self.given = False  # something of it went to the caller
        self.notes = notes
        self.records: list[Attempt] = []  # of asks that are over
        self._question = question
        self._request = request or question.request
        self._join = join
        self._fitted = fit
        self._attempting: Attempting | None = None
        self._lift: Callable[[], Lift] | None = None
        self._lifted: Lifted | None = None
        self._straight: Attempting | None = None  # from the second read on, if nothing is changed
        self._held: Sequence[Event] = ()
        self._spoken = False
        self._over = False
        self._asks = 0
        self._started = question.terms.outside.clock()

    @property
    def races(self) -> bool:
        """Only where the first word is not the last, and what comes is the plain answer."""
        return self.target.capabilities.streaming and not self.continues

    @property
    def thinks(self) -> bool:
        """Whether it may be silent for a while, and all is well."""
        return thinks(self._request, self.target.capabilities)

    @property
    def continues(self) -> bool:
        return self._request is not self._question.request

    def take_up(self, attempting: Attempting, *, given: bool) -> None:
        """Go on with an ask that is under way; `given` says that something of it was."""
        self.notes = attempting.notes
        self.given = self._spoken = given
        self._attempting = attempting
        self._asks = 1

    async def speak(self) -> None:
        """Wait for the first event that says something: who is answering is not an answer."""
        while not (self._spoken or self._over):
            batch = await self._read()
            self._held = [*self._held, *batch] if self._held else batch
            # `Start` comes first if it comes at all: the last of a batch tells.
            self._spoken = bool(batch) and type(batch[-1]) is not Start

    def pull(self) -> Awaitable[Sequence[Event]]:
        """Give what is to be forwarded next; an empty batch says the answer is complete."""
        straight = self._straight
        if straight is not None:
            return straight.pull()
        return self._pull() if self._spoken else self._begin()

    async def _begin(self) -> Sequence[Event]:
        attempting = self._attempting or self._fit() or await self._fit_aside()
        if self._lift is None and self._join is None and not self._held:
            # Nothing is changed on the way: what the first read brings goes out as it is.
            batch = await attempting.pull()
            if batch:
                self._spoken = self.given = True
                self._straight = attempting
                return batch
            self._over = True
        await self.speak()
        return await self._pull()

    async def _pull(self) -> Sequence[Event]:
        while True:
            if self._held:
                batch = self._held
                self._held = ()
            else:
                batch = await self._read()
            if self._over and not batch:
                return ()
            if self._join is not None:
                batch = [out for event in batch for out in self._join.feed(event)]
            elif self._lift is None:
                self._straight = self._attempting
            if batch:
                self.given = True
                return batch

    def close(self) -> None:
        """Close the upstream now."""
        if self._attempting is not None:
            self._attempting.close()

    def record(self, failure: Failure | None = None) -> Attempt:
        """Tell the last ask as data, and as what it ended where that is known better here."""
        if self._attempting is not None:
            record = self._attempting.record
        else:  # it did not get as far as a socket
            now = self._question.terms.outside.clock()
            record = Attempt(target=self.name, started=self._started, ended=now, notes=self.notes)
        if failure is None:
            return record
        return replace(record, outcome=type(failure).__name__, reason=failure.message)

    async def _read(self) -> Sequence[Event]:
        """Give one upstream read's events; none at the end of the answer."""
        attempting = self._attempting or self._fit() or await self._fit_aside()
        if self._lifted is None:
            batch: Sequence[Event | Again] = await attempting.pull()
        else:
            batch = await self._pull_lifted(self._lifted)
        self._over = not batch
        if _only_events(batch):
            return batch
        return self._ask_again(batch)

    async def _pull_lifted(self, lifted: Lifted) -> Sequence[Event | Again]:
        try:
            batch = await lifted.pull()
        except Malformed as error:
            raise ProtocolBroken(f"unreadable reply: {error}", target=self.name) from error
        if not batch:
            told = (replace(note, target=self.name) for note in lifted.notes)
            self.notes += tuple(note for note in told if note not in self.notes)
        return batch

    def _fit(self) -> Attempting | None:
        """Fit on the spot; nothing where that would keep everybody else waiting."""
        try:
            fit = self._fitted or fitted(self._question.terms.fit, self._request, self.target)
        except Malformed as error:  # before anything was sent: the request's own fault
            raise InvalidRequest(str(error), target=self.name) from error
        return None if fit is None else self._ask_fitted(fit)

    async def _fit_aside(self) -> Attempting:
        try:
            fit = await fitted_aside(self._question.terms.fit, self._request, self.target)
        except Malformed as error:
            raise InvalidRequest(str(error), target=self.name) from error
        return self._ask_fitted(fit)

    def _ask_fitted(self, fit: Fitted) -> Attempting:
        self.notes += fit.notes
        self._lift = fit.lift
        return self._ask(fit.request)

    def _ask(self, request: Request) -> Attempting:
        self._asks += 1
        self._attempting = Attempting(
            self.target,
            request,
            self._question.terms.outside,
            notes=self.notes,
            partial_tool_calls=self._question.partial_tool_calls,
            joined_text=self._question.terms.joined_text,
        )
        if self._lift is not None:
            self._lifted = Lifted(self._attempting, self._lift())
        return self._attempting

    def _ask_again(self, batch: Sequence[Event | Again]) -> list[Event]:
        """Take the lift's word that this answer will not do, a bounded number of times."""
        events = [item for item in batch if not isinstance(item, Again)]
        again = next(item for item in batch if isinstance(item, Again))
        if self._asks >= _MOST_ASKS:
            raise ProtocolBroken(
                f"no usable answer in {self._asks} asks: {again.reason}",
                target=self.name,
                code=UNUSABLE,
                body=_said(again.request),
            )
        if self._attempting is not None:
            self._attempting.close()
            self.records.append(self._attempting.record)
        note = Note(kind="retried", what="reply", why=again.reason, target=self.name)
        self.notes += (*again.notes, note)
        self._ask(again.request)  # already in this target's terms
        return events


def _said(correction: Request) -> str | None:
    """Find the answer that would not do: what asks for a better one quotes it."""
    for message in reversed(correction.messages):
        if message.role == "assistant":
            return message.text or "".join(call.arguments for call in message.tool_calls)
    return None


def _only_events(batch: Sequence[Event | Again]) -> TypeGuard[Sequence[Event]]:
    """Look at the last only: a lift that wants to ask again says nothing after it."""
    return not batch or type(batch[-1]) is not Again
