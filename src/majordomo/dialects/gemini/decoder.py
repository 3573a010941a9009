"""Replies as Gemini sends them, read from bytes cut anywhere.

https://ai.google.dev/api/generate-content#method:-models.streamgeneratecontent

Three forms: server-sent events (`alt=sse`), a list of the same chunks, one whole object. An
error may follow the events as bare JSON, over several lines.
"""

from collections.abc import Iterable, Iterator

from msgspec import DecodeError, Raw, Struct
from msgspec.json import Decoder as JsonDecoder

from majordomo.contract import (
    Event,
    Finish,
    Json,
    JsonObject,
    Part,
    PartDone,
    Start,
    Text,
    TextDelta,
    Thinking,
    ThinkingDelta,
    ToolCall,
    Truncated,
    unfold,
)
from majordomo.contract.pieces import MANY, gather
from majordomo.dialects.call_ids import CallIds
from majordomo.dialects.cut import read_last
from majordomo.dialects.json import items, object_at, optional_string, read
from majordomo.dialects.sse import SseDecoder

from .casing import camel
from .failure import failure_in
from .response import candidate_in, decode_response, finish_in, parts_in, reason_of
from .usage import decode_usage


class _Words(Struct, forbid_unknown_fields=True):
    text: str
    thought: bool = False


class _Content(Struct):
    parts: list[_Words]


class _Candidate(Struct, rename="camel"):
    content: _Content
    index: int = 0
    finish_reason: None = None


class _Delta(Struct, rename="camel"):
    """A chunk that only adds words. Any other fails to decode as one and is read with care."""

    candidates: tuple[_Candidate]
    usage_metadata: Raw = Raw()
    error: None = None
    prompt_feedback: None = None


# Nearly all chunks are deltas; read as this type they cost a third of what plain JSON costs.
_delta = JsonDecoder(_Delta).decode


class GeminiDecoder:
    __slots__ = (
        *("_blocked", "_calls", "_count", "_ids", "_kind", "_line_start", "_native"),
        *("_open", "_sse", "_started", "_usage", "_whole"),
    )

    def __init__(self) -> None:
        self._sse = SseDecoder()
        self._whole: list[bytes] | None = None  # bare JSON, kept to the end
        self._line_start = True
        self._count = 0
        self._started = False
        self._ids = CallIds()
        self._kind: type[Text | Thinking] | None = None  # of the part that deltas extend
        self._open: list[str] = []  # what they have said of it
        self._calls = False
        self._usage: Raw | Json = None  # the last one counts, and is read only then
        self._native: str | None = None
        self._blocked = False

    def feed(self, chunk: bytes) -> Iterable[Event]:
        if self._whole is not None:
            self._whole.append(chunk)
            return ()
        bare = self._bare(chunk)
        if bare >= 0:
            self._whole = [chunk[bare:]]
            chunk = chunk[:bare]
        events: list[Event] = []
        for sse in self._sse.feed(chunk):
            self._event(sse.data, events)
        return events

    def close(self) -> Iterable[Event]:
        """Finish only now: a chunk after the one with the reason may still bring usage."""
        events: list[Event] = []
        for sse in self._sse.close():
            self._event(sse.data, events)
        if self._whole is not None:
            wire = read_last(b"".join(self._whole), "body")
            if isinstance(wire, dict) and not self._started:
                return _whole(wire)
            for item, at in items(wire if isinstance(wire, list) else [wire], "body"):
                self._chunk(object_at(item, at), at, events)
        if self._native is None:
            raise Truncated("the reply ended without a finishReason")
        self._close_part(events)
        usage = read(self._usage) if isinstance(self._usage, Raw) else self._usage
        finish = Finish(
            reason=reason_of(self._native, blocked=self._blocked, calls=self._calls),
            native=self._native,
            usage=decode_usage(usage),
        )
        return [*events, finish]

    def _bare(self, chunk: bytes) -> int:
        """Find where a line begins with a bracket: no event does, so bare JSON begins there."""
        if self._line_start and not chunk.startswith(b"d"):
            head = chunk.lstrip()
            if not head or head[:1] in _BRACKETS:
                return len(chunk) - len(head) if head else -1
        self._line_start = chunk.endswith(b"\n")
        return chunk.find(b"\n{") + 1 or -1

    def _event(self, data: bytes, events: list[Event]) -> None:
        self._count += 1
        if self._started and self._plain(data, events):
            return
        where = f"event {self._count}"
        if data.strip() != b"[DONE]":  # not Gemini's, but proxies that speak Chat add it
            self._chunk(object_at(read(data, where), where), where, events)

    def _plain(self, data: bytes, events: list[Event]) -> bool:
        try:
            delta = _delta(data)
        except (DecodeError, UnicodeDecodeError, RecursionError):
            return False
        (candidate,) = delta.candidates
        if candidate.index:
            return False
        if delta.usage_metadata:
            self._usage = delta.usage_metadata
        for words in candidate.content.parts:
            if words.text:
                self._say(Thinking if words.thought else Text, words.text, events)
        return True

    def _chunk(self, wire: JsonObject, where: str, events: list[Event]) -> None:
        if failure := failure_in(wire):
            raise failure
        reply = camel(wire)
        if reply.get("usageMetadata") is not None:
            self._usage = reply["usageMetadata"]
        if not self._started:
            self._started = True
            events.append(_start(reply, where))
        candidate = candidate_in(reply, where)
        for part in parts_in(candidate, self._ids, where) if candidate is not None else ():
            self._part(part, events)
        native = finish_in(reply, candidate, where)
        if native is not None:
            self._native = native
            self._blocked = candidate is None

    def _part(self, part: Part, events: list[Event]) -> None:
        """Plain words extend the open part; one with a signature stands alone, never merged."""
        if isinstance(part, Text | Thinking):
            if part.artefact is None:
                return self._say(type(part), part.text, events)
            self._close_part(events)
            if part.text:
                delta = TextDelta if isinstance(part, Text) else ThinkingDelta
                events.append(delta(text=part.text))
        else:
            self._close_part(events)
            self._calls = self._calls or isinstance(part, ToolCall)
        events.append(PartDone(part=part))
        return None

    def _say(self, kind: type[Text | Thinking], text: str, events: list[Event]) -> None:
        if kind is not self._kind:
            self._close_part(events)
            self._kind = kind
        self._open.append(text)
        if len(self._open) > MANY:
            gather(self._open)
        events.append(TextDelta(text=text) if kind is Text else ThinkingDelta(text=text))

    def _close_part(self, events: list[Event]) -> None:
        if self._kind is not None:
            events.append(PartDone(part=self._kind(text="".join(self._open))))
            self._kind = None
            self._open = []


_BRACKETS = (b"{", b"[")


def _whole(wire: JsonObject) -> Iterator[Event]:
    if failure := failure_in(wire):
        raise failure
    return unfold(decode_response(wire))


def _start(reply: JsonObject, where: str) -> Start:
    return Start(
        model=optional_string(reply, "modelVersion", where) or "",
        id=optional_string(reply, "responseId", where) or "",
        usage=decode_usage(reply.get("usageMetadata")),
    )
