"""Replies as Ollama sends them, read from bytes cut anywhere.

https://github.com/ollama/ollama/blob/main/docs/api.md#response

A server that buffers (foreman) answers a request for a stream with one whole object, perhaps
spread over many lines, perhaps in a list: whatever is not a line of JSON is kept to the end
and read as one value.
"""

from collections.abc import Iterable

from msgspec import DecodeError, Struct
from msgspec.json import Decoder as JsonDecoder

from majordomo.contract import (
    Event,
    Finish,
    Json,
    JsonObject,
    Malformed,
    PartDone,
    Start,
    TextDelta,
    ThinkingDelta,
    ToolCall,
    Truncated,
)
from majordomo.dialects.call_ids import CallIds
from majordomo.dialects.cut import read_last
from majordomo.dialects.json import (
    items,
    object_at,
    objects,
    optional_bool,
    optional_string,
    read,
)
from majordomo.dialects.ndjson import LineDecoder

from .failure import failure_in
from .finish import decode_finish
from .image import decode_images
from .tool import decode_call
from .usage import decode_usage


class _Said(Struct):
    content: str = ""
    thinking: str | None = None
    tool_calls: None = None
    images: None = None


class _Delta(Struct):
    """A line that only adds words. Any other fails to decode as one and is read with care."""

    message: _Said
    done: bool
    error: None = None


# Nearly all lines are deltas; read as this type they cost a third of what plain JSON costs.
_delta = JsonDecoder(_Delta).decode


class OllamaDecoder:
    __slots__ = ("_calls", "_count", "_finished", "_held", "_ids", "_lines", "_started")

    def __init__(self) -> None:
        self._lines = LineDecoder()
        self._held: list[bytes] | None = None  # what turned out to be one value over many lines
        self._ids = CallIds()
        self._calls = False
        self._count = 0
        self._started = False
        self._finished = False

    def feed(self, chunk: bytes) -> Iterable[Event]:
        events: list[Event] = []
        for line in self._lines.feed(chunk):
            self._line(line, events)
        return events

    def close(self) -> Iterable[Event]:
        events: list[Event] = []
        for line in self._lines.close():
            self._line(line, events, last=True)
        if self._held is not None:
            self._value(read_last(b"\n".join(self._held), "body"), "body", events)
        if not self._finished:
            raise Truncated("the reply ended without a line that says done")
        return events

    def _line(self, line: bytes, events: list[Event], *, last: bool = False) -> None:
        if self._finished:
            return
        if self._held is not None:
            self._held.append(line)
            return
        self._count += 1
        if self._started and self._plain(line, events):
            return
        where = f"line {self._count}"
        try:
            wire = read_last(line, where) if last else read(line, where)
        except (Malformed, Truncated):
            if self._started:
                raise
            self._held = [line]
            return
        self._value(wire, where, events)

    def _plain(self, line: bytes, events: list[Event]) -> bool:
        try:
            delta = _delta(line)
        except (DecodeError, UnicodeDecodeError, RecursionError):
            return False
        if delta.done:
            return False
        if delta.message.thinking:
            events.append(ThinkingDelta(text=delta.message.thinking))
        if delta.message.content:
            events.append(TextDelta(text=delta.message.content))
        return True

    def _value(self, wire: Json, where: str, events: list[Event]) -> None:
        if not isinstance(wire, list):
            return self._object(object_at(wire, where), where, events, alone=not self._started)
        for item, at in items(wire, where):
            self._object(object_at(item, at), at, events, alone=False)
        return None

    def _object(self, wire: JsonObject, where: str, events: list[Event], *, alone: bool) -> None:
        if failure := failure_in(wire):
            raise failure
        if self._finished:
            return
        if not self._started:
            self._started = True
            events.append(Start(model=optional_string(wire, "model", where) or ""))
        self._message(wire, where, events)
        reason = optional_string(wire, "done_reason", where)
        if optional_bool(wire, "done", where) or (reason and wire.get("done") is None):
            self._finished = True
            finish = Finish(
                reason=decode_finish(reason, calls=self._calls),
                native=reason or "",
                usage=decode_usage(wire),
                raw=wire if alone else None,
            )
            events.append(finish)

    def _message(self, wire: JsonObject, where: str, events: list[Event]) -> None:
        """Read a chat's `message`, or a completion's `response` with its `thinking` beside."""
        message = wire.get("message")
        said = wire if message is None else object_at(message, f"{where}.message")
        name = "response" if message is None else "content"
        if thinking := optional_string(said, "thinking", where):
            events.append(ThinkingDelta(text=thinking))
        events.extend(
            PartDone(part=i) for i in decode_images(said.get("images"), f"{where}.images")
        )
        if text := optional_string(said, name, where):
            events.append(TextDelta(text=text))
        for item, at in objects(said.get("tool_calls") or [], f"{where}.tool_calls"):
            given, tool, arguments = decode_call(item, at)
            call = ToolCall(id=self._ids.take(given), name=tool, arguments=arguments)
            events.append(PartDone(part=call))
            self._calls = True
