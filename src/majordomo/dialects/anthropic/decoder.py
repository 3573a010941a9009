"""A reply's bytes, cut anywhere, to events; whole or streamed, whichever it turns out to be.

https://platform.claude.com/docs/en/build-with-claude/streaming
"""

import re
from collections.abc import Iterable
from typing import NamedTuple

from majordomo.contract import (
    Event,
    Finish,
    JsonObject,
    PartDone,
    Start,
    TextDelta,
    ThinkingDelta,
    Truncated,
    unfold,
)
from majordomo.dialects.call_ids import CallIds
from majordomo.dialects.dialect import Decoder
from majordomo.dialects.join import joined
from majordomo.dialects.json import object_at, optional_string, read
from majordomo.dialects.sse import Sse, SseDecoder, events_of, lines_of, runs

from .block import IMPLIED, KNOWN_DELTAS, MODELLED, WORDS, Block
from .chunk import NOT_CHUNKS, Chunk, Delta, decode_chunk, decode_chunks
from .failure import decode_error
from .finish import decode_reason
from .response import decode_response
from .usage import add_counts, decode_usage, usage_of


class ReplyDecoder:
    """Looks at the first byte: an object is a whole reply, anything else a stream."""

    __slots__ = ("_joined", "_partial", "_reader")

    def __init__(self, *, partial_tool_calls: bool = False, joined_text: bool = False) -> None:
        self._partial = partial_tool_calls
        self._joined = joined_text
        self._reader: Decoder | None = None

    def feed(self, chunk: bytes) -> Iterable[Event]:
        if self._reader is not None:
            return self._reader.feed(chunk)
        begun = chunk.lstrip(_BLANK)
        if not begun:
            return ()
        whole = begun.startswith((b"{", b"["))
        self._reader = (
            WholeDecoder() if whole else StreamDecoder(partial=self._partial, joined=self._joined)
        )
        return self._reader.feed(begun)

    def close(self) -> Iterable[Event]:
        if self._reader is None:
            raise Truncated("the reply is empty")
        return self._reader.close()


class WholeDecoder:
    __slots__ = ("_pieces",)

    def __init__(self) -> None:
        self._pieces: list[bytes] = []

    def feed(self, chunk: bytes) -> Iterable[Event]:
        self._pieces.append(chunk)
        return ()

    def close(self) -> Iterable[Event]:
        return unfold(decode_response(read(b"".join(self._pieces))))


class StreamDecoder:
    """Keeps the open blocks in order; the oldest is the one whose deltas are given out."""

    __slots__ = (
        "_blocks",
        "_called",
        "_counts",
        "_details",
        "_finished",
        "_ids",
        "_joined",
        "_loose",
        "_number",
        "_partial",
        "_reason",
        "_sse",
        "_stop",
    )

    def __init__(self, *, partial: bool = False, joined: bool = False) -> None:
        self._sse = SseDecoder()
        self._joined = joined
        self._loose = False  # pieces that are to be joined may stand beside each other
        self._partial = partial
        self._blocks: dict[int, Block] = {}
        self._number = 0  # of events, to say which one was wrong
        self._ids = CallIds()
        self._called = False
        self._counts: JsonObject = {}
        self._reason: str | None = None
        self._stop: str | None = None
        self._details: JsonObject | None = None
        self._finished = False

    def feed(self, chunk: bytes) -> list[Event]:
        events: list[Event] = []
        whole = self._sse.take(chunk)
        if not whole:
            return events
        for run in runs(whole, _OPENING, _BORDER):
            for at in range(0, len(run.row), _MANY):
                some = run.row[at : at + _MANY]
                self._read_lines(lines_of(some), len(some), events)
            if run.after:
                self._read_each(events_of(run.after), events)
        return self._settled(events)

    def close(self) -> list[Event]:
        events: list[Event] = []
        self._read_each(self._sse.close(), events)
        if not self._finished:
            raise Truncated("the stream ended before message_stop")
        return self._settled(events)

    def _settled(self, events: list[Event]) -> list[Event]:
        if not self._loose:
            return events
        self._loose = False
        return joined(events)

    def _read_each(self, frames: list[Sse], events: list[Event]) -> None:
        for sse in frames:
            self._read_lines(sse.data, 1, events)

    def _read_lines(self, lines: bytes, count: int, events: list[Event]) -> None:
        """Read events in one call; if any of them is of no known shape, then each by itself."""
        try:
            chunks = decode_chunks(lines)
        except NOT_CHUNKS:
            chunks = []
        if len(chunks) == count:
            self._read_chunks(chunks, lines, events)
        elif count > 1:
            for line in lines.split(b"\n"):
                self._read_lines(line, 1, events)
        else:
            self._number += 1
            if not self._finished:
                _ = decode_chunk(lines, self._number)  # says what is wrong with it, if it matters

    def _read_chunks(self, chunks: list[Chunk], lines: bytes, events: list[Event]) -> None:
        """Gather the pieces of the shown block; nearly all events are nothing else."""
        first = self._number + 1
        place, block, word = self._shown()
        texts: list[str] = []
        for number, chunk in enumerate(chunks, first):
            delta = chunk.delta
            if block is not None and delta is not None and delta.type == word:
                text = delta.text if word == "text_delta" else delta.thinking
                if text and chunk.index == place and chunk.type == "content_block_delta":
                    texts.append(text)
                    continue
            if block is not None and texts:
                self._say(block, texts, events)
                texts = []
            self._number = number
            if not self._finished:
                line = _Line(lines, number - first, len(chunks))
                self._read(chunk, line, events)
            place, block, word = self._shown()
        if block is not None and texts:
            self._say(block, texts, events)
        self._number = first + len(chunks) - 1

    def _shown(self) -> tuple[int, Block | None, str]:
        """Give the block whose pieces are given out if it is made of words, and their type."""
        for place, block in self._blocks.items():
            if block.kind in WORDS:
                return place, block, f"{block.kind}_delta"
            break
        return 0, None, ""

    def _say(self, block: Block, texts: list[str], events: list[Event]) -> None:
        if self._joined and events and type(events[-1]) in (TextDelta, ThinkingDelta):
            self._loose = True
        block.add_texts(texts, events, joined=self._joined)

    def _read(self, chunk: Chunk, line: "_Line", events: list[Event]) -> None:
        if chunk.type == "content_block_delta" and chunk.delta is not None:
            self._extend(chunk, chunk.delta, line, events)
        elif chunk.error is not None:
            raise decode_error(read(line.data, f"event {self._number}"))
        else:
            self._frame(chunk, f"event {self._number}", events)

    def _frame(self, chunk: Chunk, where: str, events: list[Event]) -> None:
        """Read what opens and closes: the message, and each block in it."""
        match chunk.type:
            case "message_start":
                events.append(self._start(chunk.message or {}))
            case "content_block_start":
                block = Block(object_at(chunk.content_block, f"{where}.content_block"), where)
                self._begin(chunk.index, block, events)
            case "content_block_stop":
                ended = self._at(chunk.index)
                if ended is not None:
                    ended.done = True
                    self._settle(events)
            case "message_delta":
                self._note(chunk)
            case "message_stop":
                self._end(events)
            case _:
                pass  # a ping, or a type of a later day

    def _start(self, message: JsonObject) -> Start:
        usage, self._counts = decode_usage(message.get("usage"))
        return Start(
            model=optional_string(message, "model") or "",
            id=optional_string(message, "id") or "",
            usage=usage,
        )

    def _extend(self, chunk: Chunk, delta: Delta, line: "_Line", events: list[Event]) -> None:
        block = self._at(chunk.index)
        if block is None:
            kind = IMPLIED.get(delta.type)
            if kind is None:
                return  # nothing to add it to, and no telling what it would have been
            block = Block({"type": kind}, f"event {self._number}")
            self._begin(chunk.index, block, events)
        if delta.type not in KNOWN_DELTAS:
            if block.kind not in MODELLED:
                block.merge(_delta_of(line.data))
            return
        piece = block.add(delta)
        if piece and block.shown:
            self._tell(block, piece, events)

    def _tell(self, block: Block, piece: str | None, events: list[Event]) -> None:
        if block.kind == "tool_use" and not self._partial:
            return
        event = block.told(piece)
        if event is not None:
            self._loose = self._joined
            events.append(event)

    def _begin(self, index: int | None, block: Block, events: list[Event]) -> None:
        place = index if index is not None else self._number
        if place in self._blocks:  # never closed, and its place is taken: it is over
            self._close_all(events)
        self._blocks[place] = block
        self._settle(events)

    def _at(self, index: int | None) -> Block | None:
        """Find a block; without an index the newest open one is meant."""
        if index is not None:
            return self._blocks.get(index)
        return next(reversed(self._blocks.values()), None)

    def _settle(self, events: list[Event]) -> None:
        """Give whole the blocks that are done, in order, and show the first that is not."""
        while self._blocks:
            index, block = next(iter(self._blocks.items()))
            if not block.shown:
                block.shown = True
                if block.kind == "tool_use":
                    block.id = self._ids.take(block.given_id)
                    self._called = True
                self._tell(block, None, events)
            if not block.done:
                return
            del self._blocks[index]
            part = block.part(f"event {self._number}")
            if part is not None:
                events.append(PartDone(part=part))

    def _close_all(self, events: list[Event]) -> None:
        for block in self._blocks.values():
            block.done = True
        self._settle(events)

    def _note(self, chunk: Chunk) -> None:
        self._counts = add_counts(chunk.usage, self._counts)
        delta = chunk.delta
        if delta is not None and delta.stop_reason is not None:
            self._reason, self._stop = delta.stop_reason, delta.stop_sequence
            self._details = delta.stop_details if isinstance(delta.stop_details, dict) else None

    def _end(self, events: list[Event]) -> None:
        self._close_all(events)
        events.append(
            Finish(
                reason=decode_reason(self._reason, called=self._called),
                native=self._reason or "",
                stop_sequence=self._stop,
                usage=usage_of(self._counts),
                raw=None if self._details is None else {"stop_details": self._details},
            )
        )
        self._finished = True


class _Line(NamedTuple):
    """Where an event lies, for those few of which more must be read."""

    lines: bytes
    at: int
    among: int

    @property
    def data(self) -> bytes:
        return self.lines if self.among == 1 else self.lines.split(b"\n")[self.at]


def _delta_of(data: bytes) -> JsonObject:
    delta = object_at(object_at(read(data), "event").get("delta"), "delta")
    return {key: value for key, value in delta.items() if key != "type"}


_MANY = 128  # as much as is read in one call, and again if one of them is odd
# Nearly all events; those that name themselves differently, or not, are found one by one.
_OPENING = b"event: content_block_delta\ndata: {"
_BORDER = re.compile(rb"\}\n\nevent: [a-z_]+\ndata: \{")
_BLANK = b" \t\r\n\xef\xbb\xbf"  # blank lines of a server that is queueing; a byte order mark
