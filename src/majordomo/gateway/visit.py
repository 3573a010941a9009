"""One request through one door, from the first byte in to the last byte out."""

import asyncio
import logging
from collections.abc import Callable, Sequence
from functools import lru_cache

import msgspec
from msgspec.structs import replace

from majordomo.config.gateway import Key
from majordomo.contract import (
    UNKNOWN,
    Attempt,
    Event,
    Failure,
    Finish,
    Json,
    Malformed,
    Note,
    Overloaded,
    Part,
    Request,
    Response,
    ResponseDone,
    ToolCall,
)
from majordomo.dialects.dialect import Ask, Encoder, Stamp
from majordomo.dialects.json import object_at, read
from majordomo.engine.model import Model
from majordomo.engine.stream import Stream
from majordomo.trace import Trace

from .alive import Alive
from .body import unpacked
from .call_ids import CARRIERS, CallIds
from .door import Address, After, Door
from .exchange import Exchange, Headers, line
from .pictures import names_pictures, with_pictures
from .recall import by_content, by_id
from .refusal import invalid, refuse, spoken
from .service import Service, count

log = logging.getLogger("majordomo.gateway")
_STREAMED = b"cache-control: no-cache\r\nx-accel-buffering: no\r\n"


async def visit(service: Service, exchange: Exchange, door: Door, at: Address) -> None:
    """Serve one request; whatever goes wrong is said in the door's dialect and recorded."""
    here = Visit(service, exchange, door)
    work, overdue, limits = exchange.work, service.overdue, service.settings.limits
    service.metrics.in_flight += 1
    try:
        service.admit()
        key = service.client(exchange)
        body = await exchange.body(limits.body_bytes, limits.body_seconds)
        ask, model = here.read(body, at, key)
        if names_pictures(ask.request):
            ask = await here.picture(ask, model)
        overdue.add(work)
        await here.run(ask, model)
    except Malformed as error:
        await here.refuse(invalid(error))
    except Failure as failure:
        await here.refuse(failure)
    except asyncio.CancelledError:
        if exchange.gone:
            here.outcome = "gone"  # nobody is left to answer
        elif not here.began or overdue.remove(work):
            raise
        else:
            await here.refuse(Overloaded("the request took longer than is allowed", status=504))
        work.uncancel()
    except Exception:
        log.exception("request %s failed inside the gateway", exchange.id)
        await here.refuse(Overloaded("something went wrong inside the gateway", status=500))
    finally:
        overdue.remove(work)
        service.metrics.in_flight -= 1
        here.record()


class Visit:
    """The request as it goes, and what the trace will say of it."""

    # Defaults of the class, so that a request sets only what it comes to.
    began: bool = False  # it was read, and the model is asked
    outcome: str = ""
    status: int = 0
    first: float | None = None
    seconds: float = 0.0
    served: str = ""
    attempts: tuple[Attempt, ...] = ()
    notes: tuple[Note, ...] = ()
    _asked: Ask | None = None
    _after: After | None = None
    _spec: str = ""
    _key: str = ""
    _failure: Failure | None = None
    _response: Response | None = None
    _encoder: Encoder | None = None

    def __init__(self, service: Service, exchange: Exchange, door: Door) -> None:
        self.service = service
        self.exchange = exchange
        self.door: str = door.dialect.name
        self._door = door
        self._at = service.clock()

    def read(self, body: bytes, at: Address, key: Key | None) -> tuple[Ask, Model]:
        service, exchange = self.service, self.exchange
        if key is not None:
            self._key = key.name
        encoding = exchange.header(b"content-encoding")
        if encoding:
            body = unpacked(body, encoding, service.settings.limits.body_bytes)
        wire = object_at(read(body, "the body"), "the body")
        ask, self._after = self._door.decode(service, exchange, wire, at)
        self._asked = ask  # what is known so far, should the next step fail
        self._spec, model = service.resolve(exchange.header(b"x-majordomo-model") or ask.model, key)
        if service.recall:
            request = service.recall.restored(ask.request, self._finding(ask))
            if request is not ask.request:
                self._asked = ask = replace(ask, request=request)
        return ask, model

    async def picture(self, ask: Ask, model: Model) -> Ask:
        request = await with_pictures(ask.request, model, self.service.fetch)
        self._asked = ask = replace(ask, request=request)
        return ask

    async def run(self, ask: Ask, model: Model) -> None:
        self.began = True
        stamp = Stamp(id=self.exchange.id, created=int(self._at), model=ask.model)
        self._encoder = encoder = self._door.dialect.encoder(ask, stamp)
        stream = model.stream(ask.request, partial_tool_calls=ask.stream)
        try:
            if ask.stream:
                await self._relay(stream, encoder)
            else:
                await self._collect(stream, encoder)
        finally:
            stream.close()

    async def refuse(self, failure: Failure) -> None:
        """Say it as an HTTP error, or in band once the reply has begun."""
        self._failure = failure
        if self.exchange.ended:
            return
        if self.exchange.begun:
            said = self._encoder.fail(spoken(failure)) if self._encoder is not None else b""
            await self.exchange.end(said)
            return
        await refuse(self.exchange, self._door.dialect, failure)

    def record(self) -> None:
        service, response, failure = self.service, self._response, self._failure
        self.seconds = service.clock() - self._at
        self.status = self.exchange.status or 499
        if response is not None:
            self.served, self.attempts = response.model, response.attempts
            self.notes = response.notes
        elif failure is not None:
            self.attempts = failure.attempts
        self.outcome = self.outcome or ("served" if failure is None else type(failure).__name__)
        count(service.metrics, self, response)
        if service.tracing:
            service.trace(self._trace())

    def _trace(self) -> Trace:
        response, asked = self._response, self._asked
        contents = self.service.settings.trace_contents
        return Trace(
            id=self.exchange.id,
            at=self._at,
            door=self.door,
            key=self._key,
            asked=asked.model if asked is not None else "",
            spec=self._spec,
            served=self.served,
            stream=asked.stream if asked is not None else False,
            status=self.status,
            outcome=self.outcome,
            reason=str(self._failure) if self._failure is not None else "",
            first=self.first,
            seconds=self.seconds,
            parent=self.exchange.header(b"traceparent"),
            attempts=self.attempts,
            notes=self.notes,
            usage=response.usage if response is not None else UNKNOWN,
            request=_plain(asked.request) if contents and asked is not None else None,
            response=_plain(response) if contents and response is not None else None,
        )

    async def _relay(self, stream: Stream, encoder: Encoder) -> None:
        """Pass events on as they come: one write for all that one read completed."""
        exchange = self.exchange
        alive = self._keep_alive()
        try:
            while self._response is None and (batch := await stream.next_batch()):
                data = self._encoded(batch, encoder, stream)
                if not data:
                    continue
                if alive is not None:
                    alive.spoke()
                    if alive.speaking is not None:
                        await alive.speaking
                if not exchange.begun:
                    self.first = self.service.clock() - self._at
                    await self._begin(encoder, _served_headers(stream))
                ending = type(batch[-1]) is Finish or self._response is not None
                await exchange.write(data, ending=ending)
            await exchange.end(b"".join(encoder.close()))
        finally:
            if alive is not None:
                alive.stop()

    async def _collect(self, stream: Stream, encoder: Encoder) -> None:
        data: list[bytes] = []
        while self._response is None and (batch := await stream.next_batch()):
            data.append(self._encoded(batch, encoder, stream))
        data.extend(encoder.close())
        self.first = self.service.clock() - self._at
        headers = _served_headers(stream)
        await self.exchange.say(200, encoder.content_type, headers, b"".join(data))

    def _encoded(self, batch: Sequence[Event], encoder: Encoder, stream: Stream) -> bytes:
        feed = encoder.feed
        data: list[bytes] = []
        for event in batch:
            kind = type(event)
            data += feed(self._unique(event) if kind in CARRIERS else event)
            if kind is Finish:
                # Before the last byte goes out: the client may refer to this reply at once.
                self._remember(stream.parts)
                if self._after is not None:
                    self._after(encoder)
        last = batch[-1]
        if type(last) is ResponseDone:
            self._response = last.response
        return b"".join(data)

    def _unique(self, event: Event) -> Event:
        return CallIds(self.exchange.id[:12]).event(event)

    def _remember(self, parts: tuple[Part, ...]) -> None:
        for part in parts:
            if type(part) is ToolCall and self._asked is not None:
                self.service.recall.keep(parts, self._finding(self._asked))
                return

    def _finding(self, ask: Ask) -> Callable[[ToolCall], str]:
        """Say how this door's clients name a call they had from us."""
        if self._door.echoes_ids:
            key, ids = by_id(self._key), CallIds(self.exchange.id[:12])
            return lambda call: key(replace(call, id=ids.of(call.id)))
        return by_content(self._key, ask.request)

    def _keep_alive(self) -> Alive | None:
        seconds = self.service.settings.keep_alive
        if not self._door.ping or seconds <= 0:
            return None
        return Alive(self.exchange.work.get_loop(), seconds, self._ping)

    async def _ping(self) -> None:
        if not self.exchange.begun and self._encoder is not None:
            await self._begin(self._encoder, b"")
        await self.exchange.write(self._door.ping)

    async def _begin(self, encoder: Encoder, headers: Headers) -> None:
        await self.exchange.begin(200, encoder.content_type, _STREAMED + headers)


def _served_headers(stream: Stream) -> Headers:
    """Who serves it, after how many tries, and what was changed on the way."""
    served = stream.served
    headers = _who(served.model, len(served.attempts) or 1)
    if served.notes:
        said = "; ".join([f"{note.kind} {note.what}" for note in served.notes])
        headers += line("x-majordomo-notes", said[:1000])
    return headers


@lru_cache(maxsize=512)
def _who(target: str, attempts: int) -> Headers:
    return line("x-majordomo-target", target) + b"x-majordomo-attempts: %d\r\n" % attempts


def _plain(value: Request | Response) -> Json:
    plain: Json = msgspec.to_builtins(value)
    return plain
