"""A reply on its way: events as they come, and the reply they add up to."""

from collections.abc import AsyncIterator, Awaitable, Sequence
from typing import Protocol, Self

from msgspec import Struct

from majordomo.contract import (
    Attempt,
    Event,
    Failure,
    Finish,
    Fold,
    Note,
    Part,
    Response,
    ResponseDone,
    TextDelta,
    Truncated,
)


class Served(Struct, frozen=True, kw_only=True):
    """Who answered in the end, after which attempts, and what was changed on the way."""

    model: str
    attempts: tuple[Attempt, ...] = ()
    notes: tuple[Note, ...] = ()


class Last(list[Event]):
    """The last events of a reply from whoever need not be asked whether there are more."""


class Source(Protocol):
    """Where a stream's events come from: one target, a chain of them, or a script."""

    def pull(self) -> Awaitable[Sequence[Event]]:
        """Give the next events; an empty batch, or one that is `Last`, says the reply is over."""
        ...

    def close(self) -> None:
        """Stop now: close every upstream, cancel every task. Called once or often."""
        ...

    def served(self) -> Served:
        """Say who answered; asked once the reply is over."""
        ...


class Support(Protocol):
    """What stands behind a source that may fail."""

    def served(self) -> None:
        """Take note that its last word was said."""
        ...

    def instead(self, source: Source, failure: Failure, said: Fold, /) -> Source | None:
        """Give who goes on from what was said; None where nobody does."""
        ...


class Stream:
    """An asynchronous iterator of events whose last one is `ResponseDone`.

    Leaving the `async for`, an exception in it, leaving the `async with` and `aclose` all
    close the upstream connection at once. Events come from upstream reads in batches and are
    handed out one by one without another task, queue or generator in between.
    """

    __slots__ = (
        "_batch",
        "_closed",
        "_fold",
        "_next",
        "_response",
        "_served",
        "_source",
        "_support",
    )

    def __init__(
        self, source: Source, fold: Fold | None = None, support: Support | None = None
    ) -> None:
        """`fold` is where events are added up, for a source that must know what was given."""
        self._source = source
        self._support = support
        self._fold = fold or Fold()
        self._batch: Sequence[Event] = ()
        self._next = 0
        self._response: Response | None = None
        self._served: Served | None = None  # once it is settled
        self._closed = False

    def __aiter__(self) -> AsyncIterator[Event]:
        return _Events(self)

    async def __anext__(self) -> Event:
        if self._next < len(self._batch):
            event = self._batch[self._next]
            self._next += 1
            return event
        if not await self._advance():
            raise StopAsyncIteration
        self._next = 1
        return self._batch[0]

    def text(self) -> AsyncIterator[str]:
        """Give only the words, as they come."""
        return _Words(self)

    def batches(self) -> AsyncIterator[Sequence[Event]]:
        """Give the events of one upstream read at a time, for those who pass them on."""
        return _Batches(self)

    async def next_batch(self) -> Sequence[Event]:
        """Give all events that are there, waiting for some; `()` when the stream is over."""
        if self._next < len(self._batch):  # some were taken one by one
            rest = self._batch[self._next :]
            self._next = len(self._batch)
            return rest
        return await self._fetch()

    async def response(self) -> Response:
        """Read to the end and give the whole reply."""
        self._batch = ()  # what was not taken one by one has been added up already
        while self._response is None and await self._fetch():
            pass
        if self._response is None:
            raise Truncated("the stream was left before its end")
        return self._response

    @property
    def served(self) -> Served:
        """Who is answering, after which attempts, as far as it is known by now."""
        return self._served or self._source.served()

    @property
    def parts(self) -> tuple[Part, ...]:
        """What has been said so far."""
        return self._fold.parts

    async def aclose(self) -> None:
        self.close()

    def close(self) -> None:
        """Close the upstream connection now; nothing more will come."""
        if not self._closed:
            self._closed = True
            self._batch = ()
            self._next = 0
            if self._response is None:  # else the source has said that it is over
                self._source.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        self.close()

    def __del__(self) -> None:
        self.close()

    async def _advance(self) -> bool:
        """Fetch the next batch; False when the stream is over."""
        self._batch = batch = await self._fetch()
        self._next = 0
        return bool(batch)

    async def _fetch(self) -> Sequence[Event]:
        if self._closed or self._response is not None:
            return ()
        try:
            batch = await self._source.pull()
            if not batch:
                return (self._done(),)
            self._fold.extend(batch)
            if self._support is not None and type(batch[-1]) is Finish:
                self._support.served()  # now: a caller may not wait for what comes after it
            if type(batch) is Last:
                batch.append(self._done())
        except BaseException as error:
            if not self._goes_on(error):
                self.close()
                raise
        else:
            return batch
        return await self._fetch()

    def _goes_on(self, error: BaseException) -> bool:
        """Let whoever stands behind the source put another in its place."""
        support = self._support
        if support is None or self._closed or not isinstance(error, Failure):
            return False
        instead = support.instead(self._source, error, self._fold)
        if instead is None:
            return False
        self._source, self._support = instead, None
        return True

    def _done(self) -> ResponseDone:
        self._served = served = self._source.served()
        self._response = self._fold.response(served.model, served.attempts, served.notes)
        return ResponseDone(response=self._response)


class _Guard:
    """What `async for` holds: when the loop is left it goes, and the connection with it."""

    __slots__ = ("_stream",)

    def __init__(self, stream: Stream) -> None:
        self._stream = stream

    def __aiter__(self) -> Self:
        return self

    def __del__(self) -> None:
        self._stream.close()


class _Events(_Guard):
    def __anext__(self) -> Awaitable[Event]:
        return self._stream.__anext__()


class _Words(_Guard):
    async def __anext__(self) -> str:
        while True:
            event = await self._stream.__anext__()
            if type(event) is TextDelta:
                return event.text


class _Batches(_Guard):
    async def __anext__(self) -> Sequence[Event]:
        batch = await self._stream.next_batch()
        if not batch:
            raise StopAsyncIteration
        return batch
