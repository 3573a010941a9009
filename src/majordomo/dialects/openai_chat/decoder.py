"""Replies to events: streamed, whole, or the one where the other was asked for.

https://platform.openai.com/docs/api-reference/chat-streaming
"""

from collections.abc import Iterable

from majordomo.contract import Event, Json, Malformed, Truncated, unfold
from majordomo.dialects.join import joined
from majordomo.dialects.json import object_at, read
from majordomo.dialects.sse import Sse, SseDecoder, events_of, lines_of, runs

from .plain import NOT_PLAIN, PlainChunk, decode_plain_lines, decode_text_lines, plain_usage
from .reader import ReplyReader
from .response import decode_response


class ChatDecoder:
    """Finds out from the first byte which kind of reply it is: servers do not always obey."""

    __slots__ = ("_head", "_joined", "_partial", "_step")

    def __init__(self, *, partial_tool_calls: bool = False, joined_text: bool = False) -> None:
        self._head = b""
        self._partial = partial_tool_calls
        self._joined = joined_text
        self._step: _Stream | _Whole | None = None

    def feed(self, chunk: bytes) -> Iterable[Event]:
        if self._step is not None:
            return self._step.feed(chunk)
        if not self._head and chunk.startswith(b"data:"):  # nearly every stream
            self._step = _Stream(partial_tool_calls=self._partial, joined_text=self._joined)
            return self._step.feed(chunk)
        # DeepSeek sends blank lines while a request waits in its queue.
        self._head = (self._head + chunk).removeprefix(b"\xef\xbb\xbf").lstrip()
        if not self._head or b"\xef\xbb\xbf".startswith(self._head):
            return ()
        if self._head[:1] in b"{[<":  # JSON, or a page that is read as JSON and fails as that
            self._step = _Whole()
        else:
            self._step = _Stream(partial_tool_calls=self._partial, joined_text=self._joined)
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

    def __init__(self, *, partial_tool_calls: bool, joined_text: bool) -> None:
        self._sse = SseDecoder()
        self._reader = ReplyReader(partial_tool_calls=partial_tool_calls, joined_text=joined_text)
        self._number: int = 0  # of the event being read, for error messages
        self._done = False

    def feed(self, chunk: bytes) -> Iterable[Event]:
        events: list[Event] = []
        whole = self._sse.take(chunk)
        if not whole:
            return events
        for run in runs(whole, _OPENING):
            if run.row:
                self._read_row(run.row, events)
            if run.after == _DONE and not self._done:
                self._end(events)
            elif run.after:
                self._read_each(events_of(run.after), events)
        return self._settled(events)

    def close(self) -> Iterable[Event]:
        events: list[Event] = []
        for sse in self._sse.close():
            if not self._done and not sse.data.startswith(b"[DONE]"):
                _ = _read_last(sse.data, "last event")
            self._read_each([sse], events)
        if not self._number:
            raise Truncated("the stream ended before its first event")
        if not self._done:
            self._reader.finish(events)
        return self._settled(events)

    def _settled(self, events: list[Event]) -> list[Event]:
        if not self._reader.loose:
            return events
        self._reader.loose = False
        return joined(events)

    def _read_each(self, frames: list[Sse], events: list[Event]) -> None:
        """Read events that are more than a line of data, or not known to be chunks."""
        for sse in frames:
            if self._done:
                return  # whatever a server says after [DONE]
            if sse.data.startswith(b"[DONE]"):
                self._end(events)
            elif sse.event:
                self._number += 1
                self._read_any(sse.data, events, error=sse.event == "error")
            else:
                self._read_lines(sse.data, 1, events)

    def _end(self, events: list[Event]) -> None:
        self._number += 1
        self._reader.finish(events)
        self._done = True

    def _read_row(self, row: list[bytes], events: list[Event]) -> None:
        """Read chunks that stand in a row: those that are nothing but text by the dozen.

        That saves a look at each, a fifth of what a burst costs; if one proves to be more than
        text, only its dozens are looked at.
        """
        at = 0
        if len(row) < _DOZENS and not self._done:
            self._read_lines(lines_of(row), len(row), events)
            return
        while at < len(row) and not self._done:
            some = row[at : at + (_DOZENS if self._reader.started else 1)]
            at += len(some)
            lines = lines_of(some)
            if len(some) < _DOZENS or not self._read_texts(lines, len(some), events):
                self._read_lines(lines, len(some), events)

    def _read_texts(self, lines: bytes, count: int, events: list[Event]) -> bool:
        try:
            chunks = decode_text_lines(lines)
        except NOT_PLAIN:
            return False
        if len(chunks) != count:
            return False
        texts = [chunk.choices[0].delta.content for chunk in chunks]
        self._reader.add_texts([text for text in texts if text], events)
        self._number += count
        return True

    def _read_lines(self, lines: bytes, count: int, events: list[Event]) -> None:
        """Read chunks in one call; if any of them is of another shape, then each by itself."""
        try:
            chunks = decode_plain_lines(lines)
        except NOT_PLAIN:
            chunks = []
        if len(chunks) == count:
            self._read_chunks(chunks, lines, events)
        elif count == 1:
            self._number += 1
            self._read_any(lines, events)
        else:
            for line in lines.split(b"\n"):
                self._read_lines(line, 1, events)

    def _read_chunks(self, chunks: list[PlainChunk], lines: bytes, events: list[Event]) -> None:
        """Gather the text of neighbours; nearly all chunks are nothing else."""
        reader = self._reader
        first = self._number + 1
        started = reader.started
        texts: list[str] = []
        for number, chunk in enumerate(chunks, first):
            choices = chunk.choices
            if started and len(choices) == 1 and chunk.usage is None:
                choice = choices[0]
                delta = choice.delta
                if (
                    delta.content
                    and choice.finish_reason is None
                    and not (delta.tool_calls or delta.reasoning_content or delta.reasoning)
                ):
                    texts.append(delta.content)
                    continue
            if texts:
                reader.add_texts(texts, events)
                texts = []
            self._number = number
            if len(choices) > 1:
                self._read_any(lines.split(b"\n")[number - first], events)
            else:
                self._read_plain(chunk, events)
            started = reader.started
        if texts:
            reader.add_texts(texts, events)
        self._number = first + len(chunks) - 1

    def _read_plain(self, chunk: PlainChunk, events: list[Event]) -> None:
        reader = self._reader
        if not reader.started and (chunk.choices or chunk.model or chunk.id):
            reader.start(chunk.model, chunk.id, events)
        if chunk.usage is not None:
            reader.count(plain_usage(chunk.usage))
        for choice in chunk.choices:
            reader.read_plain(choice, self._number, events)

    def _read_any(self, data: bytes, events: list[Event], *, error: bool = False) -> None:
        """Read a chunk of any shape, or what an event said to be an error brings."""
        where = f"event {self._number}"
        wire = object_at(read(data, where), where)
        if error and wire.get("error") is None:
            wire = object_at({"error": wire}, where)
        self._reader.read(wire, where, events)


_OPENING = b"data: {"
_DONE = b"data: [DONE]"
_DOZENS = 24


def _read_last(data: bytes, where: str) -> Json:
    """Read what the end of the connection ended: cut off is not the same as wrong."""
    try:
        return read(data, where)
    except Malformed as malformed:
        if "truncated" in malformed.problem:
            raise Truncated(f"the reply was cut off: {malformed}") from malformed
        raise
