"""Real replies kept in a file and given again: tests of programs that use models.

tape = record("tests/weather.jsonl")
model = tape(majordomo.model("openai/gpt-5-mini"))  # asked once, replayed ever after
run = await Agent(model, [weather]).run("Is it raining in Lima?")

If the file is there it is replayed, without a key or a network; if not, it is written. Delete
it to record again. A request that was not recorded raises `Mismatch` with a diff.
"""

import difflib
from collections.abc import Callable, Sequence
from pathlib import Path
from types import TracebackType
from typing import Literal, Self, TypeAlias, Unpack

from msgspec.structs import replace

from majordomo.contract import (
    Capabilities,
    Event,
    Failure,
    Finish,
    Fold,
    JsonObject,
    Options,
    Prompt,
    Request,
    Response,
    ResponseDone,
    as_request,
    unfold,
)
from majordomo.engine.model import Model
from majordomo.engine.stream import Served, Source, Stream

from .exchange import Exchange, failure_of, pretty, read, readable, timeless, told, write

Mode: TypeAlias = Literal["auto", "record", "replay"]


class Mismatch(AssertionError):
    """A request that the recording does not have, or an exchange that was never asked for."""


def record(path: str | Path, *, mode: Mode = "auto") -> "Tape":
    """Open a recording. "auto" replays a file that is there and writes one that is not."""
    return Tape(Path(path), mode)


class Tape:
    """Call it with a model to have that model recorded or replayed; several may share a tape.

    As a context manager it demands that every recorded exchange was asked for.
    """

    def __init__(self, path: Path, mode: Mode) -> None:
        self.path = path
        self.replaying = mode == "replay" or (mode == "auto" and path.exists())
        self._left: list[Exchange] = _load(path) if self.replaying else []
        if not self.replaying:
            path.unlink(missing_ok=True)

    def __call__(self, model: Model | Callable[[], Model], *, name: str = "") -> "Recorded":
        """Give the model with its memory; a function is only called to record.

        `name` tells several models of one tape apart, where their own names do not.
        """
        if self.replaying:
            return Recorded(self, None, name or ("" if callable(model) else model.name))
        real = model() if callable(model) else model
        return Recorded(self, real, name or real.name)

    @property
    def unused(self) -> tuple[Exchange, ...]:
        """Recorded exchanges that were not asked for."""
        return tuple(self._left)

    def write(self, exchange: Exchange) -> None:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self.path.open("a", encoding="utf-8") as file:
            file.write(write(exchange) + "\n")

    def find(self, model: str, request: JsonObject) -> Exchange:
        """Take the first exchange with this request out of the recording."""
        candidates = [each for each in self._left if not model or each.model == model]
        for exchange in candidates:
            if exchange.request == request:
                self._left.remove(exchange)
                return exchange
        raise Mismatch(_difference(self.path, candidates, request))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        del error, trace
        if kind is None and self._left:
            raise Mismatch(f"{self.path}: {len(self._left)} exchanges were not asked for")


class Recorded(Model):
    """A model with a tape in between."""

    def __init__(self, tape: Tape, model: Model | None, name: str) -> None:
        self._tape = tape
        self._model = model
        self._name = name

    @property
    def name(self) -> str:
        return self._name

    @property
    def capabilities(self) -> Capabilities:
        return Capabilities() if self._model is None else self._model.capabilities

    def flowing(self) -> Model:
        return (
            self if self._model is None else Recorded(self._tape, self._model.flowing(), self._name)
        )

    def stream(
        self, prompt: Prompt, *, partial_tool_calls: bool = False, **options: Unpack[Options]
    ) -> Stream:
        request = as_request(prompt, **options)
        if self._model is None:
            return Stream(_Replay(self._tape, self._name, request))
        stream = self._model.stream(request, partial_tool_calls=partial_tool_calls)
        return Stream(_Recording(self._tape, self._name, request, stream))


class _Recording(Source):
    """Passes everything on and writes it down when it is over."""

    def __init__(self, tape: Tape, name: str, request: Request, stream: Stream) -> None:
        self._tape = tape
        self._exchange = Exchange(model=name, request=readable(request))
        self._stream = stream
        self._fold = Fold()
        self._served = Served(model=name)
        self._written = False

    async def pull(self) -> Sequence[Event]:
        try:
            batch = await self._stream.next_batch()
        except Failure as failure:
            self._write(replace(self._exchange, reply=self._so_far(), failure=told(failure)))
            raise
        given: list[Event] = []
        for event in batch:
            if isinstance(event, ResponseDone):
                self._done(event.response)
            else:
                self._fold.add(event)
                given.append(event)
        return given

    def close(self) -> None:
        """A reply that was left is not written: nobody knows how it would have ended."""
        self._stream.close()

    def served(self) -> Served:
        return self._served

    def _done(self, response: Response) -> None:
        attempts = timeless(response.attempts)
        self._served = Served(model=response.model, attempts=attempts, notes=response.notes)
        self._write(replace(self._exchange, reply=replace(response, attempts=attempts, raw=None)))

    def _so_far(self) -> Response | None:
        parts = self._fold.parts
        return Response(parts=parts, finish_reason="error") if parts else None

    def _write(self, exchange: Exchange) -> None:
        if not self._written:
            self._written = True
            self._tape.write(exchange)


class _Replay(Source):
    """Tells a recorded reply as a stream."""

    def __init__(self, tape: Tape, name: str, request: Request) -> None:
        self._tape = tape
        self._name = name
        self._request = request
        self._exchange: Exchange | None = None
        self._rest: list[Event] = []

    async def pull(self) -> Sequence[Event]:
        exchange = self._exchange
        if exchange is None:
            exchange = self._tape.find(self._name, readable(self._request))
            self._exchange = exchange
            self._rest = _events(exchange)
        if self._rest:
            return (self._rest.pop(0),)
        if exchange.failure is not None:
            raise failure_of(exchange.failure)
        return ()

    def close(self) -> None:
        """There is nothing to close."""

    def served(self) -> Served:
        reply = self._exchange.reply if self._exchange is not None else None
        if reply is None:
            return Served(model=self._name)
        return Served(model=reply.model, attempts=reply.attempts, notes=reply.notes)


def _events(exchange: Exchange) -> list[Event]:
    if exchange.reply is None:
        return []
    events = list(unfold(exchange.reply))
    if exchange.failure is None:
        return events
    return [event for event in events if not isinstance(event, Finish)]


def _load(path: Path) -> list[Exchange]:
    lines = path.read_text(encoding="utf-8").splitlines()
    return [read(line, f"{path}:{number}") for number, line in enumerate(lines, 1) if line.strip()]


def _difference(path: Path, candidates: list[Exchange], request: JsonObject) -> str:
    """Show how the request differs from the one the recording has next."""
    if not candidates:
        asked = "\n".join(pretty(request))
        return f"{path} has no more exchanges for this request:\n{asked}"
    lines = difflib.unified_diff(
        pretty(candidates[0].request),
        pretty(request),
        fromfile=f"{path.name} (recorded)",
        tofile="asked now",
        lineterm="",
    )
    return "\n".join((f"{path} has no such request; the next one differs:", *lines))
