"""Replies to events: streamed, whole, or the one where the other was asked for.

https://platform.openai.com/docs/api-reference/chat-streaming
"""

from collections.abc import Iterable

from majordomo.contract import Event, Json, Malformed, Truncated, unfold
from majordomo.dialects.json import object_at, read
from majordomo.dialects.sse import Sse, SseDecoder

from .plain import NOT_PLAIN, PlainChunk, PlainDelta, PlainFragment, decode_plain
from .reader import ReplyReader
from .response import decode_response


class ChatDecoder:
    """Finds out from the first byte which kind of reply it is: servers do not always obey."""

    __slots__ = ("_head", "_partial", "_step")

    def __init__(self, *, partial_tool_calls: bool = False) -> None:
        self._head = b""
        self._partial = partial_tool_calls
        self._step: _Stream | _Whole | None = None

    def feed(self, chunk: bytes) -> Iterable[Event]:
        if self._step is not None:
            return self._step.feed(chunk)
        # DeepSeek sends blank lines while a request waits in its queue.
        self._head = (self._head + chunk).removeprefix(b"\xef\xbb\xbf").lstrip()
        if not self._head or b"\xef\xbb\xbf".startswith(self._head):
            return ()
        if self._head[:1] in b"{[<":  # JSON, or a page that is read as JSON and fails as that
            self._step = _Whole()
        else:
            self._step = _Stream(partial_tool_calls=self._partial)
        return self._step.feed(self._head)

    def close(self) -> Iterable[Event]:
        if self._step is None:
            raise Truncated("the reply is empty")
        return self._step.close()


class _Whole:
    __slots__ = ("_pieces",)

    def __init__(self) -> None:
        self._pieces: list[bytes] = []

    def feed(self, chunk: bytes) -> Iterable[Event]:
        self._pieces.append(chunk)
        return ()

    def close(self) -> Iterable[Event]:
        wire = _read_last(b"".join(self._pieces), "body")
        if isinstance(wire, list) and len(wire) == 1:
            wire = wire[0]  # Gemini's compatible endpoint wraps its errors
        return unfold(decode_response(object_at(wire, "body")))


class _Stream:
    __slots__ = ("_done", "_number", "_reader", "_sse")

    def __init__(self, *, partial_tool_calls: bool) -> None:
        self._sse = SseDecoder()
        self._reader = ReplyReader(partial_tool_calls=partial_tool_calls)
        self._number = 0  # of the event being read, for error messages
        self._done = False

    def feed(self, chunk: bytes) -> Iterable[Event]:
        events: list[Event] = []
        for sse in self._sse.feed(chunk):
            self._read(sse, events)
        return events

    def close(self) -> Iterable[Event]:
        events: list[Event] = []
        for sse in self._sse.close():
            if not self._done and not sse.data.startswith(b"[DONE]"):
                _ = _read_last(sse.data, "last event")
            self._read(sse, events)
        if not self._number:
            raise Truncated("the stream ended before its first event")
        if not self._done:
            self._reader.finish(events)
        return events

    def _read(self, sse: Sse, events: list[Event]) -> None:
        if self._done:
            return  # whatever a server says after [DONE]
        self._number += 1
        data = sse.data
        if data.startswith(b"[DONE]"):
            self._reader.finish(events)
            self._done = True
            return
        if not sse.event:
            try:
                chunk = decode_plain(data)
            except NOT_PLAIN:
                pass
            else:
                if self._read_plain(chunk, events):
                    return
        where = f"event {self._number}"
        wire = object_at(read(data, where), where)
        if sse.event == "error" and wire.get("error") is None:
            wire = object_at({"error": wire}, where)
        self._reader.read(wire, where, events)

    def _read_plain(self, chunk: PlainChunk, events: list[Event]) -> bool:
        """Read a chunk that is only a piece of something; tell whether it was one."""
        if len(chunk.choices) != 1:
            return False
        reader, choice = self._reader, chunk.choices[0]
        delta = choice.delta
        if delta.tool_calls is not None:
            if choice.index or choice.finish_reason or chunk.usage is not None:
                return False
            return self._read_fragment(delta, delta.tool_calls[0], events)
        if not reader.started:
            reader.start(chunk.model, chunk.id, events)
        if chunk.usage is not None or choice.finish_reason is not None:
            reader.note(chunk, choice)
        if not choice.index:  # one choice is all that was asked for
            self._read_words(delta, events)
        return True

    def _read_words(self, delta: PlainDelta, events: list[Event]) -> None:
        if delta.reasoning_content:
            thought = delta.reasoning_content
            self._reader.add_thought({"field": "reasoning_content"}, thought, events)
        elif delta.reasoning:
            self._reader.add_thought({"field": "reasoning"}, delta.reasoning, events)
        if delta.content:
            self._reader.add_text(delta.content, events)

    def _read_fragment(
        self, delta: PlainDelta, fragment: PlainFragment, events: list[Event]
    ) -> bool:
        if delta.content or delta.reasoning_content or delta.reasoning:
            return False
        return self._reader.add_arguments(fragment.index, fragment.function.arguments, events)


def _read_last(data: bytes, where: str) -> Json:
    """Read what the end of the connection ended: cut off is not the same as wrong."""
    try:
        return read(data, where)
    except Malformed as malformed:
        if "truncated" in malformed.problem:
            raise Truncated(f"the reply was cut off: {malformed}") from malformed
        raise
