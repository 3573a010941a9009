"""Server-sent events, both ways, without I/O.

https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation
"""

from msgspec import Struct

from majordomo.contract import Malformed

MAX_EVENT_BYTES = 64 * 1024 * 1024  # a guard on memory, far above any real event


class Sse(Struct, frozen=True):
    event: str
    data: bytes


class SseDecoder:
    r"""Feed it bytes cut anywhere; it gives each event once it is whole.

    Lines are split on bytes (`\n`, `\r\n`, `\r`) and never by `str.splitlines`, which would
    also cut at U+2028 inside a JSON string. Events without data are dropped, as are comments.
    """

    __slots__ = ("_carriage", "_first", "_pieces", "_size")

    def __init__(self) -> None:
        self._pieces: list[bytes] = []  # an unfinished event; joined only when it may be whole
        self._size = 0
        self._carriage = False  # the last chunk ended in \r: a \n now belongs to it
        self._first = True

    def feed(self, chunk: bytes) -> list[Sse]:
        if _is_one_event(chunk) and not (self._pieces or self._carriage or self._first):
            data = chunk[6:-2]
            return [] if not data or data.isspace() else [Sse("", data)]
        if self._first and chunk:
            chunk = self._without_mark(chunk)
        if b"\r" in chunk or self._carriage:
            chunk = self._with_newlines(chunk)
        if not self._ends_event(chunk):
            self._hold(chunk)
            return []
        if self._pieces:
            chunk = b"".join((*self._pieces, chunk))
            self._pieces.clear()
        *blocks, rest = chunk.split(b"\n\n")
        self._size = 0
        if rest:
            self._hold(rest)
        return _events(blocks)

    def close(self) -> list[Sse]:
        """Give a last event whose blank line never came: proxies lose it."""
        rest = b"".join(self._pieces)
        self._pieces.clear()
        sse = _parse(rest) if rest else None
        return [sse] if sse is not None else []

    def _ends_event(self, chunk: bytes) -> bool:
        """Look for a blank line, also one cut in two; only then are the pieces worth joining."""
        if b"\n\n" in chunk:
            return True
        return bool(self._pieces) and self._pieces[-1][-1:] == b"\n" == chunk[:1]

    def _hold(self, piece: bytes) -> None:
        if not piece:
            return
        self._size += len(piece)
        if self._size > MAX_EVENT_BYTES:
            raise Malformed("event", f"is longer than {MAX_EVENT_BYTES} bytes")
        self._pieces.append(piece)

    def _without_mark(self, chunk: bytes) -> bytes:
        """Drop a byte order mark, even one that arrives in pieces."""
        head = b"".join((*self._pieces, chunk))
        mark = b"\xef\xbb\xbf"
        if len(head) < len(mark) and mark.startswith(head):
            self._pieces = [head]
            return b""
        self._first = False
        self._pieces.clear()
        return head.removeprefix(mark)

    def _with_newlines(self, chunk: bytes) -> bytes:
        if self._carriage and chunk.startswith(b"\n"):
            chunk = chunk[1:]
        elif not chunk:
            return chunk
        self._carriage = chunk.endswith(b"\r")
        return chunk.replace(b"\r\n", b"\n").replace(b"\r", b"\n")


def _is_one_event(chunk: bytes) -> bool:
    """Tell a read that is one event of one line: so most arrive, and they skip the splitting."""
    return (
        chunk.endswith(b"\n\n")
        and chunk.startswith(b"data: ")
        and chunk.count(b"\n") == 2
        and b"\r" not in chunk
    )


def _events(blocks: list[bytes]) -> list[Sse]:
    events: list[Sse] = []
    for block in blocks:
        if block.startswith(b"data: {") and b"\n" not in block:  # nearly every one: spare a call
            events.append(Sse("", block[6:]))
        elif (sse := _parse(block)) is not None:
            events.append(sse)
    return events


def _parse(block: bytes) -> Sse | None:
    if block.startswith(b"data: ") and b"\n" not in block:  # nearly every event of four dialects
        data = block[6:]
        return Sse("", data) if data.strip() else None
    if block.startswith(b"event: "):  # and of the fifth: half the price of reading any order
        head, _, rest = block.partition(b"\n")
        if rest.startswith(b"data: ") and b"\n" not in rest:
            data = rest[6:]
            return Sse(head[7:].decode(errors="replace"), data) if data.strip() else None
    event = ""
    lines: list[bytes] = []
    for line in block.split(b"\n"):
        name, _, value = line.partition(b":")
        if name == b"data":
            lines.append(value.removeprefix(b" "))
        elif name == b"event":
            event = value.removeprefix(b" ").decode(errors="replace")
    data = b"\n".join(lines)
    return Sse(event, data) if data.strip() else None


def encode_sse(data: bytes, event: str = "") -> bytes:
    """Frame one event; `data` is JSON and therefore holds no line break."""
    if event:
        return b"event: %b\ndata: %b\n\n" % (event.encode(), data)
    return b"data: %b\n\n" % data
