"""Reply bytes, cut anywhere, to events: a stream or one whole object, whichever comes.

https://platform.openai.com/docs/api-reference/responses-streaming
"""

from typing import Literal

import msgspec
from msgspec import Struct

from majordomo.contract import Event, Truncated, unfold
from majordomo.dialects.join import joined
from majordomo.dialects.json import object_at, read
from majordomo.dialects.sse import Sse, SseDecoder, events_of, lines_of, runs

from .response import decode_response
from .stream import Reading


class ResponsesDecoder:
    """Goes by what the bytes are, not by what was asked: servers stream unasked."""

    __slots__ = ("_body", "_count", "_head", "_joined", "_reading", "_sse")

    def __init__(self, *, partial_tool_calls: bool = False, joined_text: bool = False) -> None:
        self._head = b""  # blank so far: not known yet what follows
        self._body: list[bytes] | None = None
        self._sse: SseDecoder | None = None
        self._reading = Reading(partial_tool_calls=partial_tool_calls)
        self._joined = joined_text
        self._count = 0

    def feed(self, chunk: bytes) -> list[Event]:
        if self._sse is not None:
            return self._read(self._sse.take(chunk))
        if self._body is not None:
            self._body.append(chunk)
            return []
        head = self._head + chunk
        first = head.lstrip(_BLANK)[:1]
        if not first:
            self._head = head
            return []
        if first in b"{[":
            self._body = [head.lstrip(_BLANK)]
            return []
        self._sse = SseDecoder()
        return self._read(self._sse.take(head))

    def close(self) -> list[Event]:
        if self._body is not None:
            return list(unfold(decode_response(object_at(read(b"".join(self._body)), "body"))))
        if self._sse is None:
            raise Truncated("the reply was empty")
        events: list[Event] = []
        self._read_each(self._sse.close(), events)
        if not self._reading.finished:
            raise Truncated("the stream ended before its final response")
        return joined(events) if self._joined else events

    def _read(self, whole: bytes) -> list[Event]:
        events: list[Event] = []
        if not whole:
            return events
        for run in runs(whole, _TEXT_OPENING):
            if run.row:
                self._read_row(run.row, events)
            if run.after:
                self._read_each(events_of(run.after), events)
        return joined(events) if self._joined and len(events) > 1 else events

    def _read_row(self, row: list[bytes], events: list[Event]) -> None:
        """Read the one kind of event that comes by the thousand; if one is odd, each by itself."""
        lines = lines_of(row)
        if not self._read_texts(lines, len(row), events):
            self._read_each([Sse(_TEXT_DELTA, line) for line in lines.split(b"\n")], events)

    def _read_each(self, frames: list[Sse], events: list[Event]) -> None:
        for frame in frames:
            if frame.event in _TEXT_NAMES and self._read_texts(frame.data, 1, events):
                continue
            if self._reading.finished:
                break
            self._count += 1
            events += self._other(frame)

    def _read_texts(self, lines: bytes, count: int, events: list[Event]) -> bool:
        """Read pieces of text, all in one call; tell whether they were that."""
        if self._reading.finished:
            return True  # whatever it is
        try:
            deltas = _decode_deltas(lines)
        except _NO_DELTA:
            return False
        if len(deltas) != count:
            return False
        self._count += count
        texts = [delta.delta for delta in deltas if delta.delta]
        if self._joined and texts:
            texts = ["".join(texts)]
        events += self._reading.texts(texts)
        return True

    def _other(self, frame: Sse) -> list[Event]:
        if frame.data.startswith(b"[DONE]"):  # not the service's, but some servers say it
            return []
        where = f"event {self._count}"
        wire = object_at(read(frame.data, where), where)
        kind = wire.get("type")
        return self._reading.read(wire, kind if isinstance(kind, str) else frame.event, where)


_BLANK = b" \t\r\n\xef\xbb\xbf"
_TEXT_DELTA = "response.output_text.delta"
_TEXT_NAMES = frozenset({"", _TEXT_DELTA})
_TEXT_OPENING = b"event: response.output_text.delta\ndata: {"
_NO_DELTA = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)


class _Delta(Struct, gc=False):
    type: Literal["response.output_text.delta"]
    delta: str = ""


_decode_deltas = msgspec.json.Decoder(_Delta).decode_lines
