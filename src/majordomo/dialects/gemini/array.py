"""A stream for clients that leave `alt=sse` out: the same chunks, in one list as it grows.

https://ai.google.dev/api/generate-content#method:-models.streamgeneratecontent
"""

from collections.abc import Iterable

from majordomo.contract import Event, Failure
from majordomo.dialects.dialect import Ask, Stamp

from .encoder import GeminiEncoder
from .failure import encode_error


def array_encoder(ask: Ask, stamp: Stamp) -> "ArrayEncoder":
    del ask  # this form is only ever a stream
    return ArrayEncoder(stamp)


class ArrayEncoder:
    """Frames what `GeminiEncoder` writes as items instead of events."""

    __slots__ = ("_events", "_open")

    def __init__(self, stamp: Stamp) -> None:
        self._events = GeminiEncoder(stamp, stream=True)
        self._open = False

    @property
    def content_type(self) -> str:
        return "application/json"

    def feed(self, event: Event) -> Iterable[bytes]:
        return [self._item(sse[6:-2]) for sse in self._events.feed(event)]

    def close(self) -> Iterable[bytes]:
        self._events.close()
        return [b"]"] if self._open else []

    def fail(self, failure: Failure) -> bytes:
        """Say the error as the last item; nothing needs to be closed after it."""
        self._events.fail(failure)
        wire = self._item(encode_error(failure)) + b"]"
        self._open = False
        return wire

    def _item(self, item: bytes) -> bytes:
        before = b",\r\n" if self._open else b"["
        self._open = True
        return before + item
