"""One try of one target: check, encode, send, decode; a batch of events per upstream read."""

import asyncio
from collections.abc import Awaitable, Sequence

from majordomo.contract import (
    UNKNOWN,
    Attempt,
    Event,
    Failure,
    Finish,
    Malformed,
    Note,
    ProtocolBroken,
    Request,
    Start,
    Unsupported,
    Usage,
)
from majordomo.dialects.dialect import Decoder
from majordomo.dialects.failure import request_id, retry_after
from majordomo.dialects.lookup import dialect
from majordomo.fit import backstop
from majordomo.fit.shim import Again, Lift, notes_of

from .conceal import conceal
from .fresh_ids import fresh_ids
from .http import HttpCall, HttpReply
from .outside import Outside
from .stream import Last, Served
from .target import Target, auth_headers

_MAX_ERROR_BYTES = 1024 * 1024  # of an error body; the rest of it says nothing new


class Attempting:
    """One attempt under way. Nothing is sent before the first `pull` (or `open`).

    `pull` gives what one read of the upstream completed, and `()` when the reply is over. It
    is synchronous from bytes to events: one await per read. Every failure it raises carries
    the target and this attempt; `record` is the attempt as data at any moment.
    """

    __slots__ = (
        "_as_whom",
        "_closed",
        "_decoder",
        "_dialect",
        "_ended",
        "_first",
        "_fresh",
        "_held",
        "_left",
        "_opener",
        "_outcome",
        "_outside",
        "_over",
        "_plain",
        "_reason",
        "_reply",
        "_request",
        "_request_id",
        "_started",
        "_status",
        "_stream",
        "_usage",
        "notes",
        "target",
    )

    def __init__(  # noqa: PLR0913 -- each is a fact about the one try it is
        self,
        target: Target,
        request: Request,
        outside: Outside,
        *,
        notes: tuple[Note, ...] = (),
        partial_tool_calls: bool = False,
        joined_text: bool = False,
        plain: bool = False,
    ) -> None:
        """`plain` says that the request is known to hold nothing but words."""
        self.target = target
        self.notes = notes
        self._request = request
        self._plain = plain
        self._outside = outside
        self._dialect = dialect(target.provider.dialect)
        self._stream = target.capabilities.streaming
        self._decoder: Decoder = self._dialect.decoder(
            stream=self._stream,
            partial_tool_calls=partial_tool_calls,
            joined_text=joined_text,
        )
        self._fresh = None if plain else fresh_ids(request)
        self._held: Sequence[Event] = ()  # who is answering: that is not an answer yet
        self._reply: HttpReply | None = None
        self._opener: asyncio.Task[object] | None = None  # while it waits for the head
        self._left = False  # just then
        self._over = False  # everything was read and given out
        self._closed = False
        self._started = outside.clock()
        self._first: float | None = None
        self._ended: float | None = None
        self._outcome = ""
        self._reason = ""
        self._status: int | None = None
        self._request_id = ""
        self._usage: Usage = UNKNOWN
        self._as_whom: dict[str, str] = {}  # the headers that hold a key

    @property
    def record(self) -> Attempt:
        return Attempt(
            target=self.target.name,
            started=self._started,
            first_byte=self._first,
            ended=self._ended,
            outcome=self._outcome,
            reason=self._reason,
            status=self._status,
            request_id=self._request_id,
            notes=self.notes,
            usage=self._usage,
        )

    async def pull(self) -> Sequence[Event]:
        """Give the events of the next read that completes any; `()` when there are no more."""
        if self._closed:
            return ()
        try:
            reply = self._reply or await self._opened()
            if reply is None:
                return ()
            while not self._over:
                batch = self._take(await reply.read())
                if batch:
                    return Last(batch) if self._over and self._spent(reply) else batch
            await self._let_go(reply)
        except (Failure, Malformed) as error:
            if self._closed:  # by somebody else meanwhile: it broke because it was left
                return ()
            raise self._failed(error) from error
        except BaseException:
            self.close()
            raise
        self._closed = True
        self._end("served")
        return ()

    def close(self) -> None:
        """Close the upstream now; an attempt that was not over is recorded as left."""
        if self._closed:
            return
        self._closed = True
        self._end("served" if self._over else "Cancelled")
        if self._reply is not None:
            self._reply.close()
        elif self._opener is not None:
            self._left = True
            self._opener.cancel()

    def served(self) -> Served:
        return Served(model=self.target.name, attempts=(self.record,), notes=self.notes)

    async def _opened(self) -> HttpReply | None:
        """Send, and wait for the head. Who closes it meanwhile ends the wait; nothing is given.

        As `asyncio.timeout` does: the task is cancelled, and takes the cancellation back.
        """
        self._opener = opener = asyncio.current_task()
        cancelled = 0 if opener is None else opener.cancelling()
        try:
            self._reply = reply = await self._send()
        except asyncio.CancelledError:
            if opener is None or not self._left or opener.cancelling() > cancelled + 1:
                raise  # by somebody else, too
            return None
        finally:
            self._opener = None
            if opener is not None and self._left:
                opener.uncancel()
        self._status = reply.status
        self._request_id = request_id(reply.headers)
        if not 200 <= reply.status < 300:
            raise await self._refusal(reply)
        return reply

    def _send(self) -> Awaitable[HttpReply]:
        """Check, encode and send; awaited, it is a reply whose head is there."""
        provider, capabilities = self.target.provider, self.target.capabilities
        if not self._plain:
            backstop.check(self._request, capabilities)
        call = self._dialect.encode_request(
            self._request, model=self.target.model, stream=self._stream, wire=provider.wire
        )
        limit = capabilities.max_request_bytes
        if limit is not None and len(call.body) > limit:
            raise Unsupported(
                f"the request is {len(call.body)} bytes; this target takes {limit}",
                parameter="body",
            )
        self._as_whom = as_whom = auth_headers(provider, self._outside.environ)
        return self._outside.send(
            HttpCall(
                url=self.target.base_url + call.path,
                body=call.body,
                headers={
                    "content-type": "application/json",
                    **as_whom,
                    **call.headers,
                    **provider.headers,
                },
                timeouts=provider.timeouts,
            )
        )

    async def _refusal(self, reply: HttpReply) -> Failure:
        body = bytearray()
        while len(body) < _MAX_ERROR_BYTES and (chunk := await reply.read()):
            body += chunk
        failure = self._dialect.decode_failure(reply.status, reply.headers, bytes(body))
        if failure.retry_after is None:
            failure.retry_after = retry_after(reply.headers)
        return failure

    def _take(self, chunk: bytes) -> Sequence[Event]:
        """Turn one read into events; `b""` closes what is still open."""
        if chunk:
            events = self._decoder.feed(chunk)
        else:
            events = self._decoder.close()
            self._over = True
        batch = events if isinstance(events, list) else list(events)
        if batch:
            if self._first is None:
                self._first = self._outside.clock()
            last = batch[-1]
            if type(last) is Finish:
                self._over = True
                self._usage = last.usage
            elif type(last) is Start:
                self._held = [*self._held, *batch]
                return ()
            if self._held:
                batch = [*self._held, *batch]
                self._held = ()
        return batch if self._fresh is None else self._fresh.apply(batch)

    async def _let_go(self, reply: HttpReply) -> None:
        """Leave the connection to the next request. How it ended is no matter: all was said."""
        try:
            await reply.finish()
        except Failure:
            reply.close()

    def _spent(self, reply: HttpReply) -> bool:
        """End the attempt with its last event, where the transport has seen the reply's end."""
        spent: bool = getattr(reply, "spent", False)  # not every transport can say so
        if spent:
            self._closed = True
            self._end("served")
            reply.close()
        return spent

    def _failed(self, error: Failure | Malformed) -> Failure:
        if isinstance(error, Malformed):
            failure: Failure = ProtocolBroken(f"unreadable reply: {error}")
        else:
            failure = error
        failure.target = failure.target or self.target.name
        failure.status = failure.status if failure.status is not None else self._bad_status()
        failure.request_id = failure.request_id or self._request_id
        self._request_id = failure.request_id
        secrets = (value.removeprefix("Bearer ") for value in self._as_whom.values())
        conceal(failure, tuple(secrets))
        self._reason = failure.message
        self._closed = True
        self._end(type(failure).__name__)
        failure.attempts = (self.record,)
        if self._reply is not None:
            self._reply.close()
        return failure

    def _bad_status(self) -> int | None:
        """Give the status where it says something: a failure inside HTTP 200 has none."""
        return self._status if self._status is not None and self._status >= 300 else None

    def _end(self, outcome: str) -> None:
        self._ended = self._outside.clock()
        self._outcome = outcome


class Lifted:
    """An attempt whose reply is turned into the one that was asked for on its way out."""

    def __init__(self, attempting: Attempting, lift: Lift) -> None:
        self.attempting = attempting
        self._lift = lift
        self._over = False

    async def pull(self) -> Sequence[Event | Again]:
        while not self._over:
            batch = await self.attempting.pull()
            lifted = [out for event in batch for out in self._lift.feed(event)]
            if not batch:
                self._over = True
                lifted.extend(self._lift.close())
            if lifted:
                return lifted
        return ()

    @property
    def notes(self) -> tuple[Note, ...]:
        """What the lift did with the reply; asked once the reply is over."""
        return notes_of(self._lift)

    def close(self) -> None:
        self.attempting.close()
