"""Server-sent events, both ways, without I/O.

https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation
"""

import re

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
        whole = self.take(chunk)
        return events_of(whole) if whole else []

    def take(self, chunk: bytes) -> bytes:
        """Give the events that are whole now, still in their lines; see `events_of` and `runs`."""
        if self._first and chunk:
            if self._pieces or chunk.startswith(b"\xef"):
                chunk = self._without_mark(chunk)
            else:
                self._first = False
        if self._carriage or b"\r" in chunk:
            chunk = self._with_newlines(chunk)
        if not self._pieces and chunk.endswith(b"\n\n"):  # nearly every read
            return chunk[:-2]
        if not self._ends_event(chunk):
            self._hold(chunk)
            return b""
        if self._pieces:
            chunk = b"".join((*self._pieces, chunk))
            self._pieces.clear()
        whole, _, rest = chunk.rpartition(b"\n\n")
        self._size = 0
        if rest:
            self._hold(rest)
        return whole

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


def events_of(whole: bytes) -> list[Sse]:
    """Take the events that `SseDecoder.take` gave out of their lines."""
    events: list[Sse] = []
    for block in whole.split(b"\n\n"):
        if block.startswith(b"data: {") and b"\n" not in block:  # nearly every one: spare a call
            events.append(Sse("", block[6:]))
        elif (sse := _parse(block)) is not None:
            events.append(sse)
    return events


class Run(Struct, frozen=True, gc=False):
    """Events of one kind that stand in a row, and whatever follows them."""

    row: list[bytes]  # what each says between its braces; empty where other events come first
    after: bytes  # other events, for `events_of`; may be empty


def lines_of(row: list[bytes]) -> bytes:
    """Give the events of a row as lines of JSON.

    Every line begins and ends with a brace, and no value can reach over such a border; so who
    finds as many values as there are lines has found one in each.
    """
    return b"{" + b"}\n{".join(row) + b"}"


def runs(whole: bytes, opening: bytes, border: re.Pattern[bytes] | None = None) -> list[Run]:
    """Part what `take` gave into rows of events, each of which is read in one call.

    `opening` is how an event of the kind begins, up to the brace; `border`, for kinds that begin
    in more than one way, all from the brace that ends one to that which begins another. To split
    once costs a tenth of taking event by event out of its lines.
    """
    if whole.find(b"\n", len(opening)) < 0 and whole.startswith(opening) and whole[-1:] == b"}":
        return [Run([whole[len(opening) : -1]], b"")]
    parted = _BORDER + whole
    first, *row = parted.split(_BORDER + opening) if border is None else border.split(parted)
    if not row:
        return [Run([], whole)]
    found = [Run([], first[len(_BORDER) :] + b"}")] if first else []
    last = row.pop()
    if b"\n" in b"".join(row):  # searching them one by one takes ten times as long as joining
        pieces = row
        row = list[bytes]()
        for piece in pieces:
            if b"\n" not in piece:
                row.append(piece)
            else:
                found.append(_run(row, piece + b"}", opening))
                row = list[bytes]()
    found.append(_run(row, last, opening))
    return found


def _run(row: list[bytes], last: bytes, opening: bytes) -> Run:
    """End a row with its last event, behind which others may stand."""
    inside, border, after = last.partition(_BORDER)
    if not border and last[-1:] == b"}":
        inside = last[:-1]
    elif not border:
        inside = b"\n"
    if b"\n" in inside:  # of several lines, or no object: not for us
        after = opening + last
    else:
        row.append(inside)
    return Run(row, after)


_BORDER = b"}\n\n"


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
