"""One request through one door, from the first byte in to the last byte out."""

import asyncio
import logging
from collections.abc import Callable, Sequence

import msgspec
from msgspec.structs import replace

from majordomo.contract import (
    UNKNOWN,
    Event,
    Failure,
    Finish,
    Json,
    Malformed,
    Overloaded,
    Part,
    Request,
    Response,
    ResponseDone,
    ToolCall,
)
from majordomo.dialects.dialect import Ask, Encoder, Reply, Stamp
from majordomo.dialects.json import object_at, read
from majordomo.engine.model import Model
from majordomo.engine.patience import Deadline
from majordomo.engine.stream import Stream
from majordomo.trace import Trace

from .alive import Alive
from .body import unpacked
from .call_ids import CARRIERS, CallIds
from .door import Address, After, Door
from .exchange import Exchange, Headers, line, printable
from .join import joined
from .pictures import with_pictures
from .recall import by_content, by_id
from .refusal import invalid, refuse, spoken
from .service import Service

log = logging.getLogger("majordomo.gateway")
_STREAMED = b"cache-control: no-cache\r\nx-accel-buffering: no\r\n"


async def visit(service: Service, exchange: Exchange, door: Door, at: Address) -> None:
    """Serve one request; whatever goes wrong is said in the door's dialect and recorded."""
    work = asyncio.current_task()
    assert work is not None  # noqa: S101 -- a coroutine that runs has a task
    here = Visit(service, exchange, door)
    service.metrics.in_flight += 1
    try:
        service.admit()
        ask, model = await here.read(at)
        with Deadline(work.get_loop(), service.settings.limits.seconds):
            await here.run(ask, model)
    except Malformed as error:
        await here.refuse(invalid(error))
    except Failure as failure:
        await here.refuse(failure)
    except TimeoutError:
        await here.refuse(Overloaded("the request took longer than is allowed", status=504))
    except asyncio.CancelledError:
        if not exchange.gone:
            raise
        work.uncancel()  # nobody is left to answer
        here.outcome = "gone"
    except Exception:
        log.exception("request %s failed inside the gateway", exchange.id)
        await here.refuse(Overloaded("something went wrong inside the gateway", status=500))
    finally:
        service.metrics.in_flight -= 1
        here.record()


class Visit:
    """The request as it goes, and what the trace will say of it."""

    def __init__(self, service: Service, exchange: Exchange, door: Door) -> None:
        self.service = service
        self.exchange = exchange
        self.door = door
        self.outcome = ""
        self._began = service.clock()
        self._first: float | None = None
        self._asked: Ask | None = None
        self._after: After | None = None
        self._spec = ""
        self._key = ""
        self._failure: Failure | None = None
        self._response: Response | None = None
        self._encoder: Encoder | None = None
        self._ids = CallIds(exchange.id[:12])

    async def read(self, at: Address) -> tuple[Ask, Model]:
        exchange, limits = self.exchange, self.service.settings.limits
        key = self.service.client(exchange)
        self._key = key.name if key is not None else ""
        body = await exchange.body(limits.body_bytes, limits.body_seconds)
        encoding = exchange.header(b"content-encoding")
        if encoding:
            body = unpacked(body, encoding, limits.body_bytes)
        wire = object_at(read(body, "the body"), "the body")
        ask, self._after = self.door.decode(self.service, exchange, wire, at)
        recall = self.service.recall
        request = recall.restored(ask.request, self._finding(ask))
        self._asked = ask  # what is known so far, should the next step fail
        wanted = exchange.header(b"x-majordomo-model") or ask.model
        self._spec, model = self.service.resolve(wanted, key)
        request = await with_pictures(request, model, self.service.fetch)
        if request is not ask.request:
            self._asked = ask = replace(ask, request=request)
        return ask, model

    async def run(self, ask: Ask, model: Model) -> None:
        stamp = Stamp(id=self.exchange.id, created=int(self._began), model=ask.model)
        self._encoder = encoder = self.door.dialect.encoder(ask, stamp)
        async with model.stream(ask.request, partial_tool_calls=ask.stream) as stream:
            if ask.stream:
                await self._relay(stream, encoder)
            else:
                await self._collect(stream, encoder)

    async def refuse(self, failure: Failure) -> None:
        """Say it as an HTTP error, or in band once the reply has begun."""
        self._failure = failure
        if self.exchange.ended:
            return
        if self.exchange.begun:
            said = self._encoder.fail(spoken(failure)) if self._encoder is not None else b""
            await self.exchange.end(said)
            return
        await refuse(self.exchange, self.door.dialect, failure)

    def record(self) -> None:
        response, failure, now = self._response, self._failure, self.service.clock()
        told = response if response is not None else failure
        outcome = self.outcome or ("served" if failure is None else type(failure).__name__)
        contents = self.service.settings.trace_contents
        trace = Trace(
            id=self.exchange.id,
            at=self._began,
            door=self.door.dialect.name,
            key=self._key,
            asked=self._asked.model if self._asked is not None else "",
            spec=self._spec,
            served=response.model if response is not None else "",
            stream=self._asked.stream if self._asked is not None else False,
            status=self.exchange.status or 499,
            outcome=outcome,
            reason=str(failure) if failure is not None else "",
            first=self._first,
            seconds=now - self._began,
            parent=self.exchange.header(b"traceparent"),
            attempts=told.attempts if told is not None else (),
            notes=response.notes if response is not None else (),
            usage=response.usage if response is not None else UNKNOWN,
            request=_plain(self._asked.request) if contents and self._asked is not None else None,
            response=_plain(response) if contents and response is not None else None,
        )
        self.service.record(trace, response)

    async def _relay(self, stream: Stream, encoder: Encoder) -> None:
        """Pass events on as they come: one write for all that one read completed."""
        alive = self._keep_alive(encoder)
        try:
            async for batch in stream.batches():
                data = self._encoded(batch, encoder, stream)
                if not data:
                    continue
                if alive is not None:
                    await alive.spoke()
                if not self.exchange.begun:
                    self._first = self.service.clock() - self._began
                    await self._begin(encoder, _served_headers(stream))
                await self.exchange.write(data)
            await self.exchange.end(b"".join(encoder.close()))
        finally:
            if alive is not None:
                alive.stop()

    async def _collect(self, stream: Stream, encoder: Encoder) -> None:
        data = [self._encoded(batch, encoder, stream) async for batch in stream.batches()]
        data.extend(encoder.close())
        self._first = self.service.clock() - self._began
        reply = Reply(status=200, body=b"".join(data), content_type=encoder.content_type)
        await self.exchange.reply(reply, _served_headers(stream))

    def _encoded(self, batch: Sequence[Event], encoder: Encoder, stream: Stream) -> bytes:
        last = batch[-1]
        if isinstance(last, ResponseDone):
            self._response = last.response
        unique = self._ids.event
        data = b"".join(
            [
                piece
                for event in joined(batch)
                for piece in encoder.feed(unique(event) if type(event) in CARRIERS else event)
            ]
        )
        if isinstance(last, Finish):  # nothing but the whole reply comes after it
            # Before the last byte goes out: the client may refer to this reply at once.
            self._remember(stream.parts)
            if self._after is not None:
                self._after(encoder)
        return data

    def _remember(self, parts: tuple[Part, ...]) -> None:
        if self._asked is not None and any(isinstance(part, ToolCall) for part in parts):
            self.service.recall.keep(parts, self._finding(self._asked))

    def _finding(self, ask: Ask) -> Callable[[ToolCall], str]:
        """Say how this door's clients name a call they had from us."""
        if self.door.echoes_ids:
            key = by_id(self._key)
            return lambda call: key(replace(call, id=self._ids.of(call.id)))
        return by_content(self._key, ask.request)

    def _keep_alive(self, encoder: Encoder) -> Alive | None:
        seconds = self.service.settings.keep_alive
        if not self.door.ping or seconds <= 0:
            return None

        async def ping() -> None:
            if not self.exchange.begun:
                await self._begin(encoder, b"")
            await self.exchange.write(self.door.ping)

        return Alive(ping, seconds)

    async def _begin(self, encoder: Encoder, headers: Headers) -> None:
        await self.exchange.begin(200, encoder.content_type, _STREAMED + headers)


def _served_headers(stream: Stream) -> Headers:
    """Who serves it, after how many tries, and what was changed on the way."""
    served = stream.served
    headers = b"x-majordomo-target: %b\r\nx-majordomo-attempts: %d\r\n" % (
        printable(served.model),
        max(1, len(served.attempts)),
    )
    if served.notes:
        said = "; ".join(f"{note.kind} {note.what}" for note in served.notes)
        headers += line("x-majordomo-notes", said[:1000])
    return headers


def _plain(value: Request | Response) -> Json:
    plain: Json = msgspec.to_builtins(value)
    return plain
