"""The synchronous façade: the one async engine, run on one background thread."""

import asyncio
import atexit
import os
import threading
from collections.abc import Coroutine, Iterator, Sequence
from concurrent.futures import Future
from functools import cache
from typing import TYPE_CHECKING, Any, Generic, Self, TypeVar, Unpack, overload

from majordomo.contract import Event, Json, Options, Prompt, Response, TextDelta

if TYPE_CHECKING:
    from .model import Model
    from .stream import Stream
    from .typed import TypedStream

T = TypeVar("T")


class SyncModel:
    """`model.sync`: the same calls, blocking. Any thread may use it, several at once."""

    def __init__(self, model: "Model") -> None:
        self._model = model

    def generate(self, prompt: Prompt, **options: Unpack[Options]) -> Response:
        return portal().run(self._model.generate(prompt, **options))

    def stream(self, prompt: Prompt, **options: Unpack[Options]) -> "SyncStream":
        return SyncStream(self._model.stream(prompt, **options))

    @overload
    def generate_as(
        self, kind: type[T], prompt: Prompt, *, asks: int = 3, **options: Unpack[Options]
    ) -> T: ...

    @overload
    def generate_as(
        self, kind: object, prompt: Prompt, *, asks: int = 3, **options: Unpack[Options]
    ) -> Any: ...  # noqa: ANN401 -- as in `Model`

    def generate_as(
        self, kind: object, prompt: Prompt, *, asks: int = 3, **options: Unpack[Options]
    ) -> object:
        return portal().run(self._model.generate_as(kind, prompt, asks=asks, **options))

    @overload
    def stream_as(
        self, kind: type[T], prompt: Prompt, *, asks: int = 3, **options: Unpack[Options]
    ) -> "SyncTypedStream[T]": ...

    @overload
    def stream_as(
        self, kind: object, prompt: Prompt, *, asks: int = 3, **options: Unpack[Options]
    ) -> "SyncTypedStream[Any]": ...

    def stream_as(
        self, kind: object, prompt: Prompt, *, asks: int = 3, **options: Unpack[Options]
    ) -> "SyncTypedStream[Any]":
        return SyncTypedStream(self._model.stream_as(kind, prompt, asks=asks, **options))


class SyncStream:
    """`Stream` for a plain `for`; one hop between the threads per batch, not per event."""

    def __init__(self, stream: "Stream") -> None:
        self._stream = stream

    def __iter__(self) -> Iterator[Event]:
        try:
            while batch := portal().run(self._next()):
                yield from batch
        finally:
            self.close()

    def text(self) -> Iterator[str]:
        for event in self:
            if isinstance(event, TextDelta):
                yield event.text

    def response(self) -> Response:
        return portal().run(self._stream.response())

    def close(self) -> None:
        portal().run(self._stream.aclose())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    async def _next(self) -> Sequence[Event]:
        return await self._stream.next_batch()


class SyncTypedStream(Generic[T]):
    """`TypedStream` for a plain `for`."""

    def __init__(self, stream: "TypedStream[T]") -> None:
        self._stream = stream

    def __iter__(self) -> Iterator[Json]:
        try:
            while (found := portal().run(self._stream.next_partial())) is not None:
                yield found
        finally:
            portal().run(self._stream.aclose())

    def value(self) -> T:
        return portal().run(self._stream.value())


class Portal:
    """An event loop on a thread of its own, and the way in."""

    def __init__(self) -> None:
        self._runner = asyncio.Runner()
        self._loop = self._runner.get_loop()
        self._thread = threading.Thread(
            target=self._loop.run_forever, name="majordomo-sync", daemon=True
        )
        self._thread.start()

    def run(self, coroutine: Coroutine[object, object, T]) -> T:
        """Wait for it; Ctrl-C here cancels it there."""
        if threading.current_thread() is self._thread:
            coroutine.close()
            raise RuntimeError(
                "a synchronous call inside the engine's own thread would wait for ever"
            )
        future: Future[T] = asyncio.run_coroutine_threadsafe(coroutine, self._loop)
        try:
            return future.result()
        except BaseException:
            future.cancel()
            raise

    def close(self) -> None:
        """Stop the loop and close what hangs on it: pooled connections, tasks."""
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._runner.close()


@cache
def portal() -> Portal:
    """Start the thread when the first synchronous call needs it; it ends with the program."""
    opened = Portal()
    atexit.register(opened.close)
    return opened


if hasattr(os, "register_at_fork"):
    # A forked child has the parent's portal but not its thread: it starts its own.
    os.register_at_fork(after_in_child=portal.cache_clear)
